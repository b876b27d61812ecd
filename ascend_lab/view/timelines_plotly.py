"""The timeline in plotly: to zoom into, with a tooltip on every bar."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING, Any

from ascend_lab.view.bars import Bar, Lane, describe
from ascend_lab.view.palette import Colours, colours
from ascend_lab.view.timelines import Show, fit, opacity, pipe_of
from ascend_lab.view.words import say

if TYPE_CHECKING:
    from ascend_lab.checks.finding import Finding

#: Bars that stay fluid in a browser; above, narrow neighbours are merged.
MOST_BARS = 5000
MOST_LABELS = 30
_KINDS = ("in", "compute", "out", "scalar", "wait")
_ROW = 26
_GAP = 0.5


def figure(show: Show) -> Any:
    """A ``plotly.graph_objects.Figure`` of ``show``; needs plotly, which is an optional package."""
    import plotly.graph_objects as go

    drawn = show.score
    lanes, narrowed = fit(drawn, drawn.end / 20_000, MOST_BARS)
    rows = _positions(lanes)
    traces = [_bars(go, show, lanes, rows, kind, pong) for kind in _KINDS for pong in (False, True)]
    fig = go.Figure([trace for trace in traces if trace is not None])
    for trace in [trace for trace in fig.data if trace.legendgroup == "pong"][1:]:
        trace.showlegend = False
    at = _places(show, lanes, rows)
    if at:
        fig.add_trace(_findings(go, show, at))
    fig.update_layout(_layout(show, lanes, rows, narrowed))
    fig.layout.annotations = [*_notes(show, lanes, narrowed), *_labels(colours(show.theme), at)]
    return fig


def _positions(lanes: Sequence[Lane]) -> list[float]:
    """The y of each lane, counted downwards, with a gap between cores."""
    y, out = 0.0, []
    for before, lane in zip((None, *lanes), lanes, strict=False):
        if before is not None:
            y += 1.0 + (_GAP if before.core != lane.core else 0.0)
        out.append(y)
    return out


def _bars(
    go: Any, show: Show, lanes: Sequence[Lane], rows: Sequence[float], kind: str, pong: bool
) -> Any | None:
    """One trace for each colour: a colour for each bar would make zooming slow."""
    pairs = [
        (bar, y)
        for lane, y in zip(lanes, rows, strict=True)
        for bar in lane.bars
        if bar.kind == kind and bool(bar.buffer % 2) == pong
    ]
    if not pairs:
        return None
    mhz = show.mhz
    return go.Bar(
        orientation="h",
        name=say("second_buffer" if pong else kind, show.lang),
        legendgroup="pong" if pong else kind,
        base=[bar.begin / mhz for bar, _ in pairs],
        x=[(bar.end - bar.begin) / mhz for bar, _ in pairs],
        y=[y for _, y in pairs],
        width=0.34 if kind == "wait" else 0.8,
        marker=_marker(colours(show.theme), kind, pong) | _strength([bar for bar, _ in pairs]),
        hovertext=[_tip(describe(show.score, bar, mhz, show.lang)) for bar, _ in pairs],
        hoverinfo="text",
    )


def _marker(palette: Colours, kind: str, pong: bool) -> dict[str, Any]:
    if kind == "wait":
        return {
            "color": "rgba(0,0,0,0)",
            "line": {"width": 0},
            "pattern": {"shape": "/", "fgcolor": palette["wait"], "size": 5, "solidity": 0.25},
        }
    if pong:
        return {"color": palette[f"{kind}-soft"], "line": {"color": palette[kind], "width": 1}}
    # A seam would hide a narrow bar: S works in bars of a few cycles.
    seam = 0 if kind == "scalar" else 0.75
    return {"color": palette[kind], "line": {"color": palette["seam"], "width": seam}}


def _strength(bars: Sequence[Bar]) -> dict[str, Any]:
    """Merged bars are paler the less of them is work."""
    if all(bar.share == 1.0 for bar in bars):
        return {}
    return {"opacity": [round(opacity(bar.share), 2) for bar in bars]}


def _findings(go: Any, show: Show, at: Sequence[tuple[Finding, float, float]]) -> Any:
    palette = colours(show.theme)
    return go.Scatter(
        name=say("finding", show.lang),
        mode="markers",
        x=[x for _, x, _ in at],
        y=[y for _, _, y in at],
        marker={
            "symbol": "diamond",
            "size": 11,
            "color": palette["bad"],
            "line": {"color": palette["bad-on"], "width": 1},
        },
        hovertext=[_tip(finding.message(show.lang).split("\n")) for finding, _, _ in at],
        hoverinfo="text",
    )


def _places(
    show: Show, lanes: Sequence[Lane], rows: Sequence[float]
) -> list[tuple[Finding, float, float]]:
    """Each finding with its x (us) and y: on the lane of its pipe, else on its core's first."""
    exact = {(lane.core, lane.pipe): y for lane, y in zip(lanes, rows, strict=True)}
    first: dict[int, float] = {}
    for lane, y in zip(lanes, rows, strict=True):
        first.setdefault(lane.core, y)
    out = []
    for finding in show.findings:
        core, pipe = finding.core, pipe_of(finding)
        y = first[core] if pipe is None else exact.get((core, pipe), first[core])
        x = min(max(finding.time, 0.0), show.score.end) / show.mhz
        out.append((finding, x, y))
    return out


def _labels(palette: Colours, at: Sequence[tuple[Finding, float, float]]) -> list[dict[str, Any]]:
    """The id of each finding in a red box above its mark."""
    return [
        {
            "x": x,
            "y": y,
            "text": f"<b>{escape(finding.id)}</b>",
            "font": {"color": palette["bad-on"], "size": 11},
            "bgcolor": palette["bad"],
            "arrowcolor": palette["bad"],
            "arrowwidth": 2,
            "arrowhead": 0,
            "ax": 0,
            "ay": -20,
            "borderpad": 2,
        }
        for finding, x, y in at[:MOST_LABELS]
    ]


def _tip(lines: Sequence[str]) -> str:
    first, *rest = (escape(line) for line in lines)
    return "<br>".join([f"<b>{first}</b>", *rest])


def _layout(
    show: Show, lanes: Sequence[Lane], rows: Sequence[float], narrowed: bool
) -> dict[str, Any]:
    palette = colours(show.theme)
    core = say("core", show.lang)
    notes = _notes(show, lanes, narrowed)
    bottom = rows[-1] + 0.6 if rows else 0.6
    return {
        "title": {"text": escape(show.heading), "font": {"size": 14}, "x": 0.01},
        "height": int(118 + _ROW * (bottom + 0.6) + 20 * len(notes)),
        "margin": {"l": 110, "r": 16, "t": 74, "b": 44 + 20 * len(notes)},
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "font": {"color": palette["text"], "size": 12},
        "template": None,
        "barmode": "overlay",
        "bargap": 0.0,
        "dragmode": "pan",
        "hovermode": "closest",
        "hoverlabel": {
            "align": "left",
            "bgcolor": palette["tip"],
            "bordercolor": palette["line"],
            "font": {"color": palette["tip-on"], "size": 12},
        },
        "modebar": {
            "bgcolor": "rgba(0,0,0,0)",
            "color": palette["muted"],
            "activecolor": palette["in"],
        },
        "legend": {"orientation": "h", "x": 0, "y": 1.0, "yanchor": "bottom"},
        "xaxis": {
            "title": {"text": say("axis", show.lang), "standoff": 6},
            "range": [0, show.score.end / show.mhz],
            "gridcolor": palette["line"],
            "zeroline": False,
            "tickcolor": palette["line"],
        },
        "yaxis": {
            "range": [bottom, -0.6],
            "fixedrange": True,
            "showgrid": False,
            "zeroline": False,
            "tickvals": list(rows),
            "ticktext": [f"{core} {lane.core} · {lane.pipe.name}" for lane in lanes],
        },
    }


def _notes(show: Show, lanes: Sequence[Lane], narrowed: bool) -> list[dict[str, Any]]:
    drawn, lang, texts = show.score, show.lang, []
    if not lanes:
        texts.append(say("nothing", lang))
    if len(drawn.cores) < drawn.all_cores:
        texts.append(say("some_cores", lang, n=drawn.all_cores, m=len(drawn.cores)))
    if narrowed:
        bars = sum(not bar.waiting for lane in lanes for bar in lane.bars)
        texts.append(say("too_many", lang, n=f"{drawn.instructions:,}", m=f"{bars:,}"))
    place = {"xref": "paper", "yref": "paper", "x": 0, "y": 0, "xanchor": "left", "yanchor": "top"}
    return [
        {**place, "text": escape(text), "showarrow": False, "yshift": -42 - 20 * line}
        for line, text in enumerate(texts)
    ]
