"""Operator projects: the sinh of the exam, its broken variants, its aclnn call, and mistakes of tiling functions."""

from __future__ import annotations

import shutil
import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ascend_lab import chips
from ascend_lab.ascendc.project import Project, Ran, Ready
from ascend_lab.ascendc.project.aclnn import call
from ascend_lab.ascendc.project.new import spellings
from ascend_lab.cli import main
from ascend_lab.commands.op_case import load
from ascend_lab.device import Device
from ascend_lab.exercise.accuracy import compare

ROOT = Path(__file__).parents[3]
SINH = ROOT / "exam_bank" / "projects" / "sinh"
FAULTY = Path(__file__).with_name("faulty")
SPEC = chips.load(chips.DEFAULT)
BROKEN: dict[str, Any] = tomllib.loads((SINH / "broken.toml").read_text("utf-8"))


@pytest.fixture(scope="module")
def sinh() -> Project:
    return Project(SINH, SPEC)


@pytest.fixture(scope="module")
def faulty() -> Project:
    return Project(FAULTY, SPEC)


def run(project: Project, name: str) -> tuple[Ran, bool]:
    case = load(project.root / "cases" / f"{name}.toml")
    ran = project.run(project.prototype(), case.inputs, case.attrs, Device(SPEC))
    output = ran.outputs["y"]
    return ran, compare(output, case.expected("y", output)).passed


@pytest.mark.parametrize("name", ["aligned", "unaligned", "tiny", "tiles"])
def test_the_project_is_right(sinh: Project, name: str) -> None:
    ran, right = run(sinh, name)
    assert right
    assert ran.ok
    assert ran.result is not None
    assert not ran.result.findings


def test_tiling_data_has_the_layout_of_the_structure(sinh: Project) -> None:
    ready = sinh.prepare(sinh.prototype(), {"x": np.zeros(5000, np.float16)}, {})
    assert ready.tiling is not None
    words = np.frombuffer(ready.tiling.data, np.uint32)
    big, small, cores, tile, total = map(int, words)
    assert total == 5000
    assert (big, small) == (112, 96)
    assert cores * big + (ready.tiling.blocks - cores) * small >= 5000
    assert tile % 128 == 0


#: The others take as long and say as much.
DAILY = ("core-offset", "missing-free")


@pytest.mark.parametrize(
    "name",
    [name if name in DAILY else pytest.param(name, marks=pytest.mark.nightly) for name in BROKEN],
)
def test_each_defect_is_named_at_its_line(name: str, tmp_path: Path) -> None:
    wanted = BROKEN[name]
    root = tmp_path / "sinh"
    shutil.copytree(SINH, root)
    kernel = root / "op_kernel" / "sinh_custom.cpp"
    text = kernel.read_text("utf-8")
    assert wanted["old"] in text
    kernel.write_text(text.replace(wanted["old"], wanted["new"]), "utf-8")
    ran, _ = run(Project(root, SPEC), wanted["case"])
    assert ran.result is not None
    first = ran.result.findings[0]
    line = kernel.read_text("utf-8").splitlines()[first.line - 1].strip()
    assert (first.id, first.file) == (wanted["finding"], "sinh_custom.cpp")
    assert line.startswith(wanted["at"])


def test_the_two_phase_call_runs(sinh: Project, tmp_path: Path) -> None:
    with (tmp_path / "out").open("wb") as out:
        called = call(sinh, [SINH / "aclnn" / "main.cpp"], ["1001"], folder=tmp_path, stdout=out)
    assert called.ok, called.outcome
    assert (tmp_path / "out").read_text("utf-8") == "0 of 1001 wrong\n"
    assert [name for name, _ in called.outcome.results] == ["sinh_custom"]


#: mode of the faulty operator -> kind of the fault, and words it has.
FAULTS = {
    1: ("index", "nullptr"),
    2: ("blocks_zero", "SetBlockDim(0)"),
    3: ("blocks_many", "70000"),
    4: ("attr_type", "declared Int (int64_t)"),
    5: ("status", "561002"),
    6: ("workspace_huge", str(1 << 60)),
    7: ("died", "divided an integer by zero"),
    8: ("tiling_size", "16384"),
    9: ("blocks_rounds", "rounds"),
    10: ("dim", "GetDim(5)"),
    11: ("null", "ValueDepend"),
}


def prepared(project: Project, mode: int) -> Ready:
    return project.prepare(project.prototype(), {"x": np.zeros(100, np.float32)}, {"mode": mode})


def test_a_tiling_function_without_a_mistake_has_no_fault(faulty: Project) -> None:
    ready = prepared(faulty, 0)
    assert ready.ok
    assert not ready.faults


@pytest.mark.parametrize("mode", FAULTS)
def test_a_mistake_of_tiling_is_told_with_its_line(faulty: Project, mode: int) -> None:
    kind, words = FAULTS[mode]
    ready = prepared(faulty, mode)
    found = next(one for one in ready.faults if one.kind == kind)
    assert words in found.message("en")
    lines = (FAULTY / "op_host" / "faulty.cpp").read_text("utf-8").splitlines()
    assert found.file == "faulty.cpp"
    if mode not in (5, 6, 7):
        assert lines[found.line - 1].strip().startswith(f"case {mode}:")


def test_a_null_pointer_that_is_used_ends_tiling(faulty: Project) -> None:
    ready = prepared(faulty, 1)
    assert [one.kind for one in ready.faults] == ["index", "died"]
    assert not ready.ok


def test_types_that_are_not_declared_are_refused(faulty: Project) -> None:
    known = faulty.prototype()
    ready = faulty.prepare(known, {"x": np.zeros(8, np.float16)}, {"mode": 0})
    assert [one.kind for one in ready.faults] == ["types"]
    assert "DT_INT32" in ready.faults[0].message("zh")


def test_a_missing_attribute_is_told(faulty: Project) -> None:
    ready = faulty.prepare(faulty.prototype(), {"x": np.zeros(8, np.float32)}, {})
    assert [one.kind for one in ready.faults] == ["attr_missing"]


def test_a_missing_input_is_told(faulty: Project) -> None:
    ready = faulty.prepare(faulty.prototype(), {}, {"mode": 0})
    assert [one.kind for one in ready.faults] == ["input_missing"]


def test_a_new_project_is_right_as_it_stands(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["op", "new", "ScaleRows", "--folder", str(tmp_path), "--lang", "en"]) == 0
    root = tmp_path / "scale_rows"
    said = capsys.readouterr().out
    assert "op_kernel/scale_rows.cpp" in said
    assert "OpName" not in "".join(p.read_text("utf-8") for p in root.rglob("*") if p.is_file())
    assert main(["op", "run", str(root), "--lang", "en"]) == 0
    assert "passed 3/3" in capsys.readouterr().out
    caller = str(root / "aclnn" / "main.cpp")
    assert main(["op", "call", "--lang", "en", str(root), caller, "77"]) == 0
    assert main(["op", "new", "scale_rows", "--folder", str(tmp_path), "--lang", "en"]) == 1
    assert "there already" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("SinhCustom", ("sinh_custom", "SinhCustom")),
        ("add_rms_norm", ("add_rms_norm", "AddRmsNorm")),
        ("GELU", ("gelu", "GELU")),
        ("Conv2D", ("conv2_d", "Conv2D")),
    ],
)
def test_a_name_has_two_spellings(name: str, wanted: tuple[str, str]) -> None:
    assert spellings(name) == wanted


@pytest.mark.parametrize("name", ["2x", "a-b", "x y", ""])
def test_what_names_no_operator_is_refused(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["op", "new", name, "--folder", str(tmp_path), "--lang", "en"]) == 1
    assert "cannot name an operator" in capsys.readouterr().err


def test_the_command_says_what_it_compared(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["op", "run", str(SINH), "--case", "tiny", "--lang", "en"]) == 0
    said = capsys.readouterr().out
    assert "y float16[5]: right" in said
    assert said.endswith("passed 1/1\n")


def test_a_folder_that_is_no_project_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["op", "run", str(tmp_path), "--lang", "en"]) == 1
    assert "op_host" in capsys.readouterr().err
