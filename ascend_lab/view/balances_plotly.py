"""The balance of the cores in plotly."""

from __future__ import annotations

from typing import Any

from ascend_lab.engine.instruction import Pipe
from ascend_lab.view.balances import PIPES, Balance, heading, pipe_tip, tips, verdict
from ascend_lab.view.drawing import kind_of
from ascend_lab.view.palette import Colours, Theme, colours
from ascend_lab.view.plots import layout, rows_axis, time_axis, tip
from ascend_lab.view.words import Lang, say

_ROW = 26


def figure(known: Balance, theme: Theme, lang: Lang) -> Any:
    """A ``plotly.graph_objects.Figure`` of ``known``; needs plotly, which is an optional package."""
    import plotly.graph_objects as go

    palette = colours(theme)
    fig = go.Figure(_ends(go, known, palette, lang))
    for k, pipe in enumerate(PIPES):
        fig.add_trace(_busy(go, known, k, pipe, palette, lang))
    fig.update_layout(_layout(known, palette, lang))
    return fig


def _ends(go: Any, known: Balance, palette: Colours, lang: Lang) -> Any:
    mhz = known.source.mhz
    return go.Bar(
        orientation="h",
        x=[core.total_cycles / mhz for core in known.cores],
        y=list(range(len(known.cores))),
        width=0.9,
        marker={"color": palette["lane"], "line": {"color": palette["line"], "width": 1}},
        hovertext=[tip(tips(known, core, lang)) for core in known.cores],
        hoverinfo="text",
        showlegend=False,
    )


def _busy(go: Any, known: Balance, k: int, pipe: Pipe, palette: Colours, lang: Lang) -> Any:
    kind, mhz = kind_of(pipe), known.source.mhz
    return go.Bar(
        orientation="h",
        name=f"{pipe.name} {say(kind, lang)}",
        x=[known.figures.working(core, pipe) / mhz for core in known.cores],
        y=[row - 0.3 + 0.2 * k for row in range(len(known.cores))],
        width=0.17,
        marker={"color": palette[kind], "line": {"width": 0}},
        hovertext=[tip([pipe_tip(known, core, pipe, lang)]) for core in known.cores],
        hoverinfo="text",
    )


def _layout(known: Balance, palette: Colours, lang: Lang) -> dict[str, Any]:
    mhz, count = known.source.mhz, len(known.cores)
    slowest = known.slowest
    end = slowest.total_cycles / mhz if slowest is not None else 1.0
    names = [f"{say('core', lang)} {core.core}" for core in known.cores]
    mean = {"type": "line", "yref": "paper", "y0": 0, "y1": 1, "x0": known.mean / mhz}
    mean |= {
        "x1": known.mean / mhz,
        "line": {"color": palette["text"], "width": 1.5, "dash": "dash"},
    }
    return layout(
        palette,
        heading(known, lang),
        130 + _ROW * count,
        90,
        [verdict(known, lang)[1]],
        xaxis=time_axis(palette, say("balance_axis", lang), 0, end * 1.02),
        yaxis=rows_axis(-0.6, count - 0.4, list(range(count)), names),
        shapes=[mean],
    )
