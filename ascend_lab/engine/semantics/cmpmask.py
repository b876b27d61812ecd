"""The CMPMASK register: Compare that leaves its bits there, Select that takes them, and access to it.

Sources: asc-devkit: docs/zh/api/SIMD-API/基础API/Memory矢量计算/比较与选择/{Compare（结果存入寄存器）,
GetCmpMask(ISASI),SetCmpMask(ISASI),Select}.md. The register has 128 bits; bit k is decided by lane k of one
iteration. A lane that is masked off gives 0 (the page's example shows it).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from ascend_lab.engine.errors import NotModelled
from ascend_lab.engine.instruction import ITEMSIZE, Instr
from ascend_lab.engine.lanes import REPEAT
from ascend_lab.engine.memory import POISON, Write
from ascend_lab.engine.semantics import compare
from ascend_lab.engine.semantics.flow import AnyFlow, Flow, Span
from ascend_lab.engine.semantics.form import (
    Footprint,
    Form,
    Semantic,
    complete,
    fetch,
    layout,
    layout_of,
    load,
    operand_access,
    operand_offsets,
    peek,
    put,
)
from ascend_lab.engine.semantics.gather import contiguous

if TYPE_CHECKING:
    from ascend_lab.engine.core import Core
    from ascend_lab.engine.issued import Issued

CMPMASK = "cmpmask"
_BYTES = 16


class CompareToMask:
    """Lane k of one iteration decides bit k of the register; the others become 0."""

    def footprint(self, instr: Instr, form: Form) -> Footprint:
        one = _one_iteration(instr, form)
        reads = [operand_access(instr, one, k, ref) for k, ref in enumerate(instr.srcs, 1)]
        return Footprint(sum(reads, ()), ())

    @np.errstate(all="ignore")
    def evaluate(self, x: Issued, core: Core) -> list[Write]:
        instr = x.instr
        form = _one_iteration(instr, x.form)
        left, right = (load(core, instr, form, k, ref) for k, ref in enumerate(instr.srcs, 1))
        bits = np.zeros(_BYTES * 8, dtype=bool)
        itemsize = ITEMSIZE[instr.srcs[0].dtype]
        lanes = layout(itemsize, 1, 8, form).offsets(itemsize) // itemsize
        bits[lanes] = compare.compared(instr, left, right)
        core.registers[CMPMASK] = np.packbits(bits, bitorder="little")
        return []

    def flow(self, instr: Instr, form: Form) -> tuple[AnyFlow, ...]:
        return ()

    def repeats(self, instr: Instr, form: Form) -> float:
        return 1


def _one_iteration(instr: Instr, form: Form) -> Form:
    return complete(instr, form)._replace(count=-1, repeat=1, tail=0)


class SelectByMask:
    """Select without selMask: mode 0 with the bits of the register, again in every iteration."""

    def footprint(self, instr: Instr, form: Form) -> Footprint:
        assert instr.dst is not None
        writes = operand_access(instr, form, 0, instr.dst)
        reads = [operand_access(instr, form, k, ref) for k, ref in enumerate(instr.srcs, 1)]
        return Footprint(sum(reads, ()), writes)

    def evaluate(self, x: Issued, core: Core) -> list[Write]:
        instr, form = x.instr, x.form
        dst = instr.dst
        assert dst is not None
        place = layout_of(instr, form, 0, dst)
        if place.size == 0:
            return []
        if instr.params.get("mode", 0) != 0:
            raise NotModelled("Select", "a mode other than 0 with the CMPMASK register")
        bits = np.unpackbits(register(core), bitorder="little").view(np.bool_)
        chosen, other = (
            np.asarray(fetch(core.local(ref.space), ref, layout_of(instr, form, k, ref)))
            for k, ref in enumerate(instr.srcs, 1)
        )
        size = ITEMSIZE[dst.dtype]
        lane = layout(size, 1, 8, complete(instr, form)).offsets(size) // size % (REPEAT // size)
        values = np.where(bits[lane], chosen, other)
        return put(core.local(dst.space), dst, place, values)

    def flow(self, instr: Instr, form: Form) -> tuple[AnyFlow, ...]:
        dst = instr.dst
        assert dst is not None
        size = ITEMSIZE[dst.dtype]
        target = dst.addr + operand_offsets(instr, form, 0, dst)
        if target.size == 0:
            return ()
        nothing = np.full(target.size, -1, dtype=np.int64)
        srcs = [(dst.space, size, nothing)]
        for k, ref in enumerate(instr.srcs, 1):
            srcs.append((ref.space, size, ref.addr + operand_offsets(instr, form, k, ref)))
        return (Flow("select", dst.space, size, target, tuple(srcs)),)

    def repeats(self, instr: Instr, form: Form) -> float:
        return form.repeat + (1 if form.tail else 0)


class GetCmpMask:
    """The register's 16 bytes to dst."""

    def footprint(self, instr: Instr, form: Form) -> Footprint:
        assert instr.dst is not None
        return Footprint((), contiguous(instr.dst._replace(dtype="uint8"), _BYTES))

    def evaluate(self, x: Issued, core: Core) -> list[Write]:
        dst = x.instr.dst
        assert dst is not None
        return [core.local(dst.space).store_contiguous(dst._replace(dtype="uint8"), register(core))]

    def flow(self, instr: Instr, form: Form) -> tuple[AnyFlow, ...]:
        assert instr.dst is not None
        return (Span(instr.dst.space, 1, instr.dst.addr, _BYTES, ()),)

    def repeats(self, instr: Instr, form: Form) -> float:
        return 1


class SetCmpMask:
    """16 bytes of src to the register."""

    def footprint(self, instr: Instr, form: Form) -> Footprint:
        return Footprint(contiguous(instr.srcs[0]._replace(dtype="uint8"), _BYTES), ())

    def evaluate(self, x: Issued, core: Core) -> list[Write]:
        src = x.instr.srcs[0]._replace(dtype="uint8")
        core.registers[CMPMASK] = np.array(peek(core.local(src.space), src, _BYTES))
        return []

    def flow(self, instr: Instr, form: Form) -> tuple[AnyFlow, ...]:
        return ()

    def repeats(self, instr: Instr, form: Form) -> float:
        return 1


def register(core: Core) -> np.ndarray[tuple[int], np.dtype[np.uint8]]:
    """The register's bytes; poison when nothing has set it."""
    found = core.registers.get(CMPMASK)
    return np.full(_BYTES, POISON, dtype=np.uint8) if found is None else found


class Either:
    """The form with the register (no dst, or ``cmpmask``), or the one with a tensor of bits."""

    def __init__(self, usual: Semantic, special: Semantic) -> None:
        self._usual = usual
        self._special = special

    def _of(self, instr: Instr) -> Semantic:
        register_form = instr.dst is None or bool(instr.params.get("cmpmask"))
        return self._special if register_form else self._usual

    def footprint(self, instr: Instr, form: Form) -> Footprint:
        return self._of(instr).footprint(instr, form)

    def evaluate(self, x: Issued, core: Core) -> list[Write]:
        return self._of(x.instr).evaluate(x, core)

    def flow(self, instr: Instr, form: Form) -> tuple[AnyFlow, ...]:
        return self._of(instr).flow(instr, form)

    def repeats(self, instr: Instr, form: Form) -> float:
        return self._of(instr).repeats(instr, form)


OPS: Mapping[str, Semantic] = {
    "Compare": Either(compare.OPS["Compare"], CompareToMask()),
    "Select": Either(compare.OPS["Select"], SelectByMask()),
    "GetCmpMask": GetCmpMask(),
    "SetCmpMask": SetCmpMask(),
}
