"""Inputs of a case: fresh for every secret, the same for the same one."""

from __future__ import annotations

import numpy as np
import pytest

from ascend_lab.exercise import Task
from ascend_lab.exercise.bank import read
from ascend_lab.exercise.golden import Setting, blank, settings
from tests.exercise.conftest import TASK


def only(task: Task, secret: str, case: int = 0) -> Setting:
    (found,) = settings(task, task.cases[case], secret)
    return found


def test_a_secret_decides_the_inputs(task: Task) -> None:
    first, again, other = only(task, "a"), only(task, "a"), only(task, "b")
    assert np.array_equal(first.arguments[0], again.arguments[0])
    assert not np.array_equal(first.arguments[0], other.arguments[0])
    assert not np.array_equal(first.arguments[0], first.arguments[1])
    assert not np.array_equal(first.arguments[0], only(task, "a", 1).arguments[0][:512])


def test_arguments_follow_the_signature(task: Task) -> None:
    setting = only(task, "a")
    x, y, z, n = setting.arguments
    assert (setting.names, setting.blocks, n) == (("x", "y", "z", "n"), 2, 512)
    assert np.isnan(z).all()
    expected = setting.expected["z"]
    assert expected.dtype == np.float64
    assert np.array_equal(expected, x.astype(np.float64) + y)


def test_edges_ranges_and_types() -> None:
    text = TASK.replace(
        "sizes = { n = 512 }",
        'sizes = { n = 512 }\nseeds = [1, 2]\ndtypes = { x = "float16", y = "int8" }\n'
        "ranges = { x = [3.0, 4.0], y = [-200.0, 200.0] }\nedges = { x = [inf, nan, 0.0] }\n"
        'out_init = "poison"\nblocks = "n // 128"',
    ).replace('golden = "x + y"', 'golden = "x * 0 + y"')
    task = read(text.encode(), "add.toml")
    first, second = settings(task, task.cases[0], "a")
    x, y, z, _ = first.arguments
    assert first.blocks == 4
    assert (x.dtype, y.dtype) == (np.float16, np.int8)
    assert np.isinf(x).sum() == np.isnan(x).sum() == (x == 0).sum() == 1
    finite = x[np.isfinite(x) & (x != 0)]
    assert finite.min() >= 3
    assert finite.max() <= 4
    assert y.min() < -100
    assert y.max() > 100
    assert set(z.tobytes()) == {0xA5}
    assert not np.array_equal(y, second.arguments[1])


@pytest.mark.parametrize(("init", "byte"), [("zero", 0), ("poison", 0xA5), ("nan", 0xA5)])
def test_integer_outputs_before_the_launch(init: str, byte: int) -> None:
    assert set(blank((3,), np.dtype(np.int16), init).tobytes()) == {byte}
