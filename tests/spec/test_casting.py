"""Cast against whole-number arithmetic: each value rounded one by one as a fraction."""

from __future__ import annotations

import math
from fractions import Fraction

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given

from ascend_lab.engine.errors import NotModelled
from ascend_lab.engine.instruction import DTYPES
from ascend_lab.engine.semantics.casting import MODES, cast
from tests.spec.one_core import OneCore, execute, numbers, same, ub, vector
from tests.spec.shapes import COUNTS, FEWER, SEEDS

#: (bits of the significand, smallest exponent of its last bit, largest finite value)
GRID = {
    "float16": (11, -24, Fraction(65504)),
    "bfloat16": (8, -133, Fraction(255 * 2**120)),
    "float32": (24, -149, Fraction((2**24 - 1) * 2**104)),
}
TO_FLOAT = [
    ("float32", "float16"), ("float32", "bfloat16"), ("bfloat16", "float16"),
    ("int16", "float16"), ("int32", "float32"), ("int64", "float32"), ("int16", "float32"),
    ("uint8", "float16"), ("int8", "float16"), ("float16", "float32"), ("bfloat16", "float32"),
]  # fmt: skip
TO_INTEGER = [
    (source, target)
    for source in ("float16", "float32", "bfloat16")
    for target in ("int8", "uint8", "int16", "int32", "int64")
]
BETWEEN_INTEGERS = [
    ("int32", "int16"), ("int64", "int32"), ("int32", "int64"), ("int16", "uint8"), ("int8", "int32"),
    ("int16", "uint32"), ("uint32", "int16"),
]  # fmt: skip
EDGES = [0.0, -0.0, 0.5, 1.5, 2.5, -0.5, -1.5, -2.5, 127.5, 255.5, 32767.5, 2**31, -(2**31), 2.0**63,
         65504, 65519.996, 65520, 65536, 6e-8, 3e-8, 2.0**-14, 1e-40, np.inf, -np.inf, np.nan]  # fmt: skip


def whole(x: Fraction, mode: str) -> int:
    """``x`` rounded to an integer as the table of round modes words it."""
    low = math.floor(x)
    rest = x - low
    if rest == 0:
        return low
    if mode == "CAST_FLOOR":
        return low
    if mode == "CAST_CEIL":
        return low + 1
    if mode == "CAST_TRUNC":
        return low if x > 0 else low + 1
    if mode == "CAST_ODD":
        return low if low % 2 else low + 1
    if rest != Fraction(1, 2):
        return low + (rest > Fraction(1, 2))
    if mode == "CAST_ROUND":
        return low + (x > 0)
    return low + low % 2


def to_integer(value: float | int, mode: str, dtype: str) -> int:
    if math.isnan(value):
        return 0
    info = np.iinfo(DTYPES[dtype])
    if value in (math.inf, -math.inf):
        return info.max if value > 0 else info.min
    return min(max(whole(Fraction(value), mode), info.min), info.max)


def to_float(value: float | int, mode: str, dtype: str) -> float:
    precision, lowest, largest = GRID[dtype]
    if not math.isfinite(value) or value == 0:
        return float(value)
    x = Fraction(value)
    exponent = max(math.floor(math.log2(abs(x))) + 1 - precision, lowest)
    while abs(x) >= Fraction(2) ** (exponent + precision):  # log2 rounded down
        exponent += 1
    while exponent > lowest and abs(x) < Fraction(2) ** (exponent + precision - 1):
        exponent -= 1
    quantum = Fraction(2) ** exponent
    result = whole(x / quantum, mode) * quantum
    if abs(result) > largest:
        return math.copysign(math.inf, value)
    return math.copysign(float(abs(result)), value)


def edges(dtype: str) -> np.ndarray:
    kind = DTYPES[dtype]
    if kind.kind in "iu":
        info = np.iinfo(kind)
        return np.array([info.min, info.min + 1, 0, 1, 2049, 2050, 2051, info.max], dtype=object)[
            np.array([0, 1, 2, 3, 7] if kind.itemsize == 1 else range(8))
        ].astype(kind)
    with np.errstate(all="ignore"):
        return np.array(EDGES).astype(kind)


def check_integers(values: np.ndarray, target: str, mode: str) -> None:
    found = cast(values, DTYPES[target], mode)
    assert found.dtype == DTYPES[target]
    assert found.tolist() == [to_integer(float(v), mode, target) for v in values]


def check_floats(values: np.ndarray, target: str, mode: str) -> None:
    exact = values.tolist() if values.dtype.kind in "iu" else [float(v) for v in values]
    expected = np.array([to_float(v, mode, target) for v in exact], dtype=np.float64)
    found = cast(values, DTYPES[target], mode)
    assert found.dtype == DTYPES[target]
    with np.errstate(invalid="ignore"):
        assert same(found.astype(np.float64), expected)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("source", "target"), TO_INTEGER)
def test_edges_to_integer(source: str, target: str, mode: str) -> None:
    check_integers(edges(source), target, mode)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("source", "target"), TO_FLOAT)
def test_edges_to_float(source: str, target: str, mode: str) -> None:
    check_floats(edges(source), target, mode)


@FEWER
@given(seed=SEEDS, pair=st.sampled_from(TO_INTEGER), mode=st.sampled_from(MODES))
def test_to_integer(pair: tuple[str, str], mode: str, seed: int) -> None:
    check_integers(numbers(seed, 60, pair[0]), pair[1], mode)


@pytest.mark.parametrize("mode", MODES)
@FEWER
@given(seed=SEEDS, pair=st.sampled_from(TO_FLOAT))
def test_to_float(pair: tuple[str, str], mode: str, seed: int) -> None:
    check_floats(numbers(seed, 60, pair[0]), pair[1], mode)


@pytest.mark.parametrize(("source", "target"), BETWEEN_INTEGERS)
@given(seed=SEEDS)
def test_between_integers_saturates(source: str, target: str, seed: int) -> None:
    values = np.concatenate([edges(source), numbers(seed, 40, source)])
    info = np.iinfo(DTYPES[target])
    expected = [min(max(v, info.min), info.max) for v in values.tolist()]
    assert cast(values, DTYPES[target], "CAST_NONE").tolist() == expected


@pytest.mark.parametrize("mode", MODES)
@given(seed=SEEDS)
def test_float_to_float_is_integral_and_loses_the_sign_of_zero(mode: str, seed: int) -> None:
    values = np.concatenate([edges("float32"), numbers(seed, 40, "float32")])
    found = cast(values, DTYPES["float32"], mode)
    for value, result in zip(values.tolist(), found.tolist(), strict=True):
        if math.isfinite(value):
            assert result == whole(Fraction(value), mode)
            assert result != 0 or math.copysign(1, result) == 1
        else:
            assert same(np.float32([value]), np.float32([result]))


@given(count=COUNTS, seed=SEEDS)
def test_in_memory_wider_and_narrower(count: int, seed: int) -> None:
    core = OneCore()
    half = numbers(seed, count, "float16")
    core.put(ub(16384, "float16"), half)
    wider = vector("Cast", ub(0, "int32"), (ub(16384, "float16"),), count=count, round="CAST_CEIL")
    execute(core, wider)
    expected = [to_integer(float(v), "CAST_CEIL", "int32") for v in half]
    assert core.elements(ub(0, "int32"), count).tolist() == expected
    back = vector("Cast", ub(32768, "int16"), (ub(0, "int32"),), count=count, round="CAST_NONE")
    execute(core, back)
    narrow = [min(max(v, -32768), 32767) for v in expected]
    assert core.elements(ub(32768, "int16"), count).tolist() == narrow


def test_the_mask_counts_the_wider_type() -> None:
    """The page's own example: half to int32_t, 64 elements an iteration, srcRepStride 4."""
    core = OneCore()
    half = np.arange(512).astype(np.float16) / np.float16(4)
    core.put(ub(16384, "float16"), half)
    instr = vector("Cast", ub(0, "int32"), (ub(16384, "float16"),), round="CAST_CEIL", mask=32,
                   repeat=8, blk=(1, 1), rep=(8, 4))  # fmt: skip
    execute(core, instr)
    found = core.elements(ub(0, "int32"), 512).reshape(8, 64)
    assert (found[:, :32] == np.ceil(half.reshape(8, 64)[:, :32])).all()
    assert (found[:, 32:] == -1).all()  # masked off: what was there before


def test_what_is_not_modelled_says_so() -> None:
    values = np.zeros(1, dtype=np.int32)
    with pytest.raises(NotModelled, match="SetDeqScale"):
        cast(values, DTYPES["float16"])
    assert cast(np.array([131072], np.int32), DTYPES["float16"], deq_scale=0.25)[0] == 32768
    with pytest.raises(NotModelled, match="CAST_HYBRID"):
        cast(values, DTYPES["float32"], "CAST_HYBRID")
