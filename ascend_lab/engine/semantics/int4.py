"""Cast to and from int4b_t: two elements a byte, the first in the low half.

Source: asc-devkit: docs/zh/api/SIMD-API/基础API/Memory矢量计算/类型转换/Cast.md (pairs, even counts, masks in
pairs). The side of int4b_t comes as bytes: its Ref has the type int8, and ``params["int4"]`` names it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ascend_lab.engine.instruction import DTYPES, ITEMSIZE, Instr, Ref
from ascend_lab.engine.memory import Write
from ascend_lab.engine.semantics.casting import cast
from ascend_lab.engine.semantics.flow import AnyFlow, Flow
from ascend_lab.engine.semantics.form import Footprint, Form, layout_of, load, operand_access, put
from ascend_lab.engine.semantics.lanewise import Lanewise, cast_lanes

if TYPE_CHECKING:
    from ascend_lab.engine.core import Core
    from ascend_lab.engine.issued import Issued

_LOW, _HIGH = -8, 7


class Cast(Lanewise):
    """Cast of every pair of types; what is said of int4b_t above only with ``params["int4"]``."""

    def footprint(self, instr: Instr, form: Form) -> Footprint:
        if "int4" not in instr.params:
            return super().footprint(instr, form)
        dst, src = _operands(instr)
        writes = operand_access(instr, form, 0, dst)
        return Footprint(operand_access(instr, form, 1, src), writes)

    def evaluate(self, x: Issued, core: Core) -> list[Write]:
        instr, form = x.instr, x.form
        if "int4" not in instr.params:
            return super().evaluate(x, core)
        dst, src = _operands(instr)
        place = layout_of(instr, form, 0, dst)
        if place.size == 0:
            return []
        mode = instr.params.get("round", "CAST_NONE")
        if instr.params["int4"] == "dst":
            whole = cast(load(core, instr, form, 1, src), DTYPES["int8"], mode)
            values = _packed(np.clip(whole, _LOW, _HIGH))
        else:
            given = layout_of(instr, form, 1, src)
            memory = core.local(src.space)
            pairs = memory.gather(src, given.offsets(1))
            values = cast(_unpacked(pairs), DTYPES[dst.dtype], mode)
        return put(core.local(dst.space), dst, place, values)

    def flow(self, instr: Instr, form: Form) -> tuple[AnyFlow, ...]:
        if "int4" not in instr.params:
            return super().flow(instr, form)
        dst, src = _operands(instr)
        to, of = layout_of(instr, form, 0, dst), layout_of(instr, form, 1, src)
        if to.size == 0:
            return ()
        size, given = ITEMSIZE[dst.dtype], ITEMSIZE[src.dtype]
        target, source = dst.addr + to.offsets(size), src.addr + of.offsets(given)
        if instr.params["int4"] == "dst":
            pairs = tuple((src.space, given, source[half::2]) for half in (0, 1))
            return (Flow("lanes", dst.space, size, target, pairs),)
        return (Flow("lanes", dst.space, size, target, ((src.space, 1, np.repeat(source, 2)),)),)


OPS: Mapping[str, Lanewise] = {"Cast": Cast(cast_lanes)}


def _operands(instr: Instr) -> tuple[Ref, Ref]:
    assert instr.dst is not None
    return instr.dst, instr.srcs[0]


def _packed(values: NDArray[Any]) -> NDArray[np.int8]:
    halves = values.astype(np.int8).view(np.uint8) & 0xF
    return (halves[0::2] | halves[1::2] << 4).astype(np.uint8).view(np.int8)


def _unpacked(pairs: NDArray[Any]) -> NDArray[np.int8]:
    both = np.empty(2 * pairs.size, np.int8)
    both[0::2] = pairs << 4
    both[1::2] = pairs
    return both >> 4
