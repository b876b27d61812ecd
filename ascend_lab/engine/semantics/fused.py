"""Compound instructions that change the type: AddReluCast, SubReluCast, AddDeqRelu, MulCast, CastDequant.

Sources: asc-devkit: docs/zh/api/SIMD-API/基础API/Memory矢量计算/复合计算/*.md and
类型转换辅助配置接口/SetDeqScale.md. The scale that SetDeqScale set is in ``deq_scale``.

Not documented, chosen here: the value before the conversion is rounded to the source's type (integers wrap),
the conversion rounds to nearest even, and int16_t to b8 with a scale computes in float.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ascend_lab.engine.errors import NotModelled
from ascend_lab.engine.instruction import DTYPES, ITEMSIZE, Instr
from ascend_lab.engine.lanes import BLOCK, REPEAT, mask_bits
from ascend_lab.engine.memory import Write
from ascend_lab.engine.semantics import arithmetic as lane
from ascend_lab.engine.semantics.casting import cast
from ascend_lab.engine.semantics.flow import AnyFlow, Flow
from ascend_lab.engine.semantics.form import (
    Footprint,
    Form,
    Semantic,
    complete,
    layout_of,
    load,
    operand_access,
    operand_offsets,
    peek,
    widest,
)
from ascend_lab.engine.semantics.gather import Offsets, at, contiguous
from ascend_lab.engine.semantics.lanewise import Lanewise

if TYPE_CHECKING:
    from ascend_lab.engine.core import Core
    from ascend_lab.engine.issued import Issued

Array = NDArray[Any]
_LANES = 16  # int16_t elements of a DataBlock


def _then_cast(ufunc: Callable[..., Any]) -> lane.Compute:
    """``ufunc`` in the type of the sources, then a conversion to the type of dst."""
    compute = lane.elementwise(ufunc)

    def fused(sources: list[Array], instr: Instr) -> Array:
        assert instr.dst is not None
        values, dtype = compute(sources, instr), DTYPES[instr.dst.dtype]
        return cast(values, dtype, "CAST_RINT", instr.params.get("deq_scale"))

    return fused


def _add_deq_relu(sources: list[Array], instr: Instr) -> Array:
    return lane.relu(_then_cast(np.add)(sources, instr))


class CastDequant:
    """int32_t to half as Cast does; int16_t to b8: saturate(rint(src * scale + offset)).

    ``deq_scale``, ``offset``, ``signed``; with ``vector`` each of the 16 lanes of a DataBlock has its own: srcs[1]
    are their 16 words of 8 B. A DataBlock of src becomes half a DataBlock of dst, the high one with ``half``.
    """

    def __init__(self) -> None:
        self._plain = Lanewise(self._half)

    @staticmethod
    def _half(sources: list[Array], instr: Instr) -> Array:
        return cast(sources[0], DTYPES["float16"], "CAST_RINT", instr.params.get("deq_scale"))

    def _narrow(self, instr: Instr) -> bool:
        return ITEMSIZE[instr.srcs[0].dtype] == 2

    def _targets(self, instr: Instr, form: Form) -> Offsets:
        """Byte offsets of the destination elements, in lane order."""
        dst = instr.dst
        assert dst is not None
        half = 16 if instr.params.get("half", True) else 0
        if form.count >= 0:
            block, within = np.divmod(np.arange(form.count, dtype=np.int64), _LANES)
            return block * BLOCK + within + half
        as_source = operand_offsets(instr, form, 0, dst._replace(dtype="int16"))
        block, within = np.divmod(as_source, BLOCK)
        return np.asarray(block * BLOCK + within // 2 + half)

    def _lanes(self, instr: Instr, form: Form) -> Offsets:
        """Which of the 16 lanes of its DataBlock each active element is."""
        if form.count >= 0:
            return np.arange(form.count, dtype=np.int64) % _LANES
        return _lanes_of_blocks(complete(instr, form))

    def footprint(self, instr: Instr, form: Form) -> Footprint:
        if not self._narrow(instr):
            return self._plain.footprint(instr, form)
        dst, src = instr.dst, instr.srcs[0]
        assert dst is not None
        writes = at(dst, dst.addr + self._targets(instr, form), 1)
        if not writes:
            return Footprint((), ())
        if form.count >= 0:
            reads = contiguous(src, form.count)
        else:
            reads = operand_access(instr, form, 1, src)
        if instr.params.get("vector"):
            table = instr.srcs[1]
            reads += at(table, table.addr + np.unique(self._lanes(instr, form)) * 8, 8)
        return Footprint(reads, writes)

    @np.errstate(all="ignore")
    def evaluate(self, x: Issued, core: Core) -> list[Write]:
        instr, form = x.instr, x.form
        if not self._narrow(instr):
            return self._plain.evaluate(x, core)
        dst, src = instr.dst, instr.srcs[0]
        assert dst is not None
        if layout_of(instr, form, 1, src).size == 0:
            return []
        values = load(core, instr, form, 1, src).astype(np.float32)
        scale, offset = self._parameters(instr, form, core)
        wide = values * scale + offset
        result = cast(wide, DTYPES[dst.dtype], "CAST_RINT")
        return [core.local(dst.space).scatter(dst, self._targets(instr, form), result)]

    def _parameters(self, instr: Instr, form: Form, core: Core) -> tuple[Any, Any]:
        """(scale, offset), of each element in vector mode."""
        params = instr.params
        if not params.get("vector"):
            if params.get("deq_scale") is None:
                raise NotModelled("CastDequant", "int16_t without SetDeqScale")
            return np.float32(params["deq_scale"]), np.float32(_signed9(params.get("offset", 0)))
        table = instr.srcs[1]._replace(dtype="uint64")
        words = np.array(peek(core.local(table.space), table, _LANES))[self._lanes(instr, form)]
        scale = (words & np.uint64(0xFFFFFFFF)).astype(np.uint32).view(np.float32)
        offset = (words >> np.uint64(37)).astype(np.int64) & 0x1FF
        return scale, np.where(offset >= 256, offset - 512, offset).astype(np.float32)

    def flow(self, instr: Instr, form: Form) -> tuple[AnyFlow, ...]:
        if not self._narrow(instr):
            return self._plain.flow(instr, form)
        dst, src = instr.dst, instr.srcs[0]
        assert dst is not None
        target = dst.addr + self._targets(instr, form)
        if target.size == 0:
            return ()
        srcs = [(src.space, 2, src.addr + operand_offsets(instr, form, 1, src))]
        if instr.params.get("vector"):
            table = instr.srcs[1]
            srcs.append((table.space, 8, table.addr + self._lanes(instr, form) * 8))
        return (Flow("lanes", dst.space, 1, target, tuple(srcs)),)

    def repeats(self, instr: Instr, form: Form) -> float:
        if form.count >= 0:
            return -(-form.count * widest(instr) // REPEAT)
        return form.repeat + (1 if form.tail else 0)


def _signed9(offset: int) -> int:
    """The nine bits that count, as a signed number."""
    return ((int(offset) & 0x1FF) ^ 0x100) - 0x100


@lru_cache(maxsize=64)
def _lanes_of_blocks(form: Form) -> Offsets:
    """Lane within the DataBlock of each active int16_t element, iterations one after the other."""
    bits = np.arange(form.lanes, dtype=np.int64)
    active = [bits[mask_bits(form.mask, form.lanes)] % _LANES] * form.repeat
    if form.tail:
        active.append(bits[: form.tail] % _LANES)
    return np.concatenate(active) if active else np.zeros(0, dtype=np.int64)


OPS: Mapping[str, Semantic] = {
    "AddReluCast": Lanewise(_then_cast(lane.add_relu)),
    "SubReluCast": Lanewise(_then_cast(lane.sub_relu)),
    "MulCast": Lanewise(_then_cast(np.multiply)),
    "AddDeqRelu": Lanewise(_add_deq_relu),
    "CastDequant": CastDequant(),
}
