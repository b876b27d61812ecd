"""The conformance runner on samples of our own, and on the official ones where there are copies of them."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from ascend_lab import cli
from ascend_lab.acl.host_device import HostDevice
from ascend_lab.ascendc import build, run
from ascend_lab.conform import Entry, conform, discover, read, summary
from ascend_lab.conform.cases import for_another_chip, not_here, of_sample
from ascend_lab.conform.cmake import OtherChip, Refused, evaluate
from ascend_lab.conform.document import Call, Write, of_notebook, of_readme
from ascend_lab.conform.golden import agrees, golden_of
from ascend_lab.conform.judging import of_outcome
from ascend_lab.conform.printed import says_right, says_wrong
from ascend_lab.conform.runner import Judged
from ascend_lab.conform.sample import drive, verdict_on
from ascend_lab.conform.verdict import Verdict, together

CORPUS = Path(__file__).parent / "corpus"
OWN = CORPUS / "own+samples"
LIST = """
# A list
| # | path | LOC | APIs | launch | verification | notes |
|---|---|---|---|---|---|---|
| 1 | `own+samples/scaled` | 60 | Muls, DataCopy | <<<>>> | verify_result.py | |
| 2 | `own+samples/notes/hello.ipynb` | 20 | printf | <<<>>> | stdout | |
| 3 | `own+samples/broken` | 5 | Mmad, DataCopy | - | - | |
| 4 | `own+samples/absent` | 5 | | - | report: illegal access | deliberately faulty |
"""


def test_a_list_is_read_by_its_columns() -> None:
    entries = read(LIST)
    assert [entry.number for entry in entries] == [1, 2, 3, 4]
    assert entries[0] == Entry(
        1, "own+samples/scaled", "Muls, DataCopy", "<<<>>>", "verify_result.py", ""
    )
    assert [entry.matrix for entry in entries] == [False, False, True, False]
    assert [entry.faulty for entry in entries] == [False, False, False, True]


def test_without_a_list_samples_are_found() -> None:
    assert [entry.path for entry in discover(CORPUS)] == [
        "own+samples/broken",
        "own+samples/notes/hello.ipynb",
        "own+samples/scaled",
    ]


def test_cmake_is_read_with_its_conditions() -> None:
    project = evaluate(OWN / "scaled", {"SCENARIO_NUM": "2"})
    (target,) = project.programs()
    assert target.sources == [OWN / "scaled" / "scaled.asc"]
    assert target.defines == ["SCENARIO_NUM=2"]
    with pytest.raises(Refused, match="dav-3510"):
        evaluate(OWN / "scaled", {"SCENARIO_NUM": "3"})
    with pytest.raises(Refused, match="1 to 3"):
        evaluate(OWN / "scaled", {"SCENARIO_NUM": "4"})


def test_cmake_conditions(tmp_path: Path) -> None:
    (tmp_path / "CMakeLists.txt").write_text(
        'set(KNOWN a b c)\nset(EMPTY "")\n'
        'if(NOT X IN_LIST KNOWN)\nmessage(FATAL_ERROR "not ${X}")\nendif()\n'
        "if(EMPTY)\nadd_definitions(-DBAD)\nelseif(X STREQUAL a OR (X STREQUAL b AND DEFINED Y))\n"
        "add_definitions(-DFIRST)\nelse()\nadd_definitions(-DOTHER)\nendif()\n"
        "add_library(part STATIC part.cpp)\nadd_executable(demo main.cpp)\n"
        "target_link_libraries(demo PRIVATE part m)\n"
    )
    assert evaluate(tmp_path, {"X": "a"}).defines == ["FIRST"]
    assert evaluate(tmp_path, {"X": "b"}).defines == ["OTHER"]
    assert evaluate(tmp_path, {"X": "b", "Y": "1"}).defines == ["FIRST"]
    (demo,) = evaluate(tmp_path, {"X": "c"}).programs()
    assert [source.name for source in demo.sources] == ["main.cpp", "part.cpp"]
    with pytest.raises(Refused, match="not d"):
        evaluate(tmp_path, {"X": "d"})


def test_cmake_loops_over_files(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    for name in ("a.asc", "b.asc", "notes.txt"):
        (tmp_path / "src" / name).touch()
    (tmp_path / "CMakeLists.txt").write_text(
        "cann_sample_check_arch(dav-2201 dav-3510)\n"
        "file(GLOB FILES CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/src/*.asc)\n"
        "foreach(FILE ${FILES})\nget_filename_component(NAME ${FILE} NAME_WE)\n"
        'string(REPLACE "a" "first" NAME "${NAME}")\n'
        "if(NAME STREQUAL first)\nforeach(N IN ITEMS 1 2)\nadd_definitions(-DN${N})\nendforeach()\nendif()\n"
        "add_executable(${NAME} ${FILE})\nlist(APPEND ALL ${NAME})\nendforeach()\n"
        "foreach(NAME IN LISTS ALL)\nadd_definitions(-D${NAME})\nendforeach()\n"
    )
    project = evaluate(tmp_path, {})
    assert [(t.name, t.sources) for t in project.programs()] == [
        ("first", [tmp_path / "src/a.asc"]),
        ("b", [tmp_path / "src/b.asc"]),
    ]
    assert project.defines == ["N1", "N2", "first", "b"]
    (tmp_path / "CMakeLists.txt").write_text("cann_sample_check_arch(dav-3510)\n")
    with pytest.raises(OtherChip, match="dav-3510"):
        evaluate(tmp_path, {})


@pytest.mark.parametrize(
    ("broken", "status"), [(False, "pass"), pytest.param(True, "wrong", marks=pytest.mark.nightly)]
)
def test_a_project_and_a_program_that_calls_it(broken: bool, status: str, tmp_path: Path) -> None:
    project = Path(__file__).parents[2] / "exam_bank/projects/sinh"
    sample, scratch = tmp_path / "own+samples/call", tmp_path / "scratch"
    scratch.mkdir()
    for part in ("op_host", "op_kernel"):
        shutil.copytree(project / part, sample / "op_dev" / part)
    shutil.copytree(project / "aclnn", sample / "aclnn")
    if broken:
        (source,) = (sample / "op_dev/op_kernel").glob("*.cpp")
        text = source.read_text("utf-8")
        assert "Muls" in text
        source.write_text(text.replace("Muls", "Adds"), "utf-8")
    (verdict,) = drive(tmp_path, Entry(1, "own+samples/call"), scratch)
    assert verdict.status == status, verdict


def test_only_cases_of_this_architecture_are_taken() -> None:
    (step,) = of_readme(OWN / "scaled")
    assert "cmake .." in step.text
    assert "set_env" not in step.text
    assert of_sample(OWN / "scaled", step.text) == [{"SCENARIO_NUM": "1"}, {"SCENARIO_NUM": "2"}]


def test_scenarios_for_another_chip_are_named(tmp_path: Path) -> None:
    table = "| 产品 | CANN软件版本 |\n|---|---|\n| Ascend 950PR/Ascend 950DT | >= CANN 9.1.0 |\n"
    (tmp_path / "README.md").write_text(
        table + "| Atlas A2 训练系列产品 | >= CANN 9.0.0 |\n\n"
        "**场景2：Ors** ----此场景仅在 Ascend 950PR/Ascend 950DT产品支持**\n"
        "**场景3：Atlas A2 与 Ascend 950 均支持**\n| N | 1=中转，5=直通（仅Ascend 950PR支持） |\n",
        encoding="utf-8",
    )
    (tmp_path / "x.asc").write_text("// 场景4：移位（仅支持Ascend 950PR/Ascend 950DT）\n", "utf-8")
    assert not_here(tmp_path) == {"2", "4", "5"}
    assert not for_another_chip(tmp_path)
    (tmp_path / "README.md").write_text(table, encoding="utf-8")
    assert for_another_chip(tmp_path)


def test_what_is_for_another_chip_does_not_count() -> None:
    other = Verdict("other chip", "for Ascend 950 only", "N=2")
    merged = together([Verdict("pass", case="N=1"), other])
    assert (merged.status, merged.reason) == ("pass", "1/1 cases, 1 for another chip")
    assert together([other]).status == "other chip"
    entries = read(LIST)[:2]
    judged = [Judged(entries[0], merged, ()), Judged(entries[1], other, ())]
    assert "passed 1/1 (100.0 %)" in summary(judged)
    assert "other chip 1" in summary(judged)


def test_a_notebook_is_steps() -> None:
    steps = of_notebook(OWN / "notes" / "hello.ipynb")
    assert [type(step) for step in steps[:3]] == [Call, Write, Write]
    assert isinstance(steps[3], Write)
    assert steps[3].append


@pytest.mark.parametrize(
    ("text", "wrong", "right"),
    [
        ("test pass!", False, True),
        ("[ERROR] result error", True, False),
        ("[Success] Case accuracy is verified", False, True),
        ("mismatch: 0 of 1024", False, False),
        ("test failed!", True, False),
        ("hello", False, False),
    ],
)
def test_what_a_text_says(text: str, wrong: bool, right: bool) -> None:
    assert bool(says_wrong(text)) is wrong
    assert says_right(text) is right


def test_the_worst_case_speaks_for_a_sample() -> None:
    merged = together(
        [Verdict("pass", case="a"), Verdict("finding", "C1: text", "b", ("C1",)), Verdict("pass")]
    )
    assert (merged.status, merged.findings) == ("finding", ("C1",))
    assert merged.reason == "2/3 cases; b: C1: text"


def test_a_sample_wrong_on_purpose_passes_when_it_is_named() -> None:
    faulty = read(LIST)[3]
    named = Verdict("finding", "B1", "", ("B1",))
    assert verdict_on(faulty, [named]).status == "pass"
    assert verdict_on(faulty, [Verdict("pass"), Verdict("pass")]).status == "wrong"
    assert verdict_on(read(LIST)[0], [named]).status == "finding"
    assert verdict_on(read(LIST)[2], [Verdict("not modelled", "Mmad")]).status == "needs matrix"


def test_our_golden_knows_what_names_say() -> None:
    import numpy as np

    x = np.linspace(-2, 2, 9, dtype=np.float16)
    golden = golden_of("SigmoidCustom")
    assert golden is not None
    assert agrees((1 / (1 + np.exp(-x.astype(np.float64)))).astype(np.float16), golden([x], {}))
    assert not agrees(x, golden([x], {}))
    assert golden_of("matmul_sinh") is None
    assert golden_of("other") is None


def test_samples_run_and_a_bad_one_stops_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    listed, out = tmp_path / "list.md", tmp_path / "out.json"
    listed.write_text(LIST)
    code = cli.main(["conform", str(CORPUS), "--list", str(listed), "--json", str(out), "-j", "2"])
    assert code == 1
    lines = capsys.readouterr().out.splitlines()
    statuses = [line.split("own+")[0].split()[1:] for line in lines[:4]]
    assert statuses == [["pass"], ["pass"], ["build", "error", "matrix"], ["not", "driven"]]
    assert "2/2 cases" in lines[0]
    assert "not_there" in lines[2]
    assert lines[-2:] == [
        "without matrix APIs: passed 2/3 (66.7 %)",
        "passed 2/4 (50.0 %)",
    ]
    found = json.loads(out.read_text())
    assert [case["case"] for case in found[0]["cases"]] == ["SCENARIO_NUM=1", "SCENARIO_NUM=2"]
    assert str(tmp_path) not in out.read_text()


@pytest.mark.nightly
def test_samples_run_in_adversarial_schedules() -> None:
    scaled, hello = read(LIST)[:2]
    judged = conform(CORPUS, [scaled, hello], schedule="adversarial")
    assert [found.verdict.status for found in judged] == ["pass", "pass"]


def test_a_launch_of_too_many_instructions_is_not_called_wrong(tmp_path: Path) -> None:
    source = tmp_path / "endless.asc"
    source.write_text(
        '#include "kernel_operator.h"\n#include "acl/acl.h"\n'
        "__global__ __vector__ void endless() { while (true) { AscendC::PipeBarrier<PIPE_V>(); } }\n"
        "int main() { aclInit(nullptr); aclrtSetDevice(0); endless<<<1, nullptr, nullptr>>>();\n"
        "aclrtSynchronizeDevice(); aclrtResetDevice(0); aclFinalize(); }\n"
    )
    outcome = run(build([source]), device=HostDevice(limit=2000))
    found = of_outcome(outcome, "", "", 2000)
    assert (found.status, found.findings) == ("too long", ("X2",))
    assert "2000" in found.reason
    assert together([Verdict("wrong"), found]).status == "too long"


def test_a_sample_that_does_not_end_is_ended(tmp_path: Path) -> None:
    folder = tmp_path / "own+samples" / "asleep"
    (folder / "scripts").mkdir(parents=True)
    (folder / "CMakeLists.txt").write_text("add_executable(demo none.asc)\n")
    (folder / "scripts" / "gen_data.py").write_text("import time\ntime.sleep(600)\n")
    (folder / "README.md").write_text(
        "```bash\ncd .\ncmake ..\npython3 scripts/gen_data.py\n./demo\n```\n"
    )
    (judged,) = conform(tmp_path, [Entry(1, "own+samples/asleep")], seconds=8)
    assert judged.verdict.status == "crash"
    assert "8 s" in judged.verdict.reason


def test_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["conform", "no_such_folder", "--lang", "en"]) == 2
    assert "no_such_folder" in capsys.readouterr().err


def test_nothing_to_run_has_a_summary() -> None:
    assert summary([]).splitlines()[-1] == "passed 0/0 (0.0 %)"
    entry = Entry(1, "a")
    done = Judged(entry, Verdict("pass"), (Verdict("pass"),))
    assert summary([done]).splitlines()[-1] == "passed 1/1 (100.0 %)"


@pytest.mark.skipif(
    not os.environ.get("ASCEND_LAB_CORPUS") or not os.environ.get("ASCEND_LAB_LADDER"),
    reason="ASCEND_LAB_CORPUS names no folder of repositories, or ASCEND_LAB_LADDER no list",
)
def test_the_official_samples() -> None:
    entries = read(Path(os.environ["ASCEND_LAB_LADDER"]).read_text("utf-8"))
    judged = conform(Path(os.environ["ASCEND_LAB_CORPUS"]), entries, jobs=2)
    plain = [found for found in judged if not found.entry.matrix]
    passed = sum(found.verdict.status == "pass" for found in plain)
    assert passed >= 0.95 * len(plain), summary(judged)


def test_scripts_find_the_types_of_tensorflow(tmp_path: Path) -> None:
    script = tmp_path / "gen_data.py"
    script.write_text("import tensorflow as tf\nprint(tf.bfloat16.as_numpy_dtype(1.5) * 2)\n")
    command = [sys.executable, "-m", "ascend_lab.conform.script", str(script)]
    done = subprocess.run(command, capture_output=True, check=False, text=True)
    assert (done.returncode, done.stdout.strip()) == (0, "3"), done.stderr
