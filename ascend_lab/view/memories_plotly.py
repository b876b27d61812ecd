"""The memory view in plotly: to zoom into, with a tooltip on every access."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ascend_lab.view.drawing import KIND_PIPES, kind_of
from ascend_lab.view.memories import LEAST
from ascend_lab.view.memory_map import (
    Box,
    Map,
    Race,
    Scale,
    describe,
    heading,
    merged,
    notes,
    size,
)
from ascend_lab.view.palette import Colours, Theme, colours
from ascend_lab.view.plots import layout, mark, rows_axis, time_axis, tip
from ascend_lab.view.words import Lang, say

MOST_BOXES = 5000
_HEIGHT = 360.0


def figure(known: Map, theme: Theme, lang: Lang) -> Any:
    """A ``plotly.graph_objects.Figure`` of ``known``; needs plotly, which is an optional package."""
    import plotly.graph_objects as go

    palette = colours(theme)
    scale = Scale(known, 0.0, _HEIGHT, LEAST)
    boxes = merged(known.boxes, (known.end - known.begin) / 20_000, MOST_BOXES, known.end)
    fig = go.Figure(_bands(go, known, scale, palette))
    for kind in KIND_PIPES:
        for writes in (True, False):
            chosen = [b for b in boxes if kind_of(b.pipe) == kind and b.writes == writes]
            if chosen:
                fig.add_trace(_boxes(go, known, scale, chosen, palette, lang))
    if known.races:
        fig.add_trace(_races(go, known, scale, palette, lang))
    fig.update_layout(_layout(known, scale, boxes, palette, lang))
    return fig


def _bands(go: Any, known: Map, scale: Scale, palette: Colours) -> Any:
    """The buffers, for as long as they exist."""
    mhz = known.source.mhz
    return go.Bar(
        orientation="h",
        base=[b.born / mhz for b in known.buffers],
        x=[(b.gone - b.born) / mhz for b in known.buffers],
        y=[(scale.y(b.low) + scale.y(b.high)) / 2 for b in known.buffers],
        width=[scale.y(b.high) - scale.y(b.low) - 2 for b in known.buffers],
        marker={"color": palette["lane"], "line": {"width": 0}},
        hoverinfo="skip",
        showlegend=False,
    )


def _boxes(
    go: Any, known: Map, scale: Scale, boxes: Sequence[Box], palette: Colours, lang: Lang
) -> Any:
    """One trace for each pipe and direction: a colour for each box would make zooming slow."""
    kind, writes, mhz = kind_of(boxes[0].pipe), boxes[0].writes, known.source.mhz
    verb = say("writes" if writes else "reads", lang)
    return go.Bar(
        orientation="h",
        name=f"{KIND_PIPES[kind]} {verb}",
        base=[box.begin / mhz for box in boxes],
        x=[(box.end - box.begin) / mhz for box in boxes],
        y=[(scale.y(box.low) + scale.y(box.high)) / 2 for box in boxes],
        width=[max(scale.y(box.high) - scale.y(box.low) - 3, 1.5) for box in boxes],
        marker=_marker(palette, kind, writes),
        hovertext=[tip(describe(known, box, lang)) for box in boxes],
        hoverinfo="text",
    )


def _marker(palette: Colours, kind: str, writes: bool) -> dict[str, Any]:
    line = {"color": palette[kind], "width": 1}
    if writes:
        return {"color": palette[kind], "line": {"color": palette["seam"], "width": 0.75}}
    pattern = {"shape": "/", "fgcolor": palette[kind], "size": 5, "solidity": 0.35}
    return {"color": palette[f"{kind}-soft"], "line": line, "pattern": pattern}


def _races(go: Any, known: Map, scale: Scale, palette: Colours, lang: Lang) -> Any:
    mhz, races = known.source.mhz, known.races
    pattern = {"shape": "x", "fgcolor": palette["bad"], "size": 6, "solidity": 0.4}
    return go.Bar(
        orientation="h",
        name=say("race", lang),
        base=[race.begin / mhz for race in races],
        x=[(race.end - race.begin) / mhz for race in races],
        y=[(scale.y(race.low) + scale.y(race.high)) / 2 for race in races],
        width=[max(scale.y(race.high) - scale.y(race.low) - 3, 3) for race in races],
        marker={
            "color": palette["bad-soft"],
            "line": {"color": palette["bad"], "width": 2},
            "pattern": pattern,
        },
        hovertext=[tip(race.finding.message(lang).split("\n")) for race in races],
        hoverinfo="text",
    )


def _layout(
    known: Map, scale: Scale, boxes: Sequence[Box], palette: Colours, lang: Lang
) -> dict[str, Any]:
    told = notes(known, len(boxes), scale.stretched, lang)
    spans = {(b.low, b.high): b for b in known.buffers}
    at = [(scale.y(low) + scale.y(high)) / 2 for low, high in spans]
    names = [f"{buffer.label} · {size(buffer.nbytes)}" for buffer in spans.values()]
    mhz = known.source.mhz
    found = layout(
        palette,
        heading(known, lang),
        scale.bottom + 130,
        190,
        told,
        xaxis=time_axis(palette, say("axis", lang), known.begin / mhz, known.end / mhz),
        yaxis=rows_axis(0.0, scale.bottom, at, names),
    )
    found["annotations"] += _pins(known.races, scale, palette, mhz)
    return found


def _pins(
    races: Sequence[Race], scale: Scale, palette: Colours, mhz: float
) -> list[dict[str, Any]]:
    first = {id(race.finding): race for race in reversed(races)}
    return [mark(palette, r.begin / mhz, scale.y(r.low), r.finding.id) for r in first.values()]
