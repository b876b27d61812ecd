"""Packing the elements whose bit is set."""

from __future__ import annotations

from typing import Any

from ascend_lab.asc.door import ask, current, emit
from ascend_lab.asc.errors import no_overload
from ascend_lab.asc.language.basic.vector import local
from ascend_lab.asc.language.core.constexpr import ConstExpr
from ascend_lab.asc.language.core.enums import GatherMaskMode
from ascend_lab.asc.language.core.ir_value import RuntimeInt, known_type, plain_int, scalar_of
from ascend_lab.asc.language.core.tensor import LocalTensor
from ascend_lab.asc.language.core.vector_types import GatherMaskParams
from ascend_lab.engine.instruction import Pipe

_FORM = "dst, src0, src1_pattern: LocalTensor | int, reduce_mode: bool, mask: int, params: {}"


def gather_mask(
    dst: LocalTensor,
    src0: LocalTensor,
    src1_pattern: LocalTensor | int,
    reduce_mode: bool,
    mask: int,
    params: GatherMaskParams,
    gather_mask_mode: GatherMaskMode = GatherMaskMode.DEFAULT,
) -> RuntimeInt:
    """Elements of ``src0`` whose bit is 1, packed to the front of ``dst``; returns how many.

    ``src1_pattern``: a tensor of bits (uint16 or uint32), or a fixed pattern 1..7. ``reduce_mode`` True:
    counter mode, ``mask`` elements; False: 256 B an iteration. Reading the count waits for the instruction.
    asc-devkit: docs/zh/api/SIMD-API/基础API/Memory矢量计算/比较与选择/GatherMask.md
    """
    api = "asc.gather_mask"
    if not isinstance(params, GatherMaskParams):
        raise no_overload(api, (params,), (_FORM.format("GatherMaskParams"),))
    target, sources, pattern = local(api, "dst", dst), [local(api, "src0", src0)], 0
    if isinstance(src1_pattern, LocalTensor):
        sources.append(local(api, "src1_pattern", src1_pattern))
    else:
        pattern = plain_int(api, "src1_pattern", src1_pattern)
    counter = bool(ConstExpr.unwrap(reduce_mode))
    more: dict[str, Any] = {
        "pattern": pattern,
        "counter": counter,
        "elements": plain_int(api, "mask", mask),
        "total": current().chip.fused,
        "times": params.times,
        "src_blk": params.src0_block_stride,
        "src_rep": params.src0_repeat_stride,
        "pattern_rep": params.src1_repeat_stride,
    }
    emit("GatherMask", Pipe.V, target, tuple(sources), more)
    return get_gather_mask_remain_count()


def get_gather_mask_remain_count() -> RuntimeInt:
    """How many elements the last ``gather_mask`` kept; waits for it.

    asc-devkit: docs/zh/api/SIMD-API/基础API/Memory矢量计算/比较与选择/GetGatherMaskRemainCount.md
    """
    count = scalar_of(ask("GetRsvdCnt", (), {}), known_type("uint64"))
    assert isinstance(count, RuntimeInt)
    return count
