"""Weighted sums of DataBlocks that offsets choose."""

from __future__ import annotations

from typing import Any

from ascend_lab.asc.door import emit
from ascend_lab.asc.language.basic.vector import local, mask_of
from ascend_lab.asc.language.core.constexpr import ConstExpr
from ascend_lab.asc.language.core.ir_value import plain_int
from ascend_lab.asc.language.core.tensor import LocalTensor
from ascend_lab.engine.instruction import Pipe


def bilinear_interpolation(
    dst: LocalTensor,
    src0: LocalTensor,
    src0_offset: LocalTensor,
    src1: LocalTensor,
    mask: Any,
    h_repeat: int,
    repeat_mode: bool,
    dst_blk_stride: int,
    v_r_offset: int,
    v_repeat: int,
    shared_tmp_buffer: LocalTensor,
) -> None:
    """``v_repeat`` sums of ``h_repeat`` iterations: eight DataBlocks of ``src0`` times weights of ``src1``; half.

    ``repeat_mode`` False: one weight an iteration, True: one a DataBlock. ``v_r_offset`` in elements.
    asc-devkit: docs/zh/api/SIMD-API/基础API/Memory矢量计算/基础算术/BilinearInterpolation(ISASI).md
    """
    api = "asc.bilinear_interpolation"
    sources = (
        local(api, "src0", src0),
        local(api, "src0_offset", src0_offset),
        local(api, "src1", src1),
        local(api, "shared_tmp_buffer", shared_tmp_buffer),
    )
    vertical, horizontal = (
        plain_int(api, "v_repeat", v_repeat),
        plain_int(api, "h_repeat", h_repeat),
    )
    spread = src1.ref.size // 8 * 8  # Brcb makes a DataBlock of every weight
    params = {
        "lanes": mask_of(api, mask),
        "horizontal": horizontal,
        "vertical": vertical,
        "per_block": bool(ConstExpr.unwrap(repeat_mode)),
        "dst_blk": plain_int(api, "dst_blk_stride", dst_blk_stride),
        "offset": plain_int(api, "v_r_offset", v_r_offset),
        "tmp": (vertical * horizontal * 8 + spread) * 32,
    }
    emit("BilinearInterpolation", Pipe.V, local(api, "dst", dst), sources, params)
