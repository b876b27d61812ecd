"""The performance classes that promise a gain keep their word, and correct kernels do not have them."""

from __future__ import annotations

import pytest

from ascend_lab import Device
from tests.checks import fixtures
from tests.checks.clean import CASES

#: Classes whose text says which part of the task is saved.
PROMISE = ("K6", "K11", "K12", "K13", "K15")


@pytest.mark.parametrize("class_id", PROMISE)
def test_the_fix_gains_what_is_promised(class_id: str) -> None:
    """Within a third, or 5 points."""
    fixture = fixtures.load(class_id)
    for chip in fixture.chips:
        slow = fixture.launch("bad", chip, "realistic")
        fast = fixture.launch("good", chip, "realistic")
        promised = float(slow.findings[0].numbers["gain"].rstrip("%")) / 100
        gained = 1 - fast.time_us / slow.time_us
        assert abs(promised - gained) <= max(gained / 3, 0.05), (chip, promised, gained)


@pytest.mark.parametrize("name", CASES)
def test_correct_kernels_are_not_called_slow_for_these(name: str) -> None:
    launch, chips = CASES[name]
    for chip in chips:
        found = launch(Device(chip, performance=True)).findings
        assert not {finding.id for finding in found.all} & {*PROMISE}, found[0].message()
