"""Reductions against loops that follow the documentation's words."""

from __future__ import annotations

from typing import Any

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import example, given

from ascend_lab.engine.errors import NotModelled
from ascend_lab.engine.instruction import DTYPES
from ascend_lab.engine.semantics.form import MaskState
from tests.spec.one_core import Array, OneCore, execute, numbers, same, ub, vector
from tests.spec.shapes import FEWER, SEEDS, Mask, enabled, masks

DST, SRC, TMP = 0, 16384, 49152
FLOATS = ("float16", "float32")
COUNTS = st.one_of(st.integers(1, 140), st.integers(1, 3000))


def tree(values: dict[int, Any], width: int) -> Any:
    """The sum of lanes 0..width-1 as a tree of neighbours; lanes not in ``values`` take no part."""
    level = values
    while width > 1:
        width //= 2
        above = {}
        for k in range(width):
            pair = [level[i] for i in (2 * k, 2 * k + 1) if i in level]
            if pair:
                with np.errstate(all="ignore"):
                    above[k] = pair[0] if len(pair) == 1 else pair[0] + pair[1]
        level = above
    return level.get(0)


def best(values: dict[int, Any], largest: bool) -> tuple[Any, int]:
    """(value, lane): the first NaN, else the first of the extremes."""
    for lane, value in values.items():
        if np.isnan(value):
            return value, lane
    lane = min(values, key=lambda i: (-values[i] if largest else values[i], i))
    return values[lane], lane


class Case:
    """A core with random floats, and the active lanes of each iteration of one mask form."""

    def __init__(self, dtype: str, seed: int, mask: Mask, repeat: int, blk: int, rep: int) -> None:
        self.core = OneCore()
        self.size = DTYPES[dtype].itemsize
        self.lanes = 256 // self.size
        count = (self.core.ub.nbytes - SRC) // self.size
        self.core.put(ub(SRC, dtype), numbers(seed, count, dtype, special=0.02))
        self.memory = self.core.elements(ub(0, dtype), self.core.ub.nbytes // self.size)
        per_block = 32 // self.size
        self.rows: list[dict[int, Any]] = []
        for iteration in range(repeat):
            row = {}
            for lane in range(self.lanes):
                if enabled(mask, lane):
                    block, within = divmod(lane, per_block)
                    address = (
                        SRC // self.size + (iteration * rep + block * blk) * per_block + within
                    )
                    row[lane] = self.memory[address]
            self.rows.append(row)

    def words(self, dtype: str) -> Array:
        word = np.dtype(f"u{self.size}")
        assert dtype in FLOATS
        return self.core.ub.data.view(word).copy()


@st.composite
def forms(draw: st.DrawFn, lanes: int) -> dict[str, Any]:
    return {
        "mask": draw(masks(lanes)),
        "repeat": draw(st.integers(0, 5)),
        "src_blk": draw(st.sampled_from([1, 1, 0, 2])),
        "src_rep": draw(st.sampled_from([8, 8, 0, 3, 10])),
        "dst_rep": draw(st.sampled_from([1, 1, 0, 2, 5])),
    }


def case_of(dtype: str, seed: int, form: dict[str, Any]) -> Case:
    return Case(dtype, seed, form["mask"], form["repeat"], form["src_blk"], form["src_rep"])


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize(
    "op", ["WholeReduceSum", "RepeatReduceSum", "BlockReduceSum", "PairReduceSum"]
)
@FEWER
@given(data=st.data(), seed=SEEDS)
def test_sums_of_groups(op: str, dtype: str, data: st.DataObject, seed: int) -> None:
    form = data.draw(forms(256 // DTYPES[dtype].itemsize))
    case = case_of(dtype, seed, form)
    width = {"BlockReduceSum": 32 // case.size, "PairReduceSum": 2}.get(op, case.lanes)
    groups = case.lanes // width
    execute(case.core, vector(op, ub(DST, dtype), (ub(SRC, dtype),), **form))
    expected = case.memory.copy()
    for iteration, row in enumerate(case.rows):
        for group in range(groups):
            part = {i - group * width: v for i, v in row.items() if i // width == group}
            total = tree(part, width)
            if total is not None:
                expected[iteration * form["dst_rep"] * groups + group] = total
    assert same(case.core.elements(ub(0, dtype), expected.size), expected)


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("op", ["BlockReduceMax", "BlockReduceMin"])
@FEWER
@given(data=st.data(), seed=SEEDS)
def test_extremes_of_data_blocks(op: str, dtype: str, data: st.DataObject, seed: int) -> None:
    form = data.draw(forms(256 // DTYPES[dtype].itemsize))
    case = case_of(dtype, seed, form)
    width = 32 // case.size
    execute(case.core, vector(op, ub(DST, dtype), (ub(SRC, dtype),), **form))
    expected = case.memory.copy()
    for iteration, row in enumerate(case.rows):
        for block in range(8):
            part = {i: v for i, v in row.items() if i // width == block}
            if part:
                value, _ = best(part, op.endswith("Max"))
                expected[iteration * form["dst_rep"] * 8 + block] = value
    assert same(case.core.elements(ub(0, dtype), expected.size), expected)


ORDERS = ["ORDER_VALUE_INDEX", "ORDER_INDEX_VALUE", "ORDER_ONLY_VALUE", "ORDER_ONLY_INDEX"]


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("order", [*ORDERS, 1])
@FEWER
@given(data=st.data(), seed=SEEDS, largest=st.booleans())
def test_extremes_of_iterations(
    order: str | int, dtype: str, data: st.DataObject, seed: int, largest: bool
) -> None:
    form = data.draw(forms(256 // DTYPES[dtype].itemsize))
    case = case_of(dtype, seed, form)
    op = "WholeReduceMax" if largest else "WholeReduceMin"
    expected = case.words(dtype)
    execute(case.core, vector(op, ub(DST, dtype), (ub(SRC, dtype),), **form, order=order))
    name = order if isinstance(order, str) else ORDERS[order]
    for iteration, row in enumerate(case.rows):
        if not row:
            continue
        value, lane = best(row, largest)
        bits = int(value.view(expected.dtype))
        at = iteration * form["dst_rep"]
        if name == "ORDER_VALUE_INDEX":
            expected[2 * at : 2 * at + 2] = bits, lane
        elif name == "ORDER_INDEX_VALUE":
            expected[2 * at : 2 * at + 2] = lane, bits
        elif name == "ORDER_ONLY_VALUE":
            expected[at] = bits
        else:  # always 4 bytes
            expected.view(np.uint32)[at] = lane
    assert (case.words(dtype) == expected).all()


def test_an_unknown_order_says_so() -> None:
    core = OneCore()
    instr = vector("WholeReduceMax", ub(DST, "float32"), (ub(SRC, "float32"),), mask=64, repeat=1,
                   order="ORDER_BOTH")  # fmt: skip
    with pytest.raises(NotModelled, match="ORDER_BOTH"):
        execute(core, instr)


def chunks(values: Array, lanes: int) -> list[dict[int, Any]]:
    return [dict(enumerate(values[k : k + lanes])) for k in range(0, values.size, lanes)]


@pytest.mark.parametrize("dtype", FLOATS)
@FEWER
@example(count=3000, seed=1)
@given(count=COUNTS, seed=SEEDS)
def test_reduce_sum_count_form_adds_iterations_in_order(dtype: str, count: int, seed: int) -> None:
    core = OneCore()
    values = numbers(seed, count, dtype, special=0.002)
    core.put(ub(SRC, dtype), values)
    tmp = core.ub.data[TMP:].copy()
    srcs = (ub(SRC, dtype), ub(TMP, dtype))
    execute(core, vector("ReduceSum", ub(DST, dtype), srcs, count=count))
    lanes = 256 // values.dtype.itemsize
    sums = [tree(row, lanes) for row in chunks(values, lanes)]
    total = sums[0]
    with np.errstate(all="ignore"):
        for value in sums[1:]:
            total = total + value
    assert same(core.elements(ub(DST, dtype), 1), np.array([total]))
    assert (core.ub.data[TMP:] == tmp).all()
    assert (core.ub.data[values.dtype.itemsize : SRC] == 0xFF).all()


@pytest.mark.parametrize("dtype", FLOATS)
@FEWER
@given(count=COUNTS, seed=SEEDS)
def test_reduce_sum_is_close_to_the_exact_sum(dtype: str, count: int, seed: int) -> None:
    core = OneCore()
    values = np.random.default_rng(seed).random(count).astype(DTYPES[dtype])
    core.put(ub(SRC, dtype), values)
    execute(
        core, vector("ReduceSum", ub(DST, dtype), (ub(SRC, dtype), ub(TMP, dtype)), count=count)
    )
    found = float(core.elements(ub(DST, dtype), 1)[0])
    tolerance = 1e-6 if dtype == "float32" else 2e-2
    assert found == pytest.approx(float(values.astype(np.float64).sum()), rel=tolerance)


def tree_of_sums(sums: list[Any], lanes: int) -> Any:
    while len(sums) > 1:
        sums = [
            tree(dict(enumerate(sums[k : k + lanes])), lanes) for k in range(0, len(sums), lanes)
        ]
    return sums[0]


@pytest.mark.parametrize("dtype", FLOATS)
@FEWER
@given(data=st.data(), seed=SEEDS)
def test_reduce_sum_mask_form_is_a_tree_twice(dtype: str, data: st.DataObject, seed: int) -> None:
    lanes = 256 // DTYPES[dtype].itemsize
    mask, repeat = data.draw(masks(lanes)), data.draw(st.sampled_from([0, 1, 2, 3, 70, 140]))
    rep = data.draw(st.sampled_from([8, 0, 3]))
    case = Case(dtype, seed, mask, repeat, 1, rep)
    before = case.memory.copy()
    srcs = (ub(SRC, dtype), ub(TMP + 8192, dtype))
    instr = vector("ReduceSum", ub(DST, dtype), srcs, mask=mask, repeat=repeat, rep=(rep,))
    execute(case.core, instr)
    found = case.core.elements(ub(0, dtype), before.size)
    if repeat and case.rows[0]:
        expected = tree_of_sums([tree(row, lanes) for row in case.rows], lanes)
        assert same(found[:1], np.array([expected]))
    else:
        assert same(found, before)  # a NOP


@pytest.mark.parametrize("dtype", FLOATS)
@FEWER
@given(count=COUNTS, seed=SEEDS)
def test_reduce_sum_of_a_chip_with_trees_only(dtype: str, count: int, seed: int) -> None:
    core = OneCore()
    values = numbers(seed, count, dtype, special=0.002)
    core.put(ub(SRC, dtype), values)
    srcs = (ub(SRC, dtype), ub(TMP, dtype))
    execute(core, vector("ReduceSum", ub(DST, dtype), srcs, count=count, tree=True))
    lanes = 256 // values.dtype.itemsize
    sums = [tree(row, lanes) for row in chunks(values, lanes)]
    full = count // lanes
    if full and count % lanes:
        with np.errstate(all="ignore"):
            expected = tree_of_sums(sums[:full], lanes) + sums[full]
    else:
        expected = tree_of_sums(sums, lanes)
    assert same(core.elements(ub(DST, dtype), 1), np.array([expected]))


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("index", [False, True])
@FEWER
@given(count=COUNTS, seed=SEEDS, largest=st.booleans(), ties=st.booleans())
def test_reduce_extreme_count_form(
    dtype: str, index: bool, count: int, seed: int, largest: bool, ties: bool
) -> None:
    core = OneCore()
    values = numbers(seed, count, dtype, special=0.0 if ties else 0.01)
    if ties:
        values = np.sign(values)
    core.put(ub(SRC, dtype), values)
    op = "ReduceMax" if largest else "ReduceMin"
    srcs = (ub(SRC, dtype), ub(TMP, dtype))
    execute(core, vector(op, ub(DST, dtype), srcs, count=count, index=index))
    value, where = best(dict(enumerate(values)), largest)
    word = f"u{values.dtype.itemsize}"
    found = core.ub.data[:16].view(word)
    assert same(core.elements(ub(DST, dtype), 1), np.array([value]))
    assert found[1] == (where if index else np.iinfo(word).max)


@pytest.mark.parametrize("dtype", FLOATS)
@FEWER
@given(data=st.data(), seed=SEEDS, largest=st.booleans())
def test_reduce_extreme_mask_form(
    dtype: str, data: st.DataObject, seed: int, largest: bool
) -> None:
    lanes = 256 // DTYPES[dtype].itemsize
    mask, repeat = data.draw(masks(lanes)), data.draw(st.sampled_from([1, 2, 5, 70]))
    rep = data.draw(st.sampled_from([8, 3]))
    case = Case(dtype, seed, mask, repeat, 1, rep)
    op = "ReduceMax" if largest else "ReduceMin"
    srcs = (ub(SRC, dtype), ub(TMP + 8192, dtype))
    instr = vector(op, ub(DST, dtype), srcs, mask=mask, repeat=repeat, rep=(rep,), index=True)
    before = case.memory.copy()
    execute(case.core, instr)
    if not case.rows[0]:
        assert same(case.core.elements(ub(0, dtype), before.size), before)
        return
    per_block = 32 // case.size
    flat = {(r, lane): value for r, row in enumerate(case.rows) for lane, value in row.items()}
    value, (iteration, lane) = best(flat, largest)  # type: ignore[arg-type, misc]
    assert same(case.core.elements(ub(DST, dtype), 1), np.array([value]))
    index = case.words(dtype)[1]
    assert index == (iteration * rep * per_block + lane) % (1 << 8 * case.size)


@pytest.mark.parametrize("dtype", FLOATS)
@FEWER
@given(total=st.integers(0, 400), seed=SEEDS)
def test_counter_mode_reduces_the_short_iteration_alone(dtype: str, total: int, seed: int) -> None:
    core = OneCore()
    values = numbers(seed, 512, dtype, special=0.0)
    core.put(ub(SRC, dtype), values)
    lanes = 256 // values.dtype.itemsize
    instr = vector("WholeReduceSum", ub(DST, dtype), (ub(SRC, dtype),), mask=None, repeat=1,
                   dst_rep=1, src_blk=1, src_rep=8)  # fmt: skip
    execute(core, instr, MaskState(counter=True, low=total, high=0))
    expected = [tree(row, lanes) for row in chunks(values[:total], lanes)]
    found = core.elements(ub(DST, dtype), len(expected))
    assert same(found, np.array(expected, dtype=values.dtype))
