"""The roofline of a chip and kernels below it, as SVG and in plotly. Both axes are logarithmic."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ascend_lab.profile import Roofline, roofline
from ascend_lab.view import svg
from ascend_lab.view.drawing import style
from ascend_lab.view.markup import element, scope_of, scoped
from ascend_lab.view.origin import marked
from ascend_lab.view.palette import Theme, css
from ascend_lab.view.words import Lang, say

if TYPE_CHECKING:
    from ascend_lab.device import Result

WIDE, HIGH = 760.0, 400.0
LEFT, RIGHT, TOP, BOTTOM = 70.0, 24.0, 52.0, 350.0


@dataclass(frozen=True, slots=True)
class Roofs:
    """Kernels by name; the limits are those of the first one's chip."""

    kernels: Mapping[str, Roofline]

    @property
    def chip(self) -> Roofline:
        return next(iter(self.kernels.values()))

    @property
    def x(self) -> tuple[float, float]:
        """Powers of ten that hold the ridge and every kernel."""
        seen = [k.intensity for k in self.kernels.values() if k.intensity] + [self.chip.ridge]
        return math.floor(math.log10(min(seen)) - 0.2), math.ceil(math.log10(max(seen)) + 0.2)

    @property
    def y(self) -> tuple[float, float]:
        seen = [k.rate for k in self.kernels.values() if k.rate] + [self.chip.vector_rate]
        return math.floor(math.log10(min(seen)) - 0.2), math.ceil(math.log10(max(seen)) + 0.1)


def prepare(results: Mapping[str, Result]) -> Roofs:
    """Where each result stands. Raises ValueError for results of different chips, or none."""
    chips = {result.spec.name for result in results.values()}
    if len(chips) != 1:
        raise ValueError(f"one chip at a time, not {len(chips)}: {', '.join(sorted(chips))}")
    return Roofs({name: roofline(r.trace, r.spec) for name, r in results.items()})


def summary(known: Roofs) -> str:
    """One line for a terminal."""
    told = ", ".join(f"{name} {kernel.share:.0%}" for name, kernel in known.kernels.items())
    return marked(f"Roofline({known.chip.chip}: {told})", known.chip.calibrated)


def heading(known: Roofs, lang: Lang) -> str:
    """What the picture shows, in a line."""
    mark = "" if known.chip.calibrated else say("uncalibrated", lang)
    return " · ".join(part for part in (say("roofline", lang), known.chip.chip, mark) if part)


def told(name: str, kernel: Roofline, lang: Lang) -> str:
    """A kernel in a sentence."""
    return say(
        "roof_told",
        lang,
        name=name,
        us=f"{kernel.time_us:.2f}",
        bound=f"{kernel.bound_us:.2f}",
        side=say(f"roof_side_{kernel.side}", lang),
        share=f"{kernel.share:.0%}",
        bandwidth=f"{kernel.bandwidth:.0f}",
    )


def lines(known: Roofs, lang: Lang) -> list[tuple[str, str, list[tuple[float, float]]]]:
    """(class, label, points) of the roofs: of the chip, and of the cores that the first kernel used."""
    chip, (low, high) = known.chip, known.x
    ridge = chip.ridge
    ends = (10**low, 10**high)
    memory = [(ends[0], chip.memory_rate * ends[0]), (ridge, chip.vector_rate)]
    vector = [(ridge, chip.vector_rate), (ends[1], chip.vector_rate)]
    found = [
        ("memory", say("roof_memory", lang, rate=f"{chip.memory_rate:g}"), memory),
        ("vector", say("roof_vector", lang, rate=f"{chip.vector_rate:,.0f}"), vector),
    ]
    rate = chip.used * chip.core_memory_rate
    if rate < chip.memory_rate:
        peak = chip.vector_rate * chip.used / chip.cores
        points = [(ends[0], rate * ends[0]), (peak / rate, peak), (ends[1], peak)]
        found.append(("few", say("roof_core", lang, n=chip.used), points))
    return found


def draw(known: Roofs, theme: Theme, lang: Lang) -> str:
    """The SVG of ``known``."""
    notes = [told(name, kernel, lang) for name, kernel in known.kernels.items()]
    scope = scope_of("roofline", theme, lang, heading(known, lang), *notes)
    drawing = _Drawing(known, lang)
    body = "".join(drawing.parts(notes))
    height = HIGH + 16 * len(notes)
    rules = css(scope, theme) + style(scope) + _rules(scope)
    return svg.document(WIDE, height, rules, scope, heading(known, lang), body)


class _Drawing:
    def __init__(self, known: Roofs, lang: Lang) -> None:
        self.known = known
        self.lang = lang

    def x(self, value: float) -> float:
        low, high = self.known.x
        return LEFT + (math.log10(value) - low) / (high - low) * (WIDE - LEFT - RIGHT)

    def y(self, value: float) -> float:
        low, high = self.known.y
        return BOTTOM - (math.log10(value) - low) / (high - low) * (BOTTOM - TOP)

    def parts(self, notes: Sequence[str]) -> Iterator[str]:
        yield svg.text(heading(self.known, self.lang), 8.0, 20.0, "head")
        yield from self._grid()
        floor = 10 ** self.known.y[0]
        for css_class, label, points in lines(self.known, self.lang):
            shown = [(self.x(a), self.y(max(b, floor))) for a, b in points if b >= floor]
            first = points[0]
            if first[1] < floor:  # where the roof leaves the picture
                shown.insert(0, (self.x(first[0] * floor / first[1]), self.y(floor)))
            path = " ".join(f"{px:.2f},{py:.2f}" for px, py in shown)
            yield element("polyline", {"points": path, "class": f"roof {css_class}"})
            yield from self._label(css_class, label, shown)
        for k, (name, kernel) in enumerate(self.known.kernels.items()):
            yield from self._kernel(k, name, kernel)
        for k, note in enumerate(notes):
            yield svg.text(note, 8.0, HIGH + 4 + 16 * k, "muted")

    def _label(
        self, css_class: str, label: str, shown: Sequence[tuple[float, float]]
    ) -> Iterator[str]:
        if css_class == "vector":
            yield svg.text(label, WIDE - RIGHT, shown[0][1] - 6, "small", text_anchor="end")
        elif css_class == "memory":
            px = (shown[0][0] + shown[-1][0]) / 2
            py = (shown[0][1] + shown[-1][1]) / 2
            yield svg.text(label, px - 8, py - 6, "small", text_anchor="end")
        else:
            yield svg.text(label, WIDE - RIGHT, shown[-1][1] - 6, "small", text_anchor="end")

    def _grid(self) -> Iterator[str]:
        (x0, x1), (y0, y1) = self.known.x, self.known.y
        for power in range(int(x0), int(x1) + 1):
            px = self.x(10.0**power)
            yield element("line", {"x1": px, "x2": px, "y1": TOP, "y2": BOTTOM, "class": "grid"})
            yield svg.text(f"{10.0**power:g}", px, BOTTOM + 14, "tick", text_anchor="middle")
        for power in range(int(y0), int(y1) + 1):
            py = self.y(10.0**power)
            yield element(
                "line", {"x1": LEFT, "x2": WIDE - RIGHT, "y1": py, "y2": py, "class": "grid"}
            )
            yield svg.text(f"{10.0**power:g}", LEFT - 6, py + 4, "tick", text_anchor="end")
        yield svg.text(
            say("roof_x", self.lang), WIDE - RIGHT, BOTTOM + 30, "tick", text_anchor="end"
        )
        yield svg.text(say("roof_y", self.lang), 8.0, TOP - 14, "tick")

    def _kernel(self, k: int, name: str, kernel: Roofline) -> Iterator[str]:
        if not kernel.intensity:
            return
        px, py = self.x(kernel.intensity), self.y(kernel.rate)
        stem = {"x1": px, "x2": px, "y1": py, "y2": self.y(kernel.roof), "class": "gap"}
        yield element("line", stem)
        hint = svg.title(told(name, kernel, self.lang))
        yield element("circle", {"cx": px, "cy": py, "r": 5.0, "class": "kernel"}, hint)
        label = say("roof_kernel", self.lang, name=name, us=f"{kernel.time_us:.1f}")
        yield svg.text(label, px + 9, py + 4, "strong")


def _rules(scope: str) -> str:
    rules = [
        ".roof{fill:none;stroke-width:2}",
        ".memory{stroke:var(--al-in)}",
        ".vector{stroke:var(--al-compute)}",
        ".few{stroke:var(--al-muted);stroke-dasharray:5 4;stroke-width:1.5}",
        ".kernel{fill:var(--al-out);stroke:var(--al-page);stroke-width:1.5}",
        "text.strong,text.tick{paint-order:stroke;stroke:var(--al-page);stroke-width:3px}",
        ".gap{stroke:var(--al-out);stroke-width:1;stroke-dasharray:2 3}",
    ]
    return scoped(scope, rules)


def figure(known: Roofs, theme: Theme, lang: Lang) -> object:
    """The same in plotly."""
    import plotly.graph_objects as go

    from ascend_lab.view.palette import colours
    from ascend_lab.view.plots import layout, tip

    palette = colours(theme)
    colour = {"memory": palette["in"], "vector": palette["compute"], "few": palette["muted"]}
    fig = go.Figure()
    for css_class, label, points in lines(known, lang):
        dash = "dash" if css_class == "few" else "solid"
        line = {"color": colour[css_class], "width": 2, "dash": dash}
        xs, ys = zip(*points, strict=True)
        fig.add_trace(go.Scatter(x=xs, y=ys, name=label, mode="lines", line=line))
    for name, kernel in known.kernels.items():
        fig.add_trace(
            go.Scatter(
                x=[kernel.intensity],
                y=[kernel.rate],
                name=name,
                mode="markers+text",
                text=[name],
                textposition="middle right",
                marker={"color": palette["out"], "size": 11},
                hovertext=tip([name, told(name, kernel, lang)]),
                hoverinfo="text",
            )
        )
    notes = [told(name, kernel, lang) for name, kernel in known.kernels.items()]
    axis = {"type": "log", "dtick": 1, "gridcolor": palette["line"], "zeroline": False}
    fig.update_layout(
        layout(
            palette,
            heading(known, lang),
            440,
            70,
            notes,
            xaxis={
                **axis,
                "title": {"text": say("roof_x", lang), "standoff": 6},
                "range": list(known.x),
            },
            yaxis={
                **axis,
                "title": {"text": say("roof_y", lang)},
                "range": [known.y[0] - 0.08, known.y[1]],  # its lowest label beside that of x
            },
        )
    )
    return fig
