"""BilinearInterpolation: DataBlocks chosen by offsets, weighted, and summed.

Source: asc-devkit: docs/zh/api/SIMD-API/基础API/Memory矢量计算/基础算术/BilinearInterpolation(ISASI).md. ``vertical``
sums of ``horizontal`` iterations; an iteration takes eight DataBlocks of src0 and one weight of src1, or, with
``per_block``, eight. ``lanes`` is the mask of what is written. srcs = (src0, offsets, src1, temporary buffer).

Not documented, chosen here: products and sums are rounded to the type, and summed in order.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ascend_lab.engine.instruction import ITEMSIZE, Instr, Ref
from ascend_lab.engine.lanes import BLOCK, REPEAT, element_offsets, mask_bits
from ascend_lab.engine.memory import Write
from ascend_lab.engine.semantics.flow import AnyFlow, Flow
from ascend_lab.engine.semantics.form import FIELD, Dynamic, Footprint, Form, peek
from ascend_lab.engine.semantics.gather import Offsets, at, contiguous, elements, whole
from ascend_lab.engine.semantics.scratch import scratch_access, scratch_write

if TYPE_CHECKING:
    from ascend_lab.engine.core import Core
    from ascend_lab.engine.issued import Issued

_BLOCKS = REPEAT // BLOCK


class Shape(NamedTuple):
    """How often, and how many DataBlocks and weights that takes."""

    vertical: int
    horizontal: int
    per_block: bool

    @property
    def iterations(self) -> int:
        return self.vertical * self.horizontal

    @property
    def weights(self) -> int:
        return self.iterations * (_BLOCKS if self.per_block else 1)


def shape_of(instr: Instr) -> Shape:
    params = instr.params
    vertical, horizontal = (int(params[name]) & 0xFF for name in ("vertical", "horizontal"))
    return Shape(vertical, horizontal, bool(params["per_block"]))


class Interpolation:
    """See the top of the file."""

    def _targets(self, instr: Instr) -> Offsets:
        """Addresses of the elements written, sum after sum."""
        dst = instr.dst
        assert dst is not None
        params, size = instr.params, ITEMSIZE[dst.dtype]
        blk = int(params["dst_blk"]) & FIELD
        each = element_offsets(size, REPEAT // size, 1, blk, 0)[0, self._active(instr)]
        step = (int(params["offset"]) & FIELD) * size // BLOCK * BLOCK
        sums = np.arange(shape_of(instr).vertical, dtype=np.int64) * step
        return np.asarray(dst.addr + (sums[:, None] + each).reshape(-1))

    def _active(self, instr: Instr) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        assert instr.dst is not None
        return mask_bits(instr.params["lanes"], REPEAT // ITEMSIZE[instr.dst.dtype])

    def _offsets(self, instr: Instr) -> Ref:
        count = shape_of(instr).iterations * _BLOCKS
        return instr.srcs[1]._replace(dtype="uint32", size=count)

    def _blocks(self, instr: Instr, core: Core) -> Offsets:
        """Addresses of the DataBlocks, read now; DataBlocks are aligned."""
        ref = self._offsets(instr)
        read = peek(core.local(ref.space), ref, ref.size).astype(np.int64)
        return np.asarray(instr.srcs[0].addr + read - read % BLOCK)

    def footprint(self, instr: Instr, form: Form) -> Footprint:
        dst, (src0, _, src1, _) = instr.dst, instr.srcs
        assert dst is not None
        shape = shape_of(instr)
        if not shape.iterations:
            return Footprint((), ())
        offsets = self._offsets(instr)
        reads = whole(src0) + contiguous(offsets, offsets.size)
        writes = at(dst, self._targets(instr), ITEMSIZE[dst.dtype])
        return Footprint(reads + contiguous(src1, shape.weights), writes + scratch_access(instr))

    def touched(self, instr: Instr, form: Form, core: Core) -> Footprint:
        found = self.footprint(instr, form)
        if not found.reads:
            return found
        src0, _, src1, _ = instr.srcs
        ref = self._offsets(instr)
        reads = at(src0, self._blocks(instr, core), BLOCK) + contiguous(ref, ref.size)
        return Footprint(reads + contiguous(src1, shape_of(instr).weights), found.writes)

    @np.errstate(all="ignore")
    def evaluate(self, x: Issued, core: Core) -> list[Write]:
        instr = x.instr
        dst, (src0, _, src1, _) = instr.dst, instr.srcs
        assert dst is not None
        shape = shape_of(instr)
        if not shape.iterations:
            return []
        size = ITEMSIZE[src0.dtype]
        within = np.arange(0, BLOCK, size, dtype=np.int64)
        where = (self._blocks(instr, core)[:, None] + within).reshape(-1) - src0.addr
        blocks = core.local(src0.space).gather(src0, where).reshape(shape.iterations, _BLOCKS, -1)
        weights = np.array(peek(core.local(src1.space), src1, shape.weights))
        products = blocks * weights.reshape(shape.iterations, -1, 1)
        rows = products.reshape(shape.vertical, shape.horizontal, -1)
        total = rows[:, 0].copy()
        for column in range(1, shape.horizontal):
            total = rows[:, column] + total
        values = total[:, self._active(instr)].reshape(-1)
        steps = self._targets(instr) - dst.addr
        return [*scratch_write(core, instr), core.local(dst.space).scatter(dst, steps, values)]

    def flow(self, instr: Instr, form: Form) -> tuple[AnyFlow, ...]:
        dst, (src0, offsets, src1, _) = instr.dst, instr.srcs
        assert dst is not None
        target = self._targets(instr)
        if target.size == 0 or not shape_of(instr).iterations:
            return ()
        size = ITEMSIZE[dst.dtype]
        nothing = (dst.space, size, np.full(target.size, -1, dtype=np.int64))
        weights = np.arange(shape_of(instr).weights, dtype=np.int64)
        tables = (
            (src0.space, size, elements(src0)),
            (offsets.space, 4, elements(self._offsets(instr))),
            (src1.space, size, src1.addr + weights * size),
        )
        return (Flow("table", dst.space, size, target, (nothing, *tables)),)

    def repeats(self, instr: Instr, form: Form) -> float:
        return shape_of(instr).iterations


OPS: Mapping[str, Dynamic] = {"BilinearInterpolation": Interpolation()}
