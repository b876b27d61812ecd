"""Pipe occupancy as SVG: of a core's time, or of the mean core's, how much each pipe works, waits and stands idle."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ascend_lab.engine.instruction import Pipe
from ascend_lab.engine.trace import Trace
from ascend_lab.profile import BlockCounters, Indicators, counters, indicators
from ascend_lab.view import svg
from ascend_lab.view.drawing import KIND_PIPES, WIDTH, kind_of, legend, patterns, shape, style
from ascend_lab.view.markup import element, scope_of
from ascend_lab.view.origin import Origin, one_core, origin
from ascend_lab.view.palette import Theme, css
from ascend_lab.view.words import Lang, say

if TYPE_CHECKING:
    from ascend_lab.device import Result

PIPES = (Pipe.S, Pipe.MTE2, Pipe.V, Pipe.MTE3)
LEFT, RIGHT, TOP, ROW = 72.0, 150.0, 62.0, 30.0


@dataclass(frozen=True, slots=True)
class Occupancy:
    """Cycles at work and waiting of each pipe, of ``total``; ``begin`` is what S does before the kernel's own work."""

    source: Origin
    cores: int
    core: int | None
    total: float
    busy: dict[Pipe, float]
    begin: float
    waiting: dict[Pipe, float]
    seen: Indicators

    def us(self, cycles: float) -> str:
        return self.source.us(cycles)


def prepare(source: Result | Trace, core: int | None, lang: Lang) -> Occupancy:
    """The figures of one core, or the mean of all when ``core`` is None."""
    start = origin(source, findings=False)
    if core is not None:
        one_core(start.cores, core, lang)
    blocks = [b for b in counters(start.trace, start.spec) if core is None or b.core == core]
    cores = len({b.core for b in blocks})

    def mean(pipe: Pipe, of: str) -> float:
        cycles = [float(getattr(b, of).get(pipe, 0.0)) for b in blocks]
        return sum(cycles) / max(cores, 1)

    busy = {pipe: mean(pipe, "busy") for pipe in PIPES}
    begin = start.spec.cost.launch.prologue_scalar_us * start.mhz if blocks else 0.0
    busy[Pipe.S] = max(busy[Pipe.S] - begin, 0.0)  # the start of a core is no work of the kernel
    return Occupancy(
        start,
        cores,
        core,
        _total(blocks, cores),
        busy,
        begin,
        {pipe: mean(pipe, "waiting") for pipe in PIPES},
        indicators(start.trace, start.spec),
    )


def _total(blocks: list[BlockCounters], cores: int) -> float:
    return sum(b.total for b in blocks) / max(cores, 1)


def summary(known: Occupancy) -> str:
    """One line for a terminal."""
    total = known.total or 1.0
    told = ", ".join(f"{pipe.name} {known.busy[pipe] / total:.0%}" for pipe in PIPES)
    return known.source.marked(f"Occupancy({known.source.kernel}: {told})")


def heading(known: Occupancy, lang: Lang) -> str:
    """What the picture shows, in a line."""
    which = (
        say("occ_mean", lang, n=known.cores)
        if known.core is None
        else say("occ_core", lang, core=known.core)
    )
    parts = [say("occupancy", lang), known.source.kernel, which, known.source.chip(lang)]
    return " · ".join(part for part in parts if part)


def told(known: Occupancy, lang: Lang) -> list[str]:
    """The three indicators in a sentence, and what the share of S leaves out."""
    seen = known.seen
    without = say("no_start", lang, us=f"{known.begin / known.source.mhz:g}")
    return [_indicators(seen, lang), *([without] if known.begin else [])]


def _indicators(seen: Indicators, lang: Lang) -> str:
    return say(
        "occ_overlap",
        lang,
        copy=f"{seen.copy:.3f}",
        compute=f"{seen.compute:.3f}",
        idle=f"{seen.queue_idle:.3f}",
        overlap=f"{seen.overlap:.0%}",
    )


def tip(known: Occupancy, pipe: Pipe, lang: Lang) -> str:
    """A pipe in words."""
    us = known.us
    return say(
        "occ_tip",
        lang,
        unit=pipe.name,
        busy=us(known.busy[pipe]),
        wait=us(known.waiting[pipe]),
        all=us(known.total),
    )


def draw(known: Occupancy, theme: Theme, lang: Lang) -> str:
    """The SVG of ``known``."""
    digest = known.source.trace.digest()
    scope = scope_of("occupancy", theme, lang, heading(known, lang), digest)
    height = TOP + ROW * len(PIPES) + 18 + 16 * len(told(known, lang))
    rules = css(scope, theme) + style(scope)
    body = "".join(_parts(known, lang, scope))
    return svg.document(WIDTH, height, rules, scope, heading(known, lang), body)


def _parts(known: Occupancy, lang: Lang, scope: str) -> Iterator[str]:
    yield patterns(scope)
    yield svg.text(heading(known, lang), 8.0, 20.0, "head")
    items = [(kind, f"{pipe} {say(kind, lang)}") for kind, pipe in KIND_PIPES.items()]
    waiting = ("wait", say("wait", lang))
    yield from legend(
        [items[-1], *items[:-1], waiting, ("lane", say("occ_idle", lang))], 43.0, scope
    )
    for k, pipe in enumerate(PIPES):
        yield from _row(known, pipe, TOP + ROW * k, lang, scope)
    for k, text in enumerate(told(known, lang)):
        yield svg.text(text, 8.0, TOP + ROW * len(PIPES) + 20 + 16 * k, "muted")


def _row(known: Occupancy, pipe: Pipe, top: float, lang: Lang, scope: str) -> Iterator[str]:
    total, wide = known.total or 1.0, WIDTH - LEFT - RIGHT
    busy = min(known.busy[pipe] / total, 1.0)
    waits = min(known.waiting[pipe] / total, 1.0 - busy)
    hint = svg.title(tip(known, pipe, lang))
    yield svg.text(pipe.name, 8.0, top + 16, "strong")
    box: dict[str, object] = {"y": top + 2, "height": ROW - 8}
    yield element("rect", {**box, "x": LEFT, "width": wide, "class": "lane"}, hint)
    yield shape(kind_of(pipe), {**box, "x": LEFT, "width": wide * busy}, scope, hint)
    if waits > 0:
        spot = {**box, "x": LEFT + wide * busy, "width": wide * waits}
        yield shape("wait", spot, scope, hint)
    text = say("occ_row", lang, us=known.us(known.busy[pipe]), share=f"{busy:.0%}")
    yield svg.text(text, WIDTH - 8, top + 16, "tick", text_anchor="end")


def figure(known: Occupancy, theme: Theme, lang: Lang) -> object:
    """The same in plotly."""
    import plotly.graph_objects as go

    from ascend_lab.view.palette import colours
    from ascend_lab.view.plots import layout, rows_axis, time_axis

    palette, mhz = colours(theme), known.source.mhz
    names, rows = [pipe.name for pipe in PIPES], list(range(len(PIPES)))
    hints = [tip(known, pipe, lang) for pipe in PIPES]
    busy = [known.busy[pipe] / mhz for pipe in PIPES]
    hatched = {"shape": "/", "fillmode": "replace", "size": 6}
    bars = [
        go.Bar(
            orientation="h",
            name=say(what, lang),
            base=base,
            x=wide,
            y=rows,
            width=0.7,
            marker={"color": colour, "line": {"width": 0}, "pattern": pattern},
            hovertext=hints,
            hoverinfo="text",
        )
        for what, base, wide, colour, pattern in (
            ("busy", None, busy, [palette[kind_of(pipe)] for pipe in PIPES], {"shape": ""}),
            ("wait", busy, [known.waiting[p] / mhz for p in PIPES], palette["wait"], hatched),
        )
    ]
    fig = go.Figure(bars)
    fig.update_layout(
        layout(
            palette,
            heading(known, lang),
            300,
            50 + 20 * len(told(known, lang)),
            told(known, lang),
            xaxis=time_axis(palette, say("axis", lang), 0, known.total / mhz),
            yaxis=rows_axis(-0.6, len(PIPES) - 0.4, rows, names),
        )
    )
    return fig
