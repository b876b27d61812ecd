"""The card of a run: what `Lab.show` and ``%%ascendc`` put below a cell."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascend_lab.course import cells
from ascend_lab.course.card import Card
from ascend_lab.course.edition import Lang
from ascend_lab.course.words import say

if TYPE_CHECKING:
    from ascend_lab.device import Result


def run_card(result: Result, lang: Lang) -> Card:
    """The findings of a run, each with its line, and which core wrote what."""
    from ascend_lab import view

    found = [cells.renamed(finding) for finding in result.findings]
    meta = result.trace.meta
    mark = "" if result.spec.calibrated else say("uncalibrated", lang)
    time = f"{result.time_us:.2f}"
    head = say("run", lang, kernel=meta["kernel"], chip=meta["chip"], time=time, mark=mark)
    ids = ", ".join(finding.id for finding in found) or say("clean", lang)
    cards = view.findings_html(found, lang, sources=cells.texts())
    text = "\n".join(finding.message(lang) for finding in found)
    map_ = view.coverage(result, lang=lang)
    tone = "good" if result.ok else "bad"
    return Card(head, ids, tone, views=((cards, text), (map_.html, map_.summary)))
