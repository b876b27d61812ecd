"""What a judgement consists of. Plain data: it goes into JSON, a card or a report as it is."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from ascend_lab.exercise.task import Both, Hint
from ascend_lab.exercise.texts import say


class Verdict(StrEnum):
    """``BLOCKED``: an earlier check failed. ``ERROR``: ours, costs nothing. ``NOT_ATTEMPTED``: no answer."""

    PASS = "pass"
    FAIL = "fail"
    BLOCKED = "blocked"
    ERROR = "error"
    NOT_ATTEMPTED = "not attempted"

    def text(self, lang: str) -> str:
        """The word in ``lang``."""
        return say(f"verdict_{self.replace(' ', '_')}", lang)


@dataclass(frozen=True, slots=True)
class Told:
    """One finding as a report shows it: the fields of `ascend_lab.checks.Finding` and both texts."""

    id: str
    severity: str
    file: str
    line: int
    block: int
    pipe: str
    time: float
    zh: str
    en: str

    def message(self, lang: str) -> str:
        """The whole text in ``lang``."""
        return self.zh if lang == "zh" else self.en


@dataclass(frozen=True, slots=True)
class CaseOutcome:
    """One launch of one case. ``error`` is the largest relative error of its outputs, -1 when unknown."""

    case: str
    seed: int
    hidden: bool
    schedule: str
    passed: bool
    error: float
    time_us: float
    cycles: float


@dataclass(frozen=True, slots=True)
class CheckOutcome:
    """One check: verdict, points, one paragraph in both languages, and what was found."""

    name: str
    verdict: Verdict
    points: float
    possible: float
    zh: str
    en: str
    findings: tuple[Told, ...] = ()
    cases: tuple[CaseOutcome, ...] = ()

    def title(self, lang: str) -> str:
        """What the check is called."""
        return say(f"check_{self.name}", lang)

    def message(self, lang: str) -> str:
        """What it says."""
        return self.zh if lang == "zh" else self.en


@dataclass(frozen=True, slots=True)
class Provenance:
    """What a mark depends on: with the same, it can be replayed."""

    lab: str
    lab_digest: str
    chip: str
    chip_digest: str
    task_digest: str
    answer_digest: str
    seed: str
    layers: tuple[str, ...]  # what confined the answer's process


@dataclass(frozen=True, slots=True)
class TaskResult:
    """The judgement of one answer to one task.

    ``points`` of ``possible``; ``undecided`` are points of checks that could not be judged, which are
    neither lost nor given. ``stdout`` is what the kernel printed, on the device or in Python; it is no part
    of the mark.
    """

    task: str
    title: Both
    kernel: str
    verdict: Verdict
    points: float
    possible: float
    undecided: float
    checks: tuple[CheckOutcome, ...]
    notes: tuple[Both, ...]
    hints: tuple[Hint, ...]
    stdout: str
    provenance: Provenance

    def check(self, name: str) -> CheckOutcome:
        """The outcome of the check called ``name``."""
        return next(check for check in self.checks if check.name == name)

    @property
    def findings(self) -> tuple[Told, ...]:
        """All findings, in the order of the checks."""
        return tuple(finding for check in self.checks for finding in check.findings)

    @property
    def passed(self) -> bool:
        """Whether every check passed."""
        return self.verdict is Verdict.PASS


def told(finding: Any) -> Told:
    """A `Finding` as data."""
    return Told(
        finding.id,
        finding.severity,
        finding.file,
        finding.line,
        finding.block,
        finding.pipe,
        round(finding.time, 3),
        finding.message("zh"),
        finding.message("en"),
    )


def overall(checks: tuple[CheckOutcome, ...]) -> Verdict:
    """The verdict on the task: the worst that happened; an error of ours only when nothing failed."""
    found = {check.verdict for check in checks}
    for verdict in (Verdict.NOT_ATTEMPTED, Verdict.FAIL, Verdict.ERROR):
        if verdict in found:
            return verdict
    return Verdict.PASS
