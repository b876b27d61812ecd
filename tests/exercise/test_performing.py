"""Tasks about speed: HAP against a baseline, points in proportion, and what keeps it honest."""

from __future__ import annotations

import pytest

from ascend_lab.exercise import Judge, TaskResult, from_text
from ascend_lab.exercise.bank import Bank, bank, read
from ascend_lab.exercise.errors import TaskError
from ascend_lab.exercise.task import Task
from tests.exercise.conftest import TASK
from tests.exercise.kernels import changed

RIGHT = changed()
TIMED = TASK.replace("schedules = 16 }", "schedules = 16, performance = 10 }").replace(
    "[[parameters]]",
    '[performance]\ncase = "even"\nbaseline = "baseline.py"\npass_at = 0.5\nfull_at = 0.5\n\n'
    "[[parameters]]",
    1,
)


class OneFile(Bank):
    """A bank whose only kernel is the baseline."""

    def source(self, name: str) -> str:
        assert name == "baseline.py"
        return RIGHT


@pytest.fixture(scope="module")
def timing() -> Task:
    return read(TIMED.encode(), "add.toml")


@pytest.fixture(scope="module")
def timed(timing: Task) -> TaskResult:
    with Judge("secret", tasks=OneFile(bank().folder)) as judge:
        return judge.check(timing, from_text(RIGHT, "s01.py"), cases="all")


def test_as_fast_as_the_baseline_is_one_half(timed: TaskResult) -> None:
    check = timed.check("performance")
    assert timed.checks[-1] is check
    assert check.verdict == "pass"
    assert check.points == check.possible == 10
    for text in (check.zh, check.en):
        assert "HAP = 0.50" in text
    assert timed.points == timed.possible


def test_slower_is_worth_less_and_does_not_pass(timing: Task) -> None:
    slow = RIGHT.replace("asc.add(", "asc.printf('x')\n        asc.add(", 1)
    assert slow != RIGHT
    with Judge("secret", tasks=OneFile(bank().folder)) as judge:
        result = judge.check(timing, from_text(slow, "s01.py"), cases="all")
    check = result.check("performance")
    assert check.verdict == "fail"
    assert 0 < check.points < 10
    assert result.check("values").verdict == "pass"


def test_wrong_is_never_fast(timing: Task) -> None:
    wrong = RIGHT.replace("asc.add(", "asc.sub(", 1)
    with Judge("secret", tasks=OneFile(bank().folder)) as judge:
        result = judge.check(timing, from_text(wrong, "s01.py"), cases="all")
    assert result.check("performance").verdict == "blocked"
    assert result.check("performance").points == 0


@pytest.mark.parametrize(
    ("old", "new", "key"),
    [
        ("performance = 10 }", "performance = 0 }", "points.performance"),
        ('case = "even"', 'case = "other"', "performance.case"),
        ("full_at = 0.5", "full_at = 0.4", "performance.full_at"),
        ("full_at = 0.5", "full = 0.4", "performance.full"),
    ],
)
def test_a_task_that_makes_no_sense_is_refused(old: str, new: str, key: str) -> None:
    assert old in TIMED
    with pytest.raises(TaskError) as caught:
        read(TIMED.replace(old, new).encode(), "add.toml")
    assert key in caught.value.message("en")
