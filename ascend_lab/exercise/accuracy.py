"""Whether an output is right: the mean and the largest relative error against the exact result.

The rule is that of CANN's operator benchmark, in `ascend_lab.checks.tolerance`: the mean relative error MERE must
be below t, the largest one, MARE, below 10 t; integers must be equal.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ascend_lab.checks.tolerance import SMALL, THRESHOLDS, errors
from ascend_lab.exercise.golden import is_integer

__all__ = ["SMALL", "THRESHOLDS", "Comparison", "compare", "grows_with_size"]


@dataclass(frozen=True, slots=True)
class Comparison:
    """One output against its golden. ``t`` is 0 for integers, whose rule is equality.

    ``first`` is the index of the first wrong element (where only the mean is too large: of the worst),
    ``expected`` and ``got`` its values; ``wrong`` counts the elements above 10 t, ``not_finite`` those where
    NaN or Inf stands in one and not in the other.
    """

    passed: bool
    dtype: str
    t: float
    mere: float
    mare: float
    total: int
    wrong: int
    not_finite: int
    first: tuple[int, ...] | None
    expected: float | int | None
    got: float | int | None


def compare(got: NDArray[Any], expected: NDArray[Any], t: float | None = None) -> Comparison:
    """``got`` against ``expected`` (float64, or the same integer type), both of one shape.

    ``t`` replaces the threshold of ``got``'s dtype. Expected values beyond the dtype's range count as the
    infinity they round to.
    """
    if is_integer(got.dtype):
        return _exact(got, expected)
    name = got.dtype.name
    threshold = THRESHOLDS[name] if t is None else t
    found = errors(got, expected, threshold)
    error, wrong, finite = found.error, found.wrong, found.finite
    mere = float(error[finite].mean()) if finite.any() else 0.0
    mare = float(error.max(initial=0.0))
    passed = not wrong.any() and mere < threshold
    first = None if passed else _first(wrong, error)
    return Comparison(
        passed=passed,
        dtype=name,
        t=threshold,
        mere=mere,
        mare=mare,
        total=int(got.size),
        wrong=int(wrong.sum()),
        not_finite=int(found.odd.sum()),
        first=first,
        expected=None if first is None else float(found.rounded[first]),
        got=None if first is None else float(found.value[first]),
    )


def _exact(got: NDArray[Any], expected: NDArray[Any]) -> Comparison:
    wrong = got != expected
    first = _first(wrong, wrong) if wrong.any() else None
    return Comparison(
        passed=first is None,
        dtype=got.dtype.name,
        t=0.0,
        mere=0.0,
        mare=0.0,
        total=int(got.size),
        wrong=int(wrong.sum()),
        not_finite=0,
        first=first,
        expected=None if first is None else int(expected[first]),
        got=None if first is None else int(got[first]),
    )


def _first(wrong: NDArray[Any], error: NDArray[Any]) -> tuple[int, ...]:
    flat = int(wrong.argmax() if wrong.any() else error.argmax())
    return tuple(int(index) for index in np.unravel_index(flat, wrong.shape))


def grows_with_size(comparisons: Sequence[tuple[int, Comparison]]) -> bool:
    """Whether errors look like accumulation in too narrow a type (fault H3).

    ``comparisons`` are (elements, comparison) of one output at several sizes: the smallest size passes, the
    largest fails with finite values only, and the error never shrinks much on the way.
    """
    ordered = sorted(comparisons, key=lambda pair: pair[0])
    if len(ordered) < 2 or any(c.not_finite or not c.t for _, c in ordered):
        return False
    smallest, largest = ordered[0][1], ordered[-1][1]
    if not smallest.passed or largest.passed:
        return False
    errors = [max(c.mare, 1e-12) for _, c in ordered]
    return all(later > earlier / 2 for earlier, later in itertools.pairwise(errors))
