"""Rows of the boundary-value tables (asc-devkit: 附录/Memory矢量计算接口边界值汇总.md, INF/NAN column)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from ascend_lab.engine.instruction import DTYPES
from tests.spec.one_core import OneCore, execute, ub, vector

inf, nan = math.inf, math.nan
MAX = {"float16": 65504.0, "float32": 3.4028234663852886e38}

UNARY: list[tuple[str, Any, Any]] = [
    ("Exp", -inf, 0.0), ("Exp", inf, inf), ("Exp", -0.0, 1.0), ("Exp", nan, nan), ("Exp", "MAX", inf),
    ("Ln", 0.0, -inf), ("Ln", -0.0, -inf), ("Ln", -inf, nan), ("Ln", inf, inf),
    ("Abs", -0.0, 0.0), ("Abs", -inf, inf),
    ("Reciprocal", 0.0, inf), ("Reciprocal", -0.0, -inf), ("Reciprocal", inf, 0.0),
    ("Reciprocal", -inf, -0.0),
    ("Sqrt", -0.0, -0.0), ("Sqrt", inf, inf), ("Sqrt", -inf, nan),
    ("Rsqrt", 0.0, inf), ("Rsqrt", -0.0, -inf), ("Rsqrt", inf, 0.0), ("Rsqrt", -inf, nan),
    ("Relu", -0.0, 0.0), ("Relu", nan, nan), ("Relu", -inf, 0.0), ("Relu", inf, inf),
]  # fmt: skip
BINARY: list[tuple[str, Any, Any, Any]] = [
    ("Add", "MAX", "MAX", inf), ("Add", inf, -inf, nan), ("Add", -0.0, -0.0, -0.0),
    ("Add", 0.0, -0.0, 0.0), ("Add", nan, inf, nan),
    ("Sub", -0.0, 0.0, -0.0), ("Sub", -0.0, -0.0, 0.0), ("Sub", inf, inf, nan),
    ("Mul", 0.0, inf, nan), ("Mul", "MAX", "MAX", inf), ("Mul", -0.0, 0.0, -0.0),
    ("Div", 0.0, 0.0, nan), ("Div", 1.0, -0.0, -inf), ("Div", inf, inf, nan), ("Div", 0.0, -inf, -0.0),
    ("Max", 0.0, -0.0, 0.0), ("Max", -0.0, 0.0, 0.0), ("Max", -0.0, -0.0, -0.0), ("Max", 1.0, nan, nan),
    ("Max", -0.0, -inf, -0.0), ("Min", 0.0, -0.0, -0.0), ("Min", -0.0, 0.0, -0.0),
    ("Min", 0.0, 0.0, 0.0), ("Min", -inf, nan, nan), ("Min", "MAX", inf, "MAX"),
]  # fmt: skip
SCALAR: list[tuple[str, Any, Any, Any]] = [
    ("Adds", "MAX", "MAX", inf), ("Muls", 0.0, inf, nan), ("Maxs", -0.0, 0.0, 0.0),
    ("Mins", 0.0, -0.0, -0.0),
    ("LeakyRelu", 0.0, nan, 0.0), ("LeakyRelu", -0.0, -2.0, 0.0), ("LeakyRelu", -0.0, 2.0, -0.0),
    ("LeakyRelu", -0.0, inf, nan), ("LeakyRelu", -inf, 0.0, nan), ("LeakyRelu", "MAX", nan, "MAX"),
    ("LeakyRelu", nan, 0.0, nan),
]  # fmt: skip


def number(value: Any, dtype: str) -> float:
    return MAX[dtype] if value == "MAX" else float(value)


def check(found: float, expected: Any, dtype: str) -> None:
    want = number(expected, dtype)
    if math.isnan(want):
        assert math.isnan(found)
    else:
        assert (found, math.copysign(1, found)) == (want, math.copysign(1, want))


def compute(op: str, dtype: str, *operands: float, **params: Any) -> float:
    """dst[0] of a count form; every operand is a run of 64 equal elements."""
    core = OneCore()
    refs = []
    for k, value in enumerate(operands):
        refs.append(ub(1024 * (k + 1), dtype))
        core.put(refs[-1], np.full(64, value, dtype=DTYPES[dtype]))
    execute(core, vector(op, ub(0, dtype), tuple(refs), count=64, **params))
    values = core.elements(ub(0, dtype), 64)
    assert len({v.tobytes() for v in values}) == 1
    return float(values[0])


@pytest.mark.parametrize("dtype", ["float16", "float32"])
@pytest.mark.parametrize(("op", "source", "expected"), UNARY)
def test_unary(op: str, source: Any, expected: Any, dtype: str) -> None:
    check(compute(op, dtype, number(source, dtype)), expected, dtype)


@pytest.mark.parametrize("dtype", ["float16", "float32"])
@pytest.mark.parametrize(("op", "a", "b", "expected"), BINARY)
def test_binary(op: str, a: Any, b: Any, expected: Any, dtype: str) -> None:
    check(compute(op, dtype, number(a, dtype), number(b, dtype)), expected, dtype)


@pytest.mark.parametrize("dtype", ["float16", "float32"])
@pytest.mark.parametrize(("op", "source", "scalar", "expected"), SCALAR)
def test_scalar(op: str, source: Any, scalar: Any, expected: Any, dtype: str) -> None:
    found = compute(op, dtype, number(source, dtype), scalar=number(scalar, dtype))
    check(found, expected, dtype)


@pytest.mark.parametrize("dtype", ["int16", "int32"])
def test_integers_wrap_around(dtype: str) -> None:
    low, high = np.iinfo(dtype).min, np.iinfo(dtype).max
    rows = [("Add", low, low, 0), ("Add", high, high, -2), ("Sub", low, high, 1),
            ("Sub", high, low, -1)]  # fmt: skip
    for op, a, b, expected in rows:
        core = OneCore()
        for addr, value in ((1024, a), (2048, b)):
            core.put(ub(addr, dtype), np.full(8, value, dtype=dtype))
        execute(core, vector(op, ub(0, dtype), (ub(1024, dtype), ub(2048, dtype)), count=8))
        assert (core.elements(ub(0, dtype), 8) == expected).all()


@pytest.mark.parametrize(("dst", "expected"), [(0.0, inf), (-inf, nan), ("MIN", inf)])
def test_axpy_overflows_in_between(dst: Any, expected: float) -> None:
    core = OneCore()
    start = -65504.0 if dst == "MIN" else dst
    core.put(ub(0, "float16"), np.full(16, start, dtype=np.float16))
    core.put(ub(1024, "float16"), np.full(16, 65504, dtype=np.float16))
    instr = vector("Axpy", ub(0, "float16"), (ub(1024, "float16"),), count=16, scalar=65504.0)
    execute(core, instr)
    check(float(core.elements(ub(0, "float16"), 1)[0]), expected, "float16")


def rows_of_reduce(dtype: str) -> list[tuple[list[float], float, float, float]]:
    """(one DataBlock, sum, max, min)."""
    per_block = 32 // DTYPES[dtype].itemsize
    top = MAX[dtype]
    ones = [1.0] * (per_block - 1)
    return [
        ([-0.0] * per_block, -0.0, -0.0, -0.0),
        ([top] * per_block, inf, top, top),
        ([inf, -inf] * (per_block // 2), nan, inf, -inf),
        ([nan, inf] * (per_block // 2), nan, nan, nan),
        ([*ones, inf], inf, inf, 1.0),
        ([*ones, -inf], -inf, 1.0, -inf),
        ([*ones, nan], nan, nan, nan),
    ]


@pytest.mark.parametrize("dtype", ["float16", "float32"])
def test_reductions(dtype: str) -> None:
    for block, total, largest, smallest in rows_of_reduce(dtype):
        core = OneCore()
        core.put(ub(1024, dtype), np.array(block * 8, dtype=DTYPES[dtype]))
        lanes = 256 // DTYPES[dtype].itemsize
        for kind in ("Block", "Whole"):
            for name, expected in (("Sum", total), ("Max", largest), ("Min", smallest)):
                instr = vector(f"{kind}Reduce{name}", ub(0, dtype), (ub(1024, dtype),), mask=lanes,
                               repeat=1)  # fmt: skip
                execute(core, instr)
                check(float(core.elements(ub(0, dtype), 1)[0]), expected, dtype)
        for name, expected in (("Sum", total), ("Max", largest), ("Min", smallest)):
            srcs = (ub(1024, dtype), ub(4096, dtype))
            execute(core, vector(f"Reduce{name}", ub(0, dtype), srcs, count=lanes))
            check(float(core.elements(ub(0, dtype), 1)[0]), expected, dtype)


CASTS: list[tuple[str, str, Any, Any]] = [
    ("float32", "int16", inf, 32767), ("float32", "int16", nan, 0), ("float32", "int32", "MAX", 2**31 - 1),
    ("float32", "int32", -inf, -(2**31)), ("float32", "int64", inf, 2**63 - 1),
    ("float32", "float16", "MAX", inf), ("float32", "float16", nan, nan), ("float32", "float32", -0.0, 0.0),
    ("float32", "bfloat16", "MAX", inf), ("float16", "uint8", -inf, 0), ("float16", "uint8", "MAX", 255),
    ("float16", "int8", nan, 0), ("float16", "int32", inf, 2**31 - 1), ("bfloat16", "int32", nan, 0),
    ("int32", "float32", 2**31 - 1, 2147483648.0), ("int64", "int32", 2**31, 2**31 - 1),
    ("int64", "int32", -(2**63), -(2**31)), ("int16", "uint8", -5, 0), ("int16", "float16", 32767, 32768.0),
]  # fmt: skip


@pytest.mark.parametrize(("source", "target", "value", "expected"), CASTS)
def test_cast(source: str, target: str, value: Any, expected: Any) -> None:
    core = OneCore()
    value = MAX[source] if value == "MAX" else value
    core.put(ub(1024, source), np.full(16, value, dtype=DTYPES[source]))
    instr = vector("Cast", ub(0, target), (ub(1024, source),), count=16, round="CAST_RINT")
    execute(core, instr)
    found = core.elements(ub(0, target), 16)[3]
    if isinstance(expected, float):
        check(float(found), expected, "float32")
    else:
        assert int(found) == expected
