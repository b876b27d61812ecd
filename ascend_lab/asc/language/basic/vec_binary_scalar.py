"""One source and a scalar. The scalar is converted to the source's type.

asc-devkit: docs/zh/api/SIMD-API/基础API/Memory矢量计算/基础算术, 逻辑计算.
"""

from __future__ import annotations

from typing import Any

from ascend_lab.asc.language.basic.vector import with_scalar
from ascend_lab.asc.language.core.tensor import LocalTensor


def adds(dst: LocalTensor, src: LocalTensor, scalar: float, *args: Any, **kwargs: Any) -> None:
    """``dst = src + scalar``; half, float, int16, int32."""
    with_scalar("Adds", "asc.adds", dst, src, scalar, args, kwargs)


def muls(dst: LocalTensor, src: LocalTensor, scalar: float, *args: Any, **kwargs: Any) -> None:
    """``dst = src * scalar``; half, float, int16, int32."""
    with_scalar("Muls", "asc.muls", dst, src, scalar, args, kwargs)


def maxs(dst: LocalTensor, src: LocalTensor, scalar: float, *args: Any, **kwargs: Any) -> None:
    """The larger of ``src`` and ``scalar``; half, float, int16, int32."""
    with_scalar("Maxs", "asc.maxs", dst, src, scalar, args, kwargs)


def mins(dst: LocalTensor, src: LocalTensor, scalar: float, *args: Any, **kwargs: Any) -> None:
    """The smaller of ``src`` and ``scalar``; half, float, int16, int32."""
    with_scalar("Mins", "asc.mins", dst, src, scalar, args, kwargs)


def leaky_relu(
    dst: LocalTensor, src: LocalTensor, scalar: float, *args: Any, **kwargs: Any
) -> None:
    """``src`` where it is not negative, else ``src * scalar``; half, float."""
    with_scalar("LeakyRelu", "asc.leaky_relu", dst, src, scalar, args, kwargs)


def shift_left(dst: LocalTensor, src: LocalTensor, scalar: int, *args: Any, **kwargs: Any) -> None:
    """``src << scalar``; int16, uint16, int32, uint32. Signed types keep their sign bit."""
    with_scalar("ShiftLeft", "asc.shift_left", dst, src, scalar, args, kwargs)


def shift_right(dst: LocalTensor, src: LocalTensor, scalar: int, *args: Any, **kwargs: Any) -> None:
    """``src >> scalar``; int16, uint16, int32, uint32. Signed types shift the sign in."""
    with_scalar("ShiftRight", "asc.shift_right", dst, src, scalar, args, kwargs)
