"""Two sources, element by element. Both forms: ``count``, or mask, repeats and BinaryRepeatParams.

asc-devkit: docs/zh/api/SIMD-API/基础API/Memory矢量计算/基础算术, 逻辑计算.
"""

from __future__ import annotations

from typing import Any

from ascend_lab.asc.language.basic.vector import binary
from ascend_lab.asc.language.core.tensor import LocalTensor
from ascend_lab.asc.not_modelled import not_modelled


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


add_deq_relu = not_modelled("asc.add_deq_relu")
add_relu = not_modelled("asc.add_relu")
bilinear_interpolation = not_modelled("asc.bilinear_interpolation")
fused_mul_add = not_modelled("asc.fused_mul_add")
fused_mul_add_relu = not_modelled("asc.fused_mul_add_relu")
mul_add_dst = not_modelled("asc.mul_add_dst")
mul_cast = not_modelled("asc.mul_cast")
sub_relu = not_modelled("asc.sub_relu")
