"""What is said of an output that is not what it should be, where no rule was broken."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ascend_lab.asc as asc
from ascend_lab import Device, checks
from ascend_lab.checks.patterns import Output, by_values, where
from tests.checks import fixtures
from tests.checks.doors.shorthand import after, bound, local
from tests.checks.test_variants import BY_OUTPUT

Array = np.ndarray[Any, Any]


def output(got: Array, expected: Array) -> Output:
    return Output("z", got, expected, got != expected)


def told(got: Array, expected: Array, **more: Any) -> tuple[str, str, Mapping[str, Any]]:
    found = by_values(
        output(got, expected), more.pop("inputs", {}), **{"widths": (), "blocks": 1, **more}
    )
    return ("", "", {}) if found is None else found


ROWS = np.arange(1, 41, dtype=np.float32).reshape(5, 8) ** 1.5
RIGHT = ROWS.astype(np.float64)


def test_sums_of_all_rows_before() -> None:
    assert told(np.cumsum(ROWS, axis=0), RIGHT)[0] == "C5"
    assert told(np.cumsum(ROWS, axis=0).ravel(), RIGHT.ravel(), widths=(8,))[0] == "C5"
    assert told(np.maximum.accumulate(ROWS[::-1], axis=0), RIGHT[::-1])[0] == "C5"


def test_every_core_adds_up_its_own_rows() -> None:
    right = np.arange(1, 33, dtype=np.float32).reshape(4, 8)
    got = np.cumsum(right.reshape(2, 2, 8), axis=1).reshape(4, 8)
    assert told(got, right.astype(np.float64), blocks=2)[0] == "C5"


def test_inexact_sums_are_no_running_maximum() -> None:
    right = np.array([2070.0, 2052.0, 2049.0])
    assert told(np.full(3, 2066, np.float16), right)[0] == ""


def test_operands_exchanged() -> None:
    assert told(-ROWS, RIGHT)[:2] == ("I6", "minus")
    assert told(1 / ROWS, RIGHT)[:2] == ("I6", "inverse")


def test_rows_at_another_distance() -> None:
    flat = np.arange(100, dtype=np.float32)
    right = np.stack([flat[k * 12 : k * 12 + 8] for k in range(5)])
    for pitch, shift in ((10, 2), (13, 1)):
        got = np.stack([flat[k * pitch : k * pitch + 8] for k in range(5)])
        found = told(got, right.astype(np.float64))
        assert (found[0], found[2]["shift"]) == ("G11", shift)


@pytest.mark.parametrize("dtype", ["float32", "int32"])
def test_an_offset_in_sixteen_bits(dtype: str) -> None:
    right = np.arange(70_000).astype(dtype)
    got = np.concatenate([right[:65536], right[: 70_000 - 65536]])
    assert told(got, right)[0] == "G5"
    half = np.concatenate([right[:16384], right[:16384], right[32768:]])
    assert told(half, right)[0] == ""


def test_along_the_other_axis() -> None:
    vector = np.arange(1, 9, dtype=np.float32)
    square = ROWS[:, :5]
    down, across = vector[:5, None], vector[None, :5]
    for one, other in ((down, across), (across, down)):
        found = told(square * other, (square * one).astype(np.float64), inputs={"s": vector})
        assert found[0] == "H12"
        found = told(square - other, (square - one).astype(np.float64), inputs={"s": vector})
        assert found[0] == "G12"


def test_nothing_by_chance() -> None:
    rng = np.random.default_rng(3)
    for _ in range(20):
        right = rng.normal(size=(6, 8))
        got = (right + rng.normal(size=(6, 8))).astype(np.float32)
        assert told(got, right, inputs={"x": rng.normal(size=16).astype(np.float32)})[0] == ""
    zeros = np.zeros((6, 8), np.float32)
    assert told(zeros, rng.normal(size=(6, 8)))[0] == ""
    assert told(zeros + 1, np.zeros((6, 8)))[0] == ""


def spoiled(shape: tuple[int, ...], *places: Any) -> Output:
    right = np.arange(int(np.prod(shape)), dtype=np.float32).reshape(shape)
    got = right.copy()
    for place in places:
        got[place] += 0.5
    return output(got, right)


@pytest.mark.parametrize(
    ("wrong", "written", "variant", "numbers"),
    [
        (spoiled((64,), slice(None)), {}, "every", {}),
        (spoiled((64,), slice(50, None)), {}, "tail", {"left": 14, "from_": 50}),
        (spoiled((8, 8), 3, 5), {}, "rows", {"n": 2, "rows": 8, "from_": 3}),
        (spoiled((8, 8), np.s_[:, 6:]), {}, "columns", {"n": 2, "columns": 8}),
        (spoiled((64,), slice(3, None, 16)), {}, "period", {"step": 16, "of": 1}),
        (
            spoiled((64,), slice(16, 32)),
            {0: [(0, 16)], 1: [(16, 32)], 2: [(32, 64)]},
            "cores",
            {"cores": "1", "n": 1},
        ),
        (spoiled((64,), 3, 17, 40), {}, "", {}),
    ],
)
def test_where_it_is_wrong(
    wrong: Output, written: Any, variant: str, numbers: dict[str, Any]
) -> None:
    assert where(wrong, written) == (variant, numbers)


# --- whole kernels ---------------------------------------------------------------------------------


@asc.jit
def steps(x: asc.GlobalAddress, z: asc.GlobalAddress, what: int):
    x_gm, z_gm = bound(x, z)
    part = local(x.dtype, 0, 64)
    out = local(x.dtype, 1024, 64)
    asc.data_copy(part, x_gm, 64)
    after(asc.HardEvent.MTE2_V)
    if what == 1:
        asc.mul(out, part, part, 64)  # more than float32 holds
    elif what == 2:
        asc.adds(out, part, 0.5, 64)
        asc.cast(local(asc.int32, 2048, 64), out, asc.RoundMode.CAST_FLOOR, 64)
        asc.cast(out, local(asc.int32, 2048, 64), asc.RoundMode.CAST_NONE, 64)
    else:
        asc.adds(out, part, 0.0, 64)
    after(asc.HardEvent.V_MTE3)
    asc.data_copy(z_gm, out, 64)


def explained(what: int, x: Array, right: Array) -> checks.Finding:
    z = np.zeros(64, np.float32)
    with np.errstate(all="ignore"):
        result = Device().launch(steps, 1, x, z, what, outputs=("z",), expected={"z": right})
    assert len(result.findings) == 1
    for lang in ("zh", "en"):
        assert "{" not in result.findings[0].message(lang)
    return result.findings[0]


def test_more_than_float_holds() -> None:
    x = np.full(64, 1e30, np.float32)
    found = explained(1, x, x)
    assert (found.id, found.variant) == ("H1", "wide")


def test_another_rounding_mode_would_do() -> None:
    x = np.arange(64, dtype=np.float32) / 4
    found = explained(2, x, np.trunc(x + 0.5) + ((x + 0.5) % 1 > 0))
    assert (found.id, found.variant) == ("H4", "line")
    assert "CAST_CEIL" in found.message("en")


def test_the_input_unchanged() -> None:
    x = np.arange(64, dtype=np.float32)
    found = explained(3, x, x + 1)
    assert (found.id, found.variant) == ("X4", "input")


def test_a_right_output_is_not_told() -> None:
    x = np.arange(64, dtype=np.float32)
    z = np.zeros(64, np.float32)
    for schedule in ("realistic", "adversarial"):
        device = Device(schedule=schedule)
        assert not device.launch(steps, 1, x, z, 3, expected={"z": x}).findings


def test_only_arrays_of_the_kernel_can_be_expected() -> None:
    x, z = np.arange(64, dtype=np.float32), np.zeros(64, np.float32)
    for name in ("what", "y"):
        with pytest.raises(TypeError, match=name):
            Device().launch(steps, 1, x, z, 3, expected={name: x})


SHOWN = [one for one in fixtures.all_ids() if checks.entry(one).shown_by == "output"]


def test_sentences_of_outputs_exist() -> None:
    for class_id, variant in BY_OUTPUT:
        assert variant in checks.entry(class_id).variants
    assert {"C5", "G5", "G11", "G12", "H2", "H7", "H11", "H12", "I7", "I9", "X4"} <= {*SHOWN}


@pytest.mark.nightly
def test_an_offset_that_has_lost_its_upper_bits() -> None:
    """An array of more than 2^31 B, and an int32 offset: 2 GB of memory."""
    x, z = np.zeros((1 << 31) + 512, np.int8), np.zeros(64, np.int8)
    findings = Device().launch(far, 1, x, z, outputs=("z",)).findings
    assert findings.ids == ("B3",)
    assert findings[0].hints == ("G5",)
    assert "x" in findings[0].message("en").splitlines()[3]


@asc.jit
def far(x: asc.GlobalAddress, z: asc.GlobalAddress):
    x_gm, z_gm = bound(x, z)
    part = local(x.dtype, 0, 64)
    x_gm.set_global_buffer(x + ((1 << 31) - (1 << 32)))
    asc.data_copy(part, x_gm, 64)
    after(asc.HardEvent.MTE2_MTE3)
    asc.data_copy(z_gm, part, 64)


@asc.jit
def two_columns(z: asc.GlobalAddress) -> None:
    (z_gm,) = bound(z)
    pipe = asc.TPipe()
    queue = asc.TQue(asc.TPosition.VECOUT, 2)
    pipe.init_buffer(queue, 2, 16 * 32 * 4)
    half_rows = asc.DataCopyParams(16, 4, 0, 4)
    one = queue.alloc_tensor(asc.float32)
    asc.duplicate(one, 1.0, 16 * 32)
    queue.enque(one)
    one = queue.deque(asc.float32)
    asc.data_copy(z_gm, one, repeat_params=half_rows)  # the wrong one
    queue.free_tensor(one)
    two = queue.alloc_tensor(asc.float32)
    asc.duplicate(two, 2.0, 16 * 32)
    queue.enque(two)
    two = queue.deque(asc.float32)
    asc.data_copy(z_gm[32:], two, repeat_params=half_rows)
    queue.free_tensor(two)


def test_the_line_is_that_of_the_store_and_not_of_one_that_strides_over_it() -> None:
    right = np.full((16, 64), 2.0, np.float32)
    right[:, :32] = 1.0
    right[2:, :32] = np.random.default_rng(1).uniform(-9, 9, (14, 32))
    found = (
        Device()
        .launch(two_columns, 1, np.zeros((16, 64), np.float32), expected={"z": right})
        .findings
    )
    source = Path(__file__).read_text("utf-8").splitlines()
    assert [f.id for f in found] == ["X4"]
    assert "the wrong one" in source[found[0].line - 1]


def test_what_comes_again_at_equal_distances_is_found_in_large_outputs_too() -> None:
    wrong = np.zeros(1_000_003, np.bool_)
    wrong[5::100] = wrong[6::100] = True
    got, right = np.zeros(wrong.size), wrong.astype(np.float64)
    assert where(Output("z", got, right, wrong), {}) == ("period", {"step": 100, "of": 2})
    wrong[-1] = True
    assert where(Output("z", got, right, wrong), {})[0] != "period"
