"""The dataflow of one tile as SVG: GM, MTE2, UB, V, UB, MTE3, GM from left to right, and its times below."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ascend_lab.engine.instruction import Pipe
from ascend_lab.view import svg
from ascend_lab.view.drawing import WIDTH, Axis, fitting, kind_of, patterns, shape, shortened, style
from ascend_lab.view.flows import Access, Edge, Flow, Node, array_of
from ascend_lab.view.markup import element, number, scope_of, scoped
from ascend_lab.view.memory_map import size
from ascend_lab.view.palette import Theme, css
from ascend_lab.view.telling import flag_name
from ascend_lab.view.words import Lang, say

#: x and width of each column: GM, MTE2, UB, V, UB, MTE3, GM.
COLUMNS = (
    (8.0, 98.0),
    (134.0, 122.0),
    (284.0, 124.0),
    (436.0, 122.0),
    (586.0, 124.0),
    (738.0, 112.0),
    (876.0, 76.0),
)
NAMES = ("GM", "MTE2", "UB", "V", "UB", "MTE3", "GM")
BOX, PITCH, TOP = 54.0, 66.0, 66.0
LANE, LANES = 20.0, 24.0
#: More vector instructions than this are drawn as the first, the last and a number between.
MOST = 8


@dataclass(frozen=True, slots=True)
class Item:
    """A box of the picture: its column, up to three lines, the class of its colour, its tooltip."""

    key: tuple[object, ...]
    column: int
    lines: tuple[str, ...]
    css: str
    tip: str = ""
    warning: bool = False


def summary(known: Flow) -> str:
    """One line for a terminal."""
    us = known.source.us(known.end - known.begin)
    return known.source.marked(
        f"Dataflow(core {known.core}, tile {known.tile} of {known.tiles}, "
        f"{len(known.nodes)} instructions, {us} us)"
    )


def heading(known: Flow, lang: Lang) -> str:
    """What the picture shows, in a line."""
    tile = say("flow_tile", lang, k=known.tile + 1, n=known.tiles) if known.tiles else ""
    core = f"{say('core', lang)} {known.core}"
    parts = [say("flow", lang), known.source.kernel, core, tile, known.source.chip(lang)]
    return " · ".join(part for part in parts if part)


def total(known: Flow, lang: Lang) -> str:
    """How long the tile took, and how much of it was work."""
    us = known.source.us
    busy = {pipe: known.busy(pipe) for pipe in (Pipe.MTE2, Pipe.V, Pipe.MTE3)}
    all_ = known.end - known.begin
    values = {pipe.name.lower(): us(cycles) for pipe, cycles in busy.items()}
    return say("flow_total", lang, all=us(all_), rest=us(max(all_ - known.busy(), 0.0)), **values)


def draw(known: Flow, theme: Theme, lang: Lang) -> str:
    """The SVG of ``known``."""
    digest = known.source.trace.digest()
    scope = scope_of("flow", theme, lang, heading(known, lang), digest)
    drawing = _Drawing(known, lang, scope)
    body = "".join(drawing.parts())
    rules = css(scope, theme) + style(scope) + _rules(scope)
    return svg.document(WIDTH, drawing.y, rules, scope, heading(known, lang), body)


class _Drawing:
    def __init__(self, known: Flow, lang: Lang, scope: str) -> None:
        self.known = known
        self.source = known.source
        self.lang = lang
        self.scope = scope
        self.y = 20.0
        self.places: dict[tuple[object, ...], tuple[float, float, float]] = {}
        vector = [node.row.serial for node in known.of(Pipe.V)]
        self.hidden = set(vector[MOST // 2 : -MOST // 2 + 1]) if len(vector) > MOST else set()

    def parts(self) -> Iterator[str]:
        yield patterns(self.scope)
        yield _arrow_head(self.scope)
        yield svg.text(heading(self.known, self.lang), 8.0, self.y, "head")
        if not self.known.nodes:
            self.y += 26
            yield svg.text(say("flow_empty", self.lang), 8.0, self.y, "muted")
            self.y += 14
            return
        for (x, width), name in zip(COLUMNS, NAMES, strict=True):
            yield svg.text(name, x + width / 2, 48.0, "small", text_anchor="middle")
        items = [*self._items()]
        self._place(items)
        yield from self._arrows()
        for item in items:
            yield from self._box(item)
        yield from self._times()

    # --- boxes ----------------------------------------------------------------------------

    def _items(self) -> Iterator[Item]:
        for node in self.known.nodes:
            row = node.row
            for access in node.reads:
                if self._is_gm(access):
                    yield self._gm(access, 0, ("gm", row.serial, access.low))
            if row.serial not in self.hidden:
                yield self._instruction(node)
            for access in node.writes:
                if self._is_gm(access):
                    yield self._gm(access, 6, ("gm", row.serial, access.low))
        if self.hidden:
            text = say("flow_more", self.lang, n=len(self.hidden))
            yield Item(("hidden",), 3, (text,), "lane")
        yield from self._buffers()

    def _is_gm(self, access: Access) -> bool:
        return access.space == 0

    def _gm(self, access: Access, column: int, key: tuple[object, ...]) -> Item:
        found = array_of(self.source.trace, access)
        amount = size(access.high - access.low)
        if found is None:
            return Item(key, column, ("GM", f"0x{access.low:x}", amount), "lane")
        name, first, last = found
        tip = say("flow_elements", self.lang, a=f"{first:,}", b=f"{last:,}")
        return Item(key, column, (name, f"{first}–{last}", amount), "lane", f"{name}: {tip}")

    def _instruction(self, node: Node) -> Item:
        row = node.row
        column = {Pipe.MTE2: 1, Pipe.MTE3: 5}.get(Pipe(row.pipe), 3)
        span = f"{self.source.us(row.start)}–{self.source.us(row.end)} us"
        amount = size(max(row.read_bytes, row.write_bytes))
        tip = f"{self.source.trace.ops[row.op]} · {self.source.place(row.where)}"
        lines = (self.source.label(row), amount, span)
        return Item((row.serial,), column, lines, kind_of(row.pipe), tip)

    def _buffers(self) -> Iterator[Item]:
        """UB bytes that pass from one unit to another; what V hands to itself is an arrow only."""
        rows = {node.row.serial: node.row for node in self.known.nodes}
        done: set[tuple[object, ...]] = set()
        for edge in self.known.edges:
            giver, taker = rows[edge.giver], rows[edge.taker]
            if giver.pipe == taker.pipe:
                continue
            key = ("ub", edge.giver, edge.low)
            if key in done:
                continue
            done.add(key)
            column = 2 if giver.pipe == Pipe.MTE2 else 4
            yield self._buffer(edge, key, column)

    def _buffer(self, edge: Edge, key: tuple[object, ...], column: int) -> Item:
        name = edge.owner.label if edge.owner is not None else f"UB 0x{edge.low:x}"
        where = f"0x{edge.low:x} · {size(edge.high - edge.low)}"
        sync, missing = self._sync(edge)
        tip = f"{name}: UB 0x{edge.low:x} – 0x{edge.high - 1:x}"
        return Item(key, column, (name, where, sync), "buffer", tip, missing)

    def _sync(self, edge: Edge) -> tuple[str, bool]:
        """What orders the two, in words, and whether nothing does."""
        if edge.flag is not None:
            giver, taker, number_ = edge.flag
            known = number_ >= 0
            text = flag_name(edge.flag) if known else f"{Pipe(giver).name}→{Pipe(taker).name}"
            return f"⚑ {text}", False
        key = {"none": "no_flag"}.get(edge.sync, edge.sync)
        return say(f"flow_{key}", self.lang), edge.sync == "none" and self._is_race(edge)

    def _is_race(self, edge: Edge) -> bool:
        """Whether a finding is about these two lines."""
        rows = {node.row.serial: node.row for node in self.known.nodes}
        lines = {self.source.line(rows[serial].where) for serial in (edge.giver, edge.taker)}
        return any(
            {finding.line, finding.numbers.get("line1")} == lines
            for finding in self.source.on(self.known.core)
        )

    def _place(self, items: Sequence[Item]) -> None:
        """Boxes of a column one below the other, columns centred on the tallest."""
        columns: dict[int, list[Item]] = {}
        for item in items:
            columns.setdefault(item.column, []).append(item)
        for column in columns.values():
            column.sort(key=self._order)
        most = max(len(column) for column in columns.values())
        for number_, column in columns.items():
            x, width = COLUMNS[number_]
            start = TOP + (most - len(column)) * PITCH / 2
            for k, item in enumerate(column):
                self.places[item.key] = (x, start + PITCH * k, width)
        self.y = TOP + PITCH * most

    def _order(self, item: Item) -> tuple[float, ...]:
        if item.key == ("hidden",):
            return (sorted(self.hidden)[0], 0.0)
        numbers = [float(part) for part in item.key if isinstance(part, int)]
        return tuple(numbers)

    def _box(self, item: Item) -> Iterator[str]:
        x, y, width = self.places[item.key]
        box: dict[str, object] = {"x": x, "y": y, "width": width, "height": BOX, "rx": 4}
        css_class = item.css + (" warned" if item.warning else "")
        yield shape(css_class, box, self.scope, *([svg.title(item.tip)] if item.tip else []))
        on = f"on-{item.css}" if item.css not in ("lane", "buffer") else "plain"
        for k, line in enumerate(item.lines):
            if not line:
                continue
            size_ = 11.0 if k == 0 else 10.0
            text = shortened(line, width - 8, size_)
            name = f"{on} first" if k == 0 else on
            if item.warning and k == 2:
                name = "bad-text"
            middle = x + width / 2
            yield svg.text(text, middle, y + 17 + 14.5 * k, name, text_anchor="middle")

    # --- arrows ---------------------------------------------------------------------------

    def _arrows(self) -> Iterator[str]:
        for node in self.known.nodes:
            serial = node.row.serial
            for access in node.reads:
                if self._is_gm(access):
                    yield self._arrow(("gm", serial, access.low), self._key(serial))
            for access in node.writes:
                if self._is_gm(access):
                    yield self._arrow(self._key(serial), ("gm", serial, access.low))
        for edge in self.known.edges:
            via = ("ub", edge.giver, edge.low)
            if via not in self.places:
                yield self._down(self._key(edge.giver), self._key(edge.taker), edge)
                continue
            yield self._arrow(self._key(edge.giver), via)
            bad = edge.sync == "none" and self._is_race(edge)
            yield self._arrow(via, self._key(edge.taker), bad)

    def _key(self, serial: int) -> tuple[object, ...]:
        return ("hidden",) if serial in self.hidden else (serial,)

    def _arrow(self, start: tuple[object, ...], end: tuple[object, ...], bad: bool = False) -> str:
        x0, y0, width = self.places[start]
        x1, y1, _ = self.places[end]
        x0, y0, y1 = x0 + width, y0 + BOX / 2, y1 + BOX / 2
        bend = max((x1 - x0) / 2, 8.0)
        curve = f"M{number(x0)} {number(y0)}C{number(x0 + bend)} {number(y0)} "
        curve += f"{number(x1 - bend)} {number(y1)} {number(x1 - 2)} {number(y1)}"
        return self._path(curve, bad)

    def _down(self, start: tuple[object, ...], end: tuple[object, ...], edge: Edge) -> str:
        """From one instruction of a pipe to a later one of the same pipe."""
        if start == end or start not in self.places:
            return ""
        x, y0, width = self.places[start]
        _, y1, _ = self.places[end]
        name = edge.owner.label if edge.owner is not None else ""
        if y1 - y0 <= PITCH:
            middle = x + width / 2
            line = f"M{number(middle)} {number(y0 + BOX)}L{number(middle)} {number(y1 - 2)}"
            return self._path(line, False, name)
        side = x + width
        curve = f"M{number(side)} {number(y0 + BOX / 2)}C{number(side + 18)} {number(y0 + BOX)} "
        curve += f"{number(side + 18)} {number(y1)} {number(side + 2)} {number(y1 + BOX / 2)}"
        return self._path(curve, False, name)

    def _path(self, path: str, bad: bool, tip: str = "") -> str:
        css_class = "arrow broken" if bad else "arrow"
        end = {"marker-end": f"url(#{self.scope}-head)"}
        return element(
            "path", {"d": path, "class": css_class, **end}, *([svg.title(tip)] if tip else [])
        )

    # --- times ----------------------------------------------------------------------------

    def _times(self) -> Iterator[str]:
        known = self.known
        yield svg.text(total(known, self.lang), 8.0, self.y + 14, "strong-text")
        self.y += 30
        yield from self._earlier()
        axis = Axis(known.begin, known.end, 60.0, WIDTH - 70.0, self.source.mhz)
        pipes = [pipe for pipe in (Pipe.S, Pipe.MTE2, Pipe.V, Pipe.MTE3) if known.of(pipe)]
        bottom = self.y + LANES * len(pipes)
        yield from axis.draw(self.y - 2, bottom, self.lang)
        for k, pipe in enumerate(pipes):
            top = self.y + LANES * k
            box: dict[str, object] = {"x": axis.left, "y": top, "height": LANE, "rx": 3}
            yield shape("lane", {**box, "width": axis.right - axis.left}, self.scope)
            yield svg.text(pipe.name, 52.0, top + 14, "tick", text_anchor="end")
            for node in known.of(pipe):
                if node.row.end > known.begin:
                    yield from self._bar(node, axis, box)
        self.y = bottom + 22
        if not len(self.source.trace.details.operands):
            yield svg.text(say("flow_no_details", self.lang), 8.0, self.y + 10, "muted")
            self.y += 16

    def _earlier(self) -> Iterator[str]:
        """What was done once, before the tile was loaded."""
        before = [n for n in self.known.nodes if n.row.end <= self.known.begin]
        if before:
            told = ", ".join(self.source.label(node.row) for node in before[:4])
            told += ", …" if len(before) > 4 else ""
            yield svg.text(say("flow_before", self.lang, what=told), 8.0, self.y, "muted")
            self.y += 14

    def _bar(self, node: Node, axis: Axis, box: Mapping[str, object]) -> Iterator[str]:
        row = node.row
        x = axis.x(row.start)
        width = max(axis.x(row.end) - x, 0.8)
        kind = kind_of(row.pipe)
        tip = svg.title(
            f"{self.source.label(row)}: {self.source.us(row.start)}–{self.source.us(row.end)} us"
        )
        yield shape(kind, {**box, "x": x, "width": width, "class": kind}, self.scope, tip)
        label = fitting([self.source.label(row), f":{self.source.line(row.where)}"], width)
        if label:
            y = float(str(box["y"])) + 14
            yield svg.text(label, x + width / 2, y, f"on-{kind}", text_anchor="middle")


def _arrow_head(scope: str) -> str:
    tip = element("path", {"d": "M0 0L7 3.5L0 7z", "class": "tip"})
    attributes: dict[str, object] = {"id": f"{scope}-head", "viewBox": "0 0 7 7", "refX": 6}
    attributes |= {"refY": 3.5, "markerWidth": 6, "markerHeight": 6, "orient": "auto"}
    return element("defs", {}, element("marker", attributes, tip))


def _rules(scope: str) -> str:
    rules = [
        ".arrow{fill:none;stroke:var(--al-muted);stroke-width:1.5}",
        ".broken{stroke:var(--al-bad);stroke-dasharray:4 3}",
        ".tip{fill:var(--al-muted)}",
        ".buffer{fill:var(--al-page);stroke:var(--al-muted)}",
        ".warned{stroke:var(--al-bad);stroke-width:1.5}",
        ".plain{font-size:10px}",
        ".first{font-size:11px;font-weight:600}",
        ".strong-text{font-weight:600}",
    ]
    return scoped(scope, rules)
