"""Compare and Select: comparisons become bit masks, bit masks choose.

A bit mask is little-endian in bytes: element i is bit i % 8 of byte i // 8.
Source: asc-devkit: docs/zh/api/SIMD-API/基础API/Memory矢量计算/比较与选择/{Compare,Compares,Select}.md.
The 8 KB at the end of UB that Select modes 1 and 2 want for themselves are not part of the footprint: an
instruction does not know where UB ends.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ascend_lab.engine.errors import NotModelled
from ascend_lab.engine.instruction import ITEMSIZE, Instr, Ref
from ascend_lab.engine.lanes import BLOCK, REPEAT, Interval, intervals
from ascend_lab.engine.memory import Write
from ascend_lab.engine.semantics.arithmetic import as_scalar
from ascend_lab.engine.semantics.flow import AnyFlow, Flow
from ascend_lab.engine.semantics.form import (
    Footprint,
    Form,
    Semantic,
    accesses,
    complete,
    lanes_of,
    layout,
    layout_of,
    load,
    operand_offsets,
    operand_parts,
    peek,
    store,
)

if TYPE_CHECKING:
    from ascend_lab.engine.core import Core
    from ascend_lab.engine.issued import Issued

Array = NDArray[Any]
_BLOCKS = REPEAT // BLOCK


def _differs(a: Array, b: Any) -> Array:
    """NE is false when either side is NaN, unlike IEEE 754 (table 30 of the boundary values)."""
    return np.asarray((a < b) | (a > b))


_MODES: Mapping[str, Callable[[Array, Any], Any]] = {
    "LT": np.less,
    "GT": np.greater,
    "EQ": np.equal,
    "LE": np.less_equal,
    "GE": np.greater_equal,
    "NE": _differs,
}


def compared(instr: Instr, left: Array, right: Any) -> Array:
    """left <mode> right, element by element. NotModelled for a mode that there is not."""
    mode = "EQ" if left.dtype == np.int32 else str(instr.params["mode"])
    if mode not in _MODES:
        raise NotModelled(instr.op, f"cmp_mode={mode}")
    return np.asarray(_MODES[mode](left, right))


class Comparison:
    """dst bit i = src0[i] <mode> src1[i] (or the scalar), in whole iterations of 256 B.

    The mask plays no part and dst is packed without gaps, whatever its strides say. int32_t knows EQ only
    and the instruction for it compares EQ whatever the mode; that is a check's finding.
    """

    def footprint(self, instr: Instr, form: Form) -> Footprint:
        dst = _mask_ref(instr)
        reads = [
            accesses(ref.space, operand_parts(instr, form, k + 1, ref))
            for k, ref in enumerate(instr.srcs)
        ]
        nbytes = self._elements(instr, form) // 8
        written = ((dst.addr, dst.addr + nbytes),) if nbytes else ()
        return Footprint(sum(reads, ()), accesses(dst.space, written))

    def evaluate(self, x: Issued, core: Core) -> list[Write]:
        instr, form = x.instr, x.form
        dst = _mask_ref(instr)
        if self._elements(instr, form) == 0:
            return []
        left = load(core, instr, form, 1, instr.srcs[0])
        if len(instr.srcs) > 1:
            right: Any = load(core, instr, form, 2, instr.srcs[1])
        else:
            right = as_scalar(instr.params["scalar"], left.dtype)
        bits = np.packbits(compared(instr, left, right), bitorder="little")
        return [core.local(dst.space).store_contiguous(dst._replace(dtype="uint8"), bits)]

    def flow(self, instr: Instr, form: Form) -> tuple[AnyFlow, ...]:
        dst = _mask_ref(instr)
        nbytes = self._elements(instr, form) // 8
        srcs = tuple(
            (
                ref.space,
                ITEMSIZE[ref.dtype],
                ref.addr + operand_offsets(instr, form, k + 1, ref).reshape(nbytes, 8),
            )
            for k, ref in enumerate(instr.srcs)
        )
        addresses = dst.addr + np.arange(nbytes, dtype=np.int64)
        return (Flow("pack", dst.space, 1, addresses, srcs),) if nbytes else ()

    def repeats(self, instr: Instr, form: Form) -> float:
        return self._elements(instr, form) // lanes_of(instr)

    def _elements(self, instr: Instr, form: Form) -> int:
        return form.count if form.count >= 0 else form.repeat * lanes_of(instr)


def _mask_ref(instr: Instr) -> Ref:
    if instr.dst is None:
        raise NotModelled(instr.op, "the form that writes CMPMASK")
    return instr.dst


class Selection:
    """dst[i] = src0[i] where bit i of the mask is set, else src1[i] (mode 1: the scalar).

    srcs = (selMask, src0[, src1]). Mode 0 uses the first 256 / sizeof(T) bits again in every iteration,
    modes 1 and 2 go on through the bits. Lanes that are masked off keep the old dst.
    """

    def footprint(self, instr: Instr, form: Form) -> Footprint:
        assert instr.dst is not None
        writes = operand_parts(instr, form, 0, instr.dst)
        if not writes:
            return Footprint((), ())
        reads = [accesses(instr.srcs[0].space, self._mask_parts(instr, form))]
        for k, ref in enumerate(instr.srcs[1:]):
            reads.append(accesses(ref.space, operand_parts(instr, form, k + 1, ref)))
        return Footprint(sum(reads, ()), accesses(instr.dst.space, writes))

    def evaluate(self, x: Issued, core: Core) -> list[Write]:
        instr, form = x.instr, x.form
        assert instr.dst is not None
        if layout_of(instr, form, 0, instr.dst).size == 0:
            return []
        chosen = load(core, instr, form, 1, instr.srcs[1])
        mode = instr.params["mode"]
        if mode not in (0, 1, 2) or (mode == 1) != ("scalar" in instr.params):
            kind = "a scalar" if "scalar" in instr.params else "a tensor"
            raise NotModelled("Select", f"sel_mode={mode} with {kind} as src1")
        if mode == 1:
            other: Any = as_scalar(instr.params["scalar"], chosen.dtype)
        else:
            other = load(core, instr, form, 2, instr.srcs[2])
        values = np.where(self._bits(core, instr, form), chosen, other)
        return store(core, instr, form, values)

    def flow(self, instr: Instr, form: Form) -> tuple[AnyFlow, ...]:
        dst = instr.dst
        assert dst is not None
        selector = instr.srcs[0]
        size = ITEMSIZE[dst.dtype]
        addresses = dst.addr + operand_offsets(instr, form, 0, dst)
        bit = selector.addr + self._positions(instr, form) // 8
        if instr.params["mode"] == 1:  # the scalar is always a good alternative
            return (Flow("lanes", dst.space, size, addresses, ((selector.space, 1, bit),)),)
        srcs = [(selector.space, 1, bit)]
        for k, ref in enumerate(instr.srcs[1:]):
            srcs.append((ref.space, size, ref.addr + operand_offsets(instr, form, k + 1, ref)))
        return (Flow("select", dst.space, size, addresses, tuple(srcs)),)

    def repeats(self, instr: Instr, form: Form) -> float:
        if form.count >= 0:
            return -(-form.count // lanes_of(instr))
        return form.repeat + (1 if form.tail else 0)

    def _positions(self, instr: Instr, form: Form) -> NDArray[np.int64]:
        """The bit of the mask that each active element looks at."""
        assert instr.dst is not None
        again = instr.params["mode"] == 0
        period = lanes_of(instr) if again else 0
        return _bit_positions(ITEMSIZE[instr.dst.dtype], complete(instr, form), period)

    def _bits(self, core: Core, instr: Instr, form: Form) -> Array:
        selector = instr.srcs[0]._replace(dtype="uint8")
        memory = core.local(selector.space)
        if form.count >= 0 and instr.params["mode"] != 0:
            raw = peek(memory, selector, -(-form.count // 8))
            return np.unpackbits(raw, count=form.count, bitorder="little").view(np.bool_)
        positions = self._positions(instr, form)
        raw = peek(memory, selector, int(positions.max()) // 8 + 1)
        return np.unpackbits(raw, bitorder="little").view(np.bool_).take(positions)

    def _mask_parts(self, instr: Instr, form: Form) -> tuple[Interval, ...]:
        selector = instr.srcs[0]
        if instr.params["mode"] == 0:  # the whole CMPMASK register is loaded
            return ((selector.addr, selector.addr + lanes_of(instr) // 8),)
        if form.count >= 0:
            return ((selector.addr, selector.addr - (-form.count // 8)),)
        found = intervals(self._positions(instr, form) // 8, 1)
        return tuple((low + selector.addr, high + selector.addr) for low, high in found)


@lru_cache(maxsize=64)
def _bit_positions(itemsize: int, form: Form, period: int) -> NDArray[np.int64]:
    """Numbers of the active elements in iteration order, starting over every ``period`` if not 0."""
    if form.count >= 0:
        bits = np.arange(form.count, dtype=np.int64)
    else:
        bits = layout(itemsize, 1, _BLOCKS, form).offsets(itemsize) // itemsize
    return bits % period if period else bits


OPS: Mapping[str, Semantic] = {
    "Compare": Comparison(),
    "CompareScalar": Comparison(),
    "Select": Selection(),
}
