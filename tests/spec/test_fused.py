"""Compound instructions that change the type, and the CMPMASK register, against NumPy."""

from __future__ import annotations

from typing import Any

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given

from ascend_lab.engine.errors import NotModelled
from ascend_lab.engine.instruction import DTYPES, Instr, Pipe
from tests.spec.one_core import Array, OneCore, execute, numbers, same, ub, vector
from tests.spec.shapes import COUNTS, FEWER, SEEDS, Strided, elements, masks

DST, SRC0, SRC1 = 0, 16384, 32768


def saturated(values: Any, dtype: np.dtype[Any]) -> Array:
    """To the nearest integer, ties to even, clipped; NaN is 0."""
    info = np.iinfo(dtype)
    rounded = np.nan_to_num(np.rint(values.astype(np.float64)), nan=0.0)
    return np.clip(rounded, info.min, info.max).astype(dtype)


def narrowed(values: Array, dtype: np.dtype[Any]) -> Array:
    with np.errstate(all="ignore"):
        return values.astype(dtype) if dtype.kind == "f" else saturated(values, dtype)


SPECS = {
    "AddReluCast": lambda a, b: np.maximum(a + b, a.dtype.type(0)),
    "SubReluCast": lambda a, b: np.maximum(a - b, a.dtype.type(0)),
    "MulCast": lambda a, b: a * b,
}
PAIRS = [
    *[(op, *pair) for op in ("AddReluCast", "SubReluCast")
      for pair in (("float16", "int8"), ("int16", "int8"), ("float32", "float16"))],
    ("MulCast", "float16", "int8"), ("MulCast", "float16", "uint8"),
]  # fmt: skip


@pytest.mark.parametrize(("op", "source", "target"), PAIRS)
@FEWER
@given(count=COUNTS, seed=SEEDS)
def test_compute_then_cast(op: str, source: str, target: str, count: int, seed: int) -> None:
    core = OneCore()
    a, b = numbers(seed, count, source), numbers(seed + 1, count, source)
    core.put(ub(SRC0, source), a)
    core.put(ub(SRC1, source), b)
    srcs = (ub(SRC0, source), ub(SRC1, source))
    execute(core, vector(op, ub(DST, target), srcs, count=count))
    with np.errstate(all="ignore"):
        expected = narrowed(SPECS[op](a, b), DTYPES[target])
    assert same(core.elements(ub(DST, target), count), expected)


@FEWER
@given(count=COUNTS, seed=SEEDS, scale=st.sampled_from([0.5, 0.001, 2.0]))
def test_add_deq_relu(count: int, seed: int, scale: float) -> None:
    core = OneCore()
    a, b = (numbers(seed + k, count, "int32") for k in range(2))
    core.put(ub(SRC0, "int32"), a)
    core.put(ub(SRC1, "int32"), b)
    srcs = (ub(SRC0, "int32"), ub(SRC1, "int32"))
    execute(core, vector("AddDeqRelu", ub(DST, "float16"), srcs, count=count, deq_scale=scale))
    with np.errstate(all="ignore"):
        small = (a + b).astype(np.float32) * np.float32(2**-17) * np.float32(scale)
        expected = np.maximum((small * np.float32(2**17)).astype(np.float16), np.float16(0))
    assert same(core.elements(ub(DST, "float16"), count), expected)


@pytest.mark.parametrize("target", ["int8", "uint8"])
@FEWER
@given(count=COUNTS, half=st.booleans(), offset=st.integers(-300, 300), seed=SEEDS)
def test_cast_dequant(target: str, count: int, half: bool, offset: int, seed: int) -> None:
    """16 elements of a DataBlock go to one half of a DataBlock; nine bits of the offset count."""
    core = OneCore()
    a = numbers(seed, count, "int16")
    core.put(ub(SRC0, "int16"), a)
    params = {"count": count, "deq_scale": 0.25, "offset": offset, "half": half}
    execute(core, vector("CastDequant", ub(DST, target), (ub(SRC0, "int16"),), **params))
    nine = ((offset & 0x1FF) ^ 0x100) - 0x100
    expected = np.full(-(-count // 16) * 32, 0xFF, dtype=np.uint8)
    where = np.arange(count) // 16 * 32 + np.arange(count) % 16 + 16 * half
    expected[where] = saturated(a * 0.25 + nine, DTYPES[target]).view(np.uint8)
    assert same(core.elements(ub(DST, "uint8"), expected.size), expected)


@FEWER
@given(mask=masks(128), repeat=st.integers(0, 3), seed=SEEDS)
def test_cast_dequant_with_sixteen_scales(mask: Any, repeat: int, seed: int) -> None:
    core = OneCore()
    core.randomise(seed)
    rng = np.random.default_rng(seed)
    scale = rng.choice([0.5, 0.25, 2.0], 16).astype(np.float32)
    offset = rng.integers(-256, 256, 16)
    words = scale.view(np.uint32).astype(np.uint64) | ((offset & 0x1FF).astype(np.uint64) << 37)
    core.put(ub(SRC1, "uint64"), words)
    a = numbers(seed, 512, "int16")
    core.put(ub(SRC0, "int16"), a)
    form = Strided(mask, repeat, (1, 1), (8, 8))
    expected = core.elements(ub(DST, "int8"), 1024)
    params = form.params() | {"vector": True, "half": False}
    srcs = (ub(SRC0, "int16"), ub(SRC1, "uint64"))
    execute(core, vector("CastDequant", ub(DST, "int8"), srcs, **params))
    where = np.array(elements(form, 1, 2, 128), dtype=int)
    values = a[where] * scale[where % 16] + offset[where % 16]
    expected[where // 16 * 32 + where % 16] = saturated(values, np.dtype(np.int8))
    assert same(core.elements(ub(DST, "int8"), 1024), expected)


@FEWER
@given(count=COUNTS, seed=SEEDS)
def test_cast_dequant_of_int32_is_cast(count: int, seed: int) -> None:
    core = OneCore()
    core.put(ub(SRC0, "int32"), numbers(seed, count, "int32"))
    params = {"count": count, "deq_scale": 0.125}
    execute(core, vector("CastDequant", ub(DST, "float16"), (ub(SRC0, "int32"),), **params))
    found = core.elements(ub(DST, "float16"), count)
    execute(core, vector("Cast", ub(DST, "float16"), (ub(SRC0, "int32"),), **params))
    assert same(found, core.elements(ub(DST, "float16"), count))


def test_dequantising_needs_a_scale() -> None:
    for source, target in (("int16", "int8"), ("int32", "float16")):
        with pytest.raises(NotModelled, match="SetDeqScale"):
            execute(
                OneCore(),
                vector("CastDequant", ub(DST, target), (ub(SRC0, source),), count=16),
            )


# --- the CMPMASK register ------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", ["float16", "float32"])
@FEWER
@given(mask=masks(64), repeat=st.integers(0, 3), chosen=masks(64), seed=SEEDS)
def test_compare_and_select_through_the_register(
    dtype: str, mask: Any, repeat: int, chosen: Any, seed: int
) -> None:
    core, lanes = OneCore(), 256 // DTYPES[dtype].itemsize
    a, b = (numbers(seed + k, lanes * 4, dtype, special=0) for k in range(2))
    core.put(ub(SRC0, dtype), a)
    core.put(ub(SRC1, dtype), b)
    srcs = (ub(SRC0, dtype), ub(SRC1, dtype))
    strides = {"blk": (1, 1, 1), "rep": (8, 8, 8)}
    execute(core, Instr("Compare", Pipe.V, None, srcs, {"mask": mask, "mode": "LT", **strides}))
    bits = np.zeros(128, dtype=bool)
    active = elements(Strided(mask, 1, (1,), (8,)), 0, DTYPES[dtype].itemsize, lanes)
    bits[active] = (a < b)[active]
    execute(core, Instr("GetCmpMask", Pipe.V, ub(49152, "uint8")))
    raw = core.elements(ub(49152, "uint8"), 16)
    assert same(raw, np.packbits(bits, bitorder="little"))

    expected = core.elements(ub(DST, dtype), lanes * 4)
    params = {"mask": chosen, "repeat": repeat, "mode": 0, "cmpmask": True, **strides}
    execute(core, Instr("Select", Pipe.V, ub(DST, dtype), srcs, params))
    where = elements(Strided(chosen, repeat, (1,), (8,)), 0, DTYPES[dtype].itemsize, lanes)
    expected[where] = np.where(np.tile(bits[:lanes], 4), a, b)[where]
    assert same(core.elements(ub(DST, dtype), lanes * 4), expected)


def test_the_register_is_set_from_memory() -> None:
    core = OneCore()
    core.put(ub(SRC0, "uint8"), np.arange(16))
    execute(core, Instr("SetCmpMask", Pipe.V, None, (ub(SRC0, "uint8"),)))
    execute(core, Instr("GetCmpMask", Pipe.V, ub(DST, "uint16")))
    assert core.elements(ub(DST, "uint8"), 17).tolist() == [*range(16), 0xFF]


def test_the_other_modes_need_a_tensor_of_bits() -> None:
    params = {"mask": 64, "repeat": 1, "mode": 2, "cmpmask": True}
    srcs = (ub(SRC0, "float32"), ub(SRC1, "float32"))
    with pytest.raises(NotModelled, match="CMPMASK"):
        execute(OneCore(), Instr("Select", Pipe.V, ub(DST, "float32"), srcs, params))
