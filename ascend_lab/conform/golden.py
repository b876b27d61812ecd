"""Our own golden, for samples that have none: what an operator's name says it computes."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
Attributes = Mapping[str, Any]
Golden = Callable[[list[Array], Attributes], Array]


def _add(x: list[Array], attrs: Attributes) -> Array:
    total = x[0].astype(np.float64) + x[1]
    return np.clip(total, attrs["min"], attrs["max"]) if {"min", "max"} <= set(attrs) else total


def _sub(x: list[Array], attrs: Attributes) -> Array:
    return x[0].astype(np.float64) - x[1]


def _square_diff(x: list[Array], attrs: Attributes) -> Array:
    """The difference of the squares."""
    return x[0].astype(np.float64) ** 2 - x[1].astype(np.float64) ** 2


def _mul(x: list[Array], attrs: Attributes) -> Array:
    return x[0].astype(np.float64) * x[1]


def _sigmoid(x: list[Array], attrs: Attributes) -> Array:
    return 1 / (1 + np.exp(-x[0].astype(np.float64)))


def _sinh(x: list[Array], attrs: Attributes) -> Array:
    return np.sinh(x[0].astype(np.float64))


_BY_NAME: tuple[tuple[str, Golden], ...] = (
    ("square_?diff", _square_diff),
    ("sigmoid", _sigmoid),
    ("sinh", _sinh),
    ("sub", _sub),
    ("add", _add),
    ("mul", _mul),
)


def golden_of(name: str) -> Golden | None:
    """What operator or kernel ``name`` computes, in double; None when the name does not say. No matrix products."""
    plain = name.lower()
    if "matmul" in plain:
        return None
    return next((golden for word, golden in _BY_NAME if re.search(word, plain)), None)


_TOLERANCE = {
    2: 2e-3,
    4: 1e-5,
}  # of the largest value: differences cancel, and single elements say little


def agrees(result: Array, expected: Array) -> bool:
    """Whether ``result`` is ``expected`` within what its type can hold."""
    kind = result.dtype
    if kind.kind in "iu":
        return bool(np.array_equal(result, np.rint(expected).astype(kind)))
    tolerance = _TOLERANCE.get(kind.itemsize, 1e-4) * max(
        1.0, float(np.abs(expected).max(initial=0))
    )
    return bool(np.allclose(result.astype(np.float64), expected, rtol=0, atol=tolerance))
