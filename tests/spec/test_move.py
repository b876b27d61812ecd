"""DataCopy, DataCopyPad, GetValue, SetValue against byte-by-byte loops."""

from __future__ import annotations

from typing import Any

import hypothesis.strategies as st
import ml_dtypes
import numpy as np
import pytest
from hypothesis import given

from ascend_lab.engine.instruction import DTYPES, Instr, Pipe
from ascend_lab.engine.memory import POISON, RED_ZONE, commit
from ascend_lab.engine.semantics.form import Form
from ascend_lab.engine.semantics.move import read_scalar
from tests.spec.one_core import (
    GM_BYTES,
    UB_BYTES,
    Issue,
    OneCore,
    execute,
    gm,
    numbers,
    pending,
    same,
    ub,
)
from tests.spec.shapes import FEWER, SEEDS

DTYPE_NAMES = ["int8", "uint16", "float16", "bfloat16", "float32", "int64"]


def copy(dst: Any, src: Any, **params: Any) -> Instr:
    pipe = Pipe.MTE2 if src.space == "GM" else Pipe.MTE3 if dst.space == "GM" else Pipe.V
    return Instr("DataCopy", pipe, dst, (src,), params)


def pad(dst: Any, src: Any, **params: Any) -> Instr:
    pipe = Pipe.MTE2 if src.space == "GM" else Pipe.MTE3
    return Instr("DataCopyPad", pipe, dst, (src,), params)


def ends(core: OneCore, way: str, dtype: str) -> tuple[Any, Any, Any, Any]:
    """(dst, src, bytes of dst, bytes of src before), each from its first byte on."""
    local, other, array = ub(1024, dtype), ub(32768, dtype), gm(core, 256, dtype)
    dst, src = {"in": (local, array), "out": (array, local), "ub": (other, local)}[way]
    memory = {"GM": core.array.data[256:], "UB": core.ub.data}
    to = memory["GM"] if dst.space == "GM" else core.ub.data[dst.addr :]
    start = core.array.data[256:] if src.space == "GM" else core.ub.data[src.addr :]
    return dst, src, to, start.copy()


@pytest.mark.parametrize("way", ["in", "out", "ub"])
@pytest.mark.parametrize("dtype", DTYPE_NAMES)
@FEWER
@given(count=st.integers(0, 600), seed=SEEDS)
def test_count_form_rounds_down_to_32_bytes(way: str, dtype: str, count: int, seed: int) -> None:
    core = OneCore()
    core.randomise(seed)
    dst, src, to, start = ends(core, way, dtype)
    before = to.copy()
    execute(core, copy(dst, src, count=count))
    moved = count * DTYPES[dtype].itemsize // 32 * 32
    assert (to[:moved] == start[:moved]).all()
    assert (to[moved:] == before[moved:]).all()


@pytest.mark.parametrize("way", ["in", "out", "ub"])
@FEWER
@given(
    blocks=st.integers(0, 20), length=st.integers(0, 5), src_gap=st.integers(0, 4),
    dst_gap=st.integers(0, 4), seed=SEEDS,
)  # fmt: skip
def test_block_form(
    way: str, blocks: int, length: int, src_gap: int, dst_gap: int, seed: int
) -> None:
    core = OneCore()
    core.randomise(seed)
    dst, src, to, start = ends(core, way, "float16")
    expected = to.copy()
    for block in range(blocks):
        low, origin = block * (length + dst_gap) * 32, block * (length + src_gap) * 32
        expected[low : low + length * 32] = start[origin : origin + length * 32]
    params = {"block_count": blocks, "block_len": length, "src_gap": src_gap, "dst_gap": dst_gap}
    execute(core, copy(dst, src, **params))
    assert (to == expected).all()


@pytest.mark.parametrize("dtype", ["int8", "float16", "float32", "int64"])
@FEWER
@given(data=st.data(), seed=SEEDS)
def test_pad_in(dtype: str, data: st.DataObject, seed: int) -> None:
    core = OneCore()
    core.randomise(seed)
    size = DTYPES[dtype].itemsize
    blocks, count = data.draw(st.integers(0, 20)), data.draw(st.integers(0, 20))
    left, right = (data.draw(st.integers(0, 32 // size)) for _ in range(2))
    gaps = {"src_stride": data.draw(st.integers(0, 40)), "dst_stride": data.draw(st.integers(0, 3))}
    is_pad, register = data.draw(st.booleans()), data.draw(st.sampled_from([None, 7]))
    dst, src, to, start = ends(core, "in", dtype)
    length = count * size
    slot = -(-(left + count + right) * size // 32) * 32
    expected = to.copy()
    if is_pad:
        filler = DTYPES[dtype].type(3).tobytes()
    elif register is not None:
        filler = DTYPES[dtype].type(register).tobytes()
    else:
        filler = bytes([POISON])
    for block in range(blocks if count else 0):
        low, origin = (
            block * (slot + gaps["dst_stride"] * 32),
            block * (length + gaps["src_stride"]),
        )
        content = start[origin : origin + length].tobytes()
        if left == right == 0:
            filler = content[:size]
        after = slot - left * size - length
        row = (filler * 32)[: left * size] + content + (filler * 64)[:after]
        expected[low : low + slot] = np.frombuffer(row, dtype=np.uint8)
    instr = pad(dst, src, block_count=blocks, block_len=length, is_pad=is_pad, left=left, right=right,
                pad_value=3, **gaps)  # fmt: skip
    execute(core, instr, pad=register)
    assert (to == expected).all()


@FEWER
@given(
    blocks=st.integers(0, 20), length=st.integers(0, 100), src=st.integers(0, 3),
    dst=st.integers(0, 40), offset=st.integers(0, 3), seed=SEEDS,
)  # fmt: skip
def test_pad_out_writes_exact_bytes(
    blocks: int, length: int, src: int, dst: int, offset: int, seed: int
) -> None:
    core = OneCore()
    core.randomise(seed)
    start = core.ub.data[1024:].copy()
    expected = core.array.data.copy()
    pitch = (-(-length // 32) + src) * 32
    for block in range(blocks if length else 0):
        low = 256 + offset + block * (length + dst)
        expected[low : low + length] = start[block * pitch : block * pitch + length]
    params = {"block_count": blocks, "block_len": length, "src_stride": src, "dst_stride": dst}
    execute(core, pad(gm(core, 256 + offset, "uint8"), ub(1024, "uint8"), **params))
    assert (core.array.data == expected).all()


COMBINE = {"add": lambda a, b: a + b, "max": np.maximum, "min": np.minimum}


@pytest.mark.parametrize("dtype", ["float16", "float32", "int16", "int32"])
@pytest.mark.parametrize("mode", COMBINE)
@FEWER
@given(blocks=st.integers(1, 5), count=st.integers(1, 40), gap=st.integers(0, 3), seed=SEEDS)
def test_atomic_stores_combine_at_commit(
    mode: str, dtype: str, blocks: int, count: int, gap: int, seed: int
) -> None:
    core = OneCore()
    size = DTYPES[dtype].itemsize
    width = count + gap  # a gap of whole elements, so that all stay aligned
    old = numbers(seed, blocks * width, dtype)
    new = numbers(seed + 1, blocks * 512 // size, dtype)
    core.put(gm(core, 256, dtype), old)
    core.put(ub(1024, dtype), new)
    slot = -(-count * size // 32) * 32
    instr = pad(gm(core, 256, dtype), ub(1024, dtype), block_count=blocks, block_len=count * size,
                src_stride=0, dst_stride=gap * size)  # fmt: skip
    writes, _ = pending(core, instr, atomic=mode, dtype=dtype)
    late = numbers(seed + 2, blocks * width, dtype)  # GM changes between start and commit
    core.put(gm(core, 256, dtype), late)
    commit(writes)
    expected = late.copy()
    with np.errstate(all="ignore"):
        for block in range(blocks):
            part = slice(block * width, block * width + count)
            source = new[block * slot // size :][:count]
            expected[part] = COMBINE[mode](late[part], source)
    assert same(core.elements(gm(core, 256, dtype), blocks * width), expected)


@FEWER
@given(seed=SEEDS)
def test_operands_are_read_at_the_start(seed: int) -> None:
    core = OneCore()
    core.randomise(seed)
    before = core.array.data[:1024].copy()
    writes, _ = pending(core, copy(ub(0, "float32"), gm(core, 0, "float32"), count=256))
    core.randomise(seed + 1)
    commit(writes)
    assert (core.ub.data[:1024] == before).all()


def test_outside_memory_reads_poison_and_writes_nothing() -> None:
    core = OneCore()
    core.randomise(1)
    tail = core.ub.data[-64:].copy()
    end = GM_BYTES + RED_ZONE
    execute(core, copy(gm(core, 0, "uint8"), ub(UB_BYTES - 64, "uint8"), count=128))
    assert (core.array.data[:64] == tail).all()
    assert (core.array.data[64:128] == POISON).all()
    kept = core.array.data[end - 32 :].copy()
    execute(core, copy(ub(UB_BYTES - 64, "uint8"), gm(core, end - 32, "uint8"), count=128))
    assert (core.ub.data[-64:-32] == kept).all()
    assert (core.ub.data[-32:] == POISON).all()
    core.ub.data[:128] = 5
    execute(core, copy(gm(core, end - 32, "uint8"), ub(0, "uint8"), count=128))
    assert (core.array.data[-32:] == 5).all()
    params = {"block_count": 3, "block_len": 1, "src_gap": 0, "dst_gap": 1}
    execute(core, copy(gm(core, end - 64, "uint8"), ub(0, "uint8"), **params))
    execute(core, copy(ub(UB_BYTES - 64, "uint8"), gm(core, 0, "uint8"), **params))


@pytest.mark.parametrize("space", ["UB", "GM"])
@pytest.mark.parametrize("dtype", sorted(DTYPES))
@FEWER
@given(value=st.one_of(st.integers(-(2**40), 2**40), st.floats(allow_nan=True)))
def test_set_value_converts_as_cpp_and_get_value_reads_it(
    space: str, dtype: str, value: float
) -> None:
    core = OneCore()
    core.randomise(3)
    ref = ub(64, dtype) if space == "UB" else gm(core, 64, dtype)
    kind = DTYPES[dtype]
    found = execute(core, Instr("SetValue", Pipe.S, ref, (), {"value": value}))
    assert found.writes[0].region.nbytes == kind.itemsize
    instr = Instr("GetValue", Pipe.S, None, (ref,), {})
    number = read_scalar(Issue(instr, Form()), core)  # type: ignore[arg-type]
    if kind.kind in "iu":
        whole = int(value) if np.isfinite(value) else 0
        assert number == int(np.array(whole % (1 << 64), dtype=np.uint64).astype(kind))
    else:
        with np.errstate(all="ignore"):
            expected = float(kind.type(value))
        assert number == expected or np.isnan(number)
    assert isinstance(number, int if kind.kind in "iu" else float)


def test_bfloat16_scalars() -> None:
    core = OneCore()
    ref = ub(2, "bfloat16")
    execute(core, Instr("SetValue", Pipe.S, ref, (), {"value": 3.14159}))
    assert core.ub.data[2:4].view(ml_dtypes.bfloat16)[0] == ml_dtypes.bfloat16(3.14159)
    instr = Instr("GetValue", Pipe.S, None, (ref,), {})
    assert read_scalar(Issue(instr, Form()), core) == 3.140625  # type: ignore[arg-type]
