"""Cards: what the course shows in a notebook, as HTML and as plain text, equal for equal content."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ascend_lab.view.markup import FONT, MONO, div, scope_of, span
from ascend_lab.view.palette import css

#: How a line of a card stands: what it is marked with, besides its colour.
MARKS = {"good": "✓", "bad": "✗", "open": "○", "note": "!", "": ""}


@dataclass(frozen=True, slots=True)
class Line:
    """One line: ``mark`` is a key of `MARKS`, ``aside`` stands at its right end."""

    text: str
    mark: str = ""
    aside: str = ""
    code: bool = False


@dataclass(frozen=True, slots=True)
class Card:
    """A heading with a badge, lines below it, and HTML of a view as it is.

    ``tone``: "good", "bad", "open" or "note"; it colours the edge and the badge.
    """

    title: str
    badge: str = ""
    tone: str = "note"
    lines: Sequence[Line] = ()
    views: Sequence[tuple[str, str]] = ()  # (html, text)
    foot: Sequence[str] = ()

    def __repr__(self) -> str:
        head = f"{self.title}  [{self.badge}]" if self.badge else self.title
        body = [_plain(line) for line in self.lines]
        told = [text for _, text in self.views if text]
        return "\n".join([head, *body, *told, *self.foot])

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        return {"text/plain": repr(self), "text/html": self.html()}

    def html(self) -> str:
        """One element that brings its own style and follows the notebook's theme."""
        head = div(
            "head", span("title", self.title), span("badge", self.badge) if self.badge else ""
        )
        rows = [_row(line) for line in self.lines]
        views = [html for html, _ in self.views]
        foot = [div("foot", span("", text)) for text in self.foot]
        body = div(f"lab {self.tone}", head, *rows, *views, *foot)
        scope = scope_of("course", body)
        return div(scope, f"<style>{css(scope, 'auto')}{_rules(scope)}</style>", body)


def _plain(line: Line) -> str:
    mark = f"{MARKS[line.mark]} " if line.mark else "  "
    return f"{mark}{line.text}" + (f"  ({line.aside})" if line.aside else "")


def _row(line: Line) -> str:
    text = span("code" if line.code else "text", line.text)
    aside = span("aside", line.aside) if line.aside else ""
    return div(f"line {line.mark}", span("mark", MARKS[line.mark]), text, aside)


def _rules(scope: str) -> str:
    return "".join(
        f".{scope} {rule}"
        for rule in (
            f".lab{{font:14px/1.55 {FONT};color:var(--al-text);border:1px solid var(--al-line);"
            "border-left:4px solid var(--al-muted);border-radius:4px;padding:10px 14px;"
            "max-width:920px;margin:4px 0}",
            ".lab.good{border-left-color:var(--al-good)}",
            ".lab.bad{border-left-color:var(--al-bad)}",
            ".lab.note{border-left-color:var(--al-in)}",
            ".lab>.head{display:flex;gap:12px;align-items:baseline;margin-bottom:4px}",
            ".lab>.head>.title{font-weight:600;font-size:15px;flex:1}",
            ".badge{font-weight:600;font-variant-numeric:tabular-nums;color:var(--al-muted);"
            "white-space:nowrap}",
            ".lab.good>.head>.badge{color:var(--al-good)}",
            ".lab.bad>.head>.badge{color:var(--al-bad)}",
            ".line{display:flex;gap:8px;align-items:baseline;padding:1px 0}",
            ".line>.mark{width:1.1em;text-align:center;font-weight:700;flex:none;"
            "color:var(--al-muted)}",
            ".line.good>.mark{color:var(--al-good)}",
            ".line.bad>.mark{color:var(--al-bad)}",
            ".line.note>.mark{color:var(--al-note)}",
            ".line>.text,.line>.code{flex:1}",
            f".line>.code{{font-family:{MONO};font-size:12.5px;white-space:pre;overflow-x:auto}}",
            ".aside{color:var(--al-muted);font-size:13px;white-space:nowrap;"
            "font-variant-numeric:tabular-nums}",
            ".foot{color:var(--al-muted);font-size:13px;margin-top:4px}",
        )
    )
