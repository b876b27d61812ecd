"""GroupBarrier, and a TBufPool that a kernel writes itself."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from ascend_lab.ascendc import kernels
from ascend_lab.device import Device
from ascend_lab.engine.errors import LabError

SOURCE = Path(__file__).parent / "sources" / "group.asc"
N, BLOCKS = 64, 5


def arrays() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    return np.zeros(3 * 128, np.int32), np.zeros(2 * N, np.float32), np.zeros(3 * N, np.float32)


@pytest.mark.parametrize("schedule", ["realistic", "adversarial"])
def test_waiters_see_what_arrivers_have_stored(schedule: str) -> None:
    bar, x, y = arrays()
    result = Device(schedule=schedule).launch(kernels(SOURCE)["meet"], BLOCKS, bar, x, y)
    assert [finding.id for finding in result.findings] == []
    np.testing.assert_array_equal(y, np.repeat(np.float32([10, 11, 10]), N))


def test_a_member_that_does_not_arrive_is_named() -> None:
    result = Device().launch(kernels(SOURCE)["one_stays_away"], BLOCKS, *arrays())
    (found,) = [finding for finding in result.findings if finding.id == "D9"]
    assert "not every core of the other group has arrived" in found.message("en")
    assert "GroupWait" in found.message("en")


def test_an_index_outside_the_group_is_a_fault_of_the_kernel() -> None:
    result = Device().launch(kernels(SOURCE)["of_another_group"], 3, *arrays())
    text = result.findings[0].message("en")
    assert "index 2 is not in the group, which has 2 cores" in text


@pytest.mark.parametrize("schedule", ["realistic", "adversarial"])
def test_buffers_of_an_own_pool_may_have_gaps(schedule: str) -> None:
    x = np.arange(6 * N, dtype=np.float32)
    y = np.zeros_like(x)
    result = Device(schedule=schedule).launch(
        kernels(SOURCE)["own_pool"], 1, x, y, 6, outputs=["y"]
    )
    assert [finding.id for finding in result.findings] == []
    np.testing.assert_array_equal(y, x + 1)


def test_an_own_pool_ends_where_its_memory_does() -> None:
    try:
        result = Device().launch(kernels(SOURCE)["pool_too_small"], 1, np.zeros(8, np.float32))
        text = result.findings[0].message("en")
    except LabError as error:
        text = error.message("en")
    assert "256 bytes are asked for, 224 are left" in text
