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


@pytest.mark.nightly
@pytest.mark.parametrize("name", CASES)
def test_silent_on_many_seeds(name: str) -> None:
    launch, chips = CASES[name]
    for chip in chips:
        for seed in range(20):
            assert not launch(Device(chip, "adversarial", seed)).findings
