"""Marks of one exam: theory, practical, troubleshooting, performance."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ascend_lab import Result as Run
from ascend_lab import chips, profile
from ascend_lab.course.exam import chosen
from ascend_lab.exercise import (
    Answer,
    Bank,
    Both,
    CheckOutcome,
    Judge,
    Task,
    TaskResult,
    Told,
    Verdict,
    from_text,
)
from ascend_lab.exercise.golden import settings
from ascend_lab.exercise.performing import least_us
from ascend_lab.exercise.theory import Marked
from ascend_lab.exercise.theory import mark as mark_question
from grader import troubleshooting
from grader.exam.drawing import TIMED, Exam
from grader.exam.submission import Submission
from grader.exam.words import both
from grader.troubleshooting import Found, Given

LANGS = ("zh", "en")


@dataclass(frozen=True, slots=True)
class Item:
    """Points for one thing within a part, and why. ``undecided``: ours, neither lost nor given.

    ``findings`` are what the model saw in the kernel.
    """

    name: str
    points: float
    possible: float
    text: Both
    undecided: bool = False
    findings: tuple[Told, ...] = ()


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the exam: ``points`` of its ``weight``."""

    name: str
    weight: float
    items: tuple[Item, ...]

    @property
    def share(self) -> float:
        """What was reached, from 0 to 1."""
        possible = sum(item.possible for item in self.items)
        return sum(item.points for item in self.items) / possible if possible else 0.0

    @property
    def points(self) -> float:
        """What was reached of the weight."""
        return round(self.share * self.weight, 2)


@dataclass(frozen=True, slots=True)
class Result:
    """The marks of one student.

    ``practical`` is the whole judgement, and ``texts`` are the sources that it is about, by file, for the page.
    """

    exam: Exam
    submission: Submission
    parts: tuple[Part, ...]
    practical: TaskResult | None
    texts: Mapping[str, str] = field(default_factory=dict)

    @property
    def total(self) -> float:
        """Points in all."""
        return round(sum(part.points for part in self.parts), 2)

    @property
    def passed(self) -> bool:
        """Whether the rule of the blueprint is met."""
        rule = self.exam.blueprint
        shares = {part.name: part.share for part in self.parts}
        enough = all(shares[name] >= least for name, least in rule.pass_parts.items())
        return enough and self.total >= rule.pass_total

    @property
    def is_decided(self) -> bool:
        """Whether nothing was left open by an error of the grader's own."""
        return not any(item.undecided for part in self.parts for item in part.items)


def mark_exam(exam: Exam, submission: Submission, bank: Bank) -> Result:
    """The marks of ``submission``; never raises for anything that is in it."""
    weights = exam.blueprint.weights
    answers = submission.answers
    with Judge(exam.inputs, tasks=bank) as judge:
        handed_in = chosen(answers, exam.task.kernel)
        answer = handed_in.answer
        judged = None if answer is None else judge.check(exam.task, answer, cases="all")
        practical = tuple(_practical(exam.task, judged, handed_in.missing))
        performance = tuple(_performance(exam, answer, judged, judge))
    parts = {
        "theory": tuple(_theory(exam, answers)),
        "practical": practical,
        "troubleshooting": tuple(_troubleshooting(exam, answers)),
        "performance": performance,
    }
    return Result(
        exam,
        submission,
        tuple(Part(name, weights[name], items) for name, items in parts.items()),
        judged,
        _texts(answer),
    )


def _texts(answer: Answer | None) -> dict[str, str]:
    """The sources as findings call them; of a project those of the kernel: op_host has no findings."""
    cells = answer.cells if answer is not None else ()
    kept = [cell for cell in cells if not cell.name.startswith("op_host/")]
    return {Path(cell.name).name: cell.text for cell in kept}


# --- theory ------------------------------------------------------------------------------------------


def _theory(exam: Exam, answers: Mapping[str, str]) -> Iterator[Item]:
    for id, drawn in exam.questions:
        marked = mark_question(drawn, answers.get(f"theory/{id}") or None)
        yield Item(id, float(marked.is_right), 1.0, _said(marked))


def _said(marked: Marked) -> Both:
    if not marked.given:
        return both("no_answer")
    values = {"given": "".join(marked.given), "right": "".join(marked.key)}
    return both("theory_right" if marked.is_right else "theory_wrong", **values)


# --- practical ---------------------------------------------------------------------------------------


def _practical(task: Task, judged: TaskResult | None, missing: Sequence[str]) -> Iterator[Item]:
    if judged is None or (missing and judged.verdict is Verdict.NOT_ATTEMPTED):
        said = both("files_missing", names=", ".join(missing)) if missing else both("no_answer")
        yield Item(task.id, 0.0, task.points.total, said)
        return
    for check in judged.checks:
        if check.possible or check.verdict is not Verdict.PASS:
            yield _checked(check)


def _checked(check: CheckOutcome) -> Item:
    """A check of the practical task: what it says, and the findings that it met."""
    passed = check.verdict is Verdict.PASS
    said = Both(*(check.message(lang) if passed else _with_verdict(check, lang) for lang in LANGS))
    undecided = check.verdict is Verdict.ERROR
    return Item(check.name, check.points, check.possible, said, undecided, check.findings)


def _with_verdict(check: CheckOutcome, lang: str) -> str:
    said = (check.verdict.text(lang), check.message(lang))
    return " · ".join(text for text in said if text)


# --- performance -------------------------------------------------------------------------------------


def _performance(
    exam: Exam, answer: Answer | None, judged: TaskResult | None, judge: Judge
) -> Iterator[Item]:
    if exam.timed is None:
        return
    if answer is None or judged is None or judged.check("values").verdict != Verdict.PASS:
        yield Item("hap", 0.0, 1.0, both("not_timed"))
        return
    own = _time_us(exam.timed, answer, judge)
    base = _time_us(exam.timed, from_text(exam.baseline, "baseline.py"), judge)
    if base is None:
        yield Item("hap", 0.0, 1.0, both("no_baseline"), undecided=True)
        return
    if own is None:
        yield Item("hap", 0.0, 1.0, both("timed_wrong"))
        return
    setting = settings(exam.timed, exam.timed.cases[0], judge.secret)[0]
    limit = least_us(exam.timed, setting, chips.load(exam.timed.chip))
    reached = profile.hap(base, own, limit)
    points = min(reached / exam.blueprint.performance.full_at, 1.0)
    values = {"own": f"{own:.2f}", "base": f"{base:.2f}", "limit": f"{limit:.2f}"}
    yield Item("hap", round(points, 4), 1.0, both("timed", hap=f"{reached:.3f}", **values))


def _time_us(task: Task, answer: Answer, judge: Judge) -> float | None:
    """Time of the timed case, launch included; None when the outputs are wrong."""
    times: list[float] = []

    def watch(case: str, schedule: str, run: Run) -> None:
        if case == TIMED and schedule == "realistic":
            times.append(run.time_us)

    result = judge.check(task, answer, watch=watch)
    return times[0] if times and result.check("values").verdict is Verdict.PASS else None


# --- troubleshooting ---------------------------------------------------------------------------------


def _troubleshooting(exam: Exam, answers: Mapping[str, str]) -> Iterator[Item]:
    for drawn in exam.papers:
        id = drawn.template.id
        source = answers.get(f"repaired/{id}")
        repaired = None if source is None else from_text(source, drawn.repaired)
        given = Given(id, drawn.fingerprint, _faults(answers.get(f"paper/{id}")), repaired)
        for mark in troubleshooting.mark(drawn, given).marks:
            yield Item(f"{id}: {mark.name}", mark.points, mark.possible, mark.text)


def _faults(text: str | None) -> tuple[Found, ...]:
    """What is said of the faults; what has not the right shape says nothing."""
    try:
        told = json.loads(text or "[]")
    except (ValueError, RecursionError):
        return ()
    if not isinstance(told, list):
        return ()
    return tuple(map(_found, told[:8]))


def _found(told: object) -> Found:
    if not isinstance(told, dict):
        return Found()
    line = told.get("line")
    return Found(
        class_id=str(told.get("class", ""))[:16],
        line=line if type(line) is int else 0,
        why=str(told.get("why", ""))[:4],
    )
