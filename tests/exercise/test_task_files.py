"""Task files: every mistake is named with file, key and near names; the bank's own files are right."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest

from ascend_lab.exercise import TaskError, open_bank
from ascend_lab.exercise.bank import Bank, digest, read
from ascend_lab.exercise.task import (
    AccuracyRule,
    Case,
    Hint,
    Limits,
    Parameter,
    Points,
    Requirements,
    Schedule,
    Task,
)
from tests.exercise.conftest import TASK


def broken(old: str, new: str) -> TaskError:
    assert old in TASK, old
    with pytest.raises(TaskError) as caught:
        read(TASK.replace(old, new, 1).encode(), "add.toml")
    return caught.value


@pytest.mark.parametrize(
    ("old", "new", "key", "near"),
    [
        ('kernel = "add"', 'kernal = "add"', "kernal", ("kernel",)),
        ("hidden = true", "hiden = true", "cases[1].hiden", ("hidden",)),
        ('role = "in"', 'roll = "in"', "parameters[0].roll", ("role",)),
        ("runs = 1", "run = 1", "points.run", ("runs",)),
        ("cpu_s = 1", "cpu = 1", "limits.cpu", ("cpu_s",)),
        ('role = "in"', 'role = "input"', "parameters[0].role", ("in", "inout", "out")),
        ("blocks = 2", "blocks = [2]", "blocks", ()),
        ("runs = 1", "runs = -1", "points.runs", ()),
        ('value = "n"', 'value = "m"', "parameters[3].value (in cases[0])", ()),
        ('shape = ["n"]', 'shape = ["n ++"]', "parameters[0].shape (in cases[0])", ()),
        ('golden = "x + y"', 'golden = "x + yy"', "golden.z", ("y",)),
        ('golden = "x + y"', 'golden = "np.__loader__"', "golden.z", ()),
        ('golden = "x + y"', 'golden = { w = "x" }', "golden.z", ()),
        ('name = "even"', 'name = "other"', "cases", ()),
        ('name = "y"', 'name = "x"', "parameters", ()),
        ('kernel = "add"', 'kernel = "a d d"', "kernel", ()),
        ('id = "00/add"', 'id = "add"', "id", ()),
        ("hidden = true", "", "points.hidden", ()),
        (
            "sizes = { n = 512 }",
            'sizes = { n = 512 }\ndtypes = { x = "flaot16" }',
            "cases[0].dtypes.x",
            ("float16", "bfloat16", "float64"),
        ),
        (
            "sizes = { n = 512 }",
            "sizes = { n = 512 }\nedges = { z = [0.0] }",
            "cases[0].edges",
            (),
        ),
        (
            "blocks = 2",
            'blocks = 2\nchip = "Ascend910B"',
            "chip",
            ("Ascend910B3", "Ascend910B1", "Ascend310P3"),
        ),
    ],
)
def test_each_mistake_is_named(old: str, new: str, key: str, near: tuple[str, ...]) -> None:
    error = broken(old, new)
    assert error.file == "add.toml"
    assert error.key == key
    assert set(error.near) == set(near)
    for lang in ("zh", "en"):
        assert error.message(lang).startswith(f"add.toml: {key}: ")


def test_text_that_is_no_toml() -> None:
    with pytest.raises(TaskError, match=r"add\.toml: not TOML"):
        read(b"id = ", "add.toml")
    with pytest.raises(TaskError, match="not TOML"):
        read(b"\xff\xfe", "add.toml")


def test_unknown_task_gets_near_names() -> None:
    with pytest.raises(TaskError) as caught:
        open_bank().load("03/sed-add")
    assert caught.value.near[0] == "03/seed-add"


def test_a_bank_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(TaskError, match="there is no exam bank"):
        open_bank(tmp_path)


def test_id_has_to_be_the_place(tmp_path: Path) -> None:
    (tmp_path / "tasks/00").mkdir(parents=True)
    (tmp_path / "tasks/00/sub.toml").write_text(TASK)
    with pytest.raises(TaskError, match=r"00/sub\.toml: id"):
        Bank(tmp_path).load("00/sub")
    (tmp_path / "tasks/00/add.toml").write_text(TASK)
    with pytest.raises(TaskError, match=r"00/add\.toml: reference"):
        Bank(tmp_path).load("00/add")


@pytest.mark.parametrize("id", open_bank().ids())
def test_tasks_of_the_bank(id: str) -> None:
    bank = open_bank()
    task = bank.load(id)
    assert f"def {task.kernel}(" in bank.source(task.reference)
    assert all(hint.zh and hint.en for hint in task.hints)
    for finding in {hint.finding for hint in task.hints}:
        assert [hint.level for hint in task.ladder(finding)] == [1, 2, 3]
    assert digest(task) == digest(bank.load(id))


def test_the_page_on_tasks_names_every_key(repository: Path) -> None:
    page = (repository / "docs/tasks.md").read_text(encoding="utf-8")
    structs = [Task, Parameter, Case, AccuracyRule, Points, Requirements, Schedule, Hint, Limits]
    keys = {field.name for struct in structs for field in msgspec.structs.fields(struct)}
    assert [key for key in sorted(keys) if not re.search(rf"\b{key}\b", page)] == []
