"""Which code a page shows for a finding: that of the file it is about, whatever else has the same name."""

from __future__ import annotations

import shutil
from pathlib import Path

from ascend_lab.exercise.bank import read
from grader.collecting import Student, collect
from grader.reports.html import excerpt
from tests.exercise import kernels
from tests.exercise.conftest import TASK

PROJECT = Path(__file__).parents[2] / "exercise/project"
ADD = read(TASK.encode(), "add.toml")


def shown(student: Student, file: str, line: int) -> str:
    """The line of code that the page shows for a finding of the task at this place."""
    name = student.called(ADD).get(file, file)
    return next(one.text for one in excerpt(student.texts(), name, line) if one.is_meant)


def test_two_files_of_one_name(tmp_path: Path) -> None:
    (tmp_path / "bob").mkdir()
    (tmp_path / "bob/bob.py").write_text(kernels.ADD)
    (tmp_path / "bob.py").write_text("# something else\n" * 99)
    (bob,) = collect(tmp_path)
    assert set(bob.texts()) == {"bob.py", "bob/bob.py"}
    assert shown(bob, "bob.py", 1) == kernels.ADD.splitlines()[0]


def test_a_project_whose_halves_are_called_alike(tmp_path: Path) -> None:
    shutil.copytree(PROJECT, tmp_path / "eve")
    (eve,) = collect(tmp_path)
    kernel = (PROJECT / "op_kernel/add.cpp").read_text("utf-8").splitlines()
    assert shown(eve, "add.cpp", 3) == kernel[2]
    assert shown(eve, "add_tiling.h", 1)


def test_one_file(tmp_path: Path) -> None:
    (tmp_path / "kim.py").write_text(kernels.ADD)
    (kim,) = collect(tmp_path)
    assert shown(kim, "kim.py", 2) == kernels.ADD.splitlines()[1]
