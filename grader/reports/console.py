"""The table on the console."""

from __future__ import annotations

import re

from rich.table import Table
from rich.text import Text

from grader.marks import Class, Mark, Report
from grader.words import word

_LONGEST = 90
_COLOURS = {
    "pass": "green",
    "fail": "red",
    "blocked": "red",
    "error": "yellow",
    "ungraded": "yellow",
    "not attempted": "dim",
}


def table(group: Class, lang: str) -> Table:
    """One row per student: points and verdict of each task, the sum, and what kept it from full marks."""
    found = Table(show_edge=False, pad_edge=False)
    found.add_column(word("student", lang), overflow="fold")
    for id, _ in group.tasks:
        found.add_column(id, overflow="fold")
    found.add_column(word("total", lang), justify="right")
    found.add_column(word("remark", lang), overflow="fold")
    for report in group.reports:
        cells = [_cell(mark, lang) for mark in report.marks]
        total = f"{report.points:g}/{report.possible:g}"
        found.add_row(Text(report.student), *cells, total, Text(remark(report, lang)))
    return found


def _cell(mark: Mark, lang: str) -> Text:
    text = f"{mark.points:g}/{mark.possible:g} {verdict(mark, lang)}"
    return Text(text, style=_COLOURS[mark.word])


def verdict(mark: Mark, lang: str) -> str:
    """The verdict of a mark in one word of ``lang``."""
    return word("ungraded", lang) if mark.result is None else mark.result.verdict.text(lang)


def remark(report: Report, lang: str) -> str:
    """Why points are missing, each reason once: ids of findings, or the first words of the reason."""
    reasons = []
    for mark in report.marks:
        text = mark.finding or _reason(mark, lang)
        if text and text not in reasons:
            reasons.append(text)
    return "; ".join(reasons)


def _reason(mark: Mark, lang: str) -> str:
    """The first sentence of what is said about a mark without a finding."""
    if mark.result is None:
        return _first_sentence(mark.reason.text(lang)) if mark.reason is not None else ""
    for check in mark.result.checks:
        if check.verdict.value in ("fail", "error"):
            return _first_sentence(check.message(lang))
    return ""


def _first_sentence(text: str) -> str:
    sentence = re.split(r"。|\. |\.?\n", text.rstrip(".。"), maxsplit=1)[0]
    return sentence if len(sentence) <= _LONGEST else sentence[: _LONGEST - 1] + "…"
