"""What one lane computes, over whole arrays: types, rounding and special values as documented.

Source: asc-devkit: docs/zh/api/附录/Memory矢量计算接口边界值汇总.md (INF/NAN mode, the default: results
follow IEEE 754) and the page of each API under docs/zh/api/SIMD-API/基础API/Memory矢量计算. half is computed
in float and rounded once, which is exact for + - * / and sqrt (24 >= 2*11 + 2 bits).

Not documented, chosen here: Exp, Ln, Sqrt, Rsqrt and Reciprocal return the nearest value NumPy has; on
the chip Rsqrt and Reciprocal are coarser than 1e-3 (half) and 1e-4 (float).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ascend_lab.engine.instruction import DTYPES, Instr

Array = NDArray[Any]
Compute = Callable[[list[Array], Instr], Array]
HALF = np.dtype(np.float16)
SINGLE = np.dtype(np.float32)


def as_scalar(value: Any, dtype: np.dtype[Any]) -> Any:
    """A scalar operand as the tensor's type, as C++ converts: integers wrap, floats round.

    A float becomes an integer by cutting its fraction; NaN and infinity, undefined in C++, become 0.
    """
    if dtype.kind not in "iu":
        return _rounded(value, dtype)
    if isinstance(value, float | np.floating) and not math.isfinite(value):
        return dtype.type(0)
    bits = dtype.itemsize * 8
    wrapped = int(value) & ((1 << bits) - 1)
    if dtype.kind == "i" and wrapped >> (bits - 1):
        wrapped -= 1 << bits
    return dtype.type(wrapped)


@np.errstate(all="ignore")
def _rounded(value: Any, dtype: np.dtype[Any]) -> Any:
    try:
        return dtype.type(value)
    except OverflowError:  # a Python int no float holds
        return dtype.type(math.inf if value > 0 else -math.inf)


def elementwise(ufunc: Callable[..., Any]) -> Compute:
    """``ufunc`` on all sources, in the type of the operands; half through float, rounded once."""

    def compute(sources: list[Array], instr: Instr) -> Array:
        dtype = sources[0].dtype
        if dtype == HALF:
            return _through_single(ufunc, sources)
        values: Array = ufunc(*sources)
        return values if values.dtype == dtype else values.astype(dtype)

    return compute


def _through_single(ufunc: Callable[..., Any], sources: Sequence[Any]) -> Array:
    """Halves computed in float; NumPy's own functions convert part by part, in a third less time."""
    if isinstance(ufunc, np.ufunc):
        halves = np.empty(sources[0].shape, HALF)
        ufunc(*sources, out=halves, dtype=SINGLE, casting="same_kind")
        return halves
    values: Array = ufunc(*(source.astype(SINGLE) for source in sources))
    return values.astype(HALF)


def with_scalar(ufunc: Callable[..., Any]) -> Compute:
    """``ufunc(source, scalar)``; the scalar is first converted to the tensor's type."""

    def compute(sources: list[Array], instr: Instr) -> Array:
        (source,) = sources
        dtype = source.dtype
        scalar = as_scalar(instr.params["scalar"], dtype)
        if dtype == HALF:
            return _through_single(ufunc, [source, SINGLE.type(scalar)])
        values: Array = ufunc(source, scalar)
        return values if values.dtype == dtype else values.astype(dtype)

    return compute


def maximum(a: Array, b: Any) -> Array:
    """The larger; +0 counts as larger than -0, NaN wins (tables 13, 17)."""
    result: Array = np.maximum(a, b)
    if result.dtype.kind == "f" and not np.logical_and.reduce(result):
        result = np.where((a == 0) & (b == 0), a + b, result)
    return result


def minimum(a: Array, b: Any) -> Array:
    """The smaller; -0 counts as smaller than +0, NaN wins (tables 14, 18)."""
    result: Array = np.minimum(a, b)
    if result.dtype.kind == "f" and not np.logical_and.reduce(result):
        result = np.where((a == 0) & (b == 0), -(-a + -b), result)
    return result


def relu(source: Array) -> Array:
    """max(x, 0); -0 becomes +0, NaN stays (table 8)."""
    result: Array = np.maximum(source, source.dtype.type(0))
    if result.dtype.kind == "f":
        result += result.dtype.type(0)
    return result


def leaky_relu(source: Array, scalar: Any) -> Array:
    """x, or x * scalar where the sign bit of x is set, -0 included (table 19)."""
    return np.where(np.signbit(source), source * scalar, source)


def absolute(source: Array) -> Array:
    return np.asarray(np.abs(source))


def rsqrt(source: Array) -> Array:
    return np.asarray(source.dtype.type(1) / np.sqrt(source))


def reciprocal(source: Array) -> Array:
    return np.asarray(source.dtype.type(1) / source)


def add_relu(a: Array, b: Array) -> Array:
    return relu(a + b)


def sub_relu(a: Array, b: Array) -> Array:
    return relu(a - b)


def fill(sources: list[Array], instr: Instr) -> Array:
    assert instr.dst is not None
    return np.asarray(as_scalar(instr.params["scalar"], DTYPES[instr.dst.dtype]))


def copy(sources: list[Array], instr: Instr) -> Array:
    return sources[0].copy()


def _shift_amount(source: Array, scalar: Any) -> int:
    return min(max(int(scalar), 0), source.dtype.itemsize * 8)


def shift_left(source: Array, scalar: Any) -> Array:
    """Signed left shift keeps the sign bit and drops the next one; unsigned is logical."""
    bits = source.dtype.itemsize * 8
    raw = source.view(f"u{source.dtype.itemsize}")
    amount = _shift_amount(source, scalar)
    moved = raw << raw.dtype.type(amount) if amount < bits else np.zeros_like(raw)
    if source.dtype.kind == "i":
        sign = raw.dtype.type(1 << (bits - 1))
        moved = (raw & sign) | (moved & ~sign)
    return moved.view(source.dtype)


def shift_right(source: Array, scalar: Any) -> Array:
    """Arithmetic for signed, logical for unsigned elements."""
    bits = source.dtype.itemsize * 8
    amount = _shift_amount(source, scalar)
    if amount == bits and source.dtype.kind == "u":
        return np.zeros_like(source)
    return np.asarray(source >> source.dtype.type(min(amount, bits - 1)))


def _times(a: Array, b: Any, out: np.dtype[Any]) -> Array:
    """a * b rounded to ``out``: the intermediate value of the fused APIs overflows in it (table 20)."""
    return np.asarray(np.multiply(a, b, dtype=out))


def axpy(sources: list[Array], instr: Instr) -> Array:
    """dst + src * scalar, the product rounded to the type of dst."""
    source, dst = sources
    scalar = as_scalar(instr.params["scalar"], source.dtype)
    return np.asarray(dst + _times(source, scalar, dst.dtype))


def mul_add_dst(sources: list[Array], instr: Instr) -> Array:
    """dst + src0 * src1, the product rounded to the type of dst."""
    a, b, dst = sources
    return np.asarray(dst + _times(a, b, dst.dtype))


def fused_mul_add(sources: list[Array], instr: Instr) -> Array:
    """src0 * dst + src1, the product rounded to the type of dst."""
    a, b, dst = sources
    return np.asarray(_times(a, dst, dst.dtype) + b)


def mul_add_relu(sources: list[Array], instr: Instr) -> Array:
    """max(src0 * dst + src1, 0)."""
    return relu(fused_mul_add(sources, instr))
