"""One source, a scalar, and the destination's old value."""

from __future__ import annotations

from typing import Any

from ascend_lab.asc.language.basic.vector import with_scalar
from ascend_lab.asc.language.core.tensor import LocalTensor


def axpy(dst: LocalTensor, src: LocalTensor, scalar: float, *args: Any, **kwargs: Any) -> None:
    """``dst += src * scalar``; half, float, or half into float.

    asc-devkit: docs/zh/api/SIMD-API/基础API/Memory矢量计算/复合计算/Axpy.md
    """
    with_scalar("Axpy", "asc.axpy", dst, src, scalar, args, kwargs)
