"""Small arrays of run-time scalars on the scalar unit's stack."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ascend_lab.asc.language.core.dtype import DataType
from ascend_lab.asc.language.core.ir_value import (
    RuntimeFloat,
    RuntimeInt,
    plain_int,
    plain_number,
    scalar_of,
)
from ascend_lab.engine.errors import LabError

Number = RuntimeInt | RuntimeFloat


class Array:
    """A fixed number of scalars of one type; made by ``asc.array``."""

    __slots__ = ("_values", "dtype")

    def __init__(self, dtype: DataType, values: Sequence[float]) -> None:
        self.dtype = dtype
        self._values = [self._converted(value) for value in values]

    def _converted(self, value: float) -> Number:
        return scalar_of(plain_number("asc.array", "value", value, self.dtype), self.dtype)

    @property
    def length(self) -> int:
        """How many there are."""
        return len(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __iter__(self) -> Iterator[Number]:
        return iter(self._values)

    def __getitem__(self, index: int) -> Number:
        return self._values[plain_int("asc.array", "index", index)]

    def __setitem__(self, index: int, value: float) -> None:
        self._values[plain_int("asc.array", "index", index)] = self._converted(value)


def array(
    dtype: Any, length_or_values: int | Sequence[float], fill_value: float | None = None
) -> Array:
    """``array(dtype, length, fill_value)`` or ``array(dtype, values)``.

    Without ``fill_value`` the elements are 0 here and undefined on the chip.
    """
    if not (isinstance(dtype, DataType) and dtype.is_numeric()):
        raise LabError(
            f"asc.array：元素类型 {dtype} 不是整数或浮点数。",
            f"asc.array: elements must be integers or floats, not {dtype}.",
        )
    if isinstance(length_or_values, Sequence):
        _only_without_fill(fill_value)
        return Array(dtype, length_or_values)
    return Array(dtype, _filled(plain_int("asc.array", "length", length_or_values), fill_value))


def _only_without_fill(fill_value: Any) -> None:
    if fill_value is not None:
        raise LabError(
            "asc.array：给出了初值序列时不能再给 fill_value。",
            "asc.array: fill_value cannot be given together with the values.",
        )


def _filled(length: int, fill_value: float | None) -> list[float]:
    if length <= 0:
        raise LabError(
            f"asc.array：长度 {length} 必须大于 0。",
            f"asc.array: the length must be greater than 0, it is {length}.",
        )
    return [0 if fill_value is None else fill_value] * length
