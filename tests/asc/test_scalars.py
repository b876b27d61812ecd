"""Run-time scalars: what pyasc's compiled code computes, written in plain Python."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ascend_lab.asc.language.core.constexpr import ConstExpr
from ascend_lab.asc.language.core.dtype import KnownTypes
from ascend_lab.asc.language.core.ir_value import (
    RuntimeInt,
    float32_of,
    int32_of,
    plain_int,
    scalar_of,
)
from ascend_lab.engine.errors import LabError

int32 = st.integers(-(2**31), 2**31 - 1)


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("a + b", -4),
        ("a - b", -10),
        ("b - a", 10),
        ("a * b", -21),
        ("a / b", -2),
        ("a // b", -2),
        ("a % b", -1),
        ("7 / b", 2),
        ("7 // b", 2),
        ("-7 % b", -1),
        ("a << 1", -14),
        ("a >> 1", -4),
        ("b & 2", 2),
        ("b | 4", 7),
        ("1 ^ b", 2),
        ("-a", 7),
        ("abs(a)", 7),
        ("a.ceildiv(b)", -2),
        ("b.ceildiv(2)", 2),
        ("b + 0.9", 3),  # the other operand is converted to int32
        ("b * 0.5", 0),
    ],
)
def test_integers_divide_toward_zero_and_stay_int32(expression: str, value: int) -> None:
    result = eval(expression, {"a": int32_of(-7), "b": int32_of(3)})
    assert result == value
    assert isinstance(result, RuntimeInt)
    assert result.dtype == KnownTypes.int32


@given(int32, int32, st.sampled_from(["+", "-", "*"]))
def test_integers_wrap_as_int32(left: int, right: int, op: str) -> None:
    wide = eval(f"a {op} b", {"a": left, "b": right})
    expected = int(np.array(wide & 0xFFFFFFFF, np.uint64).astype(np.uint32).view(np.int32))
    assert eval(f"a {op} b", {"a": int32_of(left), "b": right}) == expected
    assert eval(f"a {op} b", {"a": left, "b": int32_of(right)}) == expected


@given(int32, int32.filter(bool))
def test_division_is_c_division(left: int, right: int) -> None:
    quotient, rest = int32_of(left) // right, int32_of(left) % right
    if (left, right) != (-(2**31), -1):  # overflows in C
        assert quotient == int(np.trunc(np.longdouble(left) / right))
        assert quotient * right + rest == left
        assert abs(rest) < abs(right)


def test_division_by_zero_is_an_error_of_the_kernel() -> None:
    with pytest.raises(ZeroDivisionError):
        int32_of(1) / 0


def test_the_left_run_time_operand_decides_the_type() -> None:
    wide, narrow = scalar_of(300, KnownTypes.int64), scalar_of(44, KnownTypes.uint8)
    assert (wide + narrow).dtype == KnownTypes.int64
    assert (narrow + wide).dtype == KnownTypes.uint8
    assert narrow + wide == 344 - 256
    assert wide.cast(KnownTypes.uint8) == 44
    assert wide.cast(KnownTypes.float16) == 300.0


def test_floats_are_rounded_to_their_type() -> None:
    third = float32_of(1.0) / 3
    assert third == float(np.float32(1) / np.float32(3))
    assert third.dtype == KnownTypes.float32
    assert scalar_of(0.1, KnownTypes.float16) == float(np.float16(0.1))
    assert float32_of(1.0) / 0.0 == float("inf")
    assert float32_of(1e39) == float("inf")
    assert third.cast(KnownTypes.int32) == 0


def test_comparisons_are_plain_and_values_work_as_indices() -> None:
    assert (int32_of(3) < 4) is True
    assert [10, 20, 30][int32_of(2)] == 30
    assert f"{int32_of(7)}" == "7"
    assert {int32_of(7): "x"}[7] == "x"


def test_an_index_must_be_an_integer() -> None:
    assert plain_int("asc.add", "count", ConstExpr(8)) == 8
    assert type(plain_int("asc.add", "count", int32_of(8))) is int
    with pytest.raises(LabError, match="write //") as caught:
        plain_int("asc.add", "count", 1.5)
    assert "asc.add：count 是 1.5" in caught.value.message("zh")
