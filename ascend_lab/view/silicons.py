"""Silicon beside model: the published measurements, what the model says, and how far off it is, as a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ascend_lab.profile.figures import mark
from ascend_lab.profile.silicon import Measured
from ascend_lab.view.markup import FONT, MONO, div, element, escape, scope_of, scoped, span
from ascend_lab.view.palette import Theme, css
from ascend_lab.view.words import Lang, say

_COLUMNS = ("sil_id", "sil_quantity", "sil_measured", "sil_predicted", "sil_error", "sil_use")
#: The bar of an error is full from here on.
_FULL = 0.1


def summary(rows: Sequence[Measured]) -> str:
    """One line for a terminal."""
    if not rows:
        return "Silicon(no table)"
    firm = _firm(rows)
    return (
        f"Silicon({len(firm)} quantities, mean error {_mean(firm):.1%}, worst {_worst(firm):.1%})"
    )


def table(
    rows: Sequence[Measured],
    names: Mapping[str, str],
    missing: Sequence[str],
    lang: Lang,
    theme: Theme,
) -> str:
    """The table as one HTML element. ``names``: what cases are called; ``missing``: cases without measurement."""
    if not rows and not missing:
        body = div("foot", escape(say("sil_none", lang)))
    else:
        head = element("tr", {}, *(element("th", {}, escape(say(c, lang))) for c in _COLUMNS))
        made = [_row(row, names) for row in rows]
        made += [_without(names.get(id, id), lang) for id in missing]
        body = element("table", {}, head, *made)
        if rows:
            firm = _firm(rows)
            told = say("sil_foot", lang, mape=f"{_mean(firm):.1%}", worst=f"{_worst(firm):.1%}")
            more = say("sil_indicative", lang) if len(firm) < len(rows) else ""
            body += div("foot", escape(" ".join(part for part in (told, more) if part)))
    scope = scope_of("silicon", theme, lang, body)
    title = div("head", span("title", say("silicon", lang)))
    return div(
        scope, f"<style>{css(scope, theme)}{_rules(scope)}</style>", div("sheet", title, body)
    )


def _row(row: Measured, names: Mapping[str, str]) -> str:
    wide = min(abs(row.error) / _FULL, 1.0)
    bar = element("div", {"class": "bar", "style": f"width:{wide * 60:.0f}px"}, "")
    cells = [
        element("td", {"class": "field", "title": row.source}, escape(names.get(row.id, row.id))),
        element("td", {"class": "field"}, escape(f"{row.quantity} ({row.unit})")),
        element("td", {}, _figure(row.measured)),
        element("td", {}, _figure(row.predicted)),
        element("td", {"class": "error"}, f"{row.error:+.1%}".replace("-", "−"), bar),
        element("td", {"class": "field"}, escape(row.use)),
    ]
    return element("tr", {}, *cells)


def _figure(value: float) -> str:
    """Five digits, never an exponent."""
    return f"{value:,.0f}" if value >= 1e5 else f"{value:,.5g}"


def _without(name: str, lang: Lang) -> str:
    first = element("td", {"class": "field"}, escape(name))
    rest = element("td", {"colspan": 5, "class": "none"}, escape(say("sil_no_case", lang)))
    return element("tr", {}, first, rest)


def _firm(rows: Sequence[Measured]) -> list[Measured]:
    """The rows but for busy times of pipes that the model only indicates."""
    return [row for row in rows if not mark(row.quantity.replace("_time_us", "_time(us)"))]


def _mean(rows: Sequence[Measured]) -> float:
    return sum(abs(row.error) for row in rows) / max(len(rows), 1)


def _worst(rows: Sequence[Measured]) -> float:
    return max((abs(row.error) for row in rows), default=0.0)


def _rules(scope: str) -> str:
    rules = (
        f".sheet{{font:13px/1.5 {FONT};color:var(--al-text);max-width:860px}}",
        ".title{font-weight:600;font-size:14px}",
        "table{border-collapse:collapse;margin:6px 0;font-size:13px;color:var(--al-text);border:none}",
        "tr{background:transparent!important;border-top:1px solid var(--al-line)}",
        "td,th{padding:2px 14px 2px 0;text-align:right;white-space:nowrap;"
        "font-variant-numeric:tabular-nums;vertical-align:middle}",
        "th{color:var(--al-muted);font-weight:400;font-size:12px}",
        f"td.field{{text-align:left;font-family:{MONO};font-size:12px}}",
        "th:first-child,th:nth-child(2),th:last-child{text-align:left}",
        "td.none{text-align:left;color:var(--al-muted)}",
        ".bar{height:4px;background:var(--al-compute);border-radius:2px;margin-left:auto}",
        ".foot{color:var(--al-muted);font-size:12px;margin-top:6px}",
    )
    return scoped(scope, rules)
