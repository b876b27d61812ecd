"""Every class of host faults is found under its id, at its line, in both doors; without the fault nothing is said."""

from __future__ import annotations

from pathlib import Path

import pytest

from ascend_lab import checks
from ascend_lab.ascendc import Build, NoCompiler, build, run
from ascend_lab.ascendc.building import compiler
from ascend_lab.checks import Findings
from tests.acl.table import GOOD, NAMES, Fault, all_in_one, in_door, name, run_python


@pytest.fixture(scope="module")
def _cxx() -> None:
    try:
        compiler()
    except NoCompiler as error:
        pytest.skip(error.message("en").splitlines()[0])


def _caught(fault: Fault, door: str, findings: Findings) -> None:
    found = {(f.id, f.variant): f for f in findings}
    class_id, variant = fault.key
    assert (class_id, variant) in found, f"found {findings!r}"
    finding = found[class_id, variant]
    assert finding.severity == fault.severity
    assert (finding.file, finding.line) == (NAMES[door], fault.line(door))
    others = {(f.id, f.variant) for f in findings if f.severity == "error"} - {fault.key}
    assert not others, f"also said: {others}"
    for lang in ("zh", "en"):
        assert "{" not in finding.message(lang)


def test_the_python_program_has_no_fault(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    runtime, raised = run_python(GOOD["python"].read_text("utf-8"), tmp_path)
    assert raised is None
    assert runtime.findings.all == ()
    assert [result.findings.all for _, result in runtime.results] == [(), ()]
    assert capsys.readouterr().out == "right\n"


@pytest.mark.parametrize("fault", in_door("python"), ids=name)
def test_python(fault: Fault, tmp_path: Path) -> None:
    runtime, _ = run_python(fault.text("python"), tmp_path)
    _caught(fault, "python", runtime.findings)


@pytest.mark.usefixtures("_cxx")
def test_the_cpp_program_has_no_fault(tmp_path: Path) -> None:
    with (tmp_path / "out").open("wb") as out:
        outcome = run(build([GOOD["cpp"]]), folder=tmp_path, stdout=out)
    assert outcome.ok
    assert outcome.host.all == ()
    assert (tmp_path / "out").read_text("utf-8") == "0 wrong\n"


@pytest.fixture(scope="module")
def every_fault(_cxx: None, tmp_path_factory: pytest.TempPathFactory) -> Build:
    source = tmp_path_factory.mktemp("faults") / "every_fault.asc"
    source.write_text(all_in_one(), "utf-8")
    return build([source])


@pytest.mark.parametrize("number", range(len(in_door("cpp"))), ids=map(name, in_door("cpp")))
def test_cpp(number: int, every_fault: Build, tmp_path: Path) -> None:
    with (tmp_path / "out").open("wb") as out:
        outcome = run(every_fault, [str(number)], folder=tmp_path, stdout=out)
    _caught(in_door("cpp")[number], "cpp", outcome.host)


def test_every_sentence_of_the_catalogue_is_said() -> None:
    said = {fault.key for door in ("python", "cpp") for fault in in_door(door)}
    classes = [e for e in checks.catalogue().values() if e.id[0] == "J" or e.id == "D15"]
    assert {(e.id, variant) for e in classes for variant in e.variants} <= said
    elsewhere = {"J12"}  # test_runtime.py: it needs files
    assert {e.id for e in classes} == {class_id for class_id, _ in said} | elsewhere
