"""In which order a reduction adds, with values where it shows."""

from __future__ import annotations

import numpy as np

from tests.spec.one_core import OneCore, execute, ub, vector

SRC, TMP = 16384, 49152


def rows(*sums: float) -> np.ndarray:
    """One iteration of 64 floats a sum: the sum itself, then zeros."""
    values = np.zeros((len(sums), 64), np.float32)
    values[:, 0] = sums
    return values.reshape(-1)


def reduce_sum(values: np.ndarray, **params: object) -> float:
    core = OneCore()
    core.put(ub(SRC, "float32"), values)
    srcs = (ub(SRC, "float32"), ub(TMP, "float32"))
    execute(core, vector("ReduceSum", ub(0, "float32"), srcs, **params))
    return float(core.elements(ub(0, "float32"), 1)[0])


BIG = 2.0**25  # adding 1 to it is lost in float32


def test_iterations_one_after_the_other_in_the_count_form() -> None:
    values = rows(BIG, *[1.0] * 30, -BIG)
    assert reduce_sum(values, count=values.size) == 0.0
    values = rows(*[1.0] * 30, BIG, -BIG)
    assert reduce_sum(values, count=values.size) == 32.0  # 30 rounds to a multiple of 4 beside BIG


def test_iterations_as_a_tree_in_the_mask_form() -> None:
    values = rows(BIG, -BIG, *[1.0] * 30)
    assert reduce_sum(values, mask=64, repeat=32, rep=(8,)) == 30.0
    values = rows(BIG, 1.0, -BIG, 1.0)
    assert reduce_sum(values, mask=64, repeat=4, rep=(8,)) == 0.0
    assert reduce_sum(values, count=256) == 1.0


def test_lanes_as_a_tree_of_neighbours() -> None:
    values = np.zeros(64, np.float32)
    values[:4] = BIG, -BIG, 1.0, 1.0
    assert reduce_sum(values, count=64) == 2.0
    values[:4] = BIG, 1.0, -BIG, 1.0
    assert reduce_sum(values, count=64) == 0.0


def test_half_is_rounded_at_every_step() -> None:
    core = OneCore()
    values = np.full(128, 1.0, np.float16)
    values[0] = 2048  # the next half is 2050
    core.put(ub(SRC, "float16"), values)
    instr = vector("WholeReduceSum", ub(0, "float16"), (ub(SRC, "float16"),), mask=2, repeat=1)
    execute(core, instr)
    assert core.elements(ub(0, "float16"), 1)[0] == 2048


def test_lanes_that_take_no_part_do_not_touch_the_sign_of_zero() -> None:
    core = OneCore()
    core.put(ub(SRC, "float32"), np.full(64, -0.0, np.float32))
    for op in ("WholeReduceSum", "BlockReduceSum", "PairReduceSum"):
        instr = vector(op, ub(0, "float32"), (ub(SRC, "float32"),), mask=(1, 0), repeat=1)
        execute(core, instr)
        assert np.signbit(core.elements(ub(0, "float32"), 1)[0]), op
    assert np.signbit(reduce_sum(np.full(64, -0.0, np.float32), count=3))
