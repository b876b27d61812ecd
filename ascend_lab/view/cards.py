"""Findings as cards: what happened, where, the rule, the next step."""

from __future__ import annotations

import linecache
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from ascend_lab.checks.texts import roles
from ascend_lab.engine.shown import shown
from ascend_lab.view.markup import FONT, MONO, div, element, escape, scope_of, span
from ascend_lab.view.palette import Theme, css
from ascend_lab.view.words import Lang, say

if TYPE_CHECKING:
    from ascend_lab.checks.finding import Finding

#: File name -> its text, for places whose file cannot be read here.
Sources = Mapping[str, str]


def findings_html(
    findings: Sequence[Finding],
    lang: Lang = "zh",
    theme: Theme = "auto",
    sources: Sources | None = None,
) -> str:
    """A card for each finding, causes first, as one HTML element.

    ``sources`` gives the text of files by base name; without it the lines Python knows are shown.
    """
    cards = [_card(finding, lang, sources or {}) for finding in findings]
    if not cards:
        cards = [div("card good", span("title", f"✓ {say('no_findings', lang)}"))]
    body = "".join(cards)
    scope = scope_of("findings", theme, lang, body)
    style = f"<style>{css(scope, theme)}{_rules(scope)}</style>"
    return div(scope, style, body)


def source_line(file: str, line: int, sources: Sources) -> str:
    """The text of a line without its indentation, "" when it is not known.

    Findings carry base names; a file is looked for among those Python has read, if only one fits.
    """
    if file in sources:
        lines: Sequence[str] = sources[file].splitlines()
    else:
        known = [name for name in linecache.cache if shown(name) == file]
        lines = linecache.getlines(known[0]) if len(known) == 1 else []
    return lines[line - 1].strip() if 0 < line <= len(lines) else ""


def _card(finding: Finding, lang: Lang, sources: Sources) -> str:
    head = [span("id", finding.id), span("title", finding.title(lang))]
    head.append(span("severity", say(finding.severity, lang)))
    parts = [
        div("head", *head),
        div("where", escape(finding.where(lang))),
        _code([(finding.file, finding.line, "")], sources),
        div("text", escape(finding.part("text", lang))),
        _code([(p.file, p.line, roles()[p.role][lang]) for p in finding.related], sources),
        _labelled("rule", finding.part("rule", lang), lang),
        _labelled("next", finding.part("next", lang), lang),
        _official(finding),
        _consequences(finding.consequences, lang),
    ]
    return div(f"card {finding.severity}", *parts)


def _code(places: Iterable[tuple[str, int, str]], sources: Sources) -> str:
    """Lines of the student's file, each with its number and what it does there."""
    rows = []
    for file, line, role in places:
        if not file:
            continue
        text = source_line(file, line, sources)
        if not (text or role):
            continue  # where it is stands above
        cells = [span("number", f"{file}:{line}" if role else str(line)), span("line", text)]
        rows.append(div("row", *cells, *([span("role", role)] if role else [])))
    return div("code", *rows) if rows else ""


def _labelled(key: str, text: str, lang: Lang) -> str:
    return div(key, span("label", say(key, lang)), escape(text))


def _official(finding: Finding) -> str:
    """What the official tools and pages call it, so that it is recognised later."""
    names = {"npuchk": finding.npuchk, "msSanitizer": finding.sanitizer, "asc-devkit": finding.page}
    told = [f"{tool}: {name}" for tool, name in names.items() if name]
    return div("official", escape(" · ".join(told))) if told else ""


def _consequences(found: Sequence[Finding], lang: Lang) -> str:
    if not found:
        return ""
    ids = ", ".join(dict.fromkeys(finding.id for finding in found))
    heading = element("summary", {}, escape(f"{say('also', lang)} {ids}"))
    rows = [
        div("also", span("id", f.id), escape(f"{f.title(lang)} — {f.where(lang)}")) for f in found
    ]
    return element("details", {}, heading, *rows)


def _rules(scope: str) -> str:
    return "".join(
        f".{scope} {rule}"
        for rule in (
            f".card{{font:13px/1.55 {FONT};color:var(--al-text);background:var(--al-lane);"
            "border-left:4px solid var(--al-muted);border-radius:4px;padding:10px 14px;"
            "margin:8px 0;max-width:920px}",
            ".card.error{border-left-color:var(--al-bad)}",
            ".card.note{border-left-color:var(--al-note)}",
            ".card.performance{border-left-color:var(--al-in)}",
            ".card.good{border-left-color:var(--al-good)}",
            ".good .title{color:var(--al-good)}",
            ".head{display:flex;gap:10px;align-items:baseline}",
            ".title{font-weight:600;font-size:14px;flex:1}",
            ".id{font-weight:700;border-radius:3px;padding:0 6px;background:var(--al-line)}",
            ".error .head .id{background:var(--al-bad);color:var(--al-bad-on)}",
            ".severity,.where,.official{color:var(--al-muted);font-size:12px}",
            ".error .severity{color:var(--al-bad)}",
            ".where{font-variant-numeric:tabular-nums}",
            f".code{{font-family:{MONO};font-size:12.5px;background:var(--al-page);"
            "border:1px solid var(--al-line);border-radius:4px;padding:4px 0;margin:6px 0;"
            "overflow-x:auto}",
            ".row{display:flex;gap:12px;padding:0 10px;white-space:pre}",
            ".number{color:var(--al-muted);min-width:2.5em;text-align:right;user-select:none}",
            f".role{{color:var(--al-muted);font-family:{FONT};margin-left:auto;padding-left:1em}}",
            ".text,.rule,.next{margin:3px 0}",
            ".label{font-weight:600;margin-right:.7em}",
            ".next{color:var(--al-text)}",
            ".next .label{color:var(--al-good)}",
            ".rule .label{color:var(--al-in)}",
            ".official{overflow-wrap:anywhere;margin-top:4px}",
            "summary{cursor:pointer;color:var(--al-muted);margin-top:4px}",
            ".also{margin:2px 0 2px 16px}",
            ".also .id{margin-right:8px}",
        )
    )
