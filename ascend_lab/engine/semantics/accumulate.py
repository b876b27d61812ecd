"""The accumulate form: dst is src1 and a repeat stride of 0 makes a repeat read what an earlier one wrote.

The one documented exception to "no repeat may read what an earlier repeat writes": Add, Sub, Mul, Max, Min,
AddRelu and SubRelu on half, int32_t and float, dst fully on src1, dstRepStride or src1RepStride 0.
Source: asc-devkit: docs/zh/api/SIMD-API/通用说明和约束.md (通用地址重叠约束).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ascend_lab.engine.instruction import ITEMSIZE, Instr, Ref
from ascend_lab.engine.lanes import params_of
from ascend_lab.engine.memory import LocalMemory, Write
from ascend_lab.engine.semantics.arithmetic import Compute
from ascend_lab.engine.semantics.flow import Flow
from ascend_lab.engine.semantics.form import Form, layout_of, operand_offsets, store

if TYPE_CHECKING:
    from ascend_lab.engine.core import Core

DST, SRC0, SRC1 = 0, 1, 2
_TYPES = ("float16", "int32", "float32")


def applies(instr: Instr, form: Form) -> bool:
    """Whether ``instr`` is written in the accumulate form."""
    dst, src1 = instr.dst, instr.srcs[1]
    if dst is None or dst.addr != src1.addr or dst.dtype != src1.dtype or dst.dtype not in _TYPES:
        return False
    (dst_blk, dst_rep), (src_blk, src_rep) = params_of(instr, DST), params_of(instr, SRC1)
    several = form.repeat + bool(form.tail) > 1
    return several and dst_blk == src_blk and 0 in (dst_rep, src_rep)


def _rows(instr: Instr, form: Form, operand: int, ref: Ref) -> list[NDArray[np.int64]]:
    """Element indices from the operand's start, one array a repeat."""
    flat = operand_offsets(instr, form, operand, ref) // ITEMSIZE[ref.dtype]
    body = flat[: flat.size - form.tail].reshape(form.repeat, -1)
    return [*body, flat[flat.size - form.tail :]] if form.tail else list(body)


def _window(memory: LocalMemory, instr: Instr, form: Form, operand: int, ref: Ref) -> Any:
    """The operand's elements up to its last active one, bytes outside memory read as poison."""
    size = layout_of(instr, form, operand, ref).high // ITEMSIZE[ref.dtype]
    return memory.contiguous(ref, size)


def evaluate(core: Core, instr: Instr, form: Form, compute: Compute) -> list[Write]:
    """Repeat by repeat; returns the final destination."""
    dst, (src0, src1) = instr.dst, instr.srcs
    assert dst is not None
    if layout_of(instr, form, DST, dst).size == 0:
        return []
    memory = core.local(dst.space)
    into, beside = _rows(instr, form, DST, dst), _rows(instr, form, SRC1, src1)
    addends = _rows(instr, form, SRC0, src0)
    first = _window(core.local(src0.space), instr, form, SRC0, src0)
    scratch = max(
        (_window(memory, instr, form, k, ref) for k, ref in ((DST, dst), (SRC1, src1))), key=len
    )
    for target, addend, other in zip(into, addends, beside, strict=True):
        scratch[target] = compute([first[addend], scratch[other]], instr)
    return store(core, instr, form, scratch[np.concatenate(into)])


def flow(instr: Instr, form: Form) -> tuple[Flow, ...]:
    """Lane by lane, over src0 of every repeat that goes into the lane and the lane's start value.

    With one of the strides not 0 those are the first repeat's and its own. The sources are src0 of the
    last repeat, src1, then src0 of the earlier repeats.
    """
    dst, (src0, src1) = instr.dst, instr.srcs
    assert dst is not None
    into, beside = _rows(instr, form, DST, dst), _rows(instr, form, SRC1, src1)
    addends = _rows(instr, form, SRC0, src0)
    size = ITEMSIZE[dst.dtype]
    both = params_of(instr, DST)[1] == params_of(instr, SRC1)[1] == 0
    result = []
    for k, target in enumerate(into):
        if both and k < len(into) - 1 and target.size == into[k + 1].size:
            continue  # a later repeat over the same lanes says it all
        earlier = addends[:k] if both else addends[: min(k, 1)]
        rows = [(src0, addends[k]), (src1, beside[k]), *((src0, row) for row in earlier)]
        srcs = tuple((ref.space, size, ref.addr + row[: target.size] * size) for ref, row in rows)
        result.append(Flow("lanes", dst.space, size, dst.addr + target * size, srcs))
    return tuple(result)
