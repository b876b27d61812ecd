"""GatherMask: elements whose bit is set are packed to the front of dst.

Source: asc-devkit: docs/zh/api/SIMD-API/基础API/Memory矢量计算/比较与选择/GatherMask.md.

- Normal mode: ``times`` iterations of 256 B. Counter mode: ``times`` iterations of ``elements`` elements each,
  or, with ``total`` (the 2002 architecture), ``elements`` in all, 256 B an iteration.
- ``pattern`` 1..7 repeats over the elements of an iteration; 0: bits of srcs[1], read on from
  ``pattern_rep`` DataBlocks further in every iteration.
- The count of kept elements is left in a register that GetRsvdCnt asks for.

Not documented, chosen here: an iteration of more than 256 B goes on with the block stride.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ascend_lab.engine.errors import NotModelled
from ascend_lab.engine.instruction import ITEMSIZE, Instr, Ref
from ascend_lab.engine.lanes import BLOCK, REPEAT
from ascend_lab.engine.memory import Access, Write
from ascend_lab.engine.semantics.flow import AnyFlow, Flow
from ascend_lab.engine.semantics.form import FIELD, Dynamic, Footprint, Form
from ascend_lab.engine.semantics.gather import Offsets, at, contiguous

if TYPE_CHECKING:
    from ascend_lab.engine.core import Core
    from ascend_lab.engine.issued import Issued

#: pattern -> (period, first element kept)
_PATTERNS = {1: (2, 0), 2: (2, 1), 3: (4, 0), 4: (4, 1), 5: (4, 2), 6: (4, 3), 7: (1, 0)}
_MOST = 1 << 17  # more elements than any local memory holds
RSVD = "rsvd"


class Shape(NamedTuple):
    """The iterations of one instruction: ``times`` of ``each`` elements, ``total`` in all."""

    times: int
    each: int
    total: int
    itemsize: int
    blk: int
    rep: int
    pattern_rep: int


def shape_of(instr: Instr) -> Shape:
    params = instr.params
    size = ITEMSIZE[instr.srcs[0].dtype]
    times, each = int(params["times"]) & FIELD, REPEAT // size
    if params["counter"]:
        elements = min(int(params["elements"]) & 0xFFFFFFFF, _MOST)
        if params.get("total"):
            times, total = -(-elements // each), elements
        else:
            each = elements
            total = times * each
    else:
        total = times * each
    strides = (int(params[name]) & FIELD for name in ("src_blk", "src_rep", "pattern_rep"))
    return Shape(times, each, min(total, _MOST), size, *strides)


@lru_cache(maxsize=64)
def source_offsets(shape: Shape) -> Offsets:
    """Byte offsets of all elements looked at, in order."""
    number = np.arange(shape.total, dtype=np.int64)
    iteration, within = np.divmod(number, max(shape.each, 1))
    block, lane = np.divmod(within, BLOCK // shape.itemsize)
    blocks = iteration * shape.rep + block * shape.blk
    return np.asarray(blocks * BLOCK + lane * shape.itemsize)


@lru_cache(maxsize=64)
def pattern_bits(shape: Shape) -> Offsets:
    """Bit numbers, from the start of the pattern tensor, of all elements looked at."""
    number = np.arange(shape.total, dtype=np.int64)
    iteration, within = np.divmod(number, max(shape.each, 1))
    return iteration * (shape.pattern_rep * BLOCK * 8) + within


class GatherMask:
    """srcs = (src0,) with a fixed pattern, else (src0, pattern)."""

    def _fixed(self, instr: Instr, shape: Shape) -> Offsets:
        """Byte offsets of the elements a fixed pattern keeps."""
        pattern = instr.params["pattern"]
        if pattern not in _PATTERNS:
            raise NotModelled("GatherMask", f"src1Pattern={pattern}")
        period, first = _PATTERNS[pattern]
        within = np.arange(shape.total, dtype=np.int64) % max(shape.each, 1)
        return np.asarray(source_offsets(shape)[within % period == first])

    def _kept(self, instr: Instr, core: Core) -> Offsets:
        """Byte offsets of the elements that are kept; the bits are read now."""
        shape = shape_of(instr)
        if instr.params["pattern"]:
            return self._fixed(instr, shape)
        ref = instr.srcs[1]._replace(dtype="uint8")
        bits = pattern_bits(shape)
        raw = core.local(ref.space).gather(ref, bits // 8)
        chosen = (raw >> (bits % 8).astype(np.uint8)) & 1 == 1
        return np.asarray(source_offsets(shape)[chosen])

    def footprint(self, instr: Instr, form: Form) -> Footprint:
        dst, src = instr.dst, instr.srcs[0]
        assert dst is not None
        shape = shape_of(instr)
        if instr.params["pattern"]:
            kept = self._fixed(instr, shape)
            reads = at(src, src.addr + kept, shape.itemsize)
            return Footprint(reads, contiguous(dst, kept.size))
        reads = at(src, src.addr + source_offsets(shape), shape.itemsize)
        return Footprint(
            reads + self._pattern_access(instr, shape),
            contiguous(dst, _most_kept(dst, shape)),
        )

    def _pattern_access(self, instr: Instr, shape: Shape) -> tuple[Access, ...]:
        return at(instr.srcs[1], instr.srcs[1].addr + pattern_bits(shape) // 8, 1)

    def touched(self, instr: Instr, form: Form, core: Core) -> Footprint:
        if instr.params["pattern"]:
            return self.footprint(instr, form)
        dst, src = instr.dst, instr.srcs[0]
        assert dst is not None
        shape = shape_of(instr)
        kept = self._kept(instr, core)
        reads = at(src, src.addr + kept, shape.itemsize) + self._pattern_access(instr, shape)
        return Footprint(reads, contiguous(dst, kept.size))

    def evaluate(self, x: Issued, core: Core) -> list[Write]:
        dst, src = x.instr.dst, x.instr.srcs[0]
        assert dst is not None
        kept = self._kept(x.instr, core)
        core.registers[RSVD] = int(kept.size)
        if kept.size == 0:
            return []
        values = core.local(src.space).gather(src, kept)
        return [core.local(dst.space).store_contiguous(dst._replace(dtype=src.dtype), values)]

    def flow(self, instr: Instr, form: Form) -> tuple[AnyFlow, ...]:
        dst, src = instr.dst, instr.srcs[0]
        assert dst is not None
        shape = shape_of(instr)
        size = shape.itemsize
        if instr.params["pattern"]:
            kept = self._fixed(instr, shape)
            origin: tuple[tuple[str, int, Offsets], ...] = ((src.space, size, src.addr + kept),)
            kind, count = "lanes", kept.size
        else:
            count = _most_kept(dst, shape)
            bits = instr.srcs[1].addr + np.unique(pattern_bits(shape) // 8)
            nothing = np.full(count, -1, dtype=np.int64)
            origin = (
                (src.space, size, nothing),
                (src.space, size, src.addr + source_offsets(shape)),
                (instr.srcs[1].space, 1, bits),
                (dst.space, size, dst.addr + np.arange(count, dtype=np.int64) * size),
            )
            kind = "table"
        if count == 0:
            return ()
        target = dst.addr + np.arange(count, dtype=np.int64) * size
        return (Flow(kind, dst.space, size, target, origin),)

    def repeats(self, instr: Instr, form: Form) -> float:
        shape = shape_of(instr)
        if instr.params["counter"] and instr.params.get("total"):
            return shape.times
        return shape.times * -(-shape.each * shape.itemsize // REPEAT)


def _most_kept(dst: Ref, shape: Shape) -> int:
    """What a pattern tensor may keep at most, as far as dst is declared to reach."""
    return min(shape.total, dst.size) if dst.size >= 0 else shape.total


OPS: Mapping[str, Dynamic] = {"GatherMask": GatherMask()}
