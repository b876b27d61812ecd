"""The bank view as SVG: where the buffers lie in the banks, and which groups each vector line uses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ascend_lab.engine.banks import RULES_OF
from ascend_lab.profile.banks import Access, Geometry, Operand, accesses, geometry
from ascend_lab.view import svg
from ascend_lab.view.drawing import WIDTH, legend, patterns, shape, shortened, style
from ascend_lab.view.markup import element, scope_of
from ascend_lab.view.memory_map import size
from ascend_lab.view.origin import Origin
from ascend_lab.view.palette import BLOCKS, Theme, css
from ascend_lab.view.uses import Buffer, at, buffers
from ascend_lab.view.words import Lang, say

LEFT, CELL, ROW, BANK = 236.0, 26.0, 19.0, 40.0
MOST = 10


@dataclass(frozen=True, slots=True)
class Banks:
    """What the bank view shows of one core."""

    source: Origin
    core: int
    shape: Geometry
    buffers: tuple[Buffer, ...]
    ways: tuple[Access, ...]
    others: Counter[str]

    @property
    def conflicts(self) -> int:
        return sum(way.conflicts.any for way in self.ways)


def prepare(source: Origin, core: int) -> Banks:
    """Everything the view shows of a core that the trace knows."""
    ways, others = accesses(source.trace, source.spec, core)
    shape_ = geometry(source.spec)
    return Banks(source, core, shape_, buffers(source.trace, core), _alike(ways, shape_), others)


def _alike(ways: Sequence[Access], shape_: Geometry) -> tuple[Access, ...]:
    """Ways of a line that use the same groups of the same banks count as one: ping and pong."""
    found: dict[tuple[object, ...], Access] = {}
    for way in ways:
        shown = tuple(
            (operand.name, *(shape_.cell(address) for address in operand.addresses(_shown(way))))
            for operand in way.operands
        )
        key = (way.where, way.op, way.conflicts, shown)
        known = found.get(key)
        found[key] = way if known is None else replace(known, rows=known.rows + way.rows)
    return tuple(found.values())


def _shown(way: Access) -> int:
    """The repeat that is drawn: the first with a conflict."""
    return max(way.conflicts.first, 0)


def summary(known: Banks) -> str:
    """One line for a terminal."""
    return (
        f"Banks(core {known.core}, {len(known.ways)} ways of access, "
        f"{known.conflicts} with conflicts)"
    )


def heading(known: Banks, lang: Lang) -> str:
    """What the picture shows, in a line."""
    shape_, source = known.shape, known.source
    kb = size(shape_.rows * 32)
    told = say("bank_shape", lang, groups=shape_.groups, banks=shape_.banks, kb=kb)
    core = f"{say('core', lang)} {known.core}"
    parts = [say("banks", lang), source.kernel, core, told, source.chip(lang)]
    return " · ".join(part for part in parts if part)


def draw(known: Banks, theme: Theme, lang: Lang) -> str:
    """The SVG of ``known``."""
    digest = known.source.trace.digest()
    scope = scope_of("banks", str(known.core), theme, lang, heading(known, lang), digest)
    drawing = _Drawing(known, lang, scope)
    body = "".join(drawing.parts())
    rules = css(scope, theme) + style(scope) + _rules(scope)
    return svg.document(WIDTH, drawing.y, rules, scope, heading(known, lang), body)


class _Drawing:
    def __init__(self, known: Banks, lang: Lang, scope: str) -> None:
        self.known = known
        self.lang = lang
        self.scope = scope
        self.y = 0.0
        self.right = LEFT + CELL * known.shape.groups

    def parts(self) -> Iterator[str]:
        yield patterns(self.scope)
        yield svg.text(heading(self.known, self.lang), 8.0, 20.0, "head")
        items = [("compute-read", "reads"), ("compute", "writes"), ("hit", "bank_conflict")]
        yield from legend(((name, say(key, self.lang)) for name, key in items), 43.0, self.scope)
        yield svg.text(say("bank_digits", self.lang), LEFT + 60, 43.0, "small")
        self.y = 74.0
        yield from self._columns()
        yield from self._map()
        for way in self.known.ways[:MOST]:
            yield from self._way(way)
        for note in self._notes():
            self.y += 16.0
            yield svg.text(note, 8.0, self.y, "muted")
        self.y += 12.0

    def x(self, group: int) -> float:
        return LEFT + CELL * group

    def _columns(self) -> Iterator[str]:
        label = say("bank_columns", self.lang)
        yield svg.text(label, LEFT - 10, self.y - 5, "small", text_anchor="end")
        for group in range(self.known.shape.groups):
            x = self.x(group) + CELL / 2
            yield svg.text(str(group), x, self.y - 5, "tick", text_anchor="middle")

    # --- where the buffers lie ------------------------------------------------------------

    def _map(self) -> Iterator[str]:
        shape_ = self.known.shape
        span = shape_.groups * shape_.rows * 32
        names: dict[int, list[str]] = {}
        for bank in range(shape_.banks):
            top = self.y + bank * (BANK + 3)
            box: dict[str, object] = {"x": LEFT, "y": top, "width": self.right - LEFT}
            yield element("rect", {**box, "height": BANK, "class": "lane"})
            a, b = bank * span // 1024, (bank + 1) * span // 1024
            told = say("bank_row", self.lang, k=bank, a=a, b=b)
            yield svg.text(told, LEFT - 10, top + BANK / 2 + 4, "small", text_anchor="end")
        for k, buffer in enumerate(self._first_buffers()):
            for bank in range(buffer.low // span, (buffer.high - 1) // span + 1):
                yield from self._lies(buffer, k, bank, span)
                names.setdefault(bank, []).append(buffer.label)
        for bank, labels in names.items():
            text = shortened(", ".join(labels), WIDTH - self.right - 20)
            middle = self.y + bank * (BANK + 3) + BANK / 2 + 4
            yield svg.text(text, self.right + 10, middle, "small")
        for group in range(1, shape_.groups):
            x = self.x(group)
            bottom = self.y + shape_.banks * (BANK + 3) - 3
            yield element("line", {"x1": x, "x2": x, "y1": self.y, "y2": bottom, "class": "seam"})
        self.y += shape_.banks * (BANK + 3) + 14

    def _first_buffers(self) -> list[Buffer]:
        """Those of the core's first block; its later blocks lay theirs out again."""
        known = self.known.buffers
        return [buffer for buffer in known if buffer.block == known[0].block] if known else []

    def _lies(self, buffer: Buffer, k: int, bank: int, span: int) -> Iterator[str]:
        """A buffer's part of one bank row: whole lines of all groups, and the ragged ends."""
        wide = self.known.shape.groups * 32
        scale = BANK / self.known.shape.rows
        low, high = max(buffer.low, bank * span), min(buffer.high, (bank + 1) * span)
        a, b = low - bank * span, high - bank * span
        points = [(a // wide, a % wide), (-(-b // wide), wide if b % wide == 0 else b % wide)]
        top, bottom = points[0][0] * scale, points[1][0] * scale
        y0 = self.y + bank * (BANK + 3)
        box: dict[str, object] = {"x": LEFT, "y": y0 + top, "width": self.right - LEFT}
        if points[1][0] - points[0][0] == 1:  # within one line of the groups
            box["x"] = LEFT + points[0][1] / 32 * CELL
            box["width"] = max((b - a) / 32 * CELL, 1.0)
        css_class = f"b{k % len(BLOCKS['light'])}"
        span_text = f"{buffer.label}: UB 0x{buffer.low:x} – 0x{buffer.high - 1:x}"
        box |= {"height": max(bottom - top, 1.2), "class": css_class}
        yield element("rect", box, svg.title(span_text))

    # --- one way of access ----------------------------------------------------------------

    def _way(self, way: Access) -> Iterator[str]:
        source, shown = self.known.source, _shown(way)
        head = say(
            "bank_panel",
            self.lang,
            op=way.op,
            place=source.place(way.where),
            repeats=way.conflicts.repeats,
        )
        parts = [head]
        if len(way.rows) > 1:
            parts.append(say("bank_times", self.lang, n=len(way.rows)))
        if way.conflicts.repeats > 1:
            parts.append(say("bank_repeat", self.lang, n=shown + 1))
        yield svg.text(" · ".join(parts), 8.0, self.y + 10, "strong")
        self.y += 18
        top = self.y
        for operand in way.operands:
            yield from self._operand(way, operand, shown)
        for group in way.conflicts.groups:
            box = {"x": self.x(group), "y": top - 1, "width": CELL, "height": self.y - top + 1}
            yield element("rect", {**box, "class": "hit"})
        yield from self._verdict(way, top)
        self.y = max(self.y, top + 15.0 * len(self._told(way))) + 12

    def _operand(self, way: Access, operand: Operand, shown: int) -> Iterator[str]:
        shape_ = self.known.shape
        row = way.rows[0]
        last = operand.addr + 32
        owner = at(self.known.buffers, operand.addr, last, row.start)
        text = shortened(owner.label if owner else "", LEFT - 130)
        yield svg.text(operand.name, 8.0, self.y + 13, "small")
        yield svg.text(text, 44.0, self.y + 13, "name")
        yield svg.text(f"0x{operand.addr:05x}", LEFT - 10, self.y + 13, "tick", text_anchor="end")
        box: dict[str, object] = {"x": LEFT, "y": self.y, "width": self.right - LEFT}
        yield element("rect", {**box, "height": ROW - 2, "class": "lane"})
        for address in operand.addresses(shown):
            group, bank = shape_.cell(address)
            values = {"group": group, "bank": bank, "row": shape_.row(address), "address": address}
            tip = svg.title(say("bank_cell", self.lang, name=operand.name, **values))
            cell: dict[str, object] = {"x": self.x(group) + 1, "y": self.y, "width": CELL - 2}
            css_class = "compute" if operand.writes else "compute-read"
            yield shape(css_class, {**cell, "height": ROW - 2, "rx": 2}, self.scope, tip)
            on = "on-compute" if operand.writes else "on"
            x = self.x(group) + CELL / 2
            yield svg.text(str(bank), x, self.y + 12.5, on, text_anchor="middle")
        self.y += ROW

    def _verdict(self, way: Access, top: float) -> Iterator[str]:
        for k, (css_class, text) in enumerate(self._told(way)):
            yield svg.text(text, self.right + 10, top + 12 + 15 * k, css_class)

    def _told(self, way: Access) -> list[tuple[str, str]]:
        found, lang = way.conflicts, self.lang
        if not found.any:
            return [("good-text", say("bank_fine", lang))]
        counts = {"rr": found.read_read, "ww": found.write_write, "rw": found.read_write}
        told = [
            ("bad-text", say(f"bank_{key}", lang, n=n, all=found.repeats))
            for key, n in counts.items()
            if n
        ]
        told.append(("small", say("bank_factor", lang, k=f"{found.factor:.2g}")))
        first = next(key for key, n in counts.items() if n)
        told.append(("small", say(f"bank_fix_{first}", lang, groups=self.known.shape.groups)))
        return told

    def _notes(self) -> list[str]:
        known, lang, found = self.known, self.lang, []
        if not known.ways:
            details = len(known.source.trace.details.operands)
            found.append(say("bank_none" if details else "bank_no_details", lang))
        if len(known.ways) > MOST:
            found.append(say("bank_more", lang, n=len(known.ways) - MOST))
        if known.others:
            counted = sorted(known.others.items())
            found.append(
                say("bank_unjudged", lang, ops=", ".join(f"{o} × {n}" for o, n in counted))
            )
        if known.source.spec.npu_arch != RULES_OF:
            found.append(say("bank_other_arch", lang, arch=known.source.spec.npu_arch))
        if known.ways:
            found.append(say("bank_not_timed", lang))
        return found


def _rules(scope: str) -> str:
    rules = [
        f".{scope} .seam{{stroke:var(--al-page);stroke-width:1}}",
        f".{scope} .hit{{fill:none;stroke:var(--al-bad);stroke-width:2}}",
        f".{scope} .name{{font-weight:600}}",
    ]
    rules += [f".{scope} .b{k}{{fill:var(--al-b{k})}}" for k in range(len(BLOCKS["light"]))]
    return "".join(rules)
