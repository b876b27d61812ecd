"""Lab 01: its host programs, in both states, and its hunts."""

from __future__ import annotations

import importlib.util
import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ascend_lab import acl
from ascend_lab.exercise.bank import bank
from ascend_lab.exercise.programs import Programs, ProgramTask

BANK = Path(__file__).resolve().parents[2] / "exam_bank"
PROGRAMS = Programs(bank(str(BANK)), "01")
HUNTS = tomllib.loads((BANK / "hunts" / "01.toml").read_text("utf-8"))["hunts"]


def function(path: Path, name: str, **names: Any) -> Any:
    """A function of a file that may lack its imports."""
    spec = importlib.util.spec_from_file_location(path.stem.replace(".", "_"), path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    vars(module).update(names)
    spec.loader.exec_module(module)
    return getattr(module, name)


def test_the_lab_is_worth_100_points() -> None:
    assert [task.points.total for task in PROGRAMS.tasks] == [25, 35, 40]


@pytest.mark.parametrize("task", PROGRAMS.tasks, ids=lambda task: task.id)
def test_the_reference_has_all_points(task: ProgramTask) -> None:
    path = BANK / "programs" / "01" / task.reference
    result = PROGRAMS.judge(task, function(path, task.function))
    assert (result.points, list(result.findings)) == (task.points.total, [])


@pytest.mark.parametrize("task", PROGRAMS.tasks, ids=lambda task: task.id)
def test_what_is_given_does_not_pass(task: ProgramTask) -> None:
    path = BANK / "programs" / "01" / task.given
    assert PROGRAMS.is_untouched(task, path.read_text("utf-8"))
    result = PROGRAMS.judge(task, function(path, task.function))
    assert result.points == {"01/order": 0, "01/bytes": 0, "01/overlap": 20}[task.id]


def test_a_program_that_only_returns_the_input_is_no_answer_to_overlap() -> None:
    task = PROGRAMS.find("01/overlap")
    assert task is not None
    assert PROGRAMS.judge(task, lambda x, work: x).points == 0


@pytest.mark.parametrize("hunt", HUNTS, ids=lambda hunt: hunt["id"])
def test_each_hunt_is_named_by_the_model(hunt: dict[str, Any]) -> None:
    path = BANK / hunt["kernel"]
    program = function(path, path.stem, np=np, acl=acl)
    work = function(BANK / "programs" / "01" / "work.py", "work")
    runtime = acl.Runtime(strict=True)
    x = np.arange(8192, dtype=np.float32)
    with acl.using(runtime):
        program(*((x,) if path.stem == "hunt_2" else (x, work)))
    wanted = hunt["faults"][0]
    first = runtime.findings[0]
    assert first.id == wanted["id"]
    assert first.line in wanted["lines"]
    assert {finding.id for finding in runtime.findings} <= {wanted["id"], "J10"}
