"""A small exam, a clock that tests can set, and a student who knows everything."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from ascend_lab.course import exam as sitting
from ascend_lab.exercise import open_bank
from grader.exam import Exam, draw_exam, read_blueprint
from grader.exam.command import app  # noqa: F401 - the commands are there
from grader.exam.folder import write_folder
from grader.release import Course, open_course

BLUEPRINT = """
id = "small"
minutes = 30
pass_total = 60
pass_parts = { practical = 0.5, troubleshooting = 0.5 }
title = { zh = "小考", en = "A small exam" }

[theory]
single = 2
multi = 1
true_false = 1
compute = 1

[practical]
pool = ["exam/clamp"]

[troubleshooting]
outcomes = ["hang"]
two_faults = false
pool = ["never-ends"]

[performance]
sizes = { "exam/clamp" = { n = 65536, low = -4, high = 6 } }
blocks = 8
"""


class HandClock(sitting.Clock):
    """A clock that only moves when it is told to."""

    def __init__(self) -> None:
        self.at, self.set_by, self.start = 1_800_000_000.0, 0.0, "one"

    def wall(self) -> int:
        return int(self.at + self.set_by)

    def running(self) -> float:
        return round(self.at - 1_799_990_000, 1)

    def boot(self) -> str:
        return self.start

    def wait(self, seconds: float) -> None:
        """Let time pass."""
        self.at += seconds


@pytest.fixture(scope="session")
def course(tmp_path_factory: pytest.TempPathFactory) -> Course:
    """A course with the small blueprint."""
    folder = tmp_path_factory.mktemp("exam") / "midterm"
    folder.mkdir()
    (folder / "exam.toml").write_text(BLUEPRINT, encoding="utf-8")
    (folder / "course.key").write_text("c0" * 32 + "\n")
    return open_course(folder, open_bank(), make=True)


@pytest.fixture(scope="session")
def drawn(course: Course) -> Exam:
    """The exam of s01, with its keys."""
    plan = read_blueprint(course.folder / "exam.toml")
    return draw_exam(course, plan, open_bank(), "s01", "en")


@pytest.fixture
def clock() -> HandClock:
    """The student's clock."""
    return HandClock()


@pytest.fixture
def sat(
    drawn: Exam, tmp_path: Path, clock: HandClock, capsys: pytest.CaptureFixture[str]
) -> Callable[[], sitting.Session]:
    """Open the exam of s01 in ``tmp_path / "s01"``."""
    write_folder(drawn, open_bank(), tmp_path / "s01")

    def opened() -> sitting.Session:
        paper = sitting.open(tmp_path / "s01", clock)
        capsys.readouterr()
        return paper

    return opened


def answer_all(paper: sitting.Session, drawn: Exam, source: str | None = None) -> None:
    """Everything right; ``source`` instead of a right practical answer."""
    for id, question in drawn.questions:
        paper.store.save(f"theory/{id}", "".join(question.key))
    paper.store.save("practical", drawn.baseline if source is None else source)
    for paper_drawn in drawn.papers:
        id = paper_drawn.template.id
        told = [{"class": t.names[0], "line": t.lines[0], "why": t.why} for t in paper_drawn.truths]
        paper.store.save(f"paper/{id}", json.dumps(told))
        paper.store.save(f"repaired/{id}", paper_drawn.reference.source)
