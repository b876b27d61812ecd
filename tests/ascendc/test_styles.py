"""Kernels in the styles that are met outside: right in every order of the pipes, and nothing to find."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ascend_lab.acl.host_device import HostDevice
from ascend_lab.ascendc import build, kernels, run
from ascend_lab.device import Device

SOURCE = Path(__file__).parent / "sources" / "styles.asc"
RANDOM = np.random.default_rng(7)


def normal(*shape: int, dtype: type = np.float32) -> Any:
    return RANDOM.normal(size=shape).astype(dtype)


def softmax(x: Any) -> Any:
    raised = np.exp(x - x.max(1, keepdims=True))
    return raised / raised.sum(1, keepdims=True)


def added(name: str, blocks: int, x: Any, tile: int) -> tuple[Any, ...]:
    arguments = [x, x[::-1].copy(), np.zeros_like(x), {"total": x.size, "tile": tile}]
    return name, blocks, arguments, 2, x + x[::-1]


HALVES, A, B = normal(1003, dtype=np.float16), normal(256), normal(256)
COUNTED = RANDOM.integers(-1, 9, 100).astype(np.int32)
ROWS = RANDOM.integers(-8, 8, (37, 256)).astype(np.float32)
LONG, SHARES, SIGNED = (
    normal(5, 1024),
    RANDOM.integers(1, 8, (8, 256)),
    normal(2, 2560, dtype=np.float16),
)
#: Kernel, blocks, arguments, which of them is the result, what it must be.
CASES = [
    ("copy_bound", 3, [HALVES, np.zeros_like(HALVES), 1003, 128], 1, HALVES),
    ("two_pools", 1, [A, B, np.zeros(512, np.float32), 256], 2, np.concatenate([A + B, A * B])),
    (
        "histogram",
        2,
        [COUNTED, np.zeros(8, np.int32), 100],
        1,
        np.bincount(COUNTED[(COUNTED >= 0) & (COUNTED < 8)]),
    ),
    added("add_any_half", 4, normal(1, dtype=np.float16), 256),
    added("add_any_half", 4, normal(5003, dtype=np.float16), 256),
    added("add_any_int", 5, RANDOM.integers(-9, 9, 777).astype(np.int32), 64),
    ("row_sums", 4, [ROWS, np.zeros(37, np.float32), 37], 1, ROWS.sum(1)),
    ("online_softmax", 2, [LONG, np.zeros_like(LONG), 5, 1024, 256], 1, softmax(LONG)),
    (
        "share_of_sum",
        8,
        [SHARES.astype(np.float32), np.zeros((8, 256), np.float32), np.zeros(8, np.float32), 256],
        1,
        SHARES / SHARES.sum(),
    ),
    ("ping_pong", 2, [SIGNED, np.zeros_like(SIGNED), 5], 1, np.maximum(SIGNED, 0)),
]


@pytest.mark.parametrize("schedule", ["realistic", "adversarial"])
def test_each_is_right_and_clean(schedule: str) -> None:
    known = kernels(SOURCE)
    for name, blocks, given, at, wanted in CASES:
        arguments = [one.copy() if isinstance(one, np.ndarray) else one for one in given]
        result = Device(schedule=schedule).launch(known[name], blocks, *arguments, outputs=["z"])
        assert [str(finding) for finding in result.findings] == [], name
        np.testing.assert_allclose(arguments[at], wanted, rtol=1e-5, err_msg=name)


@pytest.mark.parametrize("schedule", ["realistic", "adversarial"])
def test_a_template_with_a_structure_by_value(schedule: str, tmp_path: Path) -> None:
    outcome = run(build([SOURCE]), folder=tmp_path, device=HostDevice(schedule=schedule))
    assert outcome.code == 0
    assert [list(result.findings) for _, result in outcome.results] == [[]]


def test_descriptions_of_tensors_and_tiling_data_by_its_pointer(tmp_path: Path) -> None:
    outcome = run(build([SOURCE.with_name("told.asc")]), folder=tmp_path)
    assert outcome.code == 0
    assert [list(result.findings) for _, result in outcome.results] == [[]]


@pytest.mark.parametrize(
    ("name", "dtype"), [("halves", np.float16), ("floats", np.float32), ("wholes", np.int32)]
)
def test_elements_stand_wherever_numbers_do(name: str, dtype: type) -> None:
    x, z = np.arange(1, 17).astype(dtype), np.zeros(16, dtype)
    known = kernels(SOURCE.with_name("elements.asc"))
    result = Device().launch(known[name], 2, x, z)
    wanted = np.arange(1, 17).astype(np.float64)
    wanted[:5] = [2, 1, 6, 4 // 2, 13]
    wanted[7:11] = [9, 3 * 2 + 4 + 1, 11, 13]
    np.testing.assert_array_equal(z, wanted.astype(dtype))
    assert result.stdout == "14\n14\n"
