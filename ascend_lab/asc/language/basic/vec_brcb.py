"""Spreading elements over DataBlocks."""

from __future__ import annotations

from ascend_lab.asc.door import emit
from ascend_lab.asc.errors import no_overload
from ascend_lab.asc.language.basic.vector import local
from ascend_lab.asc.language.core.ir_value import plain_int
from ascend_lab.asc.language.core.tensor import LocalTensor
from ascend_lab.asc.language.core.vector_types import BrcbRepeatParams
from ascend_lab.engine.instruction import Pipe


def brcb(
    dst: LocalTensor, src0: LocalTensor, repeat_times: int, repeat_params: BrcbRepeatParams
) -> None:
    """Eight elements of ``src0`` an iteration, each fills one DataBlock of ``dst``; 16 and 32 bit types.

    asc-devkit: docs/zh/api/SIMD-API/基础API/Memory矢量计算/数据填充/Brcb.md
    """
    api = "asc.brcb"
    if not isinstance(repeat_params, BrcbRepeatParams):
        raise no_overload(api, (repeat_params,), ("..., repeat_params: BrcbRepeatParams",))
    params = {
        "times": plain_int(api, "repeat_times", repeat_times),
        "blk": repeat_params.blk,
        "rep": repeat_params.rep,
    }
    emit("Brcb", Pipe.V, local(api, "dst", dst), (local(api, "src0", src0),), params)
