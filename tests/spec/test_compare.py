"""Compare, CompareScalar and Select against NumPy."""

from __future__ import annotations

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given

from ascend_lab.engine.instruction import DTYPES
from ascend_lab.engine.semantics.form import MaskState
from tests.spec.one_core import OneCore, execute, numbers, same, ub, vector
from tests.spec.shapes import COUNTS, FEWER, SEEDS, elements, strided

DST, SRC0, SRC1, BITS = 0, 16384, 32768, 49152
SPEC = {
    "LT": lambda a, b: a < b,
    "GT": lambda a, b: a > b,
    "LE": lambda a, b: a <= b,
    "GE": lambda a, b: a >= b,
    "EQ": lambda a, b: a == b,
    "NE": lambda a, b: (a != b) & ~np.isnan(a) & ~np.isnan(b),  # not IEEE: a note of the page
}
FLOATS = ("float16", "float32")


def little_endian(bits: np.ndarray) -> list[int]:
    """Bit i of the string is bit i % 8 of byte i // 8."""
    padded = [*bits.tolist(), *([False] * (-len(bits) % 8))]
    return [
        sum(bit << k for k, bit in enumerate(padded[i : i + 8])) for i in range(0, len(padded), 8)
    ]


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("mode", SPEC)
@FEWER
@given(count=COUNTS, seed=SEEDS, scalar=st.sampled_from([None, 0.0, float("nan"), 1.0]))
def test_count_form_compares_whole_256_bytes(
    mode: str, dtype: str, count: int, seed: int, scalar: float | None
) -> None:
    core = OneCore()
    a = numbers(seed, count, dtype, special=0.5)
    b = numbers(seed + 1, count, dtype, special=0.5)
    core.put(ub(SRC0, dtype), a)
    core.put(ub(SRC1, dtype), b)
    whole = count - count % (256 // a.dtype.itemsize)
    if scalar is None:
        srcs = (ub(SRC0, dtype), ub(SRC1, dtype))
        execute(core, vector("Compare", ub(DST, "uint8"), srcs, count=count, mode=mode))
    else:
        b = np.full(count, scalar, dtype=a.dtype)
        instr = vector("CompareScalar", ub(DST, "uint8"), (ub(SRC0, dtype),), count=count, mode=mode,
                       scalar=scalar)  # fmt: skip
        execute(core, instr)
    expected = little_endian(SPEC[mode](a[:whole], b[:whole]))
    assert core.elements(ub(DST, "uint8"), whole // 8).tolist() == expected
    assert (core.ub.data[whole // 8 : SRC0] == 0xFF).all()


@pytest.mark.parametrize("dtype", FLOATS)
@FEWER
@given(data=st.data(), seed=SEEDS)
def test_mask_form_takes_every_lane_and_packs_dst(
    dtype: str, data: st.DataObject, seed: int
) -> None:
    core = OneCore()
    core.randomise(seed)
    size = DTYPES[dtype].itemsize
    lanes = 256 // size
    form = data.draw(strided(lanes, 3))
    everything = form._replace(mask=lanes)
    memory = core.elements(ub(0, dtype), core.ub.nbytes // size)
    a, b = (
        memory[[base // size + k for k in elements(everything, n, size, lanes)]]
        for n, base in ((1, SRC0), (2, SRC1))
    )
    after = core.ub.data[form.repeat * lanes // 8 : SRC0].copy()
    srcs = (ub(SRC0, dtype), ub(SRC1, dtype))
    instr = vector("Compare", ub(DST, "uint8"), srcs, mode="LT", **form.params())
    execute(core, instr, MaskState(counter=data.draw(st.booleans()), low=5))
    nbytes = form.repeat * lanes // 8
    assert core.elements(ub(DST, "uint8"), nbytes).tolist() == little_endian(a < b)
    assert (core.ub.data[nbytes:SRC0] == after).all()


def test_int32_compares_eq_whatever_it_is_asked() -> None:
    core = OneCore()
    a = np.arange(64, dtype=np.int32)
    core.put(ub(SRC0, "int32"), a)
    core.put(ub(SRC1, "int32"), a[::-1])
    srcs = (ub(SRC0, "int32"), ub(SRC1, "int32"))
    execute(core, vector("Compare", ub(DST, "uint8"), srcs, count=64, mode="LT"))
    assert core.elements(ub(DST, "uint8"), 8).tolist() == [0] * 8
    core.put(ub(SRC1, "int32"), a)
    execute(core, vector("Compare", ub(DST, "uint8"), srcs, count=64, mode="LT"))
    assert core.elements(ub(DST, "uint8"), 8).tolist() == [255] * 8


def test_the_example_of_the_page() -> None:
    core = OneCore()
    core.put(ub(SRC0, "float32"), np.resize(np.float32([2, 3, 5, 7, 11, 13, 17, 19]), 64))
    core.put(ub(SRC1, "float32"), np.resize(np.float32([2, 4, 6, 8, 10, 12, 14, 16]), 64))
    srcs = (ub(SRC0, "float32"), ub(SRC1, "float32"))
    for mode, byte in {"GT": 240, "GE": 241, "LE": 15, "EQ": 1, "NE": 254, "LT": 14}.items():
        execute(core, vector("Compare", ub(DST, "uint8"), srcs, count=64, mode=mode))
        assert core.elements(ub(DST, "uint8"), 8).tolist() == [byte] * 8


def bit(data: bytes, position: int) -> bool:
    return bool(data[position // 8] >> (position % 8) & 1)


@pytest.mark.parametrize("mode", [0, 1, 2])
@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("bits_dtype", ["uint8", "uint64"])
@FEWER
@given(count=COUNTS, seed=SEEDS)
def test_select_count_form(mode: int, dtype: str, bits_dtype: str, count: int, seed: int) -> None:
    core = OneCore()
    core.randomise(seed)
    a, b = core.elements(ub(SRC0, dtype), count), core.elements(ub(SRC1, dtype), count)
    mask = core.ub.data[BITS:].tobytes()
    lanes = 256 // a.dtype.itemsize
    srcs = (ub(BITS, bits_dtype), ub(SRC0, dtype), ub(SRC1, dtype))
    params = {"count": count, "mode": mode}
    if mode == 1:
        srcs, params = srcs[:2], params | {"scalar": 2.5}
        b = np.full(count, 2.5, dtype=a.dtype)
    execute(core, vector("Select", ub(DST, dtype), srcs, **params))
    expected = [a[i] if bit(mask, i % lanes if mode == 0 else i) else b[i] for i in range(count)]
    assert same(core.elements(ub(DST, dtype), count), np.array(expected, dtype=a.dtype))


@pytest.mark.parametrize("mode", [0, 1, 2])
@pytest.mark.parametrize("dtype", FLOATS)
@FEWER
@given(data=st.data(), seed=SEEDS)
def test_select_mask_form(mode: int, dtype: str, data: st.DataObject, seed: int) -> None:
    core = OneCore()
    core.randomise(seed)
    size = DTYPES[dtype].itemsize
    lanes = 256 // size
    form = data.draw(strided(lanes, 3))
    memory = core.elements(ub(0, dtype), core.ub.nbytes // size)
    mask = core.ub.data[BITS:].tobytes()
    to, first, second = (
        [base // size + k for k in elements(form, n, size, lanes)]
        for n, base in enumerate((DST, SRC0, SRC1))
    )
    plain = form._replace(blk=(1, 1, 1), rep=(8, 8, 8))
    positions = elements(plain, 0, size, lanes)
    srcs = (ub(BITS, "uint16"), ub(SRC0, dtype), ub(SRC1, dtype))
    params = form.params() | {"mode": mode}
    if mode == 1:
        srcs, params = srcs[:2], params | {"scalar": -1}
    execute(core, vector("Select", ub(DST, dtype), srcs, **params))
    for k, position in enumerate(positions):
        other = memory.dtype.type(-1) if mode == 1 else memory[second[k]]
        chosen = bit(mask, position % lanes if mode == 0 else position)
        memory[to[k]] = memory[first[k]] if chosen else other
    assert same(core.elements(ub(0, dtype), memory.size), memory)
