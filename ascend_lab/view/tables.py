"""The metrics of a run as a table, under msprof's names."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ascend_lab.profile.figures import PIPE_FIELDS, Metrics, Value, mark, shown
from ascend_lab.view.markup import FONT, MONO, div, element, escape, scope_of, scoped, span
from ascend_lab.view.palette import Theme, css
from ascend_lab.view.words import Lang, say

#: msprof's name of a pipe -> the colour of its kind.
_COLOURS = {
    "vec": "compute",
    "cube": "compute",
    "mte3": "out",
    "fixpipe": "out",
    "scalar": "scalar",
}


def metrics_html(metrics: Metrics, lang: Lang = "zh", theme: Theme = "auto") -> str:
    """The table of ``metrics`` as one HTML element: task, pipes with bars, memory, each core."""
    tables = metrics.as_dict()
    badge = [] if metrics.calibrated else [span("badge", say("uncalibrated", lang))]
    body = "".join(
        (
            div("head", span("title", f"{say('metrics', lang)} · {metrics.op_name}"), *badge),
            _tiles(tables["OpBasicInfo"]),
            _table("PipeUtilization", _pipe_rows(tables["PipeUtilization"]), say("mean", lang)),
            _table("Memory", _plain_rows(tables["Memory"]), say("sum", lang)),
            _cores(metrics, lang),
            div("foot", escape(say("with_start", lang, us=f"{metrics.prologue_scalar_us:g}"))),
            div("foot", escape(metrics.accuracy(lang))),
        )
    )
    scope = scope_of("metrics", theme, lang, body)
    return div(scope, f"<style>{css(scope, theme)}{_rules(scope)}</style>", div("sheet", body))


def _tiles(table: dict[str, Value]) -> str:
    tiles = [
        div("tile", div("figure", escape(shown(value))), div("name", escape(name)))
        for name, value in table.items()
        if not isinstance(value, str)
    ]
    return div("tiles", *tiles)


def _pipe_rows(table: dict[str, Value]) -> Iterator[str]:
    """Time and ratio of a pipe in one row, the ratio as a bar; other fields in a row each."""
    names = list(table)
    for name in names:
        if name.endswith("_ratio"):
            continue
        ratio = name.replace("_time(us)", "_ratio")
        if ratio != name and ratio in table:
            yield _pipe_row(name, ratio, table)
        else:
            yield _row(_cell(name), _figure(name, table[name]), "<td></td><td></td><td></td>")


def _pipe_row(time: str, ratio: str, table: dict[str, Value]) -> str:
    pipe = next(p for p in PIPE_FIELDS.values() if f"_{p}_" in time)
    share = min(max(float(table[ratio]), 0.0), 1.0)
    style = f"width:{share:.1%};background:var(--al-{_COLOURS.get(pipe, 'in')})"
    bar = div("bar", element("div", {"style": style}, ""))
    return _row(
        _cell(time),
        _figure(time, table[time]),
        _cell(ratio),
        _figure(ratio, table[ratio]),
        element("td", {"class": "barcell"}, bar),
    )


def _plain_rows(table: dict[str, Value]) -> Iterator[str]:
    items = list(table.items())
    for pair in zip(items[::2], items[1::2], strict=True):
        yield _row(*(_cell(name) + _figure(name, value) for name, value in pair), "<td></td>")


def _table(name: str, rows: Iterator[str], how: str) -> str:
    caption = element("caption", {}, escape(name), span("how", how))
    return element("table", {}, caption, element("tbody", {}, *rows))


def _row(*cells: str) -> str:
    return element("tr", {}, *cells)


def _cell(name: str) -> str:
    return element("td", {"class": "field"}, escape(name))


def _figure(name: str, value: Value) -> str:
    note = mark(name)
    about = [span("about", note.strip())] if note else []
    return element("td", {"class": "value"}, escape(shown(value)), *about)


def _cores(metrics: Metrics, lang: Lang) -> str:
    rows = metrics.per_core()
    if len(rows) < 2:
        return ""
    head = _row(*(element("th", {}, escape(name)) for name in rows[0]))
    body = [_row(*(element("td", {}, escape(shown(v))) for v in row.values())) for row in rows]
    table = element("table", {"class": "cores"}, head, *body)
    heading = element("summary", {}, escape(say("per_core", lang)))
    return element("details", {}, heading, div("scroll", table))


def _rules(scope: str) -> str:
    rules: Sequence[str] = (
        f".sheet{{font:13px/1.5 {FONT};color:var(--al-text);max-width:920px}}",
        ".head{display:flex;gap:10px;align-items:center}",
        ".title{font-weight:600;font-size:14px}",
        ".badge{background:var(--al-note);color:var(--al-page);border-radius:3px;padding:0 7px;"
        "font-size:12px;font-weight:600}",
        ".tiles{display:flex;gap:10px;flex-wrap:wrap;margin:8px 0}",
        ".tile{background:var(--al-lane);border-radius:4px;padding:6px 14px}",
        ".figure{font-size:20px;font-weight:600;font-variant-numeric:tabular-nums}",
        f".name,.field,.cores th{{font-family:{MONO};font-size:12px;color:var(--al-muted);"
        "font-weight:400}",
        "table{border-collapse:collapse;margin:6px 0;font-size:13px;color:var(--al-text);"
        "border:none;table-layout:auto}",
        "caption{text-align:left;font-weight:600;color:var(--al-text);padding:6px 0 2px;"
        "caption-side:top;white-space:nowrap}",
        ".how{color:var(--al-muted);font-weight:400;font-size:12px;margin-left:8px}",
        "tr{background:transparent!important;border-top:1px solid var(--al-line)}",
        "td,th{padding:2px 10px 2px 0;text-align:right;white-space:nowrap;"
        "font-variant-numeric:tabular-nums;vertical-align:middle}",
        "td.field{text-align:left;padding-right:16px}",
        "td.value{padding-right:22px}",
        ".about{color:var(--al-muted);font-size:11px;margin-left:5px}",
        ".barcell{width:220px}",
        ".bar{width:200px;height:9px;border-radius:3px;background:var(--al-lane);overflow:hidden}",
        ".bar div{height:100%}",
        ".scroll{overflow-x:auto}",
        "summary{cursor:pointer;color:var(--al-muted)}",
        ".foot{color:var(--al-muted);font-size:12px;margin-top:6px}",
    )
    return scoped(scope, rules)
