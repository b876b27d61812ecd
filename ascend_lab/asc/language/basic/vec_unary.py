"""One source, element by element. Both forms: ``count``, or mask, repeats and UnaryRepeatParams.

asc-devkit: docs/zh/api/SIMD-API/基础API/Memory矢量计算/基础算术, 逻辑计算.
"""

from __future__ import annotations

from typing import Any

from ascend_lab.asc.language.basic.vector import unary
from ascend_lab.asc.language.core.tensor import LocalTensor


def abs(dst: LocalTensor, src: LocalTensor, *args: Any, **kwargs: Any) -> None:
    """The absolute value; half, float."""
    unary("Abs", "asc.abs", dst, src, args, kwargs)


def exp(dst: LocalTensor, src: LocalTensor, *args: Any, **kwargs: Any) -> None:
    """e to the power of ``src``; half, float."""
    unary("Exp", "asc.exp", dst, src, args, kwargs)


def ln(dst: LocalTensor, src: LocalTensor, *args: Any, **kwargs: Any) -> None:
    """The natural logarithm; half, float."""
    unary("Ln", "asc.ln", dst, src, args, kwargs)


def sqrt(dst: LocalTensor, src: LocalTensor, *args: Any, **kwargs: Any) -> None:
    """The square root; half, float."""
    unary("Sqrt", "asc.sqrt", dst, src, args, kwargs)


def rsqrt(dst: LocalTensor, src: LocalTensor, *args: Any, **kwargs: Any) -> None:
    """One over the square root; half, float."""
    unary("Rsqrt", "asc.rsqrt", dst, src, args, kwargs)


def reciprocal(dst: LocalTensor, src: LocalTensor, *args: Any, **kwargs: Any) -> None:
    """One over ``src``; half, float."""
    unary("Reciprocal", "asc.reciprocal", dst, src, args, kwargs)


def relu(dst: LocalTensor, src: LocalTensor, *args: Any, **kwargs: Any) -> None:
    """``src`` where it is positive, else 0; half, float, int32."""
    unary("Relu", "asc.relu", dst, src, args, kwargs)


def bitwise_not(dst: LocalTensor, src: LocalTensor, *args: Any, **kwargs: Any) -> None:
    """``~src``; int16, uint16."""
    unary("Not", "asc.bitwise_not", dst, src, args, kwargs)
