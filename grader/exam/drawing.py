"""From a blueprint, a course's key and a student to an exam: the questions and everything that marks them."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import msgspec

from ascend_lab.course.exam import Paper, Performance, Practical, Sheet
from ascend_lab.course.exam.sheet import Asked, Choice
from ascend_lab.exercise import Bank, Both, Case, Task
from ascend_lab.exercise.theory import Drawn as Question
from ascend_lab.exercise.theory import theory
from grader import troubleshooting
from grader.exam.blueprint import Blueprint
from grader.faults.references import SUFFIXES
from grader.release import Course, Problem, public_task, rules, vary, vary_source
from grader.troubleshooting.papers import paper as paper_text

KINDS = ("single", "multi", "true_false", "compute")
#: Name of the case that is timed.
TIMED = "timed"


@dataclass(frozen=True, slots=True)
class Exam:
    """One student's exam with its keys. ``sheet`` is what the student gets of it.

    ``timed`` is the task with the large shape alone, None without one; ``baseline`` a right kernel for it.
    """

    blueprint: Blueprint
    student: str
    sheet: Sheet
    questions: tuple[tuple[str, Question], ...]
    task: Task
    start: str
    timed: Task | None
    baseline: str
    papers: tuple[troubleshooting.Drawn, ...]
    inputs: str


def draw_exam(course: Course, blueprint: Blueprint, bank: Bank, student: str, lang: str) -> Exam:
    """The exam of ``student``: the same whenever it is drawn. Raises Problem and TaskError."""

    def secret(what: str) -> str:
        return course.secret(student, f"{blueprint.id}/{what}")

    questions = tuple(_questions(blueprint, bank, secret("theory")))
    id = _order(blueprint.practical.pool, secret("practical"))[0]
    own = bank.load(id)
    if own.given is None:
        raise Problem("no_start", task=id)
    rule, seed = rules(bank).get(id), secret(id)
    task = own if rule is None else vary(own, rule, seed)

    def renamed(file: str) -> str:
        text = bank.source(file)
        return text if rule is None else vary_source(own, rule, seed, text)

    papers = tuple(_papers(blueprint, bank, secret("troubleshooting")))
    timed = _timed(task, blueprint)
    sheet = Sheet(
        exam=blueprint.id,
        title=blueprint.title,
        course=course.id,
        student=student,
        lang=lang,
        minutes=blueprint.minutes,
        grace_s=blueprint.grace_s,
        pass_total=blueprint.pass_total,
        pass_parts=blueprint.pass_parts,
        weights=blueprint.weights,
        token=secret("log"),
        theory=tuple(_asked(key, question) for key, question in questions),
        practical=Practical(task=id, kernel=task.kernel),
        performance=None if timed is None else Performance(sizes=timed.cases[0].sizes),
        papers=tuple(map(_paper, papers)),
    )
    start, baseline = renamed(own.given), renamed(own.reference)
    inputs = secret("inputs")
    return Exam(blueprint, student, sheet, questions, task, start, timed, baseline, papers, inputs)


def public(exam: Exam) -> Task:
    """The practical task as the student may have it."""
    return public_task(exam.task, hints=False)


def _order(names: Iterable[str], secret: str) -> list[str]:
    """The names in an order that ``secret`` decides."""

    def place(name: str) -> bytes:
        return hmac.digest(secret.encode(), name.encode(), "sha256")

    return sorted(names, key=place)


def _questions(blueprint: Blueprint, bank: Bank, secret: str) -> Iterable[tuple[str, Question]]:
    known = theory(bank)
    found = {id: known.find(id) for id in known.ids()}
    for kind in KINDS:
        wanted = getattr(blueprint.theory, kind)
        ids = _order((id for id, each in found.items() if each.item.kind == kind), secret)
        if len(ids) < wanted:
            raise Problem("few_items", kind=kind, wanted=wanted, known=len(ids))
        for id in ids[:wanted]:
            yield id, found[id].draw(hashlib.sha256(f"{secret}/{id}".encode()).hexdigest())


def _asked(id: str, drawn: Question) -> Asked:
    question = drawn.question
    choices = tuple(Choice(letter=c.letter, text=c.text) for c in question.choices)
    return Asked(
        id=id,
        kind=question.kind,
        text=question.text,
        code=question.code,
        choices=choices,
        unit=question.unit,
    )


def _papers(blueprint: Blueprint, bank: Bank, secret: str) -> Iterable[troubleshooting.Drawn]:
    part = blueprint.troubleshooting
    known = {each.id: each for each in troubleshooting.templates(bank)}
    usual = [id for id, each in known.items() if not each.kernel.endswith(SUFFIXES)]
    pool = [known[id] for id in _order(part.pool or usual, secret) if id in known]
    for template in _chosen(pool, part.outcomes, two=part.two_faults):
        yield troubleshooting.draw(template, secret, bank=bank)


def _chosen(
    pool: Sequence[troubleshooting.Template], outcomes: Sequence[str], *, two: bool
) -> list[troubleshooting.Template]:
    """One paper for each outcome, in that order; with ``two`` one of them has two faults."""
    double = next((t for t in pool if two and len(t.faults) == 2 and t.outcome in outcomes), None)
    chosen = []
    for outcome in outcomes:
        if double is not None and double.outcome == outcome and double not in chosen:
            chosen.append(double)
            continue
        single = [
            t for t in pool if t.outcome == outcome and len(t.faults) == 1 and t not in chosen
        ]
        if not single:
            raise Problem("few_papers", outcome=outcome)
        chosen.append(single[0])
    return chosen


def _paper(drawn: troubleshooting.Drawn) -> Paper:
    return Paper(
        id=drawn.template.id,
        fingerprint=drawn.fingerprint,
        title=drawn.template.title,
        text=Both(paper_text(drawn, "zh"), paper_text(drawn, "en")),
        file=drawn.reference.file,
        source=drawn.source,
        reasons=drawn.reasons,
        count=len(drawn.truths),
    )


def _timed(task: Task, blueprint: Blueprint) -> Task | None:
    part = blueprint.performance
    sizes = part.sizes.get(task.id)
    if sizes is None or not part.weight:
        return None
    ranges = part.ranges.get(task.id, {})
    case = Case(name=TIMED, sizes=sizes, blocks=part.blocks, ranges=ranges)
    points = msgspec.structs.replace(task.points, hidden=0.0, schedules=0.0, values=1.0)
    return msgspec.structs.replace(task, cases=(case,), points=points, schedules=())
