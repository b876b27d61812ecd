"""Brcb and CreateVecIndex: elements spread over DataBlocks, and counting.

Sources: asc-devkit: docs/zh/api/SIMD-API/基础API/Memory矢量计算/数据填充/{Brcb,CreateVecIndex}.md. A dst block
stride of 0 in Brcb is undefined; it is 1 here, as in the page's reference code.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from ascend_lab.engine.instruction import DTYPES, ITEMSIZE, Instr
from ascend_lab.engine.lanes import BLOCK, REPEAT, intervals
from ascend_lab.engine.memory import Write
from ascend_lab.engine.semantics.arithmetic import as_scalar
from ascend_lab.engine.semantics.flow import AnyFlow, Flow, Span
from ascend_lab.engine.semantics.form import (
    Footprint,
    Form,
    Semantic,
    accesses,
    complete,
    layout,
    layout_of,
    operand_access,
    peek,
    store,
    widest,
)
from ascend_lab.engine.semantics.gather import Offsets, block_starts, contiguous

if TYPE_CHECKING:
    from ascend_lab.engine.core import Core
    from ascend_lab.engine.issued import Issued

_EACH = 8  # elements an iteration takes


class Brcb:
    """Element 8 * i + j of src fills DataBlock j of iteration i; ``times``, ``blk``, ``rep`` as Gatherb."""

    def _count(self, instr: Instr) -> int:
        return (int(instr.params["times"]) & 0xFF) * _EACH

    def _targets(self, instr: Instr) -> Offsets:
        """Byte offsets of all elements written, a row a block."""
        within = np.arange(0, BLOCK, ITEMSIZE[instr.srcs[0].dtype], dtype=np.int64)
        return np.asarray(block_starts(instr)[:, None] + within)

    def footprint(self, instr: Instr, form: Form) -> Footprint:
        dst, src = instr.dst, instr.srcs[0]
        assert dst is not None
        writes = accesses(dst.space, intervals(dst.addr + block_starts(instr), BLOCK))
        return Footprint(contiguous(src, self._count(instr)), writes)

    def evaluate(self, x: Issued, core: Core) -> list[Write]:
        dst, src = x.instr.dst, x.instr.srcs[0]
        assert dst is not None
        targets = self._targets(x.instr)
        if targets.size == 0:
            return []
        values = np.repeat(peek(core.local(src.space), src, targets.shape[0]), targets.shape[1])
        same = dst._replace(dtype=src.dtype)
        return [core.local(dst.space).scatter(same, targets.reshape(-1), values)]

    def flow(self, instr: Instr, form: Form) -> tuple[AnyFlow, ...]:
        dst, src = instr.dst, instr.srcs[0]
        assert dst is not None
        targets = self._targets(instr)
        if targets.size == 0:
            return ()
        size = ITEMSIZE[src.dtype]
        origin = src.addr + np.arange(targets.shape[0], dtype=np.int64) * size
        srcs = ((src.space, size, np.repeat(origin, targets.shape[1])),)
        return (Flow("lanes", dst.space, size, dst.addr + targets.reshape(-1), srcs),)

    def repeats(self, instr: Instr, form: Form) -> float:
        return int(instr.params["times"]) & 0xFF


class VecIndex:
    """dst[k] = scalar + k, k counting all lanes of all iterations; floats are rounded once."""

    def footprint(self, instr: Instr, form: Form) -> Footprint:
        assert instr.dst is not None
        return Footprint((), operand_access(instr, form, 0, instr.dst))

    @np.errstate(all="ignore")
    def evaluate(self, x: Issued, core: Core) -> list[Write]:
        instr, form = x.instr, x.form
        assert instr.dst is not None
        if layout_of(instr, form, 0, instr.dst).size == 0:
            return []
        dtype = DTYPES[instr.dst.dtype]
        first = as_scalar(instr.params["scalar"], dtype)
        wide = np.int64 if dtype.kind in "iu" else np.float64
        return store(core, instr, form, (wide(first) + self._numbers(instr, form)).astype(dtype))

    def _numbers(self, instr: Instr, form: Form) -> Offsets:
        if form.count >= 0:
            return np.arange(form.count, dtype=np.int64)
        size = widest(instr)
        return layout(size, 1, REPEAT // BLOCK, complete(instr, form)).offsets(size) // size

    def flow(self, instr: Instr, form: Form) -> tuple[AnyFlow, ...]:
        dst = instr.dst
        assert dst is not None
        place, size = layout_of(instr, form, 0, dst), ITEMSIZE[dst.dtype]
        if place.size == 0:
            return ()
        if place.indices is None:
            return (Span(dst.space, size, dst.addr, place.size, ()),)
        return (Flow("lanes", dst.space, size, dst.addr + place.offsets(size), ()),)

    def repeats(self, instr: Instr, form: Form) -> float:
        if form.count >= 0:
            return -(-form.count * widest(instr) // REPEAT)
        return form.repeat + (1 if form.tail else 0)


OPS: Mapping[str, Semantic] = {"Brcb": Brcb(), "CreateVecIndex": VecIndex()}
