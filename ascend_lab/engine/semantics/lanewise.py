"""Vector instructions whose lane i depends on lane i of the sources alone.

Source: asc-devkit: docs/zh/api/SIMD-API/基础API/Memory矢量计算 (基础算术, 逻辑计算, 复合计算, 数据填充, 类型转换).
All sources are read when the instruction starts; the accumulate form alone goes repeat by repeat.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ascend_lab.engine.instruction import DTYPES, ITEMSIZE, Instr
from ascend_lab.engine.lanes import REPEAT
from ascend_lab.engine.memory import Access, Write
from ascend_lab.engine.semantics import accumulate
from ascend_lab.engine.semantics import arithmetic as lane
from ascend_lab.engine.semantics.casting import cast
from ascend_lab.engine.semantics.form import (
    AnyFlow,
    Flow,
    Footprint,
    Form,
    Span,
    layout_of,
    load,
    operand_access,
    peek,
    run_access,
    store,
    widest,
)

if TYPE_CHECKING:
    from ascend_lab.engine.core import Core
    from ascend_lab.engine.issued import Issued

Array = NDArray[Any]


class Lanewise:
    """``compute(sources, instr) -> values``, lane by lane.

    ``reads_dst``: the old destination is the last source. ``accumulates``: the API has the
    accumulate form (`accumulate`).
    """

    def __init__(
        self, compute: lane.Compute, *, reads_dst: bool = False, accumulates: bool = False
    ) -> None:
        self.compute = compute
        self.reads_dst = reads_dst
        self.accumulates = accumulates

    def footprint(self, instr: Instr, form: Form) -> Footprint:
        dst = instr.dst
        assert dst is not None
        count = form.count
        if count == 0:
            return Footprint((), ())
        if count > 0:
            writes: tuple[Access, ...] = (run_access(dst, count),)
            reads = tuple([run_access(ref, count) for ref in instr.srcs])
        else:
            writes = operand_access(instr, form, 0, dst)
            reads = tuple(
                access
                for k, ref in enumerate(instr.srcs)
                for access in operand_access(instr, form, k + 1, ref)
            )
        return Footprint(reads + writes if self.reads_dst else reads, writes)

    @np.errstate(all="ignore")
    def evaluate(self, x: Issued, core: Core) -> list[Write]:
        instr, form = x.instr, x.form
        dst = instr.dst
        assert dst is not None
        if form.count < 0 and self.accumulates and accumulate.applies(instr, form):
            return accumulate.evaluate(core, instr, form, self.compute)
        if form.count >= 0:
            sources = [peek(core.local(ref.space), ref, form.count) for ref in instr.srcs]
        else:
            sources = [load(core, instr, form, k + 1, ref) for k, ref in enumerate(instr.srcs)]
        if self.reads_dst:
            sources.append(load(core, instr, form, 0, dst))
        values = self.compute(sources, instr)
        if not sources:
            size = layout_of(instr, form, 0, dst).size
            filled = np.empty(size, dtype=values.dtype)
            filled.fill(values)
            values = filled
        return store(core, instr, form, values)

    def flow(self, instr: Instr, form: Form) -> tuple[AnyFlow, ...]:
        dst = instr.dst
        assert dst is not None
        if form.count < 0 and self.accumulates and accumulate.applies(instr, form):
            return accumulate.flow(instr, form)
        place = layout_of(instr, form, 0, dst)
        if place.size == 0:
            return ()
        sources = [(ref, layout_of(instr, form, k + 1, ref)) for k, ref in enumerate(instr.srcs)]
        if self.reads_dst:
            sources.append((dst, place))
        size = ITEMSIZE[dst.dtype]
        if place.indices is None and all(where.indices is None for _, where in sources):
            runs = tuple((ref.space, ITEMSIZE[ref.dtype], ref.addr) for ref, _ in sources)
            return (Span(dst.space, size, dst.addr, place.size, runs),)
        lanes = tuple(
            (ref.space, ITEMSIZE[ref.dtype], ref.addr + where.offsets(ITEMSIZE[ref.dtype]))
            for ref, where in sources
        )
        return (Flow("lanes", dst.space, size, dst.addr + place.offsets(size), lanes),)

    def repeats(self, instr: Instr, form: Form) -> float:
        if form.count >= 0:
            return -(-form.count * widest(instr) // REPEAT)
        return form.repeat + (1 if form.tail else 0)


def cast_lanes(sources: list[Array], instr: Instr) -> Array:
    """Cast, lane by lane."""
    assert instr.dst is not None
    params = instr.params
    mode = params.get("round", "CAST_NONE")
    return cast(sources[0], DTYPES[instr.dst.dtype], mode, params.get("deq_scale"))


def _binary(ufunc: Any) -> Lanewise:
    return Lanewise(lane.elementwise(ufunc), accumulates=True)


OPS: Mapping[str, Lanewise] = {
    "Add": _binary(np.add),
    "Sub": _binary(np.subtract),
    "Mul": _binary(np.multiply),
    "Max": _binary(lane.maximum),
    "Min": _binary(lane.minimum),
    "AddRelu": _binary(lane.add_relu),
    "SubRelu": _binary(lane.sub_relu),
    "Div": Lanewise(lane.elementwise(np.divide)),
    "And": Lanewise(lane.elementwise(np.bitwise_and)),
    "Or": Lanewise(lane.elementwise(np.bitwise_or)),
    "Not": Lanewise(lane.elementwise(np.bitwise_not)),
    "Adds": Lanewise(lane.with_scalar(np.add)),
    "Muls": Lanewise(lane.with_scalar(np.multiply)),
    "Maxs": Lanewise(lane.with_scalar(lane.maximum)),
    "Mins": Lanewise(lane.with_scalar(lane.minimum)),
    "LeakyRelu": Lanewise(lane.with_scalar(lane.leaky_relu)),
    "ShiftLeft": Lanewise(lane.with_scalar(lane.shift_left)),
    "ShiftRight": Lanewise(lane.with_scalar(lane.shift_right)),
    "Abs": Lanewise(lane.elementwise(lane.absolute)),
    "Exp": Lanewise(lane.elementwise(np.exp)),
    "Ln": Lanewise(lane.elementwise(np.log)),
    "Sqrt": Lanewise(lane.elementwise(np.sqrt)),
    "Rsqrt": Lanewise(lane.elementwise(lane.rsqrt)),
    "Reciprocal": Lanewise(lane.elementwise(lane.reciprocal)),
    "Relu": Lanewise(lane.elementwise(lane.relu)),
    "Duplicate": Lanewise(lane.fill),
    "Copy": Lanewise(lane.copy),
    "Cast": Lanewise(cast_lanes),  # with int4b_t: see int4
    "Axpy": Lanewise(lane.axpy, reads_dst=True),
    "MulAddDst": Lanewise(lane.mul_add_dst, reads_dst=True),
    "FusedMulAdd": Lanewise(lane.fused_mul_add, reads_dst=True),
    "MulAddRelu": Lanewise(lane.mul_add_relu, reads_dst=True),
}
