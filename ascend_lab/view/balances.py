"""The balance of the cores as SVG: when each ended, and how long its pipes were busy."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ascend_lab.engine.instruction import Pipe
from ascend_lab.engine.trace import Trace
from ascend_lab.profile import CoreMetrics, Metrics, metrics
from ascend_lab.view import svg
from ascend_lab.view.drawing import KIND_PIPES, WIDTH, Axis, kind_of, legend, patterns, shape, style
from ascend_lab.view.markup import element, scope_of, scoped
from ascend_lab.view.origin import Origin, origin
from ascend_lab.view.palette import Theme, css
from ascend_lab.view.words import Lang, say

if TYPE_CHECKING:
    from ascend_lab.device import Result

LEFT, RIGHT, TOP = 64.0, 246.0, 74.0
ROW, STRIPE = 22.0, 4.0
#: From here on the slowest core is told as a problem.
UNEVEN = 1.1
PIPES = (Pipe.S, Pipe.MTE2, Pipe.V, Pipe.MTE3)


@dataclass(frozen=True, slots=True)
class Balance:
    """The cores of a run, and the figures the view names."""

    source: Origin
    figures: Metrics

    @property
    def cores(self) -> tuple[CoreMetrics, ...]:
        return self.figures.cores

    @property
    def slowest(self) -> CoreMetrics | None:
        return max(self.cores, key=lambda core: (core.total_cycles, -core.core), default=None)

    @property
    def mean(self) -> float:
        """Mean end of the cores, cycles."""
        return sum(core.total_cycles for core in self.cores) / max(len(self.cores), 1)

    @property
    def ratio(self) -> float:
        """The slowest core's time over the mean."""
        slowest = self.slowest
        return slowest.total_cycles / self.mean if slowest is not None and self.mean else 1.0

    @property
    def mean_moved(self) -> float:
        """Mean GM traffic of the cores, bytes."""
        return sum(map(moved, self.cores)) / max(len(self.cores), 1)


def moved(core: CoreMetrics) -> int:
    """Bytes a core moved from and to GM."""
    return core.gm_read_bytes + core.gm_write_bytes


def prepare(source: Result | Trace) -> Balance:
    """The figures of a result, or of a bare trace, whose meta names the chip."""
    start = origin(source, findings=False)
    figures = metrics(source, start.spec) if isinstance(source, Trace) else source.metrics
    return Balance(start, figures)


def summary(known: Balance) -> str:
    """One line for a terminal."""
    slowest = known.slowest
    if slowest is None:
        return "Balance(no core ran)"
    return known.source.marked(
        f"Balance({len(known.cores)} cores, slowest core {slowest.core}: "
        f"{known.source.us(slowest.total_cycles)} us, {known.ratio:.2f} x mean)"
    )


def verdict(known: Balance, lang: Lang) -> tuple[str, str]:
    """(class, text) of the sentence about the slowest core."""
    slowest = known.slowest
    if slowest is None:
        return "muted", say("nothing", lang)
    values = {
        "core": slowest.core,
        "us": known.source.us(slowest.total_cycles),
        "ratio": f"{known.ratio:.2f}",
        "kb": f"{moved(slowest) / 1024:,.4g}",
        "mean": f"{known.mean_moved / 1024:,.4g}",
    }
    if known.ratio < UNEVEN:
        return "good-text", say("balance_even", lang, **values)
    return "bad-text", say("balance_slowest", lang, **values)


def heading(known: Balance, lang: Lang) -> str:
    """What the picture shows, in a line."""
    parts = [say("balance", lang), known.source.kernel, known.source.chip(lang)]
    return " · ".join(part for part in parts if part)


def tips(known: Balance, core: CoreMetrics, lang: Lang) -> list[str]:
    """A core in words: its time, and that of each pipe."""
    blocks = ", ".join(str(block) for block in core.blocks)
    us = known.source.us(core.total_cycles)
    return [
        say("balance_core", lang, core=core.core, us=us, blocks=blocks),
        *(pipe_tip(known, core, pipe, lang) for pipe in PIPES),
    ]


def pipe_tip(known: Balance, core: CoreMetrics, pipe: Pipe, lang: Lang) -> str:
    """How long a pipe of a core was busy, in words."""
    busy = known.figures.working(core, pipe)
    share = f"{busy / core.total_cycles:.0%}" if core.total_cycles else "0%"
    return say("balance_tip", lang, unit=pipe.name, us=known.source.us(busy), share=share)


def draw(known: Balance, theme: Theme, lang: Lang) -> str:
    """The SVG of ``known``."""
    scope = scope_of("balance", theme, lang, heading(known, lang), known.source.trace.digest())
    drawing = _Drawing(known, lang, scope)
    body = "".join(drawing.parts())
    rules = css(scope, theme) + style(scope) + _rules(scope)
    return svg.document(WIDTH, drawing.height, rules, scope, heading(known, lang), body)


class _Drawing:
    def __init__(self, known: Balance, lang: Lang, scope: str) -> None:
        self.known = known
        self.lang = lang
        self.scope = scope
        slowest = known.slowest
        self.end = slowest.total_cycles if slowest is not None else 0.0
        self.axis = Axis(0.0, self.end, LEFT, WIDTH - RIGHT, known.source.mhz)
        self.bottom = TOP + ROW * len(known.cores)
        self.height = self.bottom + 64.0

    def parts(self) -> Iterator[str]:
        yield patterns(self.scope)
        yield svg.text(heading(self.known, self.lang), 8.0, 20.0, "head")
        items = [(kind, f"{pipe} {say(kind, self.lang)}") for kind, pipe in KIND_PIPES.items()]
        yield from legend([items[-1], *items[:-1]], 43.0, self.scope)
        yield from self._heads()
        yield from self.axis.draw(TOP - 2, self.bottom + 2, self.lang)
        for k, core in enumerate(self.known.cores):
            yield from self._core(core, TOP + ROW * k)
        if self.known.cores:
            yield from self._lines()
        css_class, text = verdict(self.known, self.lang)
        yield svg.text(text, 8.0, self.bottom + 36, css_class)
        yield svg.text(self._used(), 8.0, self.bottom + 53, "muted")

    def _used(self) -> str:
        every = self.known.source.spec.vector_cores
        return say("balance_idle", self.lang, all=every, used=len(self.known.cores))

    def _columns(self) -> Sequence[float]:
        return WIDTH - RIGHT + 78, WIDTH - RIGHT + 150, WIDTH - 8

    def _heads(self) -> Iterator[str]:
        names = ("balance_end", "balance_moved", "balance_blocks")
        for x, name in zip(self._columns(), names, strict=True):
            yield svg.text(say(name, self.lang), x, TOP - 8, "small", text_anchor="end")

    def _core(self, core: CoreMetrics, top: float) -> Iterator[str]:
        slow = core is self.known.slowest and self.known.ratio >= UNEVEN
        label = f"{say('core', self.lang)} {core.core}"
        yield svg.text(label, 8.0, top + 14, "bad-text" if slow else "strong")
        tip = svg.title("\n".join(tips(self.known, core, self.lang)))
        width = self.axis.x(core.total_cycles) - LEFT
        box: dict[str, object] = {"x": LEFT, "y": top + 1, "width": width, "height": ROW - 3}
        yield shape("core-slow" if slow else "core-bar", {**box, "rx": 2}, self.scope, tip)
        for k, pipe in enumerate(PIPES):
            busy = self.known.figures.working(core, pipe)
            stripe: dict[str, object] = {"x": LEFT, "y": top + 2.5 + STRIPE * k}
            stripe |= {"width": busy * self.axis.scale, "height": STRIPE - 0.5}
            title = svg.title(pipe_tip(self.known, core, pipe, self.lang))
            yield shape(kind_of(pipe), stripe, self.scope, title)
        blocks = str(core.blocks[0]) if len(core.blocks) == 1 else f"{len(core.blocks)} ×"
        told = (self.known.source.us(core.total_cycles), f"{moved(core) / 1024:,.4g}", blocks)
        for x, text in zip(self._columns(), told, strict=True):
            yield svg.text(text, x, top + 14, "tick", text_anchor="end")

    def _lines(self) -> Iterator[str]:
        mean = self.known.mean
        for cycles, key in ((mean, "balance_mean"), (self.end, "balance_max")):
            x = self.axis.x(cycles)
            line = {"x1": x, "x2": x, "y1": TOP - 4, "y2": self.bottom + 2, "class": key}
            yield element("line", line)
        text = say("balance_mean", self.lang, us=self.known.source.us(mean))
        if (self.end - mean) * self.axis.scale < 150:  # no room for both
            x = self.axis.x(mean) - 6
            yield svg.text(text, x, TOP - 8, "small", text_anchor="end")
            return
        yield svg.text(text, self.axis.x(mean), TOP - 8, "small", text_anchor="middle")
        text = say("balance_max", self.lang, us=self.known.source.us(self.end))
        yield svg.text(text, self.axis.x(self.end) - 6, TOP - 8, "small", text_anchor="end")


def _rules(scope: str) -> str:
    rules = [
        ".core-bar{fill:var(--al-lane);stroke:var(--al-line);stroke-width:.75}",
        ".core-slow{fill:var(--al-bad-soft);stroke:var(--al-bad);stroke-width:1}",
        ".balance_mean{stroke:var(--al-text);stroke-width:1.25;stroke-dasharray:4 3}",
        ".balance_max{stroke:var(--al-text);stroke-width:1.25}",
    ]
    return scoped(scope, rules)
