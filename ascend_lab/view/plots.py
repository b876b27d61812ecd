"""What the plotly figures share: a layout that follows the colours of a theme."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

from ascend_lab.view.palette import Colours

NOTHING = "rgba(0,0,0,0)"


def layout(
    palette: Colours, heading: str, height: float, left: int, notes: Sequence[str], **more: Any
) -> dict[str, Any]:
    """The layout of a figure with ``notes`` below it; ``more`` adds or replaces keys."""
    return {
        "title": {"text": escape(heading), "font": {"size": 14}, "x": 0.01},
        "height": int(height + 20 * len(notes)),
        "margin": {"l": left, "r": 16, "t": 74, "b": 48 + 20 * len(notes)},
        "paper_bgcolor": NOTHING,
        "plot_bgcolor": NOTHING,
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
        "modebar": {"bgcolor": NOTHING, "color": palette["muted"], "activecolor": palette["in"]},
        "legend": {"orientation": "h", "x": 0, "y": 1.0, "yanchor": "bottom"},
        "annotations": [_note(text, line) for line, text in enumerate(notes)],
        **more,
    }


def _note(text: str, line: int) -> dict[str, Any]:
    place = {"xref": "paper", "yref": "paper", "x": 0, "y": 0, "xanchor": "left", "yanchor": "top"}
    return {**place, "text": escape(text), "showarrow": False, "yshift": -42 - 20 * line}


def time_axis(palette: Colours, title: str, begin: float, end: float) -> dict[str, Any]:
    """x from ``begin`` to ``end``."""
    return {
        "title": {"text": title, "standoff": 6},
        "range": [begin, end],
        "gridcolor": palette["line"],
        "zeroline": False,
        "tickcolor": palette["line"],
    }


def rows_axis(low: float, high: float, at: Sequence[float], names: Sequence[str]) -> dict[str, Any]:
    """y from ``high`` down to ``low``, with a name at each of ``at``."""
    return {
        "range": [high, low],
        "fixedrange": True,
        "ticklabelstandoff": 6,
        "showgrid": False,
        "zeroline": False,
        "tickvals": list(at),
        "ticktext": [escape(name) for name in names],
    }


def tip(lines: Sequence[str]) -> str:
    """Lines of a tooltip, the first one bold."""
    first, *rest = (escape(line) for line in lines)
    return "<br>".join([f"<b>{first}</b>", *rest])


def mark(palette: Colours, x: float, y: float, label: str) -> dict[str, Any]:
    """An annotation with the id of a finding."""
    return {
        "x": x,
        "y": y,
        "text": f"<b>{escape(label)}</b>",
        "font": {"color": palette["bad-on"], "size": 11},
        "bgcolor": palette["bad"],
        "arrowcolor": palette["bad"],
        "arrowwidth": 2,
        "arrowhead": 0,
        "ax": 0,
        "ay": -20,
        "borderpad": 2,
    }
