"""Which bytes of an output were written by whom: the sum of all stores, as segments."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import groupby
from math import ceil

from ascend_lab.engine.written import Coverage

#: A block, and whether it stored without an atomic mode.
Writer = tuple[int, bool]
#: A map has at most this many rows, and about this many segments in one.
MOST_ROWS, SEGMENTS_A_ROW = 8, 16


@dataclass(frozen=True, slots=True)
class Segment:
    """Bytes [low, high) of an output and the blocks that wrote them, ascending; () for none.

    ``plain`` counts those that did so without an atomic mode.
    """

    low: int
    high: int
    blocks: tuple[int, ...]
    plain: int

    @property
    def kind(self) -> str:
        """ "gap"; "once"; "twice": plain stores of several blocks; "combined": atomic ones met."""
        if len(self.blocks) < 2:
            return ("gap", "once")[len(self.blocks)]
        return "twice" if self.plain > 1 else "combined"


@dataclass(frozen=True, slots=True)
class Map:
    """An output cut into segments that cover it without overlap."""

    name: str
    nbytes: int
    itemsize: int
    segments: tuple[Segment, ...]

    @property
    def elements(self) -> int:
        return self.nbytes // self.itemsize

    def of_kind(self, kind: str) -> tuple[Segment, ...]:
        return tuple(segment for segment in self.segments if segment.kind == kind)

    def count(self, kind: str) -> int:
        """Elements of which at least a byte is of ``kind``."""
        return sum(last - first + 1 for first, last in map(self.span, self.of_kind(kind)))

    def span(self, segment: Segment) -> tuple[int, int]:
        """First and last element of a segment."""
        return segment.low // self.itemsize, (segment.high - 1) // self.itemsize

    def rows(self) -> list[tuple[int, int]]:
        """The map as rows of equal length: (first byte, end byte), on element boundaries."""
        count = min(MOST_ROWS, max(1, ceil(len(self.segments) / SEGMENTS_A_ROW)))
        length = max(ceil(self.elements / count), 1) * self.itemsize
        return [(low, min(low + length, self.nbytes)) for low in range(0, self.nbytes, length)]

    def within(self, low: int, high: int) -> Iterator[Segment]:
        """The segments cut to [low, high)."""
        for segment in self.segments:
            if segment.low < high and segment.high > low:
                low_, high_ = max(segment.low, low), min(segment.high, high)
                yield replace(segment, low=low_, high=high_)


def ownership(coverage: Coverage) -> Map:
    """The map of one output. A block that writes a byte again counts once."""
    nbytes = coverage.nbytes
    cuts = [*_cuts(coverage.writes, nbytes, plain=True)]
    cuts += _cuts(coverage.combined, nbytes, plain=False)
    segments: list[Segment] = []
    active: Counter[Writer] = Counter()
    low = 0
    for at, here in groupby(sorted(cuts), key=lambda cut: cut[0]):
        _append(segments, low, at, active)
        for _, change, writer in here:
            active[writer] += change
        low = at
    _append(segments, low, nbytes, Counter())
    return Map(coverage.name, nbytes, coverage.itemsize, tuple(segments))


def _cuts(
    stores: Iterable[tuple[int, int, int]], nbytes: int, plain: bool
) -> Iterator[tuple[int, int, Writer]]:
    """Where a store begins (+1) and ends (-1), inside the output."""
    for low, high, block in stores:
        low, high = max(low, 0), min(high, nbytes)
        if low < high:
            yield low, 1, (block, plain)
            yield high, -1, (block, plain)


def _append(segments: list[Segment], low: int, high: int, active: Counter[Writer]) -> None:
    if low >= high:
        return
    writers = [writer for writer, depth in active.items() if depth > 0]
    blocks = tuple(sorted({block for block, _ in writers}))
    plain = sum(is_plain for _, is_plain in writers)
    segment = Segment(low, high, blocks, plain)
    if segments and (segments[-1].blocks, segments[-1].kind) == (blocks, segment.kind):
        segment = replace(segments.pop(), high=high)
    segments.append(segment)
