"""The memory view as SVG: UB addresses down, time across, a box for each access."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ascend_lab.view import svg
from ascend_lab.view.drawing import (
    KIND_PIPES,
    WIDTH,
    Axis,
    fitting,
    kind_of,
    legend,
    patterns,
    pin,
    shape,
    shortened,
    style,
)
from ascend_lab.view.markup import element, scope_of
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
from ascend_lab.view.palette import Theme, css
from ascend_lab.view.uses import Buffer
from ascend_lab.view.words import Lang, say

LEFT, RIGHT, TOP = 168.0, 56.0, 62.0
HEIGHT, REST, EACH = 280.0, 22.0, 70.0
LEAST = 22.0
MOST_BOXES = 1500


def summary(known: Map) -> str:
    """One line for a terminal."""
    return (
        f"Memory(core {known.core}, {len(known.buffers)} buffers, {size(known.planned)} of "
        f"{size(known.size)} UB, {known.accesses} accesses, {known.marked} findings)"
    )


def draw(known: Map, theme: Theme, lang: Lang) -> str:
    """The SVG of ``known``."""
    scope = scope_of("memory", str(known.core), theme, lang, heading(known, lang), _content(known))
    drawing = _Drawing(known, lang, scope)
    body = "".join(drawing.parts())
    rules = css(scope, theme) + style(scope) + _rules(scope)
    return svg.document(WIDTH, drawing.height, rules, scope, heading(known, lang), body)


def _content(known: Map) -> str:
    ids = " ".join(race.finding.id for race in known.races)
    return known.source.trace.digest() + ids


class _Drawing:
    def __init__(self, known: Map, lang: Lang, scope: str) -> None:
        self.known = known
        self.lang = lang
        self.scope = scope
        count = max(len({(b.low, b.high) for b in known.buffers}), 1)
        height = min(HEIGHT, EACH * max(count, 2))
        self.rows = Scale(known, TOP, height, min(LEAST, max(640.0 / count, 9.0)))
        self.bottom = self.rows.bottom + (REST if known.top < known.size else 0.0)
        self.axis = Axis(known.begin, known.end, LEFT, WIDTH - RIGHT, known.source.mhz)
        self.boxes = merged(known.boxes, 0.6 / self.axis.scale, MOST_BOXES, known.end)
        self.notes = notes(known, len(self.boxes), self.rows.stretched, lang)
        self.height = self.bottom + 28.0 + 16.0 * len(self.notes)

    def parts(self) -> Iterator[str]:
        yield patterns(self.scope)
        yield svg.text(heading(self.known, self.lang), 8.0, 20.0, "head")
        yield from legend(self._legend(), 43.0, self.scope)
        yield from self._bands()
        yield from self.axis.draw(TOP - 4, self.bottom + 4, self.lang)
        for box in self.boxes:
            yield self._box(box)
        for race in self.known.races:
            yield self._race(race)
        yield from self._pins()
        for k, note in enumerate(self.notes):
            yield svg.text(note, LEFT, self.bottom + 34.0 + 16.0 * k, "muted")

    def _legend(self) -> Iterator[tuple[str, str]]:
        kinds = {kind_of(box.pipe) for box in self.known.boxes}
        for kind, pipe in KIND_PIPES.items():
            if kind in kinds:
                yield kind, f"{pipe} {say(kind, self.lang)}"
        yield "any", say("writes", self.lang)
        yield "any-read", say("reads", self.lang)
        if self.known.races:
            between = all(race.other is not None for race in self.known.races)
            yield "race", say("race" if between else "faulty", self.lang)

    # --- buffers --------------------------------------------------------------------------

    def _bands(self) -> Iterator[str]:
        spans: dict[tuple[int, int], list[Buffer]] = {}
        for buffer in self.known.buffers:
            spans.setdefault((buffer.low, buffer.high), []).append(buffer)
        reach = -1.0
        for (low, high), owners in sorted(spans.items()):
            top, bottom = self.rows.y(low), self.rows.y(high)
            for buffer in owners:
                yield self._band(buffer, top, bottom)
            if (top + bottom) / 2 - reach >= 12.0:
                reach = (top + bottom) / 2
                yield from self._name(owners, reach)
        yield from self._edges()
        yield from self._rest()

    def _band(self, buffer: Buffer, top: float, bottom: float) -> str:
        begin, end = self.axis.x(buffer.born), self.axis.x(buffer.gone)
        box: dict[str, object] = {"x": begin, "y": top + 1, "width": max(end - begin, 1.0)}
        return shape("lane", {**box, "height": max(bottom - top - 2, 1.0), "rx": 2}, self.scope)

    def _name(self, owners: Sequence[Buffer], y: float) -> Iterator[str]:
        names = dict.fromkeys(buffer.label for buffer in owners)
        amount = size(owners[0].nbytes)
        room = LEFT - 64.0 - svg.text_width(amount, 11.0)
        yield svg.text(shortened(" / ".join(names), room), 8.0, y + 4, "strong")
        yield svg.text(amount, LEFT - 50.0, y + 4, "small", text_anchor="end")

    def _edges(self) -> Iterator[str]:
        reach = -1.0
        for address in self.rows.edges:
            y = self.rows.y(address)
            if y - reach >= 9.0:
                reach = y
                yield from self._edge(address, y)

    def _edge(self, address: int, y: float) -> Iterator[str]:
        line = {"x1": LEFT - 6, "x2": WIDTH - RIGHT, "y1": y, "y2": y, "class": "grid"}
        yield element("line", line)
        label = f"{address / 1024:.4g}" if address % 1024 == 0 else f"{address / 1024:.2f}"
        yield svg.text(label, LEFT - 9, y + 4, "address", text_anchor="end")

    def _rest(self) -> Iterator[str]:
        """What lies above everything that is used, as a strip of fixed height."""
        left = self.known.size - self.known.top
        if left <= 0:
            return
        middle = self.rows.bottom + REST / 2 + 4
        text = say("ub_free", self.lang, n=size(left))
        yield svg.text(text, LEFT + 8, middle, "muted")
        yield from self._edge(self.known.size, self.rows.bottom + REST)
        yield svg.text("KB", 8.0, self.rows.bottom + REST + 4, "tick")

    # --- accesses -------------------------------------------------------------------------

    def _frame(self, begin: float, end: float, low: int, high: int) -> dict[str, object]:
        x, top = self.axis.x(begin), self.rows.y(low) + 1.5
        width = max(self.axis.x(end) - x, 0.8)
        height = max(self.rows.y(high) - 1.5 - top, 1.5)
        return {"x": x, "y": top, "width": width, "height": height, "rx": 2 if width > 4 else None}

    def _box(self, box: Box) -> str:
        frame = self._frame(box.begin, box.end, box.low, box.high)
        tip = svg.title("\n".join(describe(self.known, box, self.lang)))
        kind = kind_of(box.pipe)
        drawn = shape(kind if box.writes else f"{kind}-read", frame, self.scope, tip)
        x, y = float(str(frame["x"])), float(str(frame["y"]))
        width, height = float(str(frame["width"])), float(str(frame["height"]))
        row = box.uses[0].row
        source = self.known.source
        many = f"×{len(box.uses)}" if len(box.uses) > 1 else ""
        line = f":{source.line(row.where)}" if source.line(row.where) else ""
        label = fitting([many] if many else [source.label(row), line], width)
        if not label or height < 13:
            return drawn
        css_class = f"on-{kind}" if box.writes else "on"
        middle = y + height / 2 + 3.5
        return drawn + svg.text(label, x + width / 2, middle, css_class, text_anchor="middle")

    def _race(self, race: Race) -> str:
        frame = self._frame(race.begin, race.end, race.low, race.high)
        frame["width"] = max(float(str(frame["width"])), 3.0)
        return shape("race", frame, self.scope, svg.title(race.finding.message(self.lang)))

    def _pins(self) -> Iterator[str]:
        places: dict[tuple[int, int], list[Race]] = {}
        told: set[int] = set()
        for race in self.known.races:
            if id(race.finding) in told:
                continue
            told.add(id(race.finding))
            x = int(self.axis.x(race.begin))
            near = next(
                (k for k in places if abs(k[0] - x) < 18 and k[1] == race.low), (x, race.low)
            )
            places.setdefault(near, []).append(race)
        for (x, low), races in places.items():
            ids = " ".join(dict.fromkeys(race.finding.id for race in races))
            tip = "\n\n".join(race.finding.message(self.lang) for race in races)
            top = self.rows.y(low)
            yield pin(ids, float(x), top, self.rows.y(races[0].high), tip, WIDTH - RIGHT)


def _rules(scope: str) -> str:
    return f".{scope} .address{{fill:var(--al-muted);font-size:9.5px;font-variant-numeric:tabular-nums}}"
