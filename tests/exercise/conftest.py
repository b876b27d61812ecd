"""A judge for all tests of this folder, and one small task."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ascend_lab.exercise import Answer, Judge, Task, TaskResult, from_text
from ascend_lab.exercise.bank import read
from tests.exercise import kernels

TASK = """
id = "00/add"
kernel = "add"
blocks = 2
golden = "x + y"
reference = "none"
title = { zh = "加法", en = "Add" }
limits = { instructions = 20_000, cpu_s = 1, wall_s = 20 }
points = { runs = 1, values = 2, hidden = 4, requirements = 8, schedules = 16 }

[[parameters]]
name = "x"
role = "in"
shape = ["n"]

[[parameters]]
name = "y"
role = "in"
shape = ["n"]

[[parameters]]
name = "z"
role = "out"
shape = ["n"]

[[parameters]]
name = "n"
role = "scalar"
value = "n"

[[cases]]
name = "even"
sizes = { n = 512 }

[[cases]]
name = "other"
sizes = { n = 1024 }
hidden = true
title = { zh = "更长", en = "longer" }
"""


@pytest.fixture(scope="session")
def judge() -> Iterator[Judge]:
    """One zygote for all tests."""
    with Judge("secret") as found:
        yield found


@pytest.fixture
def task() -> Task:
    """z = x + y on two cores."""
    return read(TASK.encode(), "add.toml")


class Court:
    """Judges the kernel of `kernels`, changed in one place."""

    def __init__(self, judge: Judge, task: Task) -> None:
        self.judge = judge
        self.task = task

    def __call__(self, old: str = "", new: str = "", *, head: str = "") -> TaskResult:
        """The verdict on the right answer with ``old`` replaced by ``new``, ``head`` before it."""
        return self.of(head + kernels.changed(old, new))

    def of(self, source: str | Answer) -> TaskResult:
        """The verdict on a source."""
        answer = from_text(source, "s01.py") if isinstance(source, str) else source
        return self.judge.check(self.task, answer, cases="all")


@pytest.fixture
def court(judge: Judge, task: Task) -> Court:
    """Judge changed answers to the small task."""
    return Court(judge, task)
