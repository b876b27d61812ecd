"""ReduceSum, ReduceMax, ReduceMin: one result for a whole tensor, with a shared temporary buffer.

Source: asc-devkit: docs/zh/api/SIMD-API/基础API/Memory矢量计算/归约计算/{ReduceSum,ReduceMax,ReduceMin}.md.
dst gets [value] or [value, index]; the index is stored as bits of the element's width (half: its low
16 bits). srcs = (src, sharedTmpBuffer); the temporary buffer counts as written only where a round of the
reduction puts its results, and is never read before that.

ReduceSum adds every iteration as a tree. The count form of A2 then adds the iterations' sums one after the
other and leaves the buffer alone; the mask form adds them as a tree too. ``params["tree"]`` true makes the
count form of other chips (310P): a tree on both levels over the full iterations, then the short one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ascend_lab.engine.instruction import ITEMSIZE, Instr, Ref
from ascend_lab.engine.lanes import BLOCK, Interval, shifted
from ascend_lab.engine.memory import Write
from ascend_lab.engine.semantics import tree
from ascend_lab.engine.semantics.flow import AnyFlow, Flow, Span
from ascend_lab.engine.semantics.form import (
    FIELD,
    Footprint,
    Form,
    Layout,
    Semantic,
    accesses,
    complete,
    fetch,
    lanes_of,
    layout,
    layout_of,
)

if TYPE_CHECKING:
    from ascend_lab.engine.core import Core
    from ascend_lab.engine.issued import Issued

Array = NDArray[Any]
SUM = "sum"  # the register that GetReduceRepeatSumSpr asks for


class Scratch(NamedTuple):
    """What a reduction leaves in the temporary buffer: ``values`` (as words) from element ``start``."""

    start: int
    values: Array


def _src_rep(instr: Instr) -> int:
    rep = instr.params.get("rep", ())
    return int(rep[0]) & FIELD if rep else 8


def _source_layout(instr: Instr, form: Form) -> Layout:
    source = instr.srcs[0]
    if form.count >= 0:
        return layout_of(instr, form, 1, source)
    return layout(ITEMSIZE[source.dtype], 1, _src_rep(instr), complete(instr, form))


class TotalReduce:
    """What the three have in common. ``used`` and ``reduce`` must agree on the temporary buffer."""

    def used(self, instr: Instr, form: Form) -> tuple[tuple[int, int], ...]:
        """The elements [first, last) of the temporary buffer that are written."""
        raise NotImplementedError

    def reduce(self, instr: Instr, form: Form, values: Array) -> tuple[Array, list[Scratch]]:
        """(the words of dst, what is left in the temporary buffer)."""
        raise NotImplementedError

    def words(self, instr: Instr) -> int:
        """Elements of dst."""
        return 1

    def footprint(self, instr: Instr, form: Form) -> Footprint:
        dst, source = instr.dst, instr.srcs[0]
        assert dst is not None
        place = _source_layout(instr, form)
        if place.size == 0:
            return Footprint((), ())
        itemsize = ITEMSIZE[source.dtype]
        reads = accesses(source.space, shifted(place.parts, source.addr))
        writes = accesses(dst.space, ((dst.addr, dst.addr + self.words(instr) * itemsize),))
        if len(instr.srcs) > 1:
            parts = _merged(self.used(instr, form), itemsize)
            writes += accesses(instr.srcs[1].space, shifted(parts, instr.srcs[1].addr))
        return Footprint(reads, writes)

    @np.errstate(all="ignore")
    def evaluate(self, x: Issued, core: Core) -> list[Write]:
        instr, form = x.instr, x.form
        dst, source = instr.dst, instr.srcs[0]
        assert dst is not None
        values = fetch(core.local(source.space), source, _source_layout(instr, form))
        if values.size == 0:
            return []
        result, left = self.reduce(instr, form, values)
        if instr.op == "ReduceSum" and form.count >= 0:
            core.registers[SUM] = float(result[0])
        writes = []
        if len(instr.srcs) > 1:
            tmp = instr.srcs[1]
            writes = [_put(core, tmp, scratch.start, scratch.values) for scratch in left]
        return [*writes, _put(core, dst, 0, result)]

    def flow(self, instr: Instr, form: Form) -> tuple[AnyFlow, ...]:
        """The temporary buffer first, as defined: dst may lie in it."""
        dst, source = instr.dst, instr.srcs[0]
        assert dst is not None
        place = _source_layout(instr, form)
        if place.size == 0:
            return ()
        itemsize = ITEMSIZE[source.dtype]
        flows: list[AnyFlow] = []
        if len(instr.srcs) > 1:
            tmp = instr.srcs[1]
            flows = [
                Span(tmp.space, itemsize, tmp.addr + low * itemsize, high - low, ())
                for low, high in self.used(instr, form)
            ]
        index = np.arange(place.size, dtype=np.int64) if place.indices is None else place.indices
        row = source.addr + index * itemsize
        targets = dst.addr + np.arange(self.words(instr), dtype=np.int64) * itemsize
        rows = np.broadcast_to(row, (targets.size, row.size))
        flows.append(
            Flow("reduce", dst.space, itemsize, targets, ((source.space, itemsize, rows),))
        )
        return tuple(flows)

    def repeats(self, instr: Instr, form: Form) -> float:
        raise NotImplementedError


def _merged(used: tuple[tuple[int, int], ...], itemsize: int) -> tuple[Interval, ...]:
    """Element ranges in order as byte intervals, those that touch made one."""
    parts: list[Interval] = []
    for low, high in used:
        if parts and parts[-1][1] == low * itemsize:
            low = parts.pop()[0] // itemsize
        parts.append((low * itemsize, high * itemsize))
    return tuple(parts)


def _put(core: Core, ref: Ref, start: int, values: Array) -> Write:
    raw = values.view(np.uint8)
    place = ref._replace(dtype="uint8", addr=ref.addr + start * ITEMSIZE[ref.dtype])
    return core.local(ref.space).store_contiguous(place, raw)


def _later_rounds(count: int, per_round: int) -> list[int]:
    """How many results each round after the first leaves, until there is one."""
    counts = []
    while count > 1:
        count = -(-count // per_round)
        counts.append(count)
    return counts


class TotalSum(TotalReduce):
    """ReduceSum."""

    def _sequential(self, instr: Instr, form: Form) -> bool:
        return form.count >= 0 and not instr.params.get("tree", False)

    def used(self, instr: Instr, form: Form) -> tuple[tuple[int, int], ...]:
        if self._sequential(instr, form):
            return ()
        lanes = lanes_of(instr)
        if form.count < 0:
            return ((0, tree.iterations(form, lanes)),)
        full, tail = divmod(form.count, lanes)
        return ((0, max(full, 2 if full and tail else 1)),)

    def reduce(self, instr: Instr, form: Form, values: Array) -> tuple[Array, list[Scratch]]:
        lanes = lanes_of(instr)
        sums = tree.tree_sum(tree.spread(tree.rows_of(values, form, lanes), lanes))
        if self._sequential(instr, form):
            return np.add.accumulate(sums)[-1:], []
        if form.count < 0:
            total, left = _tree_rounds(sums, lanes)
            return total, [Scratch(0, left)]
        return _full_then_tail(sums, form.count, lanes)

    def repeats(self, instr: Instr, form: Form) -> float:
        lanes = lanes_of(instr)
        count = tree.iterations(form, lanes)
        if self._sequential(instr, form):
            return count
        if form.count < 0:
            return count + sum(_later_rounds(count, lanes))
        full, tail = divmod(form.count, lanes)
        later = sum(_later_rounds(full, lanes))
        return full + later + (2 if full and tail else bool(tail))


def _tree_rounds(sums: Array, lanes: int) -> tuple[Array, Array]:
    """(the sum of all, what the rounds leave at the start of the temporary buffer)."""
    left = np.array(sums)
    while sums.size > 1:
        sums = tree.iteration_sums(sums, lanes)
        if sums.size > 1 or left.size > 1:
            left[: sums.size] = sums
    return sums, left


def _full_then_tail(sums: Array, count: int, lanes: int) -> tuple[Array, list[Scratch]]:
    full, tail = divmod(count, lanes)
    body, left = _tree_rounds(sums[: max(full, 1)], lanes)
    if not (full and tail):
        return body, [Scratch(0, left)]
    total = body + sums[full:]
    final = np.resize(left, max(full, 2))
    final[:2] = total[0], sums[full]
    return total, [Scratch(0, final)]


class TotalExtreme(TotalReduce):
    """ReduceMax, ReduceMin: rounds of [value, index] pairs until one pair is left.

    With ``index`` every round keeps its own 32 B aligned place in the temporary buffer; without, each
    reuses the start. A short last iteration of the count form is joined at the end.
    """

    def __init__(self, largest: bool) -> None:
        self.largest = largest

    def words(self, instr: Instr) -> int:
        return 2 if instr.params.get("index", False) else 1

    def used(self, instr: Instr, form: Form) -> tuple[tuple[int, int], ...]:
        full, tail = self._split(instr, form)
        indexed = self.words(instr) == 2
        first = full or tail
        parts: list[Interval] = []
        if first > 1 or not indexed:
            parts = self._round_places(instr, full or 1, indexed)
        if full and tail and not (parts and parts[0][1] >= 2):
            parts = [(0, 2)]
        return tuple(parts)

    def _split(self, instr: Instr, form: Form) -> tuple[int, int]:
        """(iterations reduced together, whether a short one is joined at the end)."""
        lanes = lanes_of(instr)
        if form.count >= 0:
            full, tail = divmod(form.count, lanes)
            return full, int(tail > 0)
        return tree.iterations(form, lanes), 0

    def _round_places(self, instr: Instr, count: int, indexed: bool) -> list[Interval]:
        if not indexed:
            return [(0, 2 * count)]
        per_block = BLOCK // ITEMSIZE[instr.srcs[0].dtype]
        places, start = [], 0
        for results in (count, *_later_rounds(count, lanes_of(instr) // 2)):
            places.append((start, start + 2 * results))
            start += -(-2 * results // per_block) * per_block
        return places

    def reduce(self, instr: Instr, form: Form, values: Array) -> tuple[Array, list[Scratch]]:
        lanes = lanes_of(instr)
        rows = tree.rows_of(values, form, lanes)
        found, lane = tree.row_extremes(rows, self.largest)
        _, where = tree.extremes(found, self.largest)
        per_block = BLOCK // ITEMSIZE[instr.srcs[0].dtype]
        step = lanes if form.count >= 0 else _src_rep(instr) * per_block
        index = int(where) * step + int(lane[where])
        word = np.dtype(f"u{values.dtype.itemsize}")
        result = np.empty(self.words(instr), dtype=word)
        result[0] = found[where].view(word)
        if result.size == 2:
            result[1] = np.array(index, dtype=np.uint64).astype(word)
        return result, self._left(instr, form, found, lane)

    def _left(self, instr: Instr, form: Form, found: Array, lane: tree.Lanes) -> list[Scratch]:
        """The rounds' pairs in the temporary buffer, the later ones over the earlier where they share."""
        used = self.used(instr, form)
        if not used:
            return []
        full, tail = self._split(instr, form)
        word = np.dtype(f"u{found.dtype.itemsize}")
        left = [np.zeros(high - low, dtype=word) for low, high in used]
        indexed = self.words(instr) == 2
        values, lanes = found[: full or 1], lane[: full or 1]
        if values.size > 1 or not indexed:
            _put_pairs(left[0], values, lanes)
            number = 0
            while values.size > 1:
                values, columns = self._round(values, lanes_of(instr) // 2)
                number += indexed
                _put_pairs(left[number], values, columns * 2)
        if full and tail:
            self._join(left[0], found, full, indexed)
        return [Scratch(low, part) for (low, _), part in zip(used, left, strict=True)]

    def _round(self, values: Array, width: int) -> tuple[Array, tree.Lanes]:
        """(value, position) of the extreme of every ``width`` values, the last ones few."""
        missing = -values.size % width
        if missing:
            idle = np.full(missing, -np.inf if self.largest else np.inf, dtype=values.dtype)
            values = np.concatenate((values, idle))
        return tree.extremes(values.reshape(-1, width), self.largest)

    def _join(self, target: Array, found: Array, full: int, indexed: bool) -> None:
        body, _ = tree.extremes(found[:full], self.largest)
        both = np.array([body, found[full]], dtype=found.dtype)
        if indexed:
            target[:2] = both.view(target.dtype)
        else:
            _put_pairs(target, *self._round(both, 2))

    def repeats(self, instr: Instr, form: Form) -> float:
        full, tail = self._split(instr, form)
        later = sum(_later_rounds(full, lanes_of(instr) // 2))
        return full + later + (2 if full and tail else tail)


def _put_pairs(target: Array, values: Array, lanes: tree.Lanes) -> None:
    """[value, index] pairs, as words, from the start of ``target`` on."""
    target[: 2 * values.size : 2] = values.view(target.dtype)
    target[1 : 2 * values.size : 2] = lanes


OPS: Mapping[str, Semantic] = {
    "ReduceSum": TotalSum(),
    "ReduceMax": TotalExtreme(largest=True),
    "ReduceMin": TotalExtreme(largest=False),
}
