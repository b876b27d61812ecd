"""The UB of one core over time: what both renderers of the memory view draw."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ascend_lab.engine.instruction import Pipe
from ascend_lab.view.bars import times
from ascend_lab.view.origin import Origin
from ascend_lab.view.uses import Buffer, Use, at, buffers, uses
from ascend_lab.view.words import Lang, say

if TYPE_CHECKING:
    from ascend_lab.checks.finding import Finding

_CLOSE = 1e-6
_LONGEST_RUN = 8
_MOST_EDGES = 40


@dataclass(frozen=True, slots=True)
class Box:
    """One rectangle: ``uses`` of one pipe on the bytes [low, high), merged when there is more than one."""

    begin: float
    end: float
    low: int
    high: int
    pipe: int
    writes: bool
    uses: tuple[Use, ...]


@dataclass(frozen=True, slots=True)
class Race:
    """A finding on the bytes [low, high) between two times; ``other`` is the second instruction's use."""

    finding: Finding
    begin: float
    end: float
    low: int
    high: int
    other: Use | None


@dataclass(frozen=True, slots=True)
class Map:
    """Everything the memory view shows of one core."""

    source: Origin
    core: int
    buffers: tuple[Buffer, ...]
    boxes: tuple[Box, ...]
    races: tuple[Race, ...]
    begin: float
    end: float
    size: int
    accesses: int
    unmarked: int

    @property
    def marked(self) -> int:
        """How many findings have a place here."""
        return len({id(race.finding) for race in self.races})

    @property
    def top(self) -> int:
        """The first byte above everything that has a name or was touched."""
        named = [buffer.high for buffer in self.buffers]
        return max([*named, *(box.high for box in self.boxes)], default=0)

    @property
    def planned(self) -> int:
        """Bytes that the buffers of the first block take together."""
        blocks = [buffer.block for buffer in self.buffers]
        first = [buffer for buffer in self.buffers if buffer.block == blocks[0]]
        return sum(b.nbytes for b in first if b.kind != "static") or _union(first)

    def owner(self, box: Box) -> Buffer | None:
        return at(self.buffers, box.low, box.high, box.begin)


def _union(known: Iterable[Buffer]) -> int:
    total, reach = 0, 0
    for low, high in sorted((buffer.low, buffer.high) for buffer in known):
        total += max(high - max(low, reach), 0)
        reach = max(reach, high)
    return total


def memory_map(source: Origin, core: int, span: tuple[float, float] | None = None) -> Map:
    """The map of a core that the trace knows; of the part ``span`` (us) of its time when given."""
    trace = source.trace
    accesses, known = uses(trace, core), buffers(trace, core)
    begin, end = _time(source, core, accesses, known) if span is None else _cycles(source, span)
    boxes = tuple(
        Box(use.row.start, use.row.end, use.low, use.high, use.row.pipe, use.writes, (use,))
        for use in accesses
        if use.row.end > use.row.start and use.row.end > begin and use.row.start < end
    )
    found = source.on(core)
    races = (*_races(source, accesses, found), *_stopped(accesses, known, found, source, end))
    return Map(
        source,
        core,
        tuple(buffer for buffer in known if buffer.born < end and buffer.gone > begin),
        boxes,
        tuple(race for race in races if race.end > begin and race.begin <= end),
        begin,
        end,
        source.spec.memory.ub_bytes,
        len(accesses),
        len(found) - len({id(race.finding) for race in races}),
    )


def _time(
    source: Origin, core: int, accesses: Sequence[Use], known: Sequence[Buffer]
) -> tuple[float, float]:
    """From the first buffer or access to the end of the core."""
    begins = [use.row.start for use in accesses] + [buffer.born for buffer in known]
    ends = [row.end for row in source.trace.rows(core=core)]
    return min(begins, default=0.0), max(ends, default=0.0)


def _cycles(source: Origin, span: tuple[float, float]) -> tuple[float, float]:
    begin, end = span
    if not 0 <= begin < end:
        raise ValueError(f"span=({begin}, {end}): from us, to us, 0 <= from < to")
    return begin * source.mhz, end * source.mhz


# --- findings -------------------------------------------------------------------------------


def _races(source: Origin, accesses: Sequence[Use], found: Iterable[Finding]) -> Iterator[Race]:
    """The places in the map of each finding that is about UB bytes of this core, the told one first."""
    for finding in found:
        mine = [use for use in accesses if _is_at(source, use, finding)]
        if "start1" not in finding.numbers:
            if mine:
                row, use = mine[-1].row, mine[-1]
                yield Race(finding, row.start, row.end, use.low, use.high, None)
            continue
        theirs = _others(source, accesses, finding)
        start = finding.numbers["start1"]
        told = [
            _race(finding, a, b)
            for a in mine
            for b in theirs
            if _near(b.row.start, start) and _meet(a, b)
        ]
        yield from told[:1]
        if told:
            yield from _again(source, accesses, finding, theirs, told[0])


def _stopped(
    accesses: Sequence[Use],
    known: Sequence[Buffer],
    found: Iterable[Finding],
    source: Origin,
    end: float,
) -> Iterator[Race]:
    """The address at which an instruction stopped the core before it read or wrote anything."""
    for finding in found:
        low, name = int(finding.numbers.get("addr", -1)), finding.numbers.get("buffer")
        holder = next((b for b in known if b.name == name and b.holds(low, low + 1)), None)
        if holder is not None and not any(_is_at(source, use, finding) for use in accesses):
            high = min(low + int(finding.numbers.get("align", 1)), holder.high)
            yield Race(finding, finding.time, max(end, finding.time), low, high, None)


def _again(
    source: Origin, accesses: Sequence[Use], finding: Finding, theirs: Sequence[Use], told: Race
) -> Iterator[Race]:
    """The same two lines on the same bytes at the same time, once more: told once, seen every time."""
    for a in accesses:
        if source.place(a.row.where) != f"{finding.file}:{finding.line}":
            continue
        for b in theirs:
            together = a.row.start < b.row.end and b.row.start < a.row.end
            if together and a.row.serial != b.row.serial and _meet(a, b) and a.writes + b.writes:
                race = _race(finding, a, b)
                if (race.begin, race.low) != (told.begin, told.low):
                    yield race


def _race(finding: Finding, a: Use, b: Use) -> Race:
    begin, end = max(a.row.start, b.row.start), min(a.row.end, b.row.end)
    if end <= begin:  # not at the same moment, but in the wrong order
        begin, end = a.row.start, a.row.end
    return Race(finding, begin, end, max(a.low, b.low), min(a.high, b.high), b)


def _meet(a: Use, b: Use) -> bool:
    return a.low < b.high and b.low < a.high


def _near(one: float, other: float) -> bool:
    return abs(one - other) < _CLOSE


def _is_at(source: Origin, use: Use, finding: Finding) -> bool:
    row = use.row
    near = _near(row.start, finding.time) or _near(row.issue, finding.time)
    return near and source.place(row.where) == f"{finding.file}:{finding.line}"


def _others(source: Origin, accesses: Sequence[Use], finding: Finding) -> list[Use]:
    """What the second instruction of a finding does, each time it runs."""
    line, op = finding.numbers.get("line1"), finding.numbers.get("op1")
    ops = source.trace.ops
    return [u for u in accesses if source.line(u.row.where) == line and ops[u.row.op] == op]


# --- merging ----------------------------------------------------------------------------------


def merged(boxes: Sequence[Box], narrow: float, most: int, end: float) -> tuple[Box, ...]:
    """Boxes of one pipe on the same bytes joined where they are narrower than ``narrow`` cycles."""
    found = _merge(boxes, narrow)
    while len(found) > most and narrow < end:
        narrow *= 2
        found = _merge(boxes, narrow)
    return tuple(found)


def _merge(boxes: Sequence[Box], narrow: float) -> list[Box]:
    lanes: dict[tuple[int, bool, int, int], list[Box]] = {}
    for box in sorted(boxes, key=lambda box: box.begin):
        lane = lanes.setdefault((box.pipe, box.writes, box.low, box.high), [])
        last = lane[-1] if lane else None
        if last is not None and _joins(last, box, narrow):
            lane[-1] = replace(last, end=max(last.end, box.end), uses=last.uses + box.uses)
        else:
            lane.append(box)
    return sorted(
        (box for lane in lanes.values() for box in lane),
        key=lambda box: (box.begin, box.uses[0].row.serial, box.writes),
    )


def _joins(last: Box, box: Box, narrow: float) -> bool:
    short = box.end - box.begin < narrow and box.begin - last.end < narrow
    return short and box.end - last.begin < _LONGEST_RUN * narrow


# --- the address axis -------------------------------------------------------------------------


class Scale:
    """UB addresses on y, growing downwards: true to scale, but no buffer lower than ``least`` px."""

    def __init__(self, known: Map, top: float, height: float, least: float) -> None:
        edges = {0, known.top}
        for low, high in [*((b.low, b.high) for b in known.buffers), *_unnamed(known)]:
            edges |= {low, high}
        self._edges = sorted(edges)
        self._tops = [top]
        owned = sorted((buffer.low, buffer.high) for buffer in known.buffers)
        total = max(known.top, 1)
        self.stretched = False
        for low, high in zip(self._edges, self._edges[1:], strict=False):
            true = height * (high - low) / total
            inside = [span for span in owned if span[0] <= low and high <= span[1]]
            share = min((least * (high - low) / (b - a) for a, b in inside), default=6.0)
            self.stretched = self.stretched or true < share
            self._tops.append(self._tops[-1] + max(true, share))

    @property
    def bottom(self) -> float:
        return self._tops[-1]

    @property
    def edges(self) -> tuple[int, ...]:
        """The addresses at which something begins or ends."""
        return tuple(self._edges)

    def y(self, address: int) -> float:
        k = min(max(bisect_right(self._edges, address) - 1, 0), len(self._edges) - 1)
        if k >= len(self._edges) - 1:
            return self._tops[-1]
        low, high = self._edges[k], self._edges[k + 1]
        share = (address - low) / (high - low)
        return self._tops[k] + share * (self._tops[k + 1] - self._tops[k])


def _unnamed(known: Map) -> list[tuple[int, int]]:
    """The bytes that are touched and belong to no buffer; joined where there are many."""
    loose = {
        (box.low, box.high)
        for box in known.boxes
        if not any(b.low <= box.low and box.high <= b.high for b in known.buffers)
    }
    if len(loose) <= _MOST_EDGES:
        return sorted(loose)
    found: list[tuple[int, int]] = []
    for low, high in sorted(loose):
        if found and low <= found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], high))
        else:
            found.append((low, high))
    return found[:_MOST_EDGES]


# --- words ------------------------------------------------------------------------------------


def size(nbytes: int) -> str:
    """ "4 KB", "1.5 KB", "96 B"."""
    return f"{nbytes / 1024:.4g} KB" if nbytes >= 1024 else f"{nbytes} B"


def describe(known: Map, box: Box, lang: Lang) -> list[str]:
    """The lines of a box's tooltip: what it does, where, which bytes, when."""
    source, row = known.source, box.uses[0].row
    owner = known.owner(box)
    name = f"{owner.label} · " if owner is not None else ""
    verb = say("ub_writes" if box.writes else "ub_reads", lang)
    span = f"{name}UB 0x{box.low:x} – 0x{box.high - 1:x}"
    if len(box.uses) > 1:
        head = say("ub_merged", lang, n=len(box.uses), verb=verb, unit=Pipe(box.pipe).name)
        return [head, span, *times(box.begin, box.end, source.mhz, lang)]
    use = box.uses[0]
    amount = say("ub_gaps" if use.sparse else "ub_bytes", lang, verb=verb, n=f"{use.nbytes:,}")
    core = f"{say('core', lang)} {row.core} · block {row.block}"
    return [
        f"{source.trace.ops[row.op]} · {Pipe(row.pipe).name} · {core}",
        source.place(row.where),
        f"{amount}：{span}" if lang == "zh" else f"{amount}: {span}",
        *times(row.start, row.end, source.mhz, lang),
    ]


def heading(known: Map, lang: Lang) -> str:
    """What the picture shows, in a line."""
    source = known.source
    parts = [say("memory", lang), source.kernel, f"{say('core', lang)} {known.core}"]
    full = (
        say("ub_planned", lang, used=size(known.planned), all=size(known.size))
        if known.buffers
        else ""
    )
    return " · ".join(part for part in [*parts, full, source.chip(lang)] if part)


def notes(known: Map, drawn: int, stretched: bool, lang: Lang) -> list[str]:
    """What a reader must know about the picture."""
    found = []
    if not known.boxes:
        found.append(say("ub_untouched", lang))
    elif not known.buffers:
        found.append(say("ub_no_names", lang))
    if not len(known.source.trace.details.operands) and known.boxes:
        found.append(say("ub_first_operands", lang))
    if drawn < 0.9 * len(known.boxes):
        found.append(say("ub_joined", lang, n=f"{len(known.boxes):,}", m=f"{drawn:,}"))
    if stretched:
        found.append(say("ub_stretched", lang))
    if known.unmarked:
        found.append(say("ub_elsewhere", lang, n=known.unmarked))
    return found
