"""Small operations of the language itself."""

from __future__ import annotations

from ascend_lab.asc.language.core.constexpr import ConstExpr
from ascend_lab.asc.language.core.dtype import DataType
from ascend_lab.asc.language.core.ir_value import (
    RuntimeFloat,
    RuntimeInt,
    plain_number,
    scalar_of,
)
from ascend_lab.asc.not_modelled import not_modelled

inline = not_modelled("asc.inline")


def number(value: float, dtype: DataType) -> RuntimeInt | RuntimeFloat:
    """``value`` as a run-time scalar of ``dtype``."""
    return scalar_of(plain_number("asc.number", "value", value, dtype), dtype)


def ceildiv(x: int, y: int) -> int:
    """The quotient rounded up, for ``x`` >= 0 and ``y`` > 0."""
    return (x + y - 1) // y


def static_assert(test: bool, message: str | None = None) -> None:
    """Stop unless the compile-time condition holds. Raises AssertionError."""
    condition = ConstExpr.unwrap(test)
    if not isinstance(condition, bool):
        raise TypeError(f"static_assert needs a bool, got {type(condition).__name__}")
    if not condition:
        raise AssertionError("static_assert failed" if message is None else message)
