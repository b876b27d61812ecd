"""The accumulate form: dst on src1 with a repeat stride of 0 (asc-devkit: 通用说明和约束.md)."""

from __future__ import annotations

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given

from ascend_lab.engine.instruction import DTYPES
from ascend_lab.engine.semantics import SEMANTICS, Flow
from ascend_lab.engine.semantics.form import FULL, MaskState, resolve
from tests.spec.one_core import OneCore, execute, numbers, same, ub, vector
from tests.spec.shapes import FEWER, SEEDS, enabled, masks

SRC = 16384
OPS = {"Add": np.add, "Sub": np.subtract, "Mul": np.multiply, "Max": np.maximum, "Min": np.minimum}
STRIDES = [(0, 8, 0), (8, 8, 0), (0, 8, 8), (3, 8, 0)]


@pytest.mark.parametrize("dtype", ["float16", "float32", "int32"])
@pytest.mark.parametrize("op", OPS)
@FEWER
@given(repeat=st.integers(1, 6), rep=st.sampled_from(STRIDES), seed=SEEDS, data=st.data())
def test_repeat_by_repeat(
    op: str, dtype: str, repeat: int, rep: tuple[int, int, int], seed: int, data: st.DataObject
) -> None:
    core = OneCore()
    size = DTYPES[dtype].itemsize
    lanes = 256 // size
    mask = data.draw(masks(lanes))
    start = numbers(seed, 4096 // size, dtype, special=0.0)
    addends = numbers(seed + 1, repeat * lanes, dtype, special=0.0)
    core.put(ub(0, dtype), start)
    core.put(ub(SRC, dtype), addends)
    params = {"mask": mask, "repeat": repeat, "blk": (1, 1, 1), "rep": rep}
    srcs = (ub(SRC, dtype), ub(0, dtype))
    execute(core, vector(op, ub(0, dtype), srcs, **params))
    expected = start.copy()
    per_block = 32 // size
    on = [lane for lane in range(lanes) if enabled(mask, lane)]
    with np.errstate(all="ignore"):
        for r in range(repeat):
            left = addends[[r * lanes + lane for lane in on]]
            right = expected[[r * rep[2] * per_block + lane for lane in on]]
            wide = [v.astype(np.float32) if dtype == "float16" else v for v in (left, right)]
            expected[[r * rep[0] * per_block + lane for lane in on]] = OPS[op](*wide).astype(
                start.dtype
            )
    assert same(core.elements(ub(0, dtype), start.size), expected)


def test_a_sum_of_rows_in_counter_mode_ends_with_a_short_repeat() -> None:
    core = OneCore()
    rows = np.arange(3 * 64, dtype=np.float32)
    core.put(ub(0, "float32"), np.zeros(64, np.float32))
    core.put(ub(SRC, "float32"), rows)
    params = {"mask": None, "repeat": 1, "blk": (1, 1, 1), "rep": (0, 8, 0)}
    instr = vector("Add", ub(0, "float32"), (ub(SRC, "float32"), ub(0, "float32")), **params)
    execute(core, instr, MaskState(True, 130, 0))
    expected = rows[:64] + rows[64:128]
    expected[:2] += rows[128:130]
    assert core.elements(ub(0, "float32"), 64).tolist() == expected.tolist()


def test_elsewhere_all_sources_are_read_at_the_start() -> None:
    core = OneCore()
    core.put(ub(0, "int16"), np.zeros(128, np.int16))
    core.put(ub(SRC, "int16"), np.ones(256, np.int16))
    params = {"mask": 128, "repeat": 2, "blk": (1, 1, 1), "rep": (0, 8, 0)}
    # int16_t has no accumulate form, and neither has Div.
    execute(core, vector("Add", ub(0, "int16"), (ub(SRC, "int16"), ub(0, "int16")), **params))
    assert (core.elements(ub(0, "int16"), 128) == 1).all()
    core.put(ub(0, "float32"), np.full(64, 2, np.float32))
    core.put(ub(SRC, "float32"), np.full(128, 8, np.float32))
    params["mask"] = 64
    execute(core, vector("Div", ub(0, "float32"), (ub(SRC, "float32"), ub(0, "float32")), **params))
    assert (core.elements(ub(0, "float32"), 64) == 4).all()


def test_flow_names_every_row_and_the_start() -> None:
    params = {"mask": 64, "repeat": 3, "blk": (1, 1, 1), "rep": (0, 8, 0)}
    instr = vector("Add", ub(0, "float32"), (ub(SRC, "float32"), ub(0, "float32")), **params)
    (flow,) = SEMANTICS["Add"].flow(instr, resolve(instr, FULL))
    assert isinstance(flow, Flow)
    assert flow.kind == "lanes"  # padding in a column stays in that column
    assert flow.dst.tolist() == [4 * k for k in range(64)]
    assert [source[2][5] for source in flow.srcs] == [SRC + 532, 20, SRC + 20, SRC + 276]
