"""Functions of the high-level library against one line of NumPy or `math` each, in float64."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given

from ascend_lab.engine.errors import NotModelled
from ascend_lab.engine.instruction import DTYPES
from ascend_lab.engine.semantics import library
from tests.spec.one_core import Array, OneCore, execute, numbers, same, ub, vector
from tests.spec.rearranging import sized
from tests.spec.shapes import COUNTS, FEWER, SEEDS

DST, SRC0, SRC1, THIRD, FOURTH, TMP = 0, 16384, 24576, 32768, 40960, 57344
FLOATS = ("float16", "float32")


def each(function: Callable[[float], float]) -> Callable[[Array], Array]:
    return lambda a: np.array([function(float(v)) for v in a])


def euler(x: float) -> float:
    """Digamma as the derivative of ln gamma."""
    step = 1e-4 * max(1.0, abs(x))
    return (math.lgamma(x + step) - math.lgamma(x - step)) / (2 * step)


SPECS: dict[str, tuple[Callable[[Array], Any], float, float]] = {
    "Acos": (np.arccos, -1, 1),
    "Acosh": (np.arccosh, 1, 100),
    "Asin": (np.arcsin, -1, 1),
    "Asinh": (np.arcsinh, -100, 100),
    "Atan": (np.arctan, -100, 100),
    "Atanh": (np.arctanh, -0.99, 0.99),
    "Ceil": (np.ceil, -100, 100),
    "Cos": (np.cos, -100, 100),
    "Cosh": (np.cosh, -10, 10),
    "Digamma": (each(euler), 0.5, 50),
    "Erf": (each(math.erf), -4, 4),
    "Erfc": (each(math.erfc), -4, 4),
    "ExpLibrary": (np.exp, -10, 10),
    "Floor": (np.floor, -100, 100),
    "Frac": (lambda a: a - np.trunc(a), -100, 100),
    "Lgamma": (each(math.lgamma), 0.5, 50),
    "Log": (np.log, 0.01, 1000),
    "Round": (np.round, -100, 100),
    "Sign": (np.sign, -2, 2),
    "Sin": (np.sin, -100, 100),
    "Sinh": (np.sinh, -10, 10),
    "Tan": (np.tan, -1.5, 1.5),
    "Tanh": (np.tanh, -10, 10),
    "Trunc": (np.trunc, -100, 100),
    "Sigmoid": (lambda a: 1 / (1 + np.exp(-a)), -20, 20),
    "Silu": (lambda a: a / (1 + np.exp(-a)), -20, 20),
    "Gelu": (lambda a: a / (1 + np.exp(-1.5957691 * (a + 0.044715 * a**3))), -8, 8),
    "FasterGelu": (lambda a: a / (1 + np.exp(-1.702 * a)), -20, 20),
    "FasterGeluV2": (lambda a: a / (1 + np.exp(-1.702 * a)), -20, 20),
    "Log2": (np.log2, 0.01, 1000),
    "Log10": (np.log10, 0.01, 1000),
}


def close(found: Array, expected: Any) -> bool:
    """A last place or two of half; of float, what a function of the library may miss."""
    rtol, atol = (2e-3, 2e-5) if found.dtype == np.float16 else (2e-5, 1e-6)
    with np.errstate(all="ignore"):
        return bool(np.allclose(found.astype(np.float64), expected, rtol, atol, equal_nan=True))


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("op", SPECS)
@FEWER
@given(count=st.integers(0, 120), seed=SEEDS)
def test_element_wise(op: str, dtype: str, count: int, seed: int) -> None:
    spec, low, high = SPECS[op]
    core = OneCore()
    a = np.random.default_rng(seed).uniform(low, high, count).astype(DTYPES[dtype])
    core.put(ub(SRC0, dtype), a)
    tmp = sized(TMP, "uint8", 256)
    execute(core, vector(op, ub(DST, dtype), (ub(SRC0, dtype), tmp), count=count, tmp=256))
    assert close(core.elements(ub(DST, dtype), count), spec(a.astype(np.float64)))
    assert (core.elements(tmp, 256) == 0xFF).all()


def test_every_function_has_a_line() -> None:
    others = {"Xor", "Power", "AxpyLibrary", "Swish", *OF_TWO, *CLAMPS}
    assert set(library.OPS) - set(SPECS) == others


GELU = SPECS["Gelu"][0]
OF_TWO: dict[str, Callable[[Array, Array], Any]] = {
    "GeGLU": lambda a, b: a * GELU(b),
    "ReGlu": lambda a, b: a * np.maximum(b, 0),
    "SwiGLU": lambda a, b: a * b / (1 + np.exp(-0.5 * b)),
    "Fmod": np.fmod,
}
CLAMPS = {"ClampMax": np.minimum, "ClampMin": np.maximum}


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("op", OF_TWO)
@FEWER
@given(count=COUNTS, seed=SEEDS)
def test_of_two_tensors(op: str, dtype: str, count: int, seed: int) -> None:
    core, rng = OneCore(), np.random.default_rng(seed)
    a, b = (rng.uniform(-6, 6, count).astype(DTYPES[dtype]) for _ in range(2))
    core.put(ub(SRC0, dtype), a)
    core.put(ub(SRC1, dtype), b)
    more = {"scalar": 0.5} if op == "SwiGLU" else {}
    srcs = (ub(SRC0, dtype), ub(SRC1, dtype))
    execute(core, vector(op, ub(DST, dtype), srcs, count=count, **more))
    expected = OF_TWO[op](a.astype(np.float64), b.astype(np.float64))
    assert close(core.elements(ub(DST, dtype), count), expected)


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("op", CLAMPS)
@FEWER
@given(count=COUNTS, limit=st.sampled_from([-1.5, 0.0, 2.0]), seed=SEEDS)
def test_clamps(op: str, dtype: str, count: int, limit: float, seed: int) -> None:
    core = OneCore()
    a = np.random.default_rng(seed).uniform(-5, 5, count).astype(DTYPES[dtype])
    core.put(ub(SRC0, dtype), a)
    execute(core, vector(op, ub(DST, dtype), (ub(SRC0, dtype),), count=count, scalar=limit))
    assert same(core.elements(ub(DST, dtype), count), CLAMPS[op](a, a.dtype.type(limit)))


@pytest.mark.parametrize("dtype", ["int16", "uint16"])
@FEWER
@given(count=COUNTS, seed=SEEDS)
def test_xor(dtype: str, count: int, seed: int) -> None:
    core = OneCore()
    a, b = (numbers(seed + k, count, dtype) for k in range(2))
    core.put(ub(SRC0, dtype), a)
    core.put(ub(SRC1, dtype), b)
    execute(core, vector("Xor", ub(DST, dtype), (ub(SRC0, dtype), ub(SRC1, dtype)), count=count))
    assert same(core.elements(ub(DST, dtype), count), a ^ b)


@pytest.mark.parametrize("dtype", FLOATS)
@FEWER
@given(count=COUNTS, beta=st.sampled_from([1.0, -1.702, 0.5]), seed=SEEDS)
def test_swish(dtype: str, count: int, beta: float, seed: int) -> None:
    core = OneCore()
    a = np.random.default_rng(seed).uniform(-5, 5, count).astype(DTYPES[dtype])
    core.put(ub(SRC0, dtype), a)
    execute(core, vector("Swish", ub(DST, dtype), (ub(SRC0, dtype),), count=count, scalar=beta))
    wide = a.astype(np.float64)
    beta = float(DTYPES[dtype].type(beta))
    assert close(core.elements(ub(DST, dtype), count), wide / (1 + np.exp(-beta * wide)))


@pytest.mark.parametrize("form", ["tensors", "exponent", "base"])
@pytest.mark.parametrize("dtype", [*FLOATS, "int32"])
@FEWER
@given(count=st.integers(0, 200), seed=SEEDS)
def test_power(dtype: str, form: str, count: int, seed: int) -> None:
    core, rng = OneCore(), np.random.default_rng(seed)
    if dtype == "int32":
        a, b = rng.integers(-9, 9, count), rng.integers(0, 6, count)
    else:
        a, b = rng.uniform(0.1, 4, count), rng.uniform(-3, 3, count)
    left, right = a.astype(DTYPES[dtype]), b.astype(DTYPES[dtype])
    params: dict[str, Any] = {"count": count}
    if form == "exponent":
        params["scalar"], right = 2, np.full(count, 2, DTYPES[dtype])
    if form == "base":
        params |= {"scalar": 3, "base": True}
        left = np.full(count, 3, DTYPES[dtype])
    core.put(ub(SRC0, dtype), right if form == "base" else left)
    core.put(ub(SRC1, dtype), right)
    srcs = (ub(SRC0, dtype), ub(SRC1, dtype))[: 2 if form == "tensors" else 1]
    execute(core, vector("Power", ub(DST, dtype), srcs, **params))
    expected = left.astype(np.float64) ** right.astype(np.float64)
    assert close(core.elements(ub(DST, dtype), count), expected)


def test_integers_to_a_negative_power() -> None:
    core = OneCore()
    core.put(ub(SRC0, "int32"), np.array([1, -1, -1, 2, 0]))
    core.put(ub(SRC1, "int32"), np.array([-3, -3, -2, -1, -1]))
    srcs = (ub(SRC0, "int32"), ub(SRC1, "int32"))
    execute(core, vector("Power", ub(DST, "int32"), srcs, count=5))
    assert core.elements(ub(DST, "int32"), 5).tolist() == [1, -1, 1, 0, 0]


@pytest.mark.parametrize(("source", "target"), [("float16", "float16"), ("float32", "float32"), ("float16", "float32")])  # fmt: skip
@FEWER
@given(count=COUNTS, seed=SEEDS)
def test_axpy_of_the_library(source: str, target: str, count: int, seed: int) -> None:
    core, rng = OneCore(), np.random.default_rng(seed)
    a = rng.uniform(-4, 4, count).astype(DTYPES[source])
    d = rng.uniform(-4, 4, count).astype(DTYPES[target])
    core.put(ub(SRC0, source), a)
    core.put(ub(DST, target), d)
    srcs = (ub(SRC0, source), sized(TMP, "uint8", 256))
    execute(core, vector("AxpyLibrary", ub(DST, target), srcs, count=count, scalar=1.5, tmp=256))
    expected = d.astype(np.float64) + 1.5 * a.astype(np.float64)
    assert close(core.elements(ub(DST, target), count), expected)


# --- rows ----------------------------------------------------------------------------------------------


SHAPES = st.tuples(st.integers(1, 6), st.integers(1, 60))


def matrix(core: OneCore, addr: int, shape: tuple[int, int], dtype: str, seed: int) -> Array:
    """A random matrix in memory, in float64."""
    values = np.random.default_rng(seed).uniform(-5, 5, shape).astype(DTYPES[dtype])
    core.put(ub(addr, dtype), values)
    return values.astype(np.float64)


@pytest.mark.parametrize("op", ["SoftMax", "LogSoftMax"])
@pytest.mark.parametrize("dtype", FLOATS)
@FEWER
@given(shape=SHAPES, in_place=st.booleans(), seed=SEEDS)
def test_softmax(op: str, dtype: str, shape: tuple[int, int], in_place: bool, seed: int) -> None:
    core, (m, n) = OneCore(), shape
    x = matrix(core, DST if in_place else SRC0, shape, dtype, seed)
    srcs = (ub(DST if in_place else SRC0, dtype), ub(THIRD, dtype), ub(FOURTH, dtype))
    execute(core, vector(op, ub(DST, dtype), srcs, rows=m, columns=n))
    largest = x.max(axis=1, keepdims=True)
    total = np.exp(x - largest).sum(axis=1, keepdims=True)
    expected = np.exp(x - largest) / total
    if op == "LogSoftMax":
        expected = np.log10(expected)
    assert close(core.elements(ub(DST, dtype), m * n).reshape(shape), expected)
    block = 32 // DTYPES[dtype].itemsize
    for addr, values in ((THIRD, total), (FOURTH, largest)):
        found = core.elements(ub(addr, dtype), m * block).reshape(m, block)
        assert close(found, np.broadcast_to(values, found.shape))


@pytest.mark.parametrize("dtype", FLOATS)
@FEWER
@given(shape=SHAPES, seed=SEEDS)
def test_rms_norm(dtype: str, shape: tuple[int, int], seed: int) -> None:
    core, (m, n) = OneCore(), shape
    x = matrix(core, SRC0, shape, dtype, seed)
    gamma = matrix(core, THIRD, (1, n), dtype, seed + 1)
    srcs = (ub(SRC0, dtype), ub(THIRD, dtype))
    execute(core, vector("RmsNorm", ub(DST, dtype), srcs, rows=m, columns=n, epsilon=0.5))
    expected = x / np.sqrt((x**2).mean(axis=1, keepdims=True) + 0.5) * gamma
    assert close(core.elements(ub(DST, dtype), m * n).reshape(shape), expected)


@pytest.mark.parametrize("dtype", FLOATS)
@FEWER
@given(shape=SHAPES, seed=SEEDS)
def test_layer_norm(dtype: str, shape: tuple[int, int], seed: int) -> None:
    core, (m, n) = OneCore(), shape
    x = matrix(core, SRC0, shape, dtype, seed)
    gamma, beta = (matrix(core, SRC1 + 512 * k, (1, n), dtype, seed + k) for k in range(2))
    srcs = (ub(SRC0, dtype), ub(SRC1, dtype), ub(SRC1 + 512, dtype), ub(THIRD, dtype), ub(FOURTH, dtype))  # fmt: skip
    execute(core, vector("LayerNorm", ub(DST, dtype), srcs, rows=m, columns=n, epsilon=0.5))
    mean, variance = x.mean(axis=1), x.var(axis=1)
    expected = (x - mean[:, None]) / np.sqrt(variance + 0.5)[:, None] * gamma + beta
    found = core.elements(ub(DST, dtype), m * n).reshape(shape)
    assert np.allclose(found, expected, 2e-2 if dtype == "float16" else 1e-4, 2e-3)
    assert np.allclose(core.elements(ub(THIRD, dtype), m), mean, 2e-3, 2e-3)
    assert close(core.elements(ub(FOURTH, dtype), m), variance)


@pytest.mark.parametrize("dtype", FLOATS)
@FEWER
@given(shape=SHAPES, extra=st.integers(0, 8), seed=SEEDS)
def test_sum(dtype: str, shape: tuple[int, int], extra: int, seed: int) -> None:
    """Rows of ``pitch`` elements of which n count."""
    core, (m, n) = OneCore(), shape
    x = matrix(core, SRC0, (m, n + extra), dtype, seed)
    execute(core, vector("Sum", ub(DST, dtype), (ub(SRC0, dtype),), rows=m, columns=n, pitch=n + extra))  # fmt: skip
    found = core.elements(ub(DST, dtype), m).astype(np.float64)
    assert np.allclose(found, x[:, :n].sum(axis=1), 2e-3 if dtype == "float16" else 1e-5, 1e-4)


@pytest.mark.parametrize("dtype", FLOATS)
@FEWER
@given(count=COUNTS, seed=SEEDS)
def test_quant(dtype: str, count: int, seed: int) -> None:
    core = OneCore()
    a = np.random.default_rng(seed).uniform(-90, 90, count).astype(DTYPES[dtype])
    core.put(ub(SRC0, dtype), a)
    srcs = (ub(SRC0, dtype), sized(TMP, "uint8", 512))
    params = {"count": count, "scale": 2.0, "offset": 0.9, "tmp": 512}
    execute(core, vector("AscendQuant", ub(DST, "int8"), srcs, **params))
    half = a.astype(np.float16) * np.float16(2.0) + np.float16(0.9)
    expected = np.clip(np.rint(half), -128, 127).astype(np.int8)
    assert same(core.elements(ub(DST, "int8"), count), expected)


@pytest.mark.parametrize("target", ["float16", "bfloat16", "float32"])
@pytest.mark.parametrize("tensor", [False, True])
@FEWER
@given(shape=st.tuples(st.integers(1, 4), st.integers(1, 20)), calc=st.integers(1, 20), seed=SEEDS)
def test_dequant(target: str, tensor: bool, shape: tuple[int, int], calc: int, seed: int) -> None:
    core, (m, n) = OneCore(), shape
    calc = min(calc, n)
    rng = np.random.default_rng(seed)
    x = rng.integers(-1000, 1000, shape).astype(np.int32)
    scale = rng.uniform(0.1, 2, calc).astype(np.float32)
    core.put(ub(SRC0, "int32"), x)
    core.put(ub(SRC1, "float32"), scale)
    srcs = (ub(SRC0, "int32"), ub(SRC1, "float32")) if tensor else (ub(SRC0, "int32"),)
    params: dict[str, Any] = {"rows": m, "columns": n, "calc": calc}
    params |= {} if tensor else {"scalar": 0.5}
    execute(core, vector("AscendDequant", ub(DST, target), srcs, **params))
    each_block = 32 // DTYPES[target].itemsize
    wide = -(-n // each_block) * each_block
    found = core.elements(ub(DST, target), m * wide).reshape(m, wide)[:, :calc]
    expected = x[:, :calc].astype(np.float32) * (scale if tensor else np.float32(0.5))
    assert same(np.ascontiguousarray(found), expected.astype(DTYPES[target]))


def test_dequant_by_fixpipe_words_is_not_modelled() -> None:
    srcs = (ub(SRC0, "int32"), ub(SRC1, "uint64"))
    with pytest.raises(NotModelled, match="uint64_t"):
        execute(OneCore(), vector("AscendDequant", ub(DST, "float16"), srcs, rows=1, columns=8, calc=8))  # fmt: skip


@pytest.mark.parametrize("dtype", ["int8", "float16", "float32"])
@FEWER
@given(shape=st.tuples(st.integers(1, 9), st.integers(1, 9)), axis=st.integers(0, 1), seed=SEEDS)
def test_broadcast(dtype: str, shape: tuple[int, int], axis: int, seed: int) -> None:
    core = OneCore()
    source = (1, shape[1]) if axis == 0 else (shape[0], 1)
    a = numbers(seed, source[0] * source[1], dtype)
    core.put(ub(SRC0, dtype), a)
    params = {"dst_shape": shape, "src_shape": source}
    execute(core, vector("Broadcast", ub(DST, dtype), (ub(SRC0, dtype),), **params))
    expected = np.broadcast_to(a.reshape(source), shape).ravel()
    assert same(core.elements(ub(DST, dtype), expected.size), expected)


def test_a_broadcast_that_is_none() -> None:
    params = {"dst_shape": (4, 4), "src_shape": (2, 4)}
    with pytest.raises(NotModelled, match="Broadcast"):
        execute(OneCore(), vector("Broadcast", ub(DST, "float16"), (ub(SRC0, "float16"),), **params))  # fmt: skip
