"""Which elements of an output are wrong: the rule of CANN's operator benchmark.

The mean relative error must be below t, the largest one below 10 t; integers must be equal (cann-bench:
docs/design/precision_comparison_design.md). Near zero a relative error says nothing, so errors of values below
``small`` are taken relative to ``small`` (there the benchmark counts such values apart; here one bad value is
enough, whatever its size).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

#: Thresholds t by dtype (cann-bench: precision_comparison_design.md, 2.2).
THRESHOLDS = {"float16": 2.0**-10, "bfloat16": 2.0**-7, "float32": 2.0**-13, "float64": 2.0**-13}
#: Below this an expected value counts as near zero (same page, 3.2).
SMALL = {"float16": 2.0**-11, "bfloat16": 2.0**-8, "float32": 2.0**-14, "float64": 2.0**-14}


class Errors(NamedTuple):
    """Element by element: the relative error (0 where one of the two is not finite), what is ``odd`` (NaN or Inf stands
    in one and not in the other) and what is ``wrong``; ``rounded`` is what was expected, in the output's type."""

    error: NDArray[np.float64]
    odd: NDArray[np.bool_]
    wrong: NDArray[np.bool_]
    rounded: NDArray[np.float64]
    value: NDArray[np.float64]
    finite: NDArray[np.bool_]


def errors(got: NDArray[Any], expected: NDArray[Any], threshold: float) -> Errors:
    """``got``, an array of floats, against ``expected`` of the same shape."""
    with np.errstate(all="ignore"):
        rounded = expected.astype(got.dtype).astype(np.float64)
        value = got.astype(np.float64)
        agree = (np.isnan(rounded) & np.isnan(value)) | (np.isinf(rounded) & (rounded == value))
        finite = np.isfinite(rounded) & np.isfinite(value)
        error = np.abs(value - expected) / np.maximum(np.abs(expected), SMALL[got.dtype.name])
    error[~finite] = 0.0
    odd = ~finite & ~agree
    return Errors(error, odd, odd | (error >= 10 * threshold), rounded, value, finite)


def wrong_elements(got: NDArray[Any], expected: NDArray[Any]) -> NDArray[np.bool_]:
    """Where ``got`` is not what it should be. Where only the mean is too large: all that are above it."""
    if got.dtype.name not in THRESHOLDS:
        return np.asarray(got != expected)
    threshold = THRESHOLDS[got.dtype.name]
    found = errors(got, expected.astype(np.float64), threshold)
    if found.wrong.any() or not found.finite.any():
        return found.wrong
    too_large = float(found.error[found.finite].mean()) >= threshold
    return np.asarray(found.error >= threshold) if too_large else found.wrong
