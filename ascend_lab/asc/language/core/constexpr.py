"""Values that are known when a kernel is compiled."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

T_co = TypeVar("T_co", covariant=True)


class ConstExpr(Generic[T_co]):
    """Marks a compile-time constant: an annotation of a kernel's parameter, or a wrapper of a value."""

    def __init__(self, value: Any) -> None:
        self.value = self.unwrap(value)

    def __str__(self) -> str:
        return str(self.value)

    def __repr__(self) -> str:
        return f"ConstExpr[{type(self.value).__name__}]({self.value!r})"

    def __format__(self, spec: str) -> str:
        return format(self.value, spec)

    @staticmethod
    def unwrap(value: Any) -> Any:
        """The plain value of ``value``, wrapped or not."""
        return value.value if isinstance(value, ConstExpr) else value
