"""Run-time scalars: what a kernel computes on the scalar unit.

pyasc types a run-time integer int32 unless said otherwise; ``/``, ``//`` and ``%`` on it divide as C does
(toward zero), results wrap, and the other operand is converted to the run-time operand's type.
"""

from __future__ import annotations

import ctypes
import operator
from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np

from ascend_lab.asc.errors import not_a_number, not_an_int
from ascend_lab.asc.language.core.constexpr import ConstExpr
from ascend_lab.asc.language.core.dtype import DataType, KnownTypes
from ascend_lab.engine.errors import LabError
from ascend_lab.engine.instruction import DTYPES

_new_int = int.__new__
_new_float = float.__new__


def _truncated(left: int, right: int) -> int:
    left, right = int(left), int(right)
    quotient = left // right
    return quotient + 1 if quotient < 0 and quotient * right != left else quotient


def _remainder(left: int, right: int) -> int:
    left, right = int(left), int(right)
    return left - _truncated(left, right) * right


def _int_method(compute: Callable[[int, int], int]) -> Callable[[Any, Any], Any]:
    """A method of RuntimeInt; ``compute`` is one of int's own, which knows nothing of wrapping."""

    def method(self: RuntimeInt, other: Any) -> Any:
        if not isinstance(other, int):
            if not isinstance(other, float):
                return NotImplemented
            other = int(other)
        value = compute(self, other)
        cls = type(self)
        if cls.low <= value <= cls.high:
            return _new_int(cls, value)
        return cls.wrapped(value)

    return method


class RuntimeInt(int):
    """A run-time integer of type ``dtype``; arithmetic wraps and divides as in C."""

    dtype: ClassVar[DataType]
    low: ClassVar[int]
    high: ClassVar[int]

    @classmethod
    def wrapped(cls, value: int) -> RuntimeInt:
        """``value`` modulo the type's range."""
        return _new_int(cls, (value - cls.low) % (cls.high - cls.low + 1) + cls.low)

    __add__ = _int_method(int.__add__)
    __radd__ = _int_method(int.__radd__)
    __sub__ = _int_method(int.__sub__)
    __rsub__ = _int_method(int.__rsub__)
    __mul__ = _int_method(int.__mul__)
    __rmul__ = _int_method(int.__rmul__)
    __truediv__ = _int_method(_truncated)
    __rtruediv__ = _int_method(lambda self, other: _truncated(other, self))
    __floordiv__ = _int_method(_truncated)
    __rfloordiv__ = _int_method(lambda self, other: _truncated(other, self))
    __mod__ = _int_method(_remainder)
    __rmod__ = _int_method(lambda self, other: _remainder(other, self))
    __lshift__ = _int_method(int.__lshift__)
    __rlshift__ = _int_method(int.__rlshift__)
    __rshift__ = _int_method(int.__rshift__)
    __rrshift__ = _int_method(int.__rrshift__)
    __and__ = _int_method(int.__and__)
    __rand__ = _int_method(int.__rand__)
    __or__ = _int_method(int.__or__)
    __ror__ = _int_method(int.__ror__)
    __xor__ = _int_method(int.__xor__)
    __rxor__ = _int_method(int.__rxor__)

    def __neg__(self) -> RuntimeInt:
        return self.wrapped(-int(self))

    def __pos__(self) -> RuntimeInt:
        return self

    def __abs__(self) -> RuntimeInt:
        return self.wrapped(abs(int(self)))

    def __divmod__(self, other: Any) -> Any:
        return self // other, self % other

    def ceildiv(self, other: int) -> RuntimeInt:
        """The quotient rounded up."""
        return self.wrapped(-(-int(self) // int(other)))

    def cast(self, dtype: DataType) -> RuntimeInt | RuntimeFloat:
        """The value as a run-time scalar of type ``dtype``."""
        return scalar_of(int(self), dtype)


def _float_binary(compute: Callable[[float, float], float]) -> Callable[[Any, Any], Any]:
    def method(self: RuntimeFloat, other: Any) -> Any:
        if not isinstance(other, (int, float)):
            return NotImplemented
        return type(self).rounded(compute(float(self), float(other)))

    return method


def _float_reflected(compute: Callable[[float, float], float]) -> Callable[[Any, Any], Any]:
    return _float_binary(lambda self, other: compute(other, self))


def _quotient(left: float, right: float) -> float:
    if right:
        return left / right
    with np.errstate(all="ignore"):
        return float(np.float64(left) / np.float64(right))


class RuntimeFloat(float):
    """A run-time floating-point number of type ``dtype``; every result is rounded to that type."""

    dtype: ClassVar[DataType]

    @classmethod
    def rounded(cls, value: float) -> RuntimeFloat:
        """``value`` rounded to the type."""
        if cls.dtype.bitwidth == 32:
            return _new_float(cls, ctypes.c_float(value).value)
        with np.errstate(all="ignore"):
            return _new_float(cls, float(DTYPES[cls.dtype.name].type(value)))

    __add__ = _float_binary(operator.add)
    __radd__ = _float_reflected(operator.add)
    __sub__ = _float_binary(operator.sub)
    __rsub__ = _float_reflected(operator.sub)
    __mul__ = _float_binary(operator.mul)
    __rmul__ = _float_reflected(operator.mul)
    __truediv__ = _float_binary(_quotient)
    __rtruediv__ = _float_reflected(_quotient)
    __floordiv__ = _float_binary(_quotient)
    __rfloordiv__ = _float_reflected(_quotient)

    def __neg__(self) -> RuntimeFloat:
        return self.rounded(-float(self))

    def __pos__(self) -> RuntimeFloat:
        return self

    def __abs__(self) -> RuntimeFloat:
        return self.rounded(abs(float(self)))

    def cast(self, dtype: DataType) -> RuntimeInt | RuntimeFloat:
        """The value as a run-time scalar of type ``dtype``; to integers it is cut off."""
        return scalar_of(float(self), dtype)


def _int_class(dtype: DataType) -> type[RuntimeInt]:
    bits = dtype.bitwidth or 32
    low = -(1 << (bits - 1)) if dtype.is_signed() else 0
    high = low + (1 << bits) - 1
    return type(f"Runtime_{dtype}", (RuntimeInt,), {"dtype": dtype, "low": low, "high": high})


def _float_class(dtype: DataType) -> type[RuntimeFloat]:
    return type(f"Runtime_{dtype}", (RuntimeFloat,), {"dtype": dtype})


_INTS = {
    str(dtype): _int_class(dtype)
    for dtype in map(
        DataType,
        ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
    )
}
_FLOATS = {
    str(dtype): _float_class(dtype)
    for dtype in map(DataType, ("float16", "bfloat16", "float32", "float64"))
}
_INT32 = _INTS["int32"]
_FLOAT32 = _FLOATS["float32"]


def int32_of(value: int) -> RuntimeInt:
    """``value`` as a run-time int32; it must fit."""
    return _new_int(_INT32, value)


def int64_of(value: int) -> RuntimeInt:
    """``value`` as a run-time int64; it must fit."""
    return _new_int(_INTS["int64"], value)


def float32_of(value: float) -> RuntimeFloat:
    """``value`` rounded to a run-time float32."""
    return _FLOAT32.rounded(value)


def float16_of(value: float) -> RuntimeFloat:
    """``value`` rounded to a run-time half."""
    return _FLOATS["float16"].rounded(value)


def scalar_of(value: float, dtype: DataType) -> RuntimeInt | RuntimeFloat:
    """``value`` as a run-time scalar of ``dtype``: wrapped (integers) or rounded (floats)."""
    ints = _INTS.get(dtype.name)
    if ints is not None:
        return ints.wrapped(int(value))
    floats = _FLOATS.get(dtype.name)
    if floats is None:
        raise LabError(f"没有类型为 {dtype} 的标量。", f"there are no scalars of type {dtype}.")
    return floats.rounded(float(value))


def plain_int(api: str, name: str, value: Any) -> int:
    """An integer argument as a plain int. Raises LabError for anything else."""
    try:
        return operator.index(value)
    except TypeError:
        if isinstance(value, ConstExpr):
            return plain_int(api, name, value.value)
        raise not_an_int(api, name, value) from None


def plain_number(api: str, name: str, value: Any, dtype: DataType) -> int | float:
    """A scalar operand as a plain int or float, as pyasc converts it to ``dtype``."""
    value = ConstExpr.unwrap(value)
    if isinstance(value, np.generic):
        value = value.item()
    if not isinstance(value, (int, float)):
        raise not_a_number(api, name, value)
    return float(value) if dtype.is_float() else int(value)


class GlobalAddress:
    """A place in GM: a kernel's array argument, or that plus an offset in elements."""

    __slots__ = ("addr", "dtype", "name")

    def __init__(self, addr: int, dtype: DataType, name: str = "") -> None:
        self.addr = addr
        self.dtype = dtype
        self.name = name

    def __add__(self, offset: int) -> GlobalAddress:
        steps = plain_int("GlobalAddress", "offset", offset)
        return GlobalAddress(self.addr + steps * self.dtype.sizeof(), self.dtype, self.name)

    def __repr__(self) -> str:
        return f"GlobalAddress(dtype={self.dtype}, name={self.name!r})"


def known_type(name: str) -> DataType:
    """The DataType called ``name``; the predefined object where there is one."""
    found = getattr(KnownTypes, name, None)
    return found if isinstance(found, DataType) else DataType(name)
