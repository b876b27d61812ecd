"""The accuracy rule, at its edges."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

from ascend_lab.exercise.accuracy import THRESHOLDS, compare, grows_with_size

FLOATS = [np.float16, ml_dtypes.bfloat16, np.float32]


def off_by(factor: float, dtype: Any, size: int = 1024, one: bool = False) -> Any:
    """Values around 1 that are wrong by ``factor`` (all, or only the last one); computed in float64."""
    exact = np.ones(size)
    got = exact * (1 + factor) if not one else exact.copy()
    if one:
        got[-1] *= 1 + factor
    return compare(got.astype(dtype), exact)


@pytest.mark.parametrize("dtype", FLOATS)
def test_mean_must_be_below_t(dtype: Any) -> None:
    t = THRESHOLDS[np.dtype(dtype).name]
    assert not off_by(2 * t, dtype).passed
    assert off_by(0.0, dtype).passed
    found = off_by(2 * t, dtype)
    assert found.wrong == 0  # no single element is beyond 10 t
    assert found.mere == pytest.approx(2 * t, rel=0.01)
    assert found.first == (0,)


@pytest.mark.parametrize("dtype", FLOATS)
def test_no_element_may_reach_ten_t(dtype: Any) -> None:
    t = THRESHOLDS[np.dtype(dtype).name]
    assert off_by(8 * t, dtype, one=True).passed
    found = off_by(12 * t, dtype, one=True)
    assert not found.passed
    assert (found.wrong, found.first) == (1, (1023,))


def test_a_correctly_rounded_result_always_passes() -> None:
    exact = np.random.default_rng(0).normal(0, 1, 10_000) * np.logspace(-12, 4, 10_000)
    for dtype in FLOATS:
        assert compare(exact.astype(dtype), exact).passed


def test_a_wrong_value_near_zero_is_wrong() -> None:
    exact = np.zeros(1000)
    got = exact.astype(np.float32)
    got[3] = 1e-3
    found = compare(got, exact)
    assert (found.passed, found.first) == (False, (3,))


@pytest.mark.parametrize(
    ("expected", "got"),
    [
        (np.nan, 1.0),
        (1.0, np.nan),
        (np.inf, -np.inf),
        (np.inf, 65504.0),
        (1.0, np.inf),
        (np.nan, np.inf),
    ],
)
def test_nan_and_inf_must_stand_in_the_same_places(expected: float, got: float) -> None:
    found = compare(np.array([[0, got]], np.float16), np.array([[0.0, expected]]))
    assert (found.passed, found.not_finite, found.first) == (False, 1, (0, 1))


def test_nan_and_inf_that_agree() -> None:
    exact = np.array([np.nan, np.inf, -np.inf, 1e6, 2.0])  # 1e6 is beyond float16
    got = np.array([np.nan, np.inf, -np.inf, np.inf, 2.0], np.float16)
    assert compare(got, exact).passed


def test_integers_must_be_equal() -> None:
    exact = np.arange(6).reshape(2, 3)
    got = exact.astype(np.int32)
    assert compare(got, exact).passed
    got[1, 2] += 1
    found = compare(got, exact)
    assert (found.passed, found.first, found.expected, found.got) == (False, (1, 2), 5, 6)


def test_own_threshold() -> None:
    exact = np.ones(4)
    assert compare((exact * 1.01).astype(np.float32), exact, t=0.02).passed


def half_sum(n: int) -> Any:
    """Adding 0.1 in float16, n times."""
    total = np.float16(0)
    for _ in range(n):
        total = np.float16(total + np.float16(0.1))
    return compare(np.array([total]), np.array([n * float(np.float16(0.1))]))


def test_half_accumulation_grows_with_size() -> None:
    found = [(n, half_sum(n)) for n in (8, 512, 4096)]
    assert grows_with_size(found)
    assert not grows_with_size(found[:1])
    right = [(n, compare(np.ones(1, np.float16), np.ones(1))) for n in (8, 4096)]
    assert not grows_with_size(right)
    wrong_at_once = [(n, compare(np.zeros(1, np.float16), np.ones(1))) for n in (8, 4096)]
    assert not grows_with_size(wrong_at_once)
