"""The timeline as SVG: a lane for each pipe of each core, and what it waited for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ascend_lab import chips
from ascend_lab.engine.instruction import Pipe
from ascend_lab.engine.trace import Trace
from ascend_lab.view import svg
from ascend_lab.view.bars import Bar, Busy, Lane, Score, describe, merged, score
from ascend_lab.view.markup import element, number, scope_of
from ascend_lab.view.origin import chip_and_clock, marked
from ascend_lab.view.palette import Theme, css
from ascend_lab.view.words import Lang, say

if TYPE_CHECKING:
    from ascend_lab.checks.finding import Finding
    from ascend_lab.chips import ChipSpec
    from ascend_lab.device import Result

WIDTH = 960.0
LEFT, RIGHT, TOP = 96.0, 52.0, 62.0
LANE, PITCH, GROUP_GAP = 20.0, 24.0, 14.0
#: Cores drawn when the caller does not choose; bars in one picture before neighbours are merged.
DEFAULT_CORES, MOST_BARS = 4, 1500
_KINDS = ("in", "compute", "out", "scalar")
_LABEL = 11.0


@dataclass(frozen=True, slots=True)
class Show:
    """What to draw and how: the score, the findings on it, the clock, colours and language.

    ``begin_us``: of a core's time, what msprof counts on S before the kernel's first instruction.
    """

    score: Score
    findings: tuple[Finding, ...]
    mhz: float
    heading: str
    theme: Theme
    lang: Lang
    begin_us: float = 0.0
    calibrated: bool = True


def prepare(
    source: Result | Trace,
    cores: Sequence[int] | None,
    theme: Theme,
    lang: Lang,
    findings: bool,
    most_cores: int = DEFAULT_CORES,
) -> Show:
    """Read a result, or a bare trace (whose meta then gives the clock)."""
    marks: tuple[Finding, ...] = ()
    if isinstance(source, Trace):
        trace, name = source, str(source.meta.get("chip", ""))
        spec = chips.shared(name) if name in chips.names() else None
    else:
        trace, spec = source.trace, source.spec
        marks = tuple(source.findings) if findings else marks
    mhz = float(spec.clock_mhz if spec is not None else trace.meta["clock_mhz"])
    chosen = tuple(cores) if cores is not None else pick_cores(trace, marks, most_cores)
    drawn = score(trace, chosen, _busy(source))
    on = tuple(mark for mark in marks if mark.core in drawn.cores)
    name = str(trace.meta.get("kernel", ""))
    parts = [say("timeline", lang), *([name] if name else []), f"{drawn.end / mhz:,.3f} us"]
    heading = " · ".join([*parts, _chip(trace, spec, mhz, lang)])
    begin = 0.0 if isinstance(source, Trace) else source.spec.cost.launch.prologue_scalar_us
    calibrated = spec is None or spec.calibrated
    return Show(drawn, on, mhz, heading, theme, lang, begin, calibrated)


def _chip(trace: Trace, spec: ChipSpec | None, mhz: float, lang: Lang) -> str:
    if spec is not None:
        return chip_and_clock(spec, lang)
    return say("chip_clock", lang, chip=trace.meta.get("chip", ""), mhz=f"{mhz:g}")


def _busy(source: Result | Trace) -> Busy | None:
    """The ratios of the metrics table, but for S: the start of a core is no work of the kernel."""
    if isinstance(source, Trace):
        return None
    figures = source.metrics
    return {
        (core.core, int(pipe)): figures.working(core, pipe) / core.total_cycles
        for core in figures.cores
        for pipe in core.busy_cycles
        if core.total_cycles
    }


def pick_cores(trace: Trace, findings: Sequence[Finding], most: int) -> tuple[int, ...]:
    """At most ``most`` cores: those with findings, the first, the slowest, then the others in order."""
    every = sorted({*trace.core.tolist()})
    if len(every) <= most:
        return tuple(every)
    slowest = int(trace.core[int(trace.end.argmax())])
    wanted = [finding.core for finding in findings if finding.core in every]
    ranked = dict.fromkeys([*wanted[: most - 1], every[0], slowest, *every])
    return tuple(sorted([*ranked][:most]))


def timeline_svg(
    source: Result | Trace,
    cores: Sequence[int] | None = None,
    theme: Theme = "auto",
    lang: Lang = "zh",
    findings: bool = True,
) -> str:
    """The timeline of a run as one ``<svg>`` element, the same text for the same run.

    ``theme`` "auto" follows the page. ``cores`` None shows at most four: with findings, first, slowest.
    """
    return draw(prepare(source, cores, theme, lang, findings))


def summary(show: Show) -> str:
    """One line for a terminal."""
    drawn = show.score
    return marked(
        f"Timeline({drawn.end / show.mhz:.3f} us, {len(drawn.cores)} of {drawn.all_cores} cores, "
        f"{drawn.instructions} instructions, {len(show.findings)} findings)",
        show.calibrated,
    )


def draw(show: Show) -> str:
    """The SVG of ``show``."""
    scale = (WIDTH - LEFT - RIGHT) / show.score.end if show.score.end else 1.0
    lanes, narrowed = fit(show.score, 0.5 / scale, MOST_BARS)
    scope = scope_of("timeline", show.heading, show.theme, show.lang, show.score.trace.digest())
    drawing = _Drawing(show, lanes, scale, scope)
    body = "".join(drawing.parts(narrowed))
    rules = css(scope, show.theme) + _rules(scope)
    return svg.document(WIDTH, drawing.height, rules, scope, show.heading, body)


def fit(drawn: Score, narrow: float, most: int) -> tuple[tuple[Lane, ...], bool]:
    """The lanes with narrow neighbours merged until there are at most ``most`` bars.

    Also whether that is worth telling: a few bars too thin to be seen are not.
    """
    lanes = tuple(merged(lane, narrow) for lane in drawn.lanes)
    while sum(len(lane.bars) for lane in lanes) > most and narrow < drawn.end:
        narrow *= 2
        lanes = tuple(merged(lane, narrow) for lane in drawn.lanes)
    return lanes, sum(len(lane.bars) for lane in lanes) < 0.9 * drawn.count


class _Drawing:
    """Positions of the lanes, and the elements of one picture."""

    def __init__(self, show: Show, lanes: Sequence[Lane], scale: float, scope: str) -> None:
        self.show = show
        self.lanes = lanes
        self.scale = scale
        self.scope = scope
        self.lang = show.lang
        self.tops: list[float] = []
        y = TOP
        for before, lane in zip((None, *lanes), lanes, strict=False):
            if before is not None:
                y += PITCH + (GROUP_GAP if before.core != lane.core else 0.0)
            self.tops.append(y)
        self.bottom = y + (LANE if lanes else 0.0)
        self.notes: list[str] = []
        self.height = self.bottom + 40.0

    def parts(self, narrowed: bool) -> Iterator[str]:
        self._note(narrowed)
        yield svg.text(self.show.heading, 8.0, 20.0, "head")
        yield from self._legend()
        if not self.lanes:
            yield svg.text(say("nothing", self.lang), 8.0, TOP + 10, "muted")
        yield from self._axis()
        for lane, top in zip(self.lanes, self.tops, strict=True):
            yield from self._lane(lane, top)
        yield from self._cores()
        yield from self._findings()
        for line, note in enumerate(self.notes):
            yield svg.text(note, LEFT, self.bottom + 44.0 + 16.0 * line, "muted")

    def _note(self, narrowed: bool) -> None:
        drawn = self.show.score
        if self.show.begin_us and self.lanes:
            self.notes.append(say("no_start", self.lang, us=f"{self.show.begin_us:g}"))
        if len(drawn.cores) < drawn.all_cores:
            self.notes.append(say("some_cores", self.lang, n=drawn.all_cores, m=len(drawn.cores)))
        if narrowed:
            bars = sum(not bar.waiting for lane in self.lanes for bar in lane.bars)
            count = f"{drawn.instructions:,}"
            self.notes.append(say("too_many", self.lang, n=count, m=f"{bars:,}"))
        self.height += 16.0 * len(self.notes)

    def x(self, cycles: float) -> float:
        return LEFT + cycles * self.scale

    # --- frame ----------------------------------------------------------------------------

    def _legend(self) -> Iterator[str]:
        x = 8.0
        pong = any(bar.buffers > 1 for lane in self.lanes for bar in lane.bars)
        items = [*_KINDS, "wait", *(["second_buffer"] if pong else [])]
        for item in [*items, *(["finding"] if self.show.findings else [])]:
            yield self._swatch(item, x)
            label = say(item, self.lang)
            yield svg.text(label, x + 18, 43.0, "small")
            x += 18 + svg.text_width(label, _LABEL) + 16

    def _swatch(self, item: str, x: float) -> str:
        if item == "finding":
            return element("path", {"d": _pin(x + 6, 34.0), "class": "bad"})
        shown = {"second_buffer": "in pong", "wait": "wait"}.get(item, item)
        y, height = (36.5, 6.0) if item == "wait" else (34.0, 11.0)
        box: dict[str, object] = {"x": x + 0.5, "y": y, "width": 12, "height": height, "rx": 2}
        return self._rect(shown, box)

    def _rect(self, css_class: str, box: dict[str, object], *children: str) -> str:
        if css_class != "wait":
            return element("rect", {**box, "class": css_class}, *children)
        fill = {"fill": f"url(#{self.scope}-hatch)"}
        return element("rect", {**box, "class": "wait", **fill}, *children)

    def _axis(self) -> Iterator[str]:
        yield element("defs", {}, svg.hatching(f"{self.scope}-hatch", None, "hatch", 5))
        end = self.show.score.end / self.show.mhz
        step = tick_step(end)
        ticks = int(end / step) + 1 if end else 1
        unit = say("axis", self.lang)
        for k in range(ticks):
            x = self.x(k * step * self.show.mhz)
            line = {"x1": x, "x2": x, "y1": TOP - 4, "y2": self.bottom + 5, "class": "grid"}
            yield element("line", line)
            if x < WIDTH - 8 - svg.text_width(unit, _LABEL) - 16:
                label = f"{k * step:g}"
                yield svg.text(label, x, self.bottom + 18.0, "tick", text_anchor="middle")
        yield svg.text(unit, WIDTH - 8, self.bottom + 18.0, "tick", text_anchor="end")
        busy = say("busy", self.lang)
        yield svg.text(busy, WIDTH - 8, TOP - 8, "tick", text_anchor="end")

    def _cores(self) -> Iterator[str]:
        for core in dict.fromkeys(lane.core for lane in self.lanes):
            tops = [t for lane, t in zip(self.lanes, self.tops, strict=True) if lane.core == core]
            middle = (tops[0] + tops[-1] + LANE) / 2
            x, y = 8.0, middle
            yield svg.text(f"{say('core', self.lang)} {core}", x, y + 4, "core")

    def _lane(self, lane: Lane, top: float) -> Iterator[str]:
        box = {"x": LEFT, "y": top, "width": WIDTH - LEFT - RIGHT, "height": LANE, "rx": 3}
        yield element("rect", {**box, "class": "lane"})
        yield svg.text(lane.pipe.name, LEFT - 8, top + 14, "pipe", text_anchor="end")
        yield svg.text(f"{lane.busy:.0%}", WIDTH - 8, top + 14, "busy", text_anchor="end")
        for bar in lane.bars:
            yield self._bar(bar, top)
        yield from self._prologue(lane, top)

    def _prologue(self, lane: Lane, top: float) -> Iterator[str]:
        """The time before the first instruction of a core, named where there is room."""
        if lane.pipe != Pipe.S or not lane.bars:
            return
        label = say("prologue", self.lang)
        width = lane.bars[0].begin * self.scale
        if width > svg.text_width(label, _LABEL) + 12:
            x = LEFT + width / 2
            yield svg.text(label, x, top + 14, "muted", text_anchor="middle")

    def _bar(self, bar: Bar, top: float) -> str:
        show = self.show
        x, width = self.x(bar.begin), max((bar.end - bar.begin) * self.scale, 0.6)
        inset = 6.0 if bar.waiting else 1.0
        box: dict[str, object] = {"x": x, "y": top + inset, "width": width}
        box |= {"height": LANE - 2 * inset, "rx": 2 if width > 4 else None}
        if bar.share < 1.0:
            box["fill_opacity"] = opacity(bar.share)
        tip = svg.title("\n".join(describe(show.score, bar, show.mhz, self.lang)))
        shape = self._rect(bar.kind + (" pong" if bar.buffer % 2 else ""), box, tip)
        label = "" if bar.waiting else self._label(bar, width)
        if not label:
            return shape
        on = f"on-{bar.kind}" + (" pong" if bar.buffer % 2 else "")
        return shape + svg.text(label, x + width / 2, top + 13.5, on, text_anchor="middle")

    def _label(self, bar: Bar, width: float) -> str:
        """As much of "Add :40" (the line in the source) as fits on the bar."""
        if len(bar.rows) > 1:
            return f"×{len(bar.rows)}" if width >= 30 else ""
        trace, row = self.show.score.trace, bar.rows[0]
        name = trace.ops[row.op]
        line = f":{trace.sources[row.where].line}" if 0 <= row.where < len(trace.sources) else ""
        for label in (f"{name} {line}", name, line):
            if label and svg.text_width(label, 10.0) + 6 <= width:
                return label
        return ""

    # --- findings -------------------------------------------------------------------------

    def _findings(self) -> Iterator[str]:
        places: dict[tuple[int, int], list[Finding]] = {}
        for finding in self.show.findings:
            where = self._lane_of(finding)
            x = int(min(max(self.x(finding.time), LEFT), WIDTH - RIGHT))
            near = next((k for k in places if k[0] == where and abs(k[1] - x) < 16), (where, x))
            places.setdefault(near, []).append(finding)
        for (where, x), group in places.items():
            yield self._pin(group, self.tops[where], float(x))

    def _lane_of(self, finding: Finding) -> int:
        mine = [k for k, lane in enumerate(self.lanes) if lane.core == finding.core]
        return next((k for k in mine if self.lanes[k].pipe == pipe_of(finding)), mine[0])

    def _pin(self, group: Sequence[Finding], top: float, x: float) -> str:
        ids = dict.fromkeys(finding.id for finding in group)
        label = " ".join(ids) + (f" ×{len(group)}" if len(group) > len(ids) else "")
        tip = svg.title("\n\n".join(finding.message(self.lang) for finding in group))
        width = svg.text_width(label, 10.0) + 10
        left = min(max(x - width / 2, LEFT), WIDTH - RIGHT - width)
        line = {"x1": x, "x2": x, "y1": top - 3, "y2": top + LANE, "class": "stem"}
        box = {"x": left, "y": top - 13, "width": width, "height": 13, "rx": 3, "class": "bad"}
        return element(
            "g",
            {},
            tip,
            element("line", line),
            element("rect", box),
            svg.text(label, left + width / 2, top - 3, "on-bad", text_anchor="middle"),
        )


def pipe_of(finding: Finding) -> Pipe | None:
    """The pipe of a finding; None when it names none."""
    return Pipe.__members__.get(finding.pipe)


def opacity(share: float) -> float:
    """How strong a merged bar is drawn: never so pale that it is overlooked."""
    return 0.25 + 0.75 * share


def tick_step(span: float, most: int = 9) -> float:
    """A step of 1, 2 or 5 times a power of ten that gives at most ``most`` ticks in ``span``."""
    step = 1e-3
    while span / step > most:
        for factor in (2, 2.5, 2):  # 1 -> 2 -> 5 -> 10
            step *= factor
            if span / step <= most:
                break
    return float(f"{step:.6g}")


def _pin(x: float, y: float) -> str:
    return f"M{number(x)} {number(y)}l6 5.5l-6 5.5l-6 -5.5z"


def _rules(scope: str) -> str:
    rules = [
        f".{scope} text{{fill:var(--al-text);font-size:11px}}",
        f".{scope} .head{{font-size:13px;font-weight:600}}",
        f".{scope} .core{{font-weight:600}}",
        f".{scope} .small,.{scope} .muted,.{scope} .tick,.{scope} .pipe,.{scope} .busy"
        "{fill:var(--al-muted)}",
        f".{scope} .tick,.{scope} .pipe,.{scope} .busy{{font-variant-numeric:tabular-nums}}",
        f".{scope} .lane{{fill:var(--al-lane)}}",
        f".{scope} .grid{{stroke:var(--al-line);stroke-width:.75}}",
        f".{scope} .hatch{{stroke:var(--al-wait);stroke-width:1.5}}",
        f".{scope} .wait{{stroke:var(--al-wait);stroke-width:.75}}",
        f".{scope} .bad{{fill:var(--al-bad)}}",
        f".{scope} .stem{{stroke:var(--al-bad);stroke-width:2}}",
        f".{scope} .on-bad{{fill:var(--al-bad-on);font-size:10px;font-weight:700}}",
        f".{scope} rect:hover{{filter:brightness(1.12)}}",
    ]
    for kind in _KINDS:
        rules += [
            f".{scope} .{kind}{{fill:var(--al-{kind})}}",
            f".{scope} .{kind}.pong{{fill:var(--al-{kind}-soft);stroke:var(--al-{kind})}}",
            f".{scope} .on-{kind}{{fill:var(--al-{kind}-on);font-size:10px;pointer-events:none}}",
            f".{scope} .on-{kind}.pong{{fill:var(--al-{kind}-deep)}}",
        ]
    return "".join(rules)
