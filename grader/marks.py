"""The marks of a class: plain data, from which every report is made."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum

from ascend_lab.exercise import Both, TaskResult, Verdict


class Exit(IntEnum):
    """Exit codes of ``grader``."""

    PASSED = 0
    LOST = 1
    USAGE = 2
    UNGRADED = 3
    INTERRUPTED = 130


@dataclass(frozen=True, slots=True)
class Picture:
    """What one launch looked like, as SVG in both languages."""

    case: str
    zh: str
    en: str


@dataclass(frozen=True, slots=True)
class Mark:
    """One student's mark for one task: a judgement (``key``: the journal's), or the reason why there is none."""

    task: str
    title: Both
    possible: float
    result: TaskResult | None = None
    pictures: tuple[Picture, ...] = ()
    reason: Both | None = None
    key: str = ""

    @property
    def points(self) -> float:
        """What was reached."""
        return self.result.points if self.result is not None else 0.0

    @property
    def is_graded(self) -> bool:
        """Whether the mark stands: nothing of it is left undecided."""
        return self.result is not None and self.result.verdict is not Verdict.ERROR

    @property
    def word(self) -> str:
        """The verdict in one word: of the task, or "ungraded"."""
        return self.result.verdict.value if self.result is not None else "ungraded"

    @property
    def finding(self) -> str:
        """Id of the leading finding, or what kept the kernel from running."""
        if self.result is None:
            return ""
        errors = [finding.id for finding in self.result.findings if finding.severity == "error"]
        return errors[0] if errors else ""


@dataclass(frozen=True, slots=True)
class Report:
    """One student's marks.

    ``texts`` are the sources, for excerpts; ``called``: by task, which of them a finding means by a file's name.
    """

    student: str
    files: tuple[str, ...]
    marks: tuple[Mark, ...]
    texts: dict[str, str]
    called: dict[str, dict[str, str]] = field(default_factory=dict)

    def file(self, task: str, name: str) -> str:
        """What ``texts`` calls the file that a finding of ``task`` calls ``name``."""
        return self.called.get(task, {}).get(name, name)

    @property
    def points(self) -> float:
        """Sum over the tasks."""
        return sum(mark.points for mark in self.marks)

    @property
    def possible(self) -> float:
        """What could be reached."""
        return sum(mark.possible for mark in self.marks)

    @property
    def is_graded(self) -> bool:
        """Whether every mark stands."""
        return all(mark.is_graded for mark in self.marks)


@dataclass(frozen=True, slots=True)
class Class:
    """All students, by id, and the tasks they were graded on."""

    tasks: tuple[tuple[str, Both], ...]
    reports: tuple[Report, ...]

    @property
    def exit(self) -> Exit:
        """The code that tells a script how it went."""
        if not all(report.is_graded for report in self.reports):
            return Exit.UNGRADED
        full = all(report.points >= report.possible for report in self.reports)
        return Exit.PASSED if full else Exit.LOST
