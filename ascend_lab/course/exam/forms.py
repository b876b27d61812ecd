"""The forms of an exam: a countdown, questions, what is said of a broken kernel. Each change is saved at once.

Needs anywidget and ipywidgets, which the lab's notebooks have.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anywidget
import ipywidgets
import traitlets

from ascend_lab.course.exam.sheet import Asked, Paper
from ascend_lab.course.exam.words import clock_face, word
from ascend_lab.view.markup import escape

_HERE = Path(__file__).parent
#: The countdown changes its colour when so many seconds are left.
_WARN_S = 600

#: Keeps an answer: (its name, its text).
Save = Callable[[str, str], None]


class Timer(anywidget.AnyWidget):
    """Counts ``left`` seconds down."""

    _esm = _HERE / "timer.js"
    _css = _HERE / "timer.css"
    left = traitlets.Float().tag(sync=True)
    warn = traitlets.Float(_WARN_S).tag(sync=True)
    label = traitlets.Unicode().tag(sync=True)
    over = traitlets.Unicode().tag(sync=True)

    def __init__(self, left: float, lang: str) -> None:
        super().__init__(left=left, label=word("timer_left", lang), over=word("timer_over", lang))

    def __repr__(self) -> str:
        return f"{self.label}: {clock_face(self.left)}"


def theory_form(
    questions: tuple[Asked, ...], given: dict[str, str], lang: str, save: Save
) -> ipywidgets.Widget:
    """All questions; ``given`` are the answers so far, by id."""
    state = ipywidgets.HTML()
    answers = dict(given)

    def tell() -> None:
        done = sum(bool(answers.get(question.id)) for question in questions)
        state.value = f"<b>{word('answered', lang, done=done, of=len(questions))}</b>"

    def keep(id: str, text: str) -> None:
        answers[id] = text
        save(f"theory/{id}", text)
        tell()

    tell()
    rows = [
        _question(number, question, given.get(question.id, ""), lang, keep)
        for number, question in enumerate(questions, 1)
    ]
    return ipywidgets.VBox([*rows, state])


def _question(
    number: int, asked: Asked, given: str, lang: str, keep: Callable[[str, str], None]
) -> ipywidgets.Widget:
    code = f"<pre>{escape(asked.code)}</pre>" if asked.code else ""
    unit = f" ({escape(asked.unit.text(lang))})" if asked.unit else ""
    text = escape(asked.text.text(lang)).replace("\n", "<br>")
    head = ipywidgets.HTML(f"<p><b>{number}.</b> {text}{unit}</p>{code}")
    field = {"multi": _several, "compute": _number}.get(asked.kind, _one)
    box = field(asked, given, lang, lambda answer: keep(asked.id, answer))
    whole = ipywidgets.VBox([head, box])
    whole.add_class("al-exam-question")
    return whole


Keep = Callable[[str], None]


def _one(asked: Asked, given: str, lang: str, keep: Keep) -> ipywidgets.Widget:
    options = [(f"{c.letter}. {c.text.text(lang)}", c.letter) for c in asked.choices]
    radio = ipywidgets.RadioButtons(
        options=options, value=given or None, layout={"width": "max-content"}
    )
    radio.observe(lambda change: keep(change["new"] or ""), "value")
    return radio


def _several(asked: Asked, given: str, lang: str, keep: Keep) -> ipywidgets.Widget:
    boxes = [
        ipywidgets.Checkbox(
            description=f"{c.letter}. {c.text.text(lang)}", value=c.letter in given, indent=False,
            layout={"width": "auto"},
        )
        for c in asked.choices
    ]  # fmt: skip

    def changed(_: object) -> None:
        pairs = zip(asked.choices, boxes, strict=True)
        keep("".join(choice.letter for choice, box in pairs if box.value))

    for box in boxes:
        box.observe(changed, "value")
    return ipywidgets.VBox(boxes)


def _number(asked: Asked, given: str, lang: str, keep: Keep) -> ipywidgets.Widget:
    field = ipywidgets.Text(value=given, continuous_update=False)
    field.observe(lambda change: keep(change["new"].strip()), "value")
    return field


def paper_form(paper: Paper, given: str | None, lang: str, save: Save) -> ipywidgets.Widget:
    """The broken kernel with numbered lines, and fields for what is said of each fault."""
    numbered = "\n".join(f"{n:3}  {t}" for n, t in enumerate(paper.source.splitlines(), 1))
    said = _said(given, paper.count)
    rows: list[list[ipywidgets.Widget]] = []

    def changed(_: object) -> None:
        names = ("class", "line", "why", "note")
        told = [dict(zip(names, (f.value for f in row), strict=True)) for row in rows]
        save(f"paper/{paper.id}", json.dumps(told, ensure_ascii=False))

    for faults in said:
        rows.append(_fields(paper, faults, lang))
    for field in (field for row in rows for field in row):
        field.observe(changed, "value")
    lines = [
        ipywidgets.VBox([ipywidgets.HTML(f"<b>{word('fault', lang, n=n)}</b>"), *row])
        for n, row in enumerate(rows, 1)
    ]
    head = ipywidgets.HTML(f"<b>{escape(paper.file)}</b><pre>{escape(numbered)}</pre>")
    return ipywidgets.VBox([head, *lines])


def _said(given: str | None, count: int) -> list[dict[str, Any]]:
    """What was said before, as many entries as there are faults."""
    try:
        known = json.loads(given or "[]")
    except ValueError:
        known = []
    return [*known, *({} for _ in range(count))][:count]


def _fields(paper: Paper, said: dict[str, Any], lang: str) -> list[ipywidgets.Widget]:
    letters = [(f"{a}. {text.text(lang)}", a) for a, text in paper.reasons]
    wide = {"width": "90%"}
    return [
        ipywidgets.Text(
            value=str(said.get("class", "")), description=word("class", lang), placeholder="D2",
            continuous_update=False,
        ),
        ipywidgets.IntText(value=int(said.get("line", 0)), description=word("line", lang)),
        ipywidgets.Dropdown(
            options=[(word("choose", lang), ""), *letters], value=str(said.get("why", "")),
            description=word("why", lang), layout=wide,
        ),
        ipywidgets.Text(
            value=str(said.get("note", "")), description=word("note", lang), layout=wide,
            continuous_update=False,
        ),
    ]  # fmt: skip
