"""No finding on correct kernels, however suspicious they look."""

from __future__ import annotations

import pytest

from ascend_lab import Device
from tests.checks.clean import CASES
from tests.checks.fixtures import SCHEDULES


@pytest.mark.parametrize("name", CASES)
def test_silent(name: str) -> None:
    launch, chips = CASES[name]
    for chip in chips:
        for schedule in SCHEDULES:
            for seed in (0, 1):
                findings = launch(Device(chip, schedule, seed)).findings
                assert not findings, f"{chip} {schedule} {seed}\n{findings[0].message()}"


def test_the_classic_false_alarms_are_among_them() -> None:
    """A mask left on, pad lanes, exact bytes, a tail computed twice, float atomics, primed flags."""
    classic = {
        "mask of an earlier call",
        "mask left on at the end",
        "narrow rows with pad lanes",
        "exact bytes beside a neighbour's",
        "overlapping tail, equal values",
        "float atomics",
        "ping-pong with primed flags",
    }
    assert classic <= {*CASES}


@pytest.mark.nightly
@pytest.mark.parametrize("name", CASES)
def test_silent_on_many_seeds(name: str) -> None:
    launch, chips = CASES[name]
    for chip in chips:
        for seed in range(20):
            assert not launch(Device(chip, "adversarial", seed)).findings
