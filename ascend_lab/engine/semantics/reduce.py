"""Reductions of every iteration, DataBlock or pair of neighbours.

Source: asc-devkit: docs/zh/api/SIMD-API/基础API/Memory矢量计算/归约计算/{ReduceRepeat,ReduceDataBlock,
ReducePairElem}.md. Masked-off lanes take no part; a group without any lane leaves its dst as it was.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ascend_lab.engine.errors import NotModelled
from ascend_lab.engine.instruction import ITEMSIZE, Instr
from ascend_lab.engine.lanes import BLOCK, Interval, element_offsets, intervals, mask_bits, shifted
from ascend_lab.engine.memory import Write
from ascend_lab.engine.semantics import reduce_total, tree
from ascend_lab.engine.semantics.flow import AnyFlow, Flow
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
)

if TYPE_CHECKING:
    from ascend_lab.engine.core import Core
    from ascend_lab.engine.issued import Issued

Array = NDArray[Any]
Offsets = NDArray[np.int64]


#: ReduceOrder by number.
ORDERS = ("ORDER_VALUE_INDEX", "ORDER_INDEX_VALUE", "ORDER_ONLY_VALUE", "ORDER_ONLY_INDEX")


class Places(NamedTuple):
    """Where the groups of a reduction are read and written, as byte offsets from the operands.

    ``live`` (iterations, groups): has a lane. ``targets``: dst of the live groups, in order.
    """

    live: NDArray[np.bool_]
    targets: Offsets
    parts: tuple[Interval, ...]


@lru_cache(maxsize=1024)
def lane_grid(lanes: int, form: Form) -> NDArray[np.bool_]:
    """Which lanes take part, (iterations, lanes)."""
    grid = np.tile(mask_bits(form.mask, lanes), (form.repeat, 1))
    if form.tail:
        grid = np.concatenate((grid, mask_bits(form.tail, lanes)[None, :]))
    return grid


@lru_cache(maxsize=1024)
def places(lanes: int, width: int, size: int, dst_rep: int, form: Form) -> Places:
    """Groups of ``width`` lanes, ``size`` bytes of result each; dst_rep counts whole iterations."""
    grid = lane_grid(lanes, form)
    groups = lanes // width
    live = np.asarray(grid.reshape(grid.shape[0], groups, width).any(axis=-1))
    step = np.arange(grid.shape[0], dtype=np.int64)[:, None] * (dst_rep * groups * size)
    targets = (step + np.arange(groups, dtype=np.int64) * size)[live]
    return Places(live, targets, intervals(targets, size))


class GroupReduce:
    """Results of groups of lanes go to dst, iteration by iteration, dst_rep iterations' results apart."""

    def width(self, instr: Instr) -> int:
        """Lanes of one group."""
        raise NotImplementedError

    def size(self, instr: Instr) -> int:
        """Bytes of one result."""
        return ITEMSIZE[instr.srcs[0].dtype]

    def results(self, instr: Instr, rows: list[tree.Rows]) -> Array:
        """(iterations, groups) results, or (iterations, groups, n) unsigned words of each."""
        raise NotImplementedError

    def footprint(self, instr: Instr, form: Form) -> Footprint:
        dst, source = instr.dst, instr.srcs[0]
        assert dst is not None
        reads = shifted(_source_layout(instr, form).parts, source.addr)
        writes = shifted(self._places(instr, form).parts, dst.addr)
        return Footprint(accesses(source.space, reads), accesses(dst.space, writes))

    @np.errstate(all="ignore")
    def evaluate(self, x: Issued, core: Core) -> list[Write]:
        instr, form = x.instr, x.form
        dst, source = instr.dst, instr.srcs[0]
        assert dst is not None
        values = fetch(core.local(source.space), source, _source_layout(instr, form))
        if values.size == 0:
            return []
        where = self._places(instr, form)
        results = self.results(instr, tree.rows_of(values, form, lanes_of(instr)))
        raw = np.ascontiguousarray(results[where.live]).view(np.uint8)
        memory = core.local(dst.space)
        if where.parts == ((0, raw.size),):
            return [memory.store_contiguous(dst._replace(dtype="uint8"), raw.reshape(-1))]
        word = f"uint{self.size(instr) * 8}"
        return [memory.scatter(dst._replace(dtype=word), where.targets, raw.reshape(-1).view(word))]

    def flow(self, instr: Instr, form: Form) -> tuple[AnyFlow, ...]:
        dst, source = instr.dst, instr.srcs[0]
        assert dst is not None
        where = self._places(instr, form)
        if where.targets.size == 0:
            return ()
        size = ITEMSIZE[source.dtype]
        lanes = lanes_of(instr)
        addresses = np.where(lane_grid(lanes, form), source.addr + _grid_offsets(instr, form), -1)
        rows = addresses.reshape(*where.live.shape, -1)[where.live]
        return (
            Flow(
                "reduce",
                dst.space,
                self.size(instr),
                dst.addr + where.targets,
                ((source.space, size, rows),),
            ),
        )

    def repeats(self, instr: Instr, form: Form) -> float:
        return tree.iterations(form, lanes_of(instr))

    def _places(self, instr: Instr, form: Form) -> Places:
        dst_rep = int(instr.params.get("dst_rep", 1)) & FIELD
        return places(lanes_of(instr), self.width(instr), self.size(instr), dst_rep, form)


def _strides(instr: Instr) -> tuple[int, int]:
    params = instr.params
    return int(params.get("src_blk", 1)) & FIELD, int(params.get("src_rep", 8)) & FIELD


def _source_layout(instr: Instr, form: Form) -> Layout:
    return layout(ITEMSIZE[instr.srcs[0].dtype], *_strides(instr), complete(instr, form))


def _grid_offsets(instr: Instr, form: Form) -> Offsets:
    """Byte offsets of all lanes, (iterations, lanes)."""
    lanes = lanes_of(instr)
    itemsize = ITEMSIZE[instr.srcs[0].dtype]
    return element_offsets(itemsize, lanes, tree.iterations(form, lanes), *_strides(instr))


class BlockSum(GroupReduce):
    """One sum a DataBlock."""

    def width(self, instr: Instr) -> int:
        return BLOCK // ITEMSIZE[instr.srcs[0].dtype]

    def results(self, instr: Instr, rows: list[tree.Rows]) -> Array:
        whole = tree.spread(rows, lanes_of(instr))
        return tree.tree_sum(whole.reshape(whole.shape[0], -1, self.width(instr)))


class BlockExtreme(BlockSum):
    """One maximum or minimum a DataBlock."""

    def __init__(self, largest: bool) -> None:
        self.largest = largest

    def results(self, instr: Instr, rows: list[tree.Rows]) -> Array:
        idle = -np.inf if self.largest else np.inf
        whole = tree.spread(rows, lanes_of(instr), idle)
        blocks = whole.reshape(whole.shape[0], -1, self.width(instr))
        return tree.extremes(blocks, self.largest)[0]


class PairSum(BlockSum):
    """One sum a pair of neighbours; a lane whose neighbour is masked off is its own sum."""

    def width(self, instr: Instr) -> int:
        return 2


class WholeSum(BlockSum):
    """One sum an iteration."""

    def width(self, instr: Instr) -> int:
        return lanes_of(instr)


class WholeExtreme(GroupReduce):
    """One maximum or minimum an iteration, with its lane number as ``order`` asks.

    The index is stored as bits of the element's width; ORDER_ONLY_INDEX always stores 4 bytes.
    """

    def __init__(self, largest: bool) -> None:
        self.largest = largest

    def width(self, instr: Instr) -> int:
        return lanes_of(instr)

    def size(self, instr: Instr) -> int:
        itemsize = ITEMSIZE[instr.srcs[0].dtype]
        order = _order(instr)
        if order == "ORDER_ONLY_VALUE":
            return itemsize
        return 4 if order == "ORDER_ONLY_INDEX" else 2 * itemsize

    def results(self, instr: Instr, rows: list[tree.Rows]) -> Array:
        values, lanes = tree.row_extremes(rows, self.largest)
        order = _order(instr)
        if order == "ORDER_ONLY_VALUE":
            return values[:, None]
        if order == "ORDER_ONLY_INDEX":
            return lanes.astype(np.uint32)[:, None]
        words = np.dtype(f"u{values.dtype.itemsize}")
        pair = [values.view(words), lanes.astype(words)]
        if order == "ORDER_INDEX_VALUE":
            pair.reverse()
        return np.stack(pair, axis=-1)[:, None, :]


def _order(instr: Instr) -> str:
    """The ReduceOrder, whether the door gave its name or its number."""
    order = instr.params.get("order", 0)
    if isinstance(order, int) and 0 <= order < len(ORDERS):
        return ORDERS[order]
    if order not in ORDERS:
        raise NotModelled(instr.op, f"order={order}")
    return str(order)


OPS: Mapping[str, Semantic] = {
    "WholeReduceSum": WholeSum(),
    "RepeatReduceSum": WholeSum(),
    "WholeReduceMax": WholeExtreme(largest=True),
    "WholeReduceMin": WholeExtreme(largest=False),
    "BlockReduceSum": BlockSum(),
    "BlockReduceMax": BlockExtreme(largest=True),
    "BlockReduceMin": BlockExtreme(largest=False),
    "PairReduceSum": PairSum(),
    **reduce_total.OPS,
}
