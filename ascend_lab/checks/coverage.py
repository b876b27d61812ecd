"""Who wrote what of every output: E1 one block for all cores, E2 overlaps, E3 gaps, E10 lost sums.

Judged at the end, from what `conflicts` has recorded. An array that is not declared as an output is only
judged when the kernel does nothing but write it, from its first element on and more than half of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ascend_lab.checks.conflicts import Conflicts, Pair, Tensor, Touch
from ascend_lab.checks.reports import Check, Reports
from ascend_lab.engine.instruction import ITEMSIZE
from ascend_lab.engine.lanes import Interval
from ascend_lab.engine.memory import Allocation

if TYPE_CHECKING:
    from ascend_lab.engine.core import Core
    from ascend_lab.engine.issued import Issued
    from ascend_lab.engine.run import Run

Spans = list[Interval]


class Stores:
    """The stores to one allocation: who wrote which bytes."""

    __slots__ = ("allocation", "atomic", "by_block", "read", "touches")

    def __init__(self, tensor: Tensor) -> None:
        self.allocation = tensor.allocation
        touches = tensor.touches()
        self.touches: list[Touch] = [touch for touch in touches if touch.writes]
        self.read = bool(tensor.reads) or len(self.touches) < len(touches)
        self.atomic = any(touch.x.atomic for touch in self.touches)
        self.by_block: dict[int, Spans] = {}
        for block in dict.fromkeys(touch.x.block for touch in self.touches):
            parts = [p for t in self.touches if t.x.block == block for p in t.region.parts]
            self.by_block[block] = merged(parts)

    @property
    def written(self) -> Spans:
        """Everything written, inside the allocation."""
        low, high = self.allocation.addr, self.allocation.end
        spans = merged([span for spans in self.by_block.values() for span in spans])
        return [(max(a, low), min(b, high)) for a, b in spans if a < high and b > low]


class Coverage(Check):
    """The classes that need the whole picture of an array."""

    def __init__(self, reports: Reports, conflicts: Conflicts) -> None:
        super().__init__(reports)
        self._conflicts = conflicts
        self._bound: dict[int, int] = {}  # allocation address -> where it was bound
        self._empty: dict[int, int] = {}  # address -> the copy of length 0 that was to go there
        self._stuck = False

    def wants(self, op: str) -> bool:
        return op in ("BindGlobal", "DataCopy", "DataCopyPad")

    def issued(self, core: Core, x: Issued) -> None:
        dst = x.instr.dst
        if x.instr.op != "BindGlobal":
            if not x.writes and dst is not None and dst.space == "GM":
                self._empty[dst.addr] = x.instr.where
        elif dst is not None:
            found = core.gm.locate(dst.addr)
            if found is not None:
                self._bound.setdefault(found.addr, x.instr.where)

    def stuck(self, run: Run, waits: list[Any]) -> None:
        self._stuck = True

    def finished(self, run: Run) -> None:
        stores = {
            addr: Stores(tensor)
            for addr, tensor in self._conflicts.tensors.items()
            if tensor.written
        }
        cut = bool(run.traps) or run.crash is not None or run.over_limit is not None or self._stuck
        for found in stores.values():
            self._overlaps(found, cut)
        if cut or run.blocks < 1:
            return
        for allocation in run.gm.allocations:
            self._gaps(run, allocation, stores.get(allocation.addr))

    # --- overlaps ---------------------------------------------------------------------------------------

    def _overlaps(self, stores: Stores, cut: bool) -> None:
        pairs = [
            (number, pair)
            for number, pair in enumerate(self._conflicts.pairs)
            if pair.allocation is stores.allocation and _between_blocks(pair)
        ]
        if not cut and self._same_block(stores, bool(pairs)):
            return
        displaced = self._displaced(stores)
        for number, pair in pairs:
            if self._conflicts.equal(number) and not displaced:
                self._overlap(pair, "equal", "note")
            elif self._accumulates(stores, pair):
                self._lost_sum(stores, pair)
            elif not self._seam(pair):
                self._overlap(pair, "", "")

    def _displaced(self, stores: Stores) -> bool:
        """The cores stored enough bytes for the whole array, and still left some of it unwritten: their
        ranges lie wrong, whatever the values."""
        stored = sum(high - low for spans in stores.by_block.values() for low, high in spans)
        left = _gap_list(stores.written, stores.allocation)
        return bool(left) and stored >= stores.allocation.nbytes

    def _same_block(self, stores: Stores, overlap: bool) -> bool:
        """E1: every core wrote the same bytes (a tail core fewer of them), and most of the array is left."""
        spans = sorted(stores.by_block.values(), key=nbytes_of, reverse=True)
        if not overlap or len(spans) < 2 or stores.atomic:
            return False
        if not all(begins_with(spans[0], other) for other in spans[1:]):
            return False
        allocation = stores.allocation
        written = sum(high - low for low, high in stores.written)
        if allocation.nbytes - written < written * (len(spans) - 1) // 2:
            return False
        first, last, size = self.reports.elements(allocation, spans[0][0][0], spans[0][-1][1])
        gap = _gap_list(stores.written, allocation)[0]
        gap_first, gap_last, _ = self.reports.elements(allocation, *gap)
        touch = stores.touches[0]
        bound = self._bound.get(allocation.addr)
        numbers = {
            "cores": len(spans),
            "array": self.reports.array_name(allocation),
            "first": first,
            "last": last,
            "length": last - first + 1,
            "size": size,
            "gap_first": gap_first,
            "gap_last": gap_last,
        }
        self.reports.add(
            "E1",
            touch.x,
            numbers,
            where=bound,
            time=touch.x.start,
            related=self.reports.other(touch.x.instr.where, "stores") if bound is not None else (),
        )
        return True

    def _accumulates(self, stores: Stores, pair: Pair) -> bool:
        """All cores aim at one range that is the whole array: partial results that should be added."""
        spans = list(stores.by_block.values())
        whole = stores.written == [(stores.allocation.addr, stores.allocation.end)]
        return len(spans) > 1 and whole and all(span == spans[0] for span in spans)

    def _lost_sum(self, stores: Stores, pair: Pair) -> None:
        x = pair.second.x
        if self.reports.again("E10", x.instr.where):
            return
        numbers = self._numbers(pair)
        numbers["cores"] = len(stores.by_block)
        self.reports.add("E10", x, numbers, time=x.start)

    def _seam(self, pair: Pair) -> bool:
        """A3: the end of one store, less than a block, lies in the other core's range."""
        for mine, theirs in ((pair.first, pair.second), (pair.second, pair.first)):
            ends_there = mine.region.high == pair.high and mine.region.low < pair.low
            if pair.high - pair.low < 32 and ends_there and mine.x.instr.op == "DataCopy":
                self._rounded_up(pair, mine, theirs)
                return True
        return False

    def _rounded_up(self, pair: Pair, mine: Touch, theirs: Touch) -> None:
        x = mine.x
        if self.reports.again("A3", x.instr.where):
            return
        allocation = pair.allocation
        first, last, _ = self.reports.elements(allocation, mine.region.low, mine.region.high)
        from_, _, _ = self.reports.elements(allocation, pair.low, pair.high)
        numbers = {
            "array": self.reports.array_name(allocation),
            "first": first,
            "last": last,
            "from_": from_,
            "overlap": last - from_ + 1,
            "other": theirs.x.block,
        }
        related = self.reports.other(theirs.x.instr.where, "writes")
        self.reports.add("A3", x, numbers, related=related, time=x.start)

    def _overlap(self, pair: Pair, variant: str, severity: str) -> None:
        x, y = pair.second.x, pair.first.x
        if self.reports.again("E2", x.instr.where, variant):
            return
        related = self.reports.other(y.instr.where, "writes")
        bound = self._bound.get(pair.allocation.addr)
        if bound is not None:
            related += self.reports.other(bound, "binds")
        self.reports.add(
            "E2",
            x,
            self._numbers(pair),
            variant=variant,
            severity=severity,
            related=related,
            time=x.start,
        )

    def _numbers(self, pair: Pair) -> dict[str, Any]:
        first, last, _ = self.reports.elements(pair.allocation, pair.low, pair.high)
        return {
            "array": self.reports.array_name(pair.allocation),
            "first": first,
            "last": last,
            "other": pair.first.x.block,
            "line1": self.reports.line(pair.first.x.instr.where),
        }

    # --- gaps -------------------------------------------------------------------------------------------

    def _gaps(self, run: Run, allocation: Allocation, stores: Stores | None) -> None:
        name = self.reports.array_name(allocation)
        declared = self.reports.is_among(allocation, run.outputs or ())
        if stores is None:
            if declared and allocation.nbytes:
                self._never(allocation, name)
            return
        if not declared and (run.outputs is not None or not self._only_written(stores)):
            return
        gaps = _gap_list(stores.written, allocation)
        if gaps and (declared or not self._is_padding(stores, gaps)):
            self._gap(stores, allocation, name, gaps)

    def _never(self, allocation: Allocation, name: str) -> None:
        size = allocation.nbytes // ITEMSIZE[allocation.dtype]
        blocks = self.reports.run.blocks
        numbers = {"array": name, "size": size, "blocks": blocks}
        hints = ("G13",) if size < blocks else ()
        where = self._bound.get(allocation.addr)
        time = self.reports.run.clock.now
        self.reports.add("E3", None, numbers, variant="all", where=where, time=time, hints=hints)

    def _only_written(self, stores: Stores) -> bool:
        """The kernel writes this array from its start on, mostly, and never reads it."""
        written = stores.written
        if stores.read or not written or written[0][0] != stores.allocation.addr:
            return False
        return 2 * sum(high - low for low, high in written) > stores.allocation.nbytes

    def _is_padding(self, stores: Stores, gaps: Spans) -> bool:
        """A last gap that only rounds the array up to 32 B, behind a store of exact length."""
        allocation = stores.allocation
        (low, high), size = gaps[0], allocation.nbytes
        if len(gaps) > 1 or high != allocation.end or high - low >= 32 or size % 32:
            return False
        return any(
            touch.region.high == low and touch.x.instr.op == "DataCopyPad"
            for touch in stores.touches
        )

    def _gap(self, stores: Stores, allocation: Allocation, name: str, gaps: Spans) -> None:
        size = ITEMSIZE[allocation.dtype]
        missing = sum(high - low for low, high in gaps)
        first, last, total = self.reports.elements(allocation, *gaps[0])
        touch = max(stores.touches, key=lambda touch: (touch.region.high, touch.x.serial))
        if self.reports.again("E3", touch.x.instr.where):
            return
        numbers = {
            "array": name,
            "first": first,
            "last": last,
            "missing": -(-missing // size),
            "size": total,
            "sum": self._sum(stores, size, total, missing),
        }
        hint, more = self._arithmetic(stores, gaps)
        numbers.update(more)
        self.reports.add("E3", touch.x, numbers, time=touch.x.start, hints=hint)

    def _arithmetic(self, stores: Stores, gaps: Spans) -> tuple[tuple[str, ...], dict[str, Any]]:
        """What the sizes say of the tiling: G3 a last tile of length 0, G8 half of all tiles, G2 the rest of a tile."""
        low, high = gaps[0]
        if low in self._empty:
            return ("G3",), {"empty": self.reports.line(self._empty[low])}
        lengths = {touch.region.nbytes for touch in stores.touches}
        if len(gaps) > 1 or high != stores.allocation.end or len(lengths) > 1:
            return (), {}
        tile = lengths.pop()
        if len(stores.by_block) == 1 and 2 * (high - low) == stores.allocation.nbytes >= 4 * tile:
            return ("G8",), {}
        if high - low < tile:
            return ("G2",), {"tile": tile // ITEMSIZE[stores.allocation.dtype]}
        return (), {}

    def _sum(self, stores: Stores, size: int, total: int, missing: int) -> str:
        """ "100005 = 8 x 12500 + 5": how the written parts add up."""
        parts = {sum(high - low for low, high in s) // size for s in stores.by_block.values()}
        left = -(-missing // size)
        blocks = len(stores.by_block)
        if len(parts) == 1 and blocks > 1 and blocks * max(parts) + left == total:
            return f"{total} = {blocks} x {max(parts)} + {left}"
        return f"{total} = {total - left} + {left}"


def nbytes_of(spans: Spans) -> int:
    """How many bytes they cover."""
    return sum(high - low for low, high in spans)


def begins_with(longest: Spans, spans: Spans) -> bool:
    """Whether ``spans`` is ``longest``, or the first part of it."""
    return bool(spans) and merged([*spans, *longest]) == longest and spans[0][0] == longest[0][0]


def _between_blocks(pair: Pair) -> bool:
    """Two plain stores of different blocks."""
    both = pair.first.writes and pair.second.writes
    atomic = pair.first.x.atomic or pair.second.x.atomic
    return both and not atomic and pair.first.x.block != pair.second.x.block


def merged(parts: list[Interval]) -> Spans:
    """Sorted, disjoint intervals that cover the same bytes."""
    result: Spans = []
    for low, high in sorted(parts):
        if result and low <= result[-1][1]:
            result[-1] = (result[-1][0], max(result[-1][1], high))
        else:
            result.append((low, high))
    return result


def _gap_list(written: Spans, allocation: Allocation) -> Spans:
    """What of the allocation is in no span."""
    gaps: Spans = []
    at = allocation.addr
    for low, high in written:
        if low > at:
            gaps.append((at, low))
        at = max(at, high)
    if at < allocation.end:
        gaps.append((at, allocation.end))
    return gaps
