"""Lanewise APIs against one line of NumPy each, in float64 or whole numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given

from ascend_lab.engine.instruction import DTYPES
from ascend_lab.engine.lanes import REPEAT
from tests.spec.one_core import Array, OneCore, execute, numbers, same, ub, vector
from tests.spec.shapes import COUNTS, FEWER, SEEDS, Strided, elements, strided

FLOATS = ("float16", "float32")
SIGNED = (*FLOATS, "int16", "int32")
DST, SRC0, SRC1 = 0, 16384, 32768
Spec = Callable[..., Any]


def wide(values: Array) -> Array:
    with np.errstate(invalid="ignore"):  # a signalling NaN
        return values.astype(np.float64 if values.dtype.kind == "f" else np.int64)


def narrow(values: Any, dtype: np.dtype[Any]) -> Array:
    """Rounded once (floats) or wrapped (integers) to ``dtype``."""
    values = np.asarray(values)
    with np.errstate(all="ignore"):
        return values.astype(dtype)


BINARY: dict[str, tuple[Spec, tuple[str, ...]]] = {
    "Add": (lambda a, b: a + b, SIGNED),
    "Sub": (lambda a, b: a - b, SIGNED),
    "Mul": (lambda a, b: a * b, SIGNED),
    "Div": (lambda a, b: a / b, FLOATS),
    "Max": (lambda a, b: np.where(a == b, np.where(np.signbit(a), b, a), np.maximum(a, b)), SIGNED),
    "Min": (lambda a, b: np.where(a == b, np.where(np.signbit(a), a, b), np.minimum(a, b)), SIGNED),
    "And": (lambda a, b: a & b, ("int16", "uint16")),
    "Or": (lambda a, b: a | b, ("int16", "uint16")),
    "AddRelu": (lambda a, b: np.where((a + b) < 0, 0, a + b), FLOATS),
    "SubRelu": (lambda a, b: np.where((a - b) < 0, 0, a - b), FLOATS),
}
UNARY: dict[str, tuple[Spec, tuple[str, ...]]] = {
    "Abs": (np.abs, FLOATS),
    "Exp": (np.exp, FLOATS),
    "Ln": (np.log, FLOATS),
    "Sqrt": (np.sqrt, FLOATS),
    "Rsqrt": (lambda a: 1 / np.sqrt(a), FLOATS),
    "Reciprocal": (lambda a: 1 / a, FLOATS),
    "Relu": (lambda a: np.where(a <= 0, 0, a), (*FLOATS, "int32")),
    "Not": (lambda a: ~a, ("int16", "uint16")),
    "Copy": (lambda a: a, ("uint16", "float16", "uint32", "float32")),
}
SCALAR: dict[str, tuple[Spec, tuple[str, ...]]] = {
    "Adds": (lambda a, s: a + s, SIGNED),
    "Muls": (lambda a, s: a * s, SIGNED),
    "Maxs": (BINARY["Max"][0], SIGNED),
    "Mins": (BINARY["Min"][0], SIGNED),
    "LeakyRelu": (lambda a, s: np.where(np.signbit(a), a * s, a), FLOATS),
}
#: Computed in float: the last bits are NumPy's, as no page promises better than 1e-3 and 1e-4.
INEXACT = {"Exp", "Ln", "Rsqrt", "Reciprocal"}


def cases(table: dict[str, tuple[Spec, tuple[str, ...]]]) -> list[Any]:
    return [pytest.param(op, dtype, id=f"{op}-{dtype}") for op in table for dtype in table[op][1]]


def agree(op: str, found: Array, expected: Any) -> bool:
    """Equal bits, or 2e-7 / 1e-3 of the value where float is computed."""
    dtype = found.dtype
    expected = narrow(expected, dtype)
    if op not in INEXACT:
        return same(found, expected)
    tolerance = 1e-3 if dtype == np.float16 else 4e-7
    return bool(
        np.allclose(
            found.astype(np.float64), expected.astype(np.float64), tolerance, 1e-38, equal_nan=True
        )
    )


@pytest.mark.parametrize(("op", "dtype"), cases(BINARY))
@FEWER
@given(count=COUNTS, seed=SEEDS)
def test_binary_count_form(op: str, dtype: str, count: int, seed: int) -> None:
    core = OneCore()
    a, b = numbers(seed, count, dtype), numbers(seed + 1, count + 8, dtype)
    core.put(ub(SRC0, dtype), a)
    core.put(ub(SRC1, dtype), b)
    execute(core, vector(op, ub(DST, dtype), (ub(SRC0, dtype), ub(SRC1, dtype)), count=count))
    with np.errstate(all="ignore"):
        expected = BINARY[op][0](wide(a), wide(b[:count]))
    assert agree(op, core.elements(ub(DST, dtype), count), expected)
    assert (core.ub.data[count * DTYPES[dtype].itemsize : SRC0] == 0xFF).all()


@pytest.mark.parametrize(("op", "dtype"), cases(UNARY))
@FEWER
@given(count=COUNTS, seed=SEEDS, in_place=st.booleans())
def test_unary_count_form(op: str, dtype: str, count: int, seed: int, in_place: bool) -> None:
    core = OneCore()
    a = numbers(seed, count, dtype)
    src = ub(DST if in_place else SRC0, dtype)
    core.put(src, a)
    execute(core, vector(op, ub(DST, dtype), (src,), count=count))
    with np.errstate(all="ignore"):
        expected = UNARY[op][0](wide(a))
    assert agree(op, core.elements(ub(DST, dtype), count), expected)


@pytest.mark.parametrize(("op", "dtype"), cases(SCALAR))
@FEWER
@given(count=COUNTS, seed=SEEDS, scalar=st.sampled_from([0, -0.0, 1, -2, 0.1, 3, 1e5]))
def test_scalar_count_form(op: str, dtype: str, count: int, seed: int, scalar: float) -> None:
    core = OneCore()
    a = numbers(seed, count, dtype)
    core.put(ub(SRC0, dtype), a)
    execute(core, vector(op, ub(DST, dtype), (ub(SRC0, dtype),), count=count, scalar=scalar))
    given_scalar = int(scalar) if a.dtype.kind == "i" else scalar
    with np.errstate(all="ignore"):
        converted = np.asarray(given_scalar, dtype=np.int64 if a.dtype.kind == "i" else a.dtype)
        expected = SCALAR[op][0](wide(a), wide(narrow(converted, a.dtype)))
    assert agree(op, core.elements(ub(DST, dtype), count), expected)


def run_strided(op: str, dtype: str, form: Strided, seed: int, in_place: bool) -> None:
    """The mask form against the count form's line of NumPy, at addresses found one by one."""
    core = OneCore()
    core.randomise(seed)
    lanes = REPEAT // DTYPES[dtype].itemsize
    operands = len(form.blk)
    bases = [DST, SRC0, SRC1][:operands]
    if in_place:
        form = form._replace(blk=(form.blk[0],) * operands, rep=(8,) * operands)
        bases[1] = DST
    before = core.elements(ub(0, dtype), core.ub.nbytes // DTYPES[dtype].itemsize)
    where = [
        [
            base // DTYPES[dtype].itemsize + k
            for k in elements(form, n, DTYPES[dtype].itemsize, lanes)
        ]
        for n, base in enumerate(bases)
    ]
    srcs = tuple(ub(base, dtype) for base in bases[1:])
    params = form.params() | ({"scalar": 2} if op in SCALAR else {})
    execute(core, vector(op, ub(DST, dtype), srcs, **params))
    expected = before.copy()
    values = [wide(before[index]) for index in where[1:]]
    table = BINARY if op in BINARY else SCALAR if op in SCALAR else UNARY
    with np.errstate(all="ignore"):
        result = table[op][0](*values, *([2] if op in SCALAR else []))
    expected[where[0]] = narrow(result, before.dtype)
    found = core.elements(ub(0, dtype), before.size)
    if op in INEXACT:
        assert agree(op, found[where[0]], expected[where[0]])
        found[where[0]] = expected[where[0]] = 0
    assert same(found, expected)


@pytest.mark.parametrize(("op", "dtype"), cases(BINARY | UNARY | SCALAR))
@FEWER
@given(data=st.data(), seed=SEEDS, in_place=st.booleans())
def test_mask_form(op: str, dtype: str, data: st.DataObject, seed: int, in_place: bool) -> None:
    lanes = REPEAT // DTYPES[dtype].itemsize
    form = data.draw(strided(lanes, 3 if op in BINARY else 2))
    run_strided(op, dtype, form, seed, in_place)


@pytest.mark.parametrize("dtype", ["int16", "uint16", "float16", "bfloat16", "int32", "float32"])
@FEWER
@given(count=COUNTS, value=st.one_of(st.integers(-40000, 70000), st.floats(-1e5, 1e5)))
def test_duplicate(dtype: str, count: int, value: float) -> None:
    core = OneCore()
    execute(core, vector("Duplicate", ub(DST, dtype), (), count=count, scalar=value))
    kind = DTYPES[dtype]
    if kind.kind in "iu":
        expected = np.asarray(int(value)).astype(kind)
    else:
        expected = narrow(np.float64(value), kind)
    assert same(core.elements(ub(DST, dtype), count), np.full(count, expected))


@pytest.mark.parametrize(
    ("op", "dtype"), cases({"Axpy": (np.add, FLOATS), "MulAddDst": (np.add, FLOATS)})
)
@FEWER
@given(count=COUNTS, seed=SEEDS)
def test_products_are_rounded_before_they_are_added(
    op: str, dtype: str, count: int, seed: int
) -> None:
    core = OneCore()
    kind = DTYPES[dtype]
    a, b, d = (numbers(seed + k, count, dtype) for k in range(3))
    for base, values in ((SRC0, a), (SRC1, b), (DST, d)):
        core.put(ub(base, dtype), values)
    scalar = kind.type(0.3)
    if op == "Axpy":
        instr = vector(op, ub(DST, dtype), (ub(SRC0, dtype),), count=count, scalar=0.3)
    else:
        instr = vector(op, ub(DST, dtype), (ub(SRC0, dtype), ub(SRC1, dtype)), count=count)
    execute(core, instr)
    with np.errstate(all="ignore"):
        product = narrow(wide(a) * wide(b if op == "MulAddDst" else scalar), kind)
        expected = narrow(wide(product) + wide(d), kind)
    assert same(core.elements(ub(DST, dtype), count), expected)


@FEWER
@given(count=COUNTS, seed=SEEDS, amount=st.integers(0, 16))
def test_shifts(count: int, seed: int, amount: int) -> None:
    core = OneCore()
    for dtype in ("int16", "uint16"):
        a = numbers(seed, count, dtype)
        core.put(ub(SRC0, dtype), a)
        params = {"count": count, "scalar": amount}
        execute(core, vector("ShiftRight", ub(DST, dtype), (ub(SRC0, dtype),), **params))
        assert same(core.elements(ub(DST, dtype), count), narrow(wide(a) >> amount, a.dtype))
        execute(core, vector("ShiftLeft", ub(DST, dtype), (ub(SRC0, dtype),), **params))
        if dtype == "uint16":
            expected = wide(a) << amount
        else:  # the sign stays, the 15 bits below it move
            expected = (wide(a) & 0x8000) | ((wide(a) << amount) & 0x7FFF)
        assert same(core.elements(ub(DST, dtype), count), narrow(expected, a.dtype))
