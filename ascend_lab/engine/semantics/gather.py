"""Gather, Gatherb, Scatter: addresses come from a tensor of byte offsets.

Sources: asc-devkit: docs/zh/api/SIMD-API/基础API/Memory矢量计算/离散与聚合/{Gather,Gatherb(ISASI),
Scatter(ISASI)}.md. Which bytes are touched is known only when the instruction starts: `footprint` names the
whole tensor, `touched` the exact bytes. Lane k of iteration i takes offset i * lanes + k, masked off or not.
An offset that is not a multiple of the element size is rounded down.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ascend_lab.engine.instruction import ITEMSIZE, Instr, Ref
from ascend_lab.engine.lanes import BLOCK, REPEAT, intervals
from ascend_lab.engine.memory import Access, Region, Write
from ascend_lab.engine.semantics.flow import AnyFlow, Flow
from ascend_lab.engine.semantics.form import (
    FIELD,
    Dynamic,
    Footprint,
    Form,
    accesses,
    complete,
    fetch,
    layout,
    layout_of,
    operand_access,
    put,
    run_access,
    widest,
)

if TYPE_CHECKING:
    from ascend_lab.engine.core import Core
    from ascend_lab.engine.issued import Issued

Offsets = NDArray[np.int64]
_BLOCKS = REPEAT // BLOCK


def whole(ref: Ref) -> tuple[Access, ...]:
    """All bytes of a tensor, as far as its length is declared."""
    nbytes = max(ref.size, 0) * ITEMSIZE[ref.dtype]
    return (Access(ref.space, Region(((ref.addr, ref.addr + nbytes),))),) if nbytes else ()


def contiguous(ref: Ref, count: int) -> tuple[Access, ...]:
    """The bytes of ``count`` contiguous elements, as `accesses` gives them."""
    return (run_access(ref, count),) if count > 0 else ()


def elements(ref: Ref) -> Offsets:
    """The addresses of all elements of a tensor, as far as its length is declared."""
    return ref.addr + np.arange(max(ref.size, 0), dtype=np.int64) * ITEMSIZE[ref.dtype]


def at(ref: Ref, addresses: Offsets, size: int) -> tuple[Access, ...]:
    """The bytes of elements of ``size`` bytes at ``addresses``."""
    return accesses(ref.space, intervals(addresses, size))


@lru_cache(maxsize=128)
def _numbers(itemsize: int, form: Form) -> Offsets:
    """Numbers of the active lanes, iterations one after the other."""
    if form.count >= 0:
        return np.arange(form.count, dtype=np.int64)
    return layout(itemsize, 1, _BLOCKS, form).offsets(itemsize) // itemsize


class Indexed:
    """Common to Gather and Scatter: ``srcs`` = (src, offsets); ``base`` is added to every offset.

    ``moving`` is the operand whose elements the offsets choose; the other one has a mask form's layout.
    """

    def moving(self, instr: Instr) -> Ref:
        raise NotImplementedError

    def offset_addresses(self, instr: Instr, form: Form) -> Offsets:
        """Where the offset of each active lane lies."""
        offsets = instr.srcs[1]
        return offsets.addr + _numbers(widest(instr), complete(instr, form)) * 4

    def chosen(self, instr: Instr, form: Form, core: Core) -> Offsets:
        """The addresses that the offsets name, read now."""
        offsets = instr.srcs[1]
        steps = self.offset_addresses(instr, form) - offsets.addr
        ref = offsets._replace(dtype="uint32")
        read = core.local(offsets.space).gather(ref, steps).astype(np.int64)
        size = ITEMSIZE[self.moving(instr).dtype]
        where = read + int(instr.params.get("base", 0))
        return self.moving(instr).addr + where - where % size

    def repeats(self, instr: Instr, form: Form) -> float:
        if form.count >= 0:
            return -(-form.count * widest(instr) // REPEAT)
        return form.repeat + (1 if form.tail else 0)


class Gather(Indexed):
    """dst[i] = the element at byte base + offsets[i] of src."""

    def moving(self, instr: Instr) -> Ref:
        return instr.srcs[0]

    def footprint(self, instr: Instr, form: Form) -> Footprint:
        dst, (src, offsets) = instr.dst, instr.srcs
        assert dst is not None
        writes = operand_access(instr, form, 0, dst)
        if not writes:
            return Footprint((), ())
        read = at(offsets, self.offset_addresses(instr, form), 4)
        return Footprint(whole(src) + read, writes)

    def touched(self, instr: Instr, form: Form, core: Core) -> Footprint:
        found = self.footprint(instr, form)
        if not found.writes:
            return found
        src, offsets = instr.srcs
        exact = at(src, self.chosen(instr, form, core), ITEMSIZE[src.dtype])
        return Footprint(exact + at(offsets, self.offset_addresses(instr, form), 4), found.writes)

    def evaluate(self, x: Issued, core: Core) -> list[Write]:
        instr, form = x.instr, x.form
        dst, src = instr.dst, instr.srcs[0]
        assert dst is not None
        place = layout_of(instr, form, 0, dst)
        if place.size == 0:
            return []
        where = self.chosen(instr, form, core)
        values = core.local(src.space).gather(src, where - src.addr)
        return put(core.local(dst.space), dst, place, values)

    def flow(self, instr: Instr, form: Form) -> tuple[AnyFlow, ...]:
        dst, (src, offsets) = instr.dst, instr.srcs
        assert dst is not None
        place = layout_of(instr, form, 0, dst)
        if place.size == 0:
            return ()
        size = ITEMSIZE[dst.dtype]
        decides = (offsets.space, 4, self.offset_addresses(instr, form))
        table = (src.space, size, elements(src))
        target = dst.addr + place.offsets(size)
        return (Flow("table", dst.space, size, target, (decides, table)),)


class Scatter(Indexed):
    """The element at byte base + offsets[i] of dst = src[i]; of equal offsets the last one wins here."""

    def moving(self, instr: Instr) -> Ref:
        assert instr.dst is not None
        return instr.dst

    def footprint(self, instr: Instr, form: Form) -> Footprint:
        dst, (src, offsets) = instr.dst, instr.srcs
        assert dst is not None
        reads = operand_access(instr, form, 1, src)
        if not reads:
            return Footprint((), ())
        return Footprint(reads + at(offsets, self.offset_addresses(instr, form), 4), whole(dst))

    def touched(self, instr: Instr, form: Form, core: Core) -> Footprint:
        found = self.footprint(instr, form)
        dst = instr.dst
        assert dst is not None
        if not found.reads:
            return found
        return Footprint(found.reads, at(dst, self.chosen(instr, form, core), ITEMSIZE[dst.dtype]))

    def evaluate(self, x: Issued, core: Core) -> list[Write]:
        instr, form = x.instr, x.form
        dst, src = instr.dst, instr.srcs[0]
        assert dst is not None
        place = layout_of(instr, form, 1, src)
        if place.size == 0:
            return []
        values = np.array(fetch(core.local(src.space), src, place))
        where = self.chosen(instr, form, core)
        return [core.local(dst.space).scatter(dst, where - dst.addr, values)]

    def flow(self, instr: Instr, form: Form) -> tuple[AnyFlow, ...]:
        """Any element of dst may be written: it counts as defined unless all of src or the offsets are not."""
        dst, (src, offsets) = instr.dst, instr.srcs
        assert dst is not None
        place = layout_of(instr, form, 1, src)
        if place.size == 0:
            return ()
        size = ITEMSIZE[dst.dtype]
        target = elements(dst)
        nothing = (dst.space, size, np.full(target.size, -1, dtype=np.int64))
        tables = (
            (src.space, size, src.addr + place.offsets(size)),
            (offsets.space, 4, self.offset_addresses(instr, form)),
            (dst.space, size, target),
        )
        return (Flow("table", dst.space, size, target, (nothing, *tables)),)


class GatherBlocks:
    """Gatherb: eight DataBlocks an iteration, each from its own byte offset; a dst block stride of 0 is 1.

    ``times`` iterations, ``blk`` = (dst block stride,), ``rep`` = (dst repeat stride,).
    """

    def _offsets(self, instr: Instr) -> Offsets:
        """Where the offsets lie."""
        times = int(instr.params["times"]) & 0xFF
        return instr.srcs[1].addr + np.arange(times * _BLOCKS, dtype=np.int64) * 4

    def _targets(self, instr: Instr) -> Offsets:
        """Where the destination blocks start."""
        assert instr.dst is not None
        return instr.dst.addr + block_starts(instr)

    def _blocks(self, instr: Instr, core: Core) -> Offsets:
        """Where the source blocks start, read now; DataBlocks are aligned."""
        src, offsets = instr.srcs
        where = self._offsets(instr)
        ref = offsets._replace(dtype="uint32")
        read = core.local(offsets.space).gather(ref, where - offsets.addr).astype(np.int64)
        return src.addr + read - read % BLOCK

    def footprint(self, instr: Instr, form: Form) -> Footprint:
        dst, (src, offsets) = instr.dst, instr.srcs
        assert dst is not None
        writes = at(dst, self._targets(instr), BLOCK)
        if not writes:
            return Footprint((), ())
        return Footprint(whole(src) + at(offsets, self._offsets(instr), 4), writes)

    def touched(self, instr: Instr, form: Form, core: Core) -> Footprint:
        found = self.footprint(instr, form)
        if not found.writes:
            return found
        src, offsets = instr.srcs
        exact = at(src, self._blocks(instr, core), BLOCK)
        return Footprint(exact + at(offsets, self._offsets(instr), 4), found.writes)

    def evaluate(self, x: Issued, core: Core) -> list[Write]:
        dst, src = x.instr.dst, x.instr.srcs[0]
        assert dst is not None
        within = np.arange(0, BLOCK, 4, dtype=np.int64)
        where = (self._blocks(x.instr, core)[:, None] + within).reshape(-1)
        if where.size == 0:
            return []
        words = core.local(src.space).gather(src._replace(dtype="uint32"), where - src.addr)
        into = (self._targets(x.instr)[:, None] + within).reshape(-1)
        return [core.local(dst.space).scatter(dst._replace(dtype="uint32"), into - dst.addr, words)]

    def flow(self, instr: Instr, form: Form) -> tuple[AnyFlow, ...]:
        dst, (src, offsets) = instr.dst, instr.srcs
        assert dst is not None
        targets = self._targets(instr)
        if targets.size == 0:
            return ()
        within = np.arange(0, BLOCK, ITEMSIZE[dst.dtype], dtype=np.int64)
        into = (targets[:, None] + within).reshape(-1)
        decides = (offsets.space, 4, np.repeat(self._offsets(instr), within.size))
        table = (src.space, ITEMSIZE[src.dtype], elements(src))
        return (Flow("table", dst.space, ITEMSIZE[dst.dtype], into, (decides, table)),)

    def repeats(self, instr: Instr, form: Form) -> float:
        return int(instr.params["times"]) & 0xFF


def block_starts(instr: Instr) -> Offsets:
    """Byte offsets of the eight destination DataBlocks of each of ``times`` iterations."""
    times = int(instr.params["times"]) & 0xFF
    blk = int(instr.params["blk"][0]) & FIELD or 1
    rep = int(instr.params["rep"][0]) & FIELD
    starts = np.arange(times, dtype=np.int64)[:, None] * rep + np.arange(_BLOCKS) * blk
    return (starts * BLOCK).reshape(-1)


OPS: Mapping[str, Dynamic] = {"Gather": Gather(), "Scatter": Scatter(), "Gatherb": GatherBlocks()}
