"""The coverage map in plotly."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from typing import Any

from ascend_lab.engine.written import Coverage
from ascend_lab.view.coverages import headline, tell
from ascend_lab.view.ownership import Map, Segment, ownership
from ascend_lab.view.palette import BLOCKS, Theme, colours
from ascend_lab.view.words import Lang, say

Part = tuple[Map, Segment, float, float, float]  # output, segment, x and width in the row, y
_ROW = 34


def figure(outputs: Sequence[Coverage], theme: Theme, lang: Lang) -> Any:
    """A ``plotly.graph_objects.Figure`` of the maps; needs plotly, which is an optional package."""
    import plotly.graph_objects as go

    maps = [ownership(output) for output in outputs]
    ticks: list[tuple[float, str]] = []
    parts = list(_parts(maps, ticks))
    fig = go.Figure()
    legend = {
        "once": "written_by",
        "combined": "legend_combined",
        "gap": "unwritten",
        "twice": "legend_twice",
    }
    for kind, key in legend.items():
        chosen = [part for part in parts if part[1].kind == kind]
        if chosen:
            name = say(key, lang, who="n")
            fig.add_trace(_bars(go, chosen, _marker(chosen, kind, theme), name, lang))
    fig.update_layout(_layout(maps, ticks, theme, lang))
    return fig


def _parts(maps: Sequence[Map], ticks: list[tuple[float, str]]) -> Iterator[Part]:
    y = 0.0
    for output in maps:
        rows = output.rows()
        for row, (low, high) in enumerate(rows):
            first = f"{low // output.itemsize:,}"
            name = f"<b>{escape(output.name)}</b>  " if row == 0 else ""
            ticks.append((y, name + first))
            for segment in output.within(low, high):
                full = rows[0][1] - rows[0][0]
                width = (segment.high - segment.low) / full
                yield output, segment, (segment.low - low) / full, width, y
            y += 1.0
        y += 0.6


def _bars(go: Any, parts: Sequence[Part], marker: dict[str, Any], name: str, lang: Lang) -> Any:
    return go.Bar(
        orientation="h",
        name=name,
        base=[x for _, _, x, _, _ in parts],
        x=[width for _, _, _, width, _ in parts],
        y=[y for _, _, _, _, y in parts],
        width=0.8,
        marker=marker,
        text=["+".join(str(block) for block in segment.blocks) for _, segment, *_ in parts],
        textposition="inside",
        insidetextanchor="middle",
        hovertext=[escape(tell(output, segment, lang)) for output, segment, *_ in parts],
        hoverinfo="text",
    )


def _marker(parts: Sequence[Part], kind: str, theme: Theme) -> dict[str, Any]:
    palette, blocks = colours(theme), BLOCKS[theme]
    if kind == "once":
        fills = [blocks[segment.blocks[0] % len(blocks)] for _, segment, *_ in parts]
        return {"color": fills, "line": {"color": palette["seam"], "width": 1}}
    if kind == "combined":
        return {"color": palette["scalar"], "line": {"color": palette["seam"], "width": 1}}
    colour = palette["bad" if kind == "twice" else "wait"]
    pattern = {"shape": "/" if kind == "gap" else "x", "fgcolor": colour, "size": 6}
    return {
        "color": palette["bad-soft"] if kind == "twice" else "rgba(0,0,0,0)",
        "line": {"color": colour, "width": 2 if kind == "twice" else 1},
        "pattern": {**pattern, "solidity": 0.35},
    }


def _layout(
    maps: Sequence[Map], ticks: Sequence[tuple[float, str]], theme: Theme, lang: Lang
) -> dict[str, Any]:
    palette = colours(theme)
    bottom = ticks[-1][0] + 0.6 if ticks else 0.6
    one = len(maps) < 2
    heading = headline(maps, lang) if one else say("coverage", lang)
    return {
        "title": {"text": escape(heading), "font": {"size": 14}, "x": 0.01},
        "height": int(124 + _ROW * (bottom + 0.6)),
        "margin": {"l": 110, "r": 16, "t": 76, "b": 44},
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "font": {"color": palette["text"], "size": 12},
        "template": None,
        "barmode": "overlay",
        "dragmode": "pan",
        "hovermode": "closest",
        "hoverlabel": {
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
        "xaxis": {"range": [0, 1], "visible": False},
        "yaxis": {
            "range": [bottom, -0.6],
            "fixedrange": True,
            "showgrid": False,
            "zeroline": False,
            "tickvals": [y for y, _ in ticks],
            "ticktext": [label for _, label in ticks],
        },
    }
