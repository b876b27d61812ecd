"""Cast: every round mode between the types of the model.

Sources: asc-devkit: docs/zh/api/SIMD-API/基础API/数据结构/precision_conversion.md (round modes, examples),
docs/zh/api/SIMD-API/基础API/Memory矢量计算/类型转换/Cast.md (which pairs), and
docs/zh/api/附录/Memory矢量计算接口边界值汇总.md table 32 (special values).

- To an integer: round, then saturate; NaN becomes 0. Integer to integer saturates.
- To half or bfloat16: a magnitude past the largest becomes infinity in every mode (INF/NAN mode, the default
  that table 32 and the reduction pages give; the register page lists saturation as the initial value).
- float to float rounds to an integral value, and -0 becomes +0 (the table says so).
- CAST_NONE on a pair that loses precision is CAST_RINT.

Which modes a pair allows is a check's business; here each mode means the same for every pair.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import ml_dtypes
import numpy as np
from numpy.typing import NDArray

from ascend_lab.engine.errors import NotModelled

Array = NDArray[Any]
DType = np.dtype[Any]
HALF = np.dtype(np.float16)
BF16 = np.dtype(ml_dtypes.bfloat16)
SINGLE = np.dtype(np.float32)
DOUBLE = np.dtype(np.float64)
#: Bits of the significand, the hidden one included.
_PRECISION: Mapping[DType, int] = {HALF: 11, BF16: 8, SINGLE: 24, DOUBLE: 53}
_NEAREST = ("CAST_NONE", "CAST_RINT")
MODES = (*_NEAREST, "CAST_FLOOR", "CAST_CEIL", "CAST_ROUND", "CAST_TRUNC", "CAST_ODD")


def cast(
    source: Array, dtype: DType, round_mode: str = "CAST_NONE", deq_scale: float | None = None
) -> Array:
    """``source`` as ``dtype``, always a new array.

    ``round_mode`` is a RoundMode name. ``deq_scale`` is what SetDeqScale set; int32_t to half needs it and
    ignores the mode. NotModelled for a mode outside MODES and for int32_t to half without a scale.
    """
    if round_mode not in MODES:
        raise NotModelled("Cast", f"round_mode={round_mode}")
    if source.dtype == np.int32 and dtype == HALF:
        return _dequantised(source, deq_scale)
    with np.errstate(all="ignore"):
        if dtype not in _PRECISION:
            return _to_integer(source, dtype, round_mode)
        if source.dtype not in _PRECISION:
            return _integer_to_float(source, dtype, round_mode)
        return _float_to_float(source, dtype, round_mode)


def _dequantised(source: Array, scale: float | None) -> Array:
    """src / 2**17 * scale * 2**17 (precision_conversion.md, int32_t to half)."""
    if scale is None:
        raise NotModelled("Cast", "int32_t -> half without SetDeqScale")
    with np.errstate(all="ignore"):
        small = source.astype(SINGLE) * SINGLE.type(2.0**-17) * SINGLE.type(scale)
        return np.asarray((small * SINGLE.type(2.0**17)).astype(HALF))


# --- to integers ---------------------------------------------------------------------------------


def _half_away(x: Array) -> Array:
    whole = np.trunc(x)
    return np.asarray(whole + np.copysign(np.abs(x - whole) >= 0.5, x).astype(x.dtype))


def _to_odd(x: Array) -> Array:
    """Von Neumann: an inexact value goes to the odd one of its two neighbours."""
    whole = np.trunc(x)
    step = (x != whole) & (np.fmod(whole, 2) == 0)
    return np.asarray(whole + np.copysign(step, x).astype(x.dtype))


_INTEGRAL: Mapping[str, Callable[[Array], Array]] = {
    "CAST_NONE": np.rint,
    "CAST_RINT": np.rint,
    "CAST_FLOOR": np.floor,
    "CAST_CEIL": np.ceil,
    "CAST_ROUND": _half_away,
    "CAST_TRUNC": np.trunc,
    "CAST_ODD": _to_odd,
}


def _to_integer(source: Array, dtype: DType, mode: str) -> Array:
    if source.dtype.kind in "iu":
        return _narrowed(source, dtype)
    whole = _INTEGRAL[mode](source if source.dtype in (SINGLE, DOUBLE) else source.astype(SINGLE))
    info = np.iinfo(dtype)
    # Halfway to the limits any float type is exact; no NaN passes the comparison.
    if whole.size and whole.min() >= info.min // 2 and whole.max() <= info.max // 2:
        return whole.astype(dtype)
    return _saturated(whole.astype(DOUBLE), dtype)


def _saturated(whole: Array, dtype: DType) -> Array:
    info = np.iinfo(dtype)
    top = float(info.max)  # 2**63 and 2**64 for the 64-bit types: one too far
    fits = np.nextafter(top, 0.0) if dtype.itemsize == 8 else top
    result = np.clip(whole, float(info.min), fits)
    result[np.isnan(whole)] = 0
    integers = result.astype(dtype)
    if dtype.itemsize == 8:
        integers[whole >= top] = info.max
    return integers


def _narrowed(source: Array, dtype: DType) -> Array:
    have, want = np.iinfo(source.dtype), np.iinfo(dtype)
    if have.min >= want.min and have.max <= want.max:
        return source.astype(dtype)
    low, high = max(have.min, want.min), min(have.max, want.max)
    return np.clip(source, low, high).astype(dtype)


# --- to floats -----------------------------------------------------------------------------------


def _carries(mode: str, negative: Array, odd: Array, rest: Array, half: Any) -> Any:
    """Whether the kept magnitude grows by one: ``rest`` is what is dropped, ``half`` its midpoint."""
    if mode == "CAST_FLOOR":
        return negative & (rest != 0)
    if mode == "CAST_CEIL":
        return ~negative & (rest != 0)
    if mode == "CAST_ROUND":
        return (rest >= half) & (rest != 0)
    if mode == "CAST_TRUNC":
        return np.zeros_like(negative)
    if mode == "CAST_ODD":
        return (rest != 0) & ~odd
    return (rest > half) | ((rest == half) & odd)


def _integer_to_float(source: Array, dtype: DType, mode: str) -> Array:
    precision = _PRECISION[dtype]
    bits = source.dtype.itemsize * 8 - (source.dtype.kind == "i")
    exact = bits <= _PRECISION[SINGLE]  # NumPy goes through float to reach bfloat16
    if bits <= precision or (mode in _NEAREST and (dtype != BF16 or exact)):
        return source.astype(dtype)
    negative = source < 0
    magnitude = source.astype(np.uint64)
    magnitude[negative] = ~magnitude[negative] + np.uint64(1)
    length = np.frexp(magnitude.astype(DOUBLE))[1]
    length -= (magnitude >> np.maximum(length - 1, 0).astype(np.uint64)) == 0  # rounded up to 2**k
    drop = np.maximum(length - precision, 0).astype(np.uint64)
    kept = magnitude >> drop
    rest = magnitude - (kept << drop)
    half = (np.uint64(1) << drop) >> np.uint64(1)
    kept = kept + _carries(mode, negative, (kept & np.uint64(1)) == 1, rest, half)
    value = np.ldexp(kept.astype(DOUBLE), drop.astype(np.int32))
    return np.asarray(np.where(negative, -value, value).astype(SINGLE).astype(dtype))


def _float_to_float(source: Array, dtype: DType, mode: str) -> Array:
    if source.dtype == dtype:
        return _integral_float(source, mode)
    if _PRECISION[dtype] >= _PRECISION[source.dtype] and source.dtype != BF16:
        return source.astype(dtype)
    if mode in _NEAREST or dtype.itemsize > 2:
        if source.dtype == DOUBLE and mode not in _NEAREST:
            raise NotModelled("Cast", f"double -> {dtype.name}, {mode}")
        return source.astype(dtype)
    single = source.astype(SINGLE)
    return _single_to_half(single, mode) if dtype == HALF else _single_to_bf16(single, mode)


def _integral_float(source: Array, mode: str) -> Array:
    wide = source if source.dtype in (SINGLE, DOUBLE) else source.astype(SINGLE)
    return np.asarray((_INTEGRAL[mode](wide) + wide.dtype.type(0)).astype(source.dtype))


def _split(single: Array) -> tuple[Array, Array, Array]:
    """(sign bit in place 31, is negative, magnitude bits) of float32 values."""
    bits = np.ascontiguousarray(single).view(np.uint32)
    sign = bits & np.uint32(0x80000000)
    return sign, sign != 0, bits & np.uint32(0x7FFFFFFF)


def _single_to_bf16(single: Array, mode: str) -> Array:
    sign, negative, magnitude = _split(single)
    kept, rest = magnitude >> np.uint32(16), magnitude & np.uint32(0xFFFF)
    carry = _carries(mode, negative, (kept & np.uint32(1)) == 1, rest, np.uint32(0x8000))
    kept = kept + carry
    kept[magnitude > 0x7F800000] = 0x7FC0
    return np.asarray((kept | (sign >> np.uint32(16))).astype(np.uint16).view(BF16))


def _single_to_half(single: Array, mode: str) -> Array:
    sign, negative, magnitude = _split(single)
    exponent = (magnitude >> np.uint32(23)).astype(np.int32) - 112
    fraction = magnitude & np.uint32(0x7FFFFF)
    # Below half's normal range the hidden bit moves into the fraction and more bits are dropped.
    subnormal = exponent < 1
    whole = np.where(
        subnormal,
        np.where(magnitude == 0, np.uint32(0), fraction | np.uint32(0x800000)),
        (np.maximum(exponent, 0).astype(np.uint32) << np.uint32(23)) | fraction,
    )
    drop = np.where(subnormal, np.minimum(14 - exponent, 31), 13).astype(np.uint32)
    kept = whole >> drop
    rest = whole - (kept << drop)
    half = np.uint32(1) << (drop - np.uint32(1))
    kept = kept + _carries(mode, negative, (kept & np.uint32(1)) == 1, rest, half)
    kept = np.minimum(kept, np.uint32(0x7C00))
    kept[magnitude > 0x7F800000] = 0x7E00
    return np.asarray((kept | (sign >> np.uint32(16))).astype(np.uint16).view(HALF))
