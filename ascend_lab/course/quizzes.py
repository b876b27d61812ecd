"""The card of a theory question: the question as long as it is open, then the judgement and its witness."""

from __future__ import annotations

from collections.abc import Iterator

from ascend_lab.course.card import Card, Line
from ascend_lab.course.edition import Lang
from ascend_lab.course.words import listed, say
from ascend_lab.exercise.theory import Drawn, Marked
from ascend_lab.view.markup import element, escape


def question_card(id: str, drawn: Drawn, lang: Lang, marked: Marked | None, cell: str) -> Card:
    """The question ``id``; with ``marked``, which has an answer, also the key, the reasons and the witness.

    Without an answer the card holds nothing of the key.
    """
    if marked is not None and not marked.given:
        marked = None
    lines = [*_asked(drawn, lang), *_choices(drawn, lang, marked)]
    head = say(f"quiz_{drawn.question.kind}", lang)
    if marked is None:
        foot = [say("quiz_answer", lang, item=id, example=_example(drawn))]
        return Card(f"{head}  ({id})", say("quiz_open", lang), "open", lines, foot=foot)
    badge = say("quiz_right" if marked.is_right else "quiz_wrong", lang)
    lines += _judged(drawn, lang, marked)
    tone = "good" if marked.is_right else "bad"
    return Card(f"{head}  ({id})", badge, tone, lines, [_witness(cell, lang)])


def _asked(drawn: Drawn, lang: Lang) -> Iterator[Line]:
    unit = drawn.question.unit
    aside = "" if unit is None else unit.text(lang)
    yield Line(drawn.question.text.text(lang), aside=aside)
    for code in drawn.question.code.splitlines():
        yield Line(code, code=True)


def _choices(drawn: Drawn, lang: Lang, marked: Marked | None) -> Iterator[Line]:
    for choice in drawn.question.choices:
        mark = "open"
        if marked is not None and choice.letter in marked.key:
            mark = "good"
        elif marked is not None and choice.letter in marked.given:
            mark = "bad"
        yield Line(f"{choice.letter}.  {choice.text.text(lang)}", mark)


def _judged(drawn: Drawn, lang: Lang, marked: Marked) -> Iterator[Line]:
    given, key = (listed(list(said), lang) for said in (marked.given, marked.key))
    yield Line(say("quiz_said", lang, given=given, right=key), "good" if marked.is_right else "bad")
    for letter, why in marked.whys:
        yield Line(f"{letter}: {why.text(lang)}")
    if marked.because is not None:
        yield Line(marked.because.text(lang))


def _example(drawn: Drawn) -> str:
    return {"multi": '"AC"', "true_false": "True", "compute": "128"}.get(drawn.question.kind, '"A"')


def _witness(cell: str, lang: Lang) -> tuple[str, str]:
    """The cell that proves the key, folded."""
    summary = element("summary", {}, escape(say("quiz_witness", lang)))
    code = element("pre", {"style": "font-size:12px;overflow-x:auto"}, escape(cell))
    return element("details", {}, summary, code), ""
