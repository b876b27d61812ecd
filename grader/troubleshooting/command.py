"""The command ``grader hunt``."""

from __future__ import annotations

from enum import IntEnum
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter
from rich.console import Console

from ascend_lab.exercise import AnswerFault, Bank, TaskError, open_bank
from grader.release.course import open_course
from grader.release.problem import Problem
from grader.troubleshooting.answers import AnswerError, Given, read_answer
from grader.troubleshooting.drawing import Drawn, NothingToDraw, draw
from grader.troubleshooting.marking import Marks
from grader.troubleshooting.marking import mark as marked
from grader.troubleshooting.papers import write_paper, write_truth
from grader.troubleshooting.templates import template, templates
from grader.troubleshooting.words import word

Lang = Literal["zh", "en"]


class Exit(IntEnum):
    """Exit codes of ``grader hunt``."""

    DONE = 0
    POINTS_LOST = 1
    USAGE = 2


class Usage(Exception):
    """The command cannot be carried out as it was given; ``str()`` says why."""


def hunt(
    name: str | None = None,
    /,
    *,
    seed: str = "practice",
    out: Path | None = None,
    mark: Path | None = None,
    course: Path | None = None,
    student: str = "",
    truth: Path | None = None,
    lang: Lang = "en",
    bank: Annotated[Path | None, Parameter(name="--bank")] = None,
) -> int:
    """Draw a troubleshooting paper, or mark one.

    With NAME a broken kernel is drawn: the same for the same seed. The folder --out gets what the student
    needs, and nothing that tells the mistake. With --mark a paper that came back is marked; the seed must be
    the one it was drawn with, or --course and --student tell of whose bundle it was. Without either, the papers that can be drawn are listed.

    Exit codes: 0 done or full marks, 1 points lost, 2 wrong usage.

    Parameters
    ----------
    name
        The paper ("right-at-times"); with --mark it may be left out.
    seed
        Decides places, reasons' letters and inputs; one for each student, and secret.
    out
        Folder for the student.
    mark
        The folder that came back, or its answer.toml.
    course
        Folder of the course whose bundle the paper was in, instead of --seed.
    student
        Whose bundle it was.
    truth
        File for the truth: class, lines, reason, right source.
    lang
        Language of the paper and of the console.
    bank
        Another exam bank.
    """
    try:
        found = open_bank(bank)
        if mark is not None:
            given = read_answer(mark)
            if course is not None:
                seed = _seed(course, student, given, found, lang)
            return _mark(found, given, name, seed, truth, lang)
        if name is None:
            return _list(found, lang)
        return _draw(found, name, seed, out, truth, lang)
    except (Usage, TaskError, AnswerError, AnswerFault, Problem) as error:
        text = str(error) if isinstance(error, Usage) else error.message(lang)
        Console(stderr=True).print(text, markup=False, highlight=False, soft_wrap=True)
        return Exit.USAGE


def _list(bank: Bank, lang: Lang) -> int:
    for each in templates(bank):
        values = {"id": each.id, "kernel": each.kernel, "n": len(each.faults)}
        _print(word("listed", lang, title=each.title.text(lang), **values))
    return Exit.DONE


def _draw(
    bank: Bank, name: str, seed: str, out: Path | None, truth: Path | None, lang: Lang
) -> int:
    if out is None and truth is None:
        raise Usage(word("what", lang))
    drawn = _drawn(bank, name, seed, lang)
    try:
        if out is not None:
            write_paper(drawn, out, lang)
            _print(word("written", lang, path=out))
        _tell(drawn, truth, lang)
    except OSError as error:
        raise _in_the_way(error, lang) from None
    return Exit.DONE


def _drawn(bank: Bank, name: str, seed: str, lang: Lang) -> Drawn:
    try:
        return draw(template(name, bank), seed, bank=bank)
    except NothingToDraw:
        raise Usage(word("nothing", lang, name=name)) from None


def _tell(drawn: Drawn, truth: Path | None, lang: Lang) -> None:
    if truth is not None:
        write_truth(drawn, truth)
        _print(word("truth_written", lang, path=truth))


def _seed(course: Path, student: str, given: Given, bank: Bank, lang: Lang) -> str:
    """The seed of a paper in a student's bundle."""
    if not student:
        raise Usage(word("whose", lang))
    return open_course(course, bank).secret(student, f"paper/{given.paper}")


def _mark(
    bank: Bank, given: Given, name: str | None, seed: str, truth: Path | None, lang: Lang
) -> int:
    if name is not None and name != given.paper:
        raise Usage(word("other_paper", lang, got=given.paper, wanted=name))
    drawn = _drawn(bank, given.paper, seed, lang)
    if drawn.fingerprint != given.fingerprint:
        values = {"wanted": drawn.fingerprint, "got": given.fingerprint}
        raise Usage(word("other_seed", lang, **values))
    made = marked(drawn, given)
    for line in lines(made, lang):
        _print(line)
    try:
        _tell(drawn, truth, lang)
    except OSError as error:
        raise _in_the_way(error, lang) from None
    return Exit.DONE if made.points >= 100 else Exit.POINTS_LOST


def lines(marks: Marks, lang: str) -> list[str]:
    """The marks, a line each, and the total."""
    said = []
    for each in marks.marks:
        title = word(f"mark_{each.name.replace(' ', '_')}", lang)
        said.append(f"{title}: {each.points:g}/{each.possible:g}  {each.text.text(lang)}")
    return [*said, word("total", lang, paper=marks.paper, points=f"{marks.points:g}")]


def _in_the_way(error: OSError, lang: Lang) -> Usage:
    reason = error.strerror or type(error).__name__
    return Usage(word("in_the_way", lang, path=error.filename or "", reason=reason))


def _print(text: str) -> None:
    Console().print(text, markup=False, highlight=False, soft_wrap=True)
