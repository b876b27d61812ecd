"""Two sources, element by element. Both forms: ``count``, or mask, repeats and BinaryRepeatParams.

asc-devkit: docs/zh/api/SIMD-API/基础API/Memory矢量计算/基础算术, 逻辑计算.
"""

from __future__ import annotations

from typing import Any

from ascend_lab.asc.language.basic.vector import binary
from ascend_lab.asc.language.core.tensor import LocalTensor


def add(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, *args: Any, **kwargs: Any) -> None:
    """``dst = src0 + src1``; half, float, int16, int32."""
    binary("Add", "asc.add", dst, src0, src1, args, kwargs)


def sub(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, *args: Any, **kwargs: Any) -> None:
    """``dst = src0 - src1``; half, float, int16, int32."""
    binary("Sub", "asc.sub", dst, src0, src1, args, kwargs)


def mul(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, *args: Any, **kwargs: Any) -> None:
    """``dst = src0 * src1``; half, float, int16, int32."""
    binary("Mul", "asc.mul", dst, src0, src1, args, kwargs)


def div(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, *args: Any, **kwargs: Any) -> None:
    """``dst = src0 / src1``; half, float."""
    binary("Div", "asc.div", dst, src0, src1, args, kwargs)


def max(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, *args: Any, **kwargs: Any) -> None:
    """The larger of ``src0`` and ``src1``; half, float, int16, int32."""
    binary("Max", "asc.max", dst, src0, src1, args, kwargs)


def min(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, *args: Any, **kwargs: Any) -> None:
    """The smaller of ``src0`` and ``src1``; half, float, int16, int32."""
    binary("Min", "asc.min", dst, src0, src1, args, kwargs)


def bitwise_and(
    dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, *args: Any, **kwargs: Any
) -> None:
    """``dst = src0 & src1``; int16, uint16."""
    binary("And", "asc.bitwise_and", dst, src0, src1, args, kwargs)


def bitwise_or(
    dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, *args: Any, **kwargs: Any
) -> None:
    """``dst = src0 | src1``; int16, uint16."""
    binary("Or", "asc.bitwise_or", dst, src0, src1, args, kwargs)


def add_relu(
    dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, *args: Any, **kwargs: Any
) -> None:
    """``max(src0 + src1, 0)``; half, float, int16.

    asc-devkit: docs/zh/api/SIMD-API/基础API/Memory矢量计算/复合计算/AddRelu.md
    """
    binary("AddRelu", "asc.add_relu", dst, src0, src1, args, kwargs)


def sub_relu(
    dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, *args: Any, **kwargs: Any
) -> None:
    """``max(src0 - src1, 0)``; half, float, int16.

    asc-devkit: docs/zh/api/SIMD-API/基础API/Memory矢量计算/复合计算/SubRelu.md
    """
    binary("SubRelu", "asc.sub_relu", dst, src0, src1, args, kwargs)


def mul_add_dst(
    dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, *args: Any, **kwargs: Any
) -> None:
    """``dst = src0 * src1 + dst``; half, float, or half into float.

    asc-devkit: docs/zh/api/SIMD-API/基础API/Memory矢量计算/复合计算/MulAddDst.md
    """
    binary("MulAddDst", "asc.mul_add_dst", dst, src0, src1, args, kwargs)


def fused_mul_add(
    dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, *args: Any, **kwargs: Any
) -> None:
    """``dst = src0 * dst + src1``; half, float.

    asc-devkit: docs/zh/api/SIMD-API/基础API/Memory矢量计算/复合计算/FusedMulAdd.md
    """
    binary("FusedMulAdd", "asc.fused_mul_add", dst, src0, src1, args, kwargs)


def fused_mul_add_relu(
    dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, *args: Any, **kwargs: Any
) -> None:
    """``dst = max(src0 * dst + src1, 0)``; half, float.

    asc-devkit: docs/zh/api/SIMD-API/基础API/Memory矢量计算/复合计算/FusedMulAddRelu.md
    """
    binary("MulAddRelu", "asc.fused_mul_add_relu", dst, src0, src1, args, kwargs)


def mul_cast(
    dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, *args: Any, **kwargs: Any
) -> None:
    """``src0 * src1`` (half) as int8 or uint8.

    asc-devkit: docs/zh/api/SIMD-API/基础API/Memory矢量计算/复合计算/MulCast.md
    """
    binary("MulCast", "asc.mul_cast", dst, src0, src1, args, kwargs)
