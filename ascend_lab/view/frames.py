"""One moment of a run as SVG: units and queues, buffers, flags, the source, and where on the timeline it is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ascend_lab.engine.instruction import Pipe
from ascend_lab.engine.trace import Row
from ascend_lab.profile.lanes import SYNC_OPS
from ascend_lab.view import svg
from ascend_lab.view.cards import Sources, source_line
from ascend_lab.view.drawing import (
    WIDTH,
    Axis,
    fitting,
    kind_of,
    patterns,
    shape,
    shortened,
    style,
)
from ascend_lab.view.markup import MONO, element, scope_of, scoped
from ascend_lab.view.memory_map import size
from ascend_lab.view.palette import Theme, css
from ascend_lab.view.replay import BufferState, Flag, Replay, State, UnitState
from ascend_lab.view.telling import events, flag_name, why, wrapped
from ascend_lab.view.words import Lang, say

MIDDLE = 476.0
STRIP, PITCH = 11.0, 13.0
UNIT, BUFFER, CODE = 42.0, 27.0, 15.0
MOST_BUFFERS, LINES, QUEUED = 10, 3, 3
#: Cycles of the run that the strip of the timeline shows at most.
SPAN = 3000.0


@dataclass(frozen=True, slots=True)
class Look:
    """How frames are drawn: colours, language, texts of sources, and how many lines of them."""

    theme: Theme
    lang: Lang
    sources: Sources
    lines: int = 5


def frame(replay: Replay, number: int, look: Look) -> str:
    """The SVG of the state after step ``number``."""
    state = replay.at(number)
    digest = replay.source.trace.digest()
    scope = scope_of("step", str(replay.core), str(number), look.theme, look.lang, digest)
    drawing = _Drawing(replay, state, look, scope)
    body = "".join(drawing.parts())
    rules = css(scope, look.theme) + style(scope) + _rules(scope)
    return svg.document(WIDTH, drawing.y, rules, scope, heading(replay, state, look.lang), body)


def heading(replay: Replay, state: State, lang: Lang) -> str:
    """The moment in a line."""
    time, source = state.step.time, replay.source
    return " · ".join(
        (
            say("step_at", lang, k=state.number + 1, n=len(replay.steps)),
            f"{say('core', lang)} {replay.core}",
            say("step_cycle", lang, c=f"{time:,.6g}", us=source.us(time)),
            *([source.kernel] if source.kernel else []),
        )
    )


class _Drawing:
    def __init__(self, replay: Replay, state: State, look: Look, scope: str) -> None:
        self.replay = replay
        self.source = replay.source
        self.state = state
        self.time = state.step.time
        self.look = look
        self.lang = look.lang
        self.scope = scope
        self.y = 20.0

    def parts(self) -> Iterator[str]:
        yield patterns(self.scope)
        yield svg.text(heading(self.replay, self.state, self.lang), 8.0, self.y, "head")
        yield from self._events()
        yield from self._strip()
        top = self.y
        yield from self._units()
        left = self.y
        self.y = top
        yield from self._buffers()
        self.y = max(self.y, left)
        yield from self._flags()
        yield from self._code()
        self.y += 6

    def _events(self) -> Iterator[str]:
        told = events(self.replay, self.state.step, self.lang)
        lines = [(css_class, text) for css_class, text in told if css_class == "bad-text"][:1]
        rest = [text for css_class, text in told if css_class != "bad-text"]
        lines += [
            ("small", line) for line in wrapped(rest, WIDTH - 24, LINES - len(lines), self.lang)
        ]
        for k, (css_class, text) in enumerate(lines):
            yield svg.text(shortened(text, WIDTH - 16), 8.0, self.y + 17 * (k + 1), css_class)
        self.y += 17 * LINES + 18  # frames keep their height from step to step

    # --- the timeline, small --------------------------------------------------------------

    def _strip(self) -> Iterator[str]:
        axis = self._window()
        pipes = [unit.pipe for unit in self.state.units]
        bottom = self.y + PITCH * len(pipes)
        for k, pipe in enumerate(pipes):
            y = self.y + PITCH * k
            box: dict[str, object] = {"x": axis.left, "y": y, "height": STRIP}
            yield element("rect", {**box, "width": axis.right - axis.left, "class": "lane"})
            yield svg.text(pipe.name, axis.left - 8, y + 9, "tick", text_anchor="end")
            yield from self._bars(pipe, axis, box)
        yield from axis.draw(self.y - 2, bottom, self.lang)
        x = axis.x(self.time)
        yield element("line", {"x1": x, "x2": x, "y1": self.y - 6, "y2": bottom, "class": "now"})
        yield element("circle", {"cx": x, "cy": self.y - 6, "r": 3.5, "class": "now-dot"})
        for finding in self.source.on(self.replay.core):
            if axis.begin <= finding.time <= axis.end:
                at = axis.x(finding.time)
                yield svg.text(finding.id, at + 5, self.y - 3, "bad-text")
        self.y = bottom + 34

    def _window(self) -> Axis:
        """The part of the run around this moment, moving in halves so that it mostly stays."""
        begin, end = self.replay.steps[0].time, self.replay.end
        if end - begin > SPAN:
            half = SPAN / 2
            k = min(max(int((self.time - begin) / half - 0.5), 0), int((end - begin) / half))
            begin = max(min(begin + k * half, end - SPAN), begin)
            end = begin + SPAN
        return Axis(begin, end, 60.0, WIDTH - 70, self.source.mhz)

    def _bars(self, pipe: Pipe, axis: Axis, box: dict[str, object]) -> Iterator[str]:
        for row in self.replay.rows:
            shown = row.end > axis.begin and row.start < axis.end and row.end > row.start
            if row.pipe != pipe or not shown or self.replay.op(row) in SYNC_OPS:
                continue
            x = axis.x(row.start)
            width = max(axis.x(row.end) - x - 0.4, 0.6)
            now = row.start <= self.time < row.end
            css_class = kind_of(pipe) + (
                "" if now else f" {'past' if row.end <= self.time else 'to-come'}"
            )
            yield element("rect", {**box, "x": x, "width": width, "class": css_class})

    # --- units ----------------------------------------------------------------------------

    def _units(self) -> Iterator[str]:
        yield svg.text(say("step_units", self.lang), 8.0, self.y, "strong")
        yield svg.text(say("step_running", self.lang), 60.0, self.y, "small")
        yield svg.text(say("step_queue", self.lang), 236.0, self.y, "small")
        self.y += 8
        for unit in self.state.units:
            yield from self._unit(unit)
            self.y += UNIT
        self.y += 6

    def _unit(self, unit: UnitState) -> Iterator[str]:
        y, kind = self.y, kind_of(unit.pipe)
        yield svg.text(unit.pipe.name, 8.0, y + 15, "strong")
        box: dict[str, object] = {"x": 60.0, "y": y, "width": 164.0, "height": 22, "rx": 3}
        yield shape("lane", box, self.scope)
        if unit.running:
            yield from self._running(unit.running, kind, box)
        elif unit.held in ("flag", "auto", "full") or unit.queue:
            yield shape("wait", {**box, "y": y + 6, "height": 10}, self.scope)
        text = why(self.replay, unit, self.lang)
        if text and not unit.running:
            css_class = "bad-text" if self._for_ever(unit) else "small"
            yield svg.text(text, 60.0, y + 34, css_class)
        yield from self._queue(unit, y)

    def _for_ever(self, unit: UnitState) -> bool:
        stuck = {p.serial for p in self.replay.pending if p.kind}
        last = self.state.number == len(self.replay.steps) - 1
        return last and bool(unit.queue) and unit.queue[0].serial in stuck

    def _running(self, rows: Sequence[Row], kind: str, box: dict[str, object]) -> Iterator[str]:
        row = rows[0]
        share = (self.time - row.start) / (row.end - row.start) if row.end < float("inf") else 0.0
        yield shape(f"{kind}-soft", box, self.scope)
        yield shape(kind, {**box, "width": max(164.0 * share, 3.0)}, self.scope)
        more = f" +{len(rows) - 1}" if len(rows) > 1 else ""
        label = fitting([self.source.label(row) + more, f":{self.source.line(row.where)}"], 150.0)
        yield svg.text(label, 142.0, float(str(box["y"])) + 15, "on", text_anchor="middle")
        until = f"→ {self.source.us(row.end)} us" if row.end < float("inf") else "→ ∞"
        yield svg.text(until, 60.0, float(str(box["y"])) + 34, "small")

    def _queue(self, unit: UnitState, y: float) -> Iterator[str]:
        x = 236.0
        for row in unit.queue[:QUEUED]:
            label = self._short(row)
            width = svg.text_width(label, 10.0) + 10
            if x + width > MIDDLE - 40:
                break
            css_class = (
                "sync" if self.replay.name(row) in SYNC_OPS else f"{kind_of(unit.pipe)}-soft"
            )
            box: dict[str, object] = {"x": x, "y": y + 2, "width": width, "height": 18, "rx": 3}
            yield shape(css_class, box, self.scope, svg.title(self.source.place(row.where)))
            yield svg.text(label, x + width / 2, y + 15, "chip", text_anchor="middle")
            x += width + 5
        drawn = next((k for k, row in enumerate(unit.queue[:QUEUED]) if self._cut(unit, k)), QUEUED)
        if len(unit.queue) > drawn:
            yield svg.text(f"+{len(unit.queue) - drawn}", x + 2, y + 15, "small")

    def _cut(self, unit: UnitState, k: int) -> bool:
        """Whether chip ``k`` of a queue has no room."""
        widths = [svg.text_width(self._short(row), 10.0) + 10 for row in unit.queue[: k + 1]]
        return 236.0 + sum(widths) + 5 * k > MIDDLE - 40

    def _short(self, row: Row) -> str:
        line = self.source.line(row.where)
        return self.replay.name(row) + (f" :{line}" if line else "")

    # --- buffers --------------------------------------------------------------------------

    def _buffers(self) -> Iterator[str]:
        yield svg.text(say("step_buffers", self.lang), MIDDLE, self.y, "strong")
        self.y += 8
        if not self.state.buffers:
            yield svg.text(say("step_none", self.lang), MIDDLE, self.y + 14, "muted")
        for buffer in self.state.buffers[:MOST_BUFFERS]:
            yield from self._buffer(buffer)
            self.y += BUFFER
        if len(self.state.buffers) > MOST_BUFFERS:
            more = say("step_more", self.lang, n=len(self.state.buffers) - MOST_BUFFERS)
            yield svg.text(more, MIDDLE, self.y + 12, "muted")
            self.y += 18
        # Room for all buffers of the core, so that frames keep their height.
        left = self._room() - min(len(self.state.buffers), MOST_BUFFERS)
        self.y += BUFFER * max(left, 0) + 6

    def _room(self) -> int:
        blocks: dict[int, int] = {}
        for buffer in self.replay.buffers:
            blocks[buffer.block] = blocks.get(buffer.block, 0) + 1
        return min(max(blocks.values(), default=0), MOST_BUFFERS)

    def _buffer(self, state: BufferState) -> Iterator[str]:
        y, buffer = self.y, state.buffer
        label = shortened(buffer.label, 92.0)
        yield svg.text(label, MIDDLE, y + 15, "strong")
        box: dict[str, object] = {"x": MIDDLE + 98, "y": y, "width": 150.0, "height": 22, "rx": 3}
        tip = svg.title(f"UB 0x{buffer.low:x} – 0x{buffer.high - 1:x} · {size(buffer.nbytes)}")
        yield shape("lane", box, self.scope, tip)
        yield from self._contents(state, box)
        if buffer.kind == "que" and state.mark in ("", "FreeTensor"):
            yield element("rect", {**box, "class": "free"})
        if state.races:
            yield element("rect", {**box, "class": "clash"})
        css_class, text = self._told(state)
        yield svg.text(shortened(text, WIDTH - MIDDLE - 262), MIDDLE + 256, y + 15, css_class)

    def _contents(self, state: BufferState, box: dict[str, object]) -> Iterator[str]:
        y = float(str(box["y"]))
        if state.content is not None:
            kind = kind_of(state.content.pipe)
            css_class = f"{kind}-soft" + (" faint" if state.mark == "FreeTensor" else "")
            yield shape(css_class, box, self.scope)
        for row in state.writing:
            share = (self.time - row.start) / (row.end - row.start)
            width = max(150.0 * share, 4.0)
            half = {"y": y + 11, "height": 11} if state.reading else {}
            yield shape(kind_of(row.pipe), {**box, **half, "width": width}, self.scope)
        for row in state.reading:
            half = {"height": 11} if state.writing else {}
            yield shape(f"{kind_of(row.pipe)}-read", {**box, **half}, self.scope)
        if state.content is not None and not state.writing:
            text = fitting([self.source.label(state.content)], 146.0)
            x = float(str(box["x"])) + 75
            yield svg.text(text, x, y + 15, "on", text_anchor="middle")

    def _told(self, state: BufferState) -> tuple[str, str]:
        lang = self.lang
        parts = [say("buffer_reads", lang, unit=Pipe(row.pipe).name) for row in state.reading]
        parts += [say("buffer_writes", lang, unit=Pipe(row.pipe).name) for row in state.writing]
        if state.races:
            ids = " ".join(dict.fromkeys(race.finding.id for race in state.races))
            return "bad-text", " · ".join([ids, *parts])
        mark = state.mark or ("free" if state.buffer.kind == "que" else "")
        if mark:
            parts.insert(0, say(f"mark_{mark}", lang))
        elif not parts and state.content is None:
            parts.append(say("buffer_empty", lang))
        elif not parts and state.content is not None:
            parts.append(say("buffer_holds", lang, what=self.source.label(state.content)))
        return "small", " · ".join(parts)

    # --- flags and source -----------------------------------------------------------------

    def _flags(self) -> Iterator[str]:
        yield svg.text(say("step_flags", self.lang), 8.0, self.y + 10, "strong")
        if not self.state.flags and not len(self.source.trace.details.flags):
            text = say("step_no_flags", self.lang)
            yield svg.text(text, 8.0, self.y + 28, "muted")
        self.y += 18
        x, wanted = 8.0, self._wanted()
        for flag in self.state.flags:
            name = flag_name(flag.flag) + (f" · {flag.owner}" if flag.owner else "")
            label = f"{name}: {flag.count}"
            width = svg.text_width(label, 10.0) + 14
            if x + width > WIDTH - 8:
                x, self.y = 8.0, self.y + 23
            css_class = "flag" if flag.count else "flag down"
            css_class += " wanted" if flag.flag in wanted else ""
            box: dict[str, object] = {"x": x, "y": self.y, "width": width, "height": 18, "rx": 9}
            yield element("rect", {**box, "class": css_class})
            yield svg.text(label, x + width / 2, self.y + 13, "chip", text_anchor="middle")
            x += width + 6
        self.y += 32

    def _wanted(self) -> set[Flag]:
        return {u.flag for u in self.state.units if u.flag is not None and not u.running}

    def _code(self) -> Iterator[str]:
        here = self._line()
        if here is None or not self.look.lines:
            return
        file, line = here
        first = max(line - self.look.lines // 2, 1)
        lines = [
            (n, source_line(file, n, self.look.sources))
            for n in range(first, first + self.look.lines)
        ]
        if not any(text for _, text in lines):
            return
        box: dict[str, object] = {"x": 8.0, "y": self.y - 4, "width": WIDTH - 16, "rx": 3}
        yield shape("lane", {**box, "height": CODE * len(lines) + 8}, self.scope)
        for number, text in lines:
            yield from self._code_line(file, number, text, number == line)
            self.y += CODE
        self.y += 10

    def _code_line(self, file: str, number: int, text: str, here: bool) -> Iterator[str]:
        if here:
            box = {"x": 8.0, "y": self.y - 2, "width": WIDTH - 16, "height": CODE, "class": "here"}
            yield element("rect", box)
        for k, unit in enumerate(self.state.units):
            if any(self.source.place(row.where) == f"{file}:{number}" for row in unit.running):
                dot = {
                    "cx": 16.0 + 9 * k,
                    "cy": self.y + 5.5,
                    "r": 3.5,
                    "class": kind_of(unit.pipe),
                }
                yield element("circle", dot)
        yield svg.text(str(number), 78.0, self.y + 9, "tick", text_anchor="end")
        yield svg.text(text, 88.0, self.y + 9, "code", **{"xml:space": "preserve"})

    def _line(self) -> tuple[str, int] | None:
        """The line this step is about: that of its last event, or of its finding."""
        for event in self.state.step.events:
            if event.finding is not None and event.finding.file:
                return event.finding.file, event.finding.line
        for event in reversed(self.state.step.events):
            if event.row is not None and self.source.line(event.row.where):
                place = self.source.trace.sources[event.row.where]
                return place.file, place.line
        return None


def _rules(scope: str) -> str:
    rules = [
        ".now{stroke:var(--al-text);stroke-width:1.5}",
        ".now-dot{fill:var(--al-text)}",
        ".past{fill-opacity:.55}",
        ".to-come{fill-opacity:.22}",
        ".faint{fill-opacity:.35;stroke-opacity:.35}",
        ".free{fill:none;stroke:var(--al-muted);stroke-dasharray:4 3}",
        ".clash{fill:none;stroke:var(--al-bad);stroke-width:2.5}",
        ".sync{fill:var(--al-page);stroke:var(--al-wait)}",
        ".chip{font-size:10px}",
        ".flag{fill:var(--al-note);fill-opacity:.35;stroke:var(--al-note)}",
        ".flag.down{fill:none;stroke:var(--al-line)}",
        ".flag.wanted{stroke:var(--al-text);stroke-dasharray:3 2;stroke-width:1.5}",
        ".here{fill:var(--al-note);fill-opacity:.22}",
        f".code{{font-family:{MONO};font-size:11.5px;white-space:pre}}",
    ]
    return scoped(scope, rules)
