"""The performance classes that promise a gain keep their word, and correct kernels do not have them."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

import ascend_lab.asc as asc
from ascend_lab import Device, chips
from ascend_lab.exercise.bank import bank
from ascend_lab.exercise.remote import Record
from ascend_lab.exercise.trial import Bench
from tests.checks import fixtures
from tests.checks.clean import CASES

#: Classes whose text says which part of the task is saved.
PROMISE = ("K6", "K11", "K12", "K13", "K15")


#: Much data: not every day.
_LARGE = ("K6", "K11")


@pytest.mark.parametrize(
    "class_id",
    [pytest.param(id, marks=pytest.mark.nightly if id in _LARGE else ()) for id in PROMISE],
)
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


class Here:
    """A kernel of the bank in this process, as a bench wants it."""

    class Launches(list[Counter[str]]):
        def __getitem__(self, index: Any) -> Any:
            return Counter()

    def __init__(self, kernel: Any) -> None:
        self._kernel = kernel
        self.record = Record(launches=self.Launches())

    def __getattr__(self, name: str) -> Any:
        return getattr(self._kernel, name)


@pytest.mark.nightly
def test_reference_kernels_are_not_called_slow_for_these() -> None:
    """Every Python reference of the bank, on its first three cases."""
    looked = 0
    for task in bank().tasks():
        if not str(task.reference or "").endswith(".py"):
            continue
        names: dict[str, Any] = {"asc": asc}
        file = str(task.reference)
        exec(compile(bank().source(file), file, "exec"), names)
        kernel: Any = Here(names[task.kernel])
        bench = Bench(task, chips.load(task.chip), kernel, "secret", performance=True)
        for case in task.cases[:3]:
            for trial in bench.run(case)[:2]:
                assert trial.result is not None, (task.id, case.name)
                found = {f.id for f in trial.result.findings.all} & {*PROMISE}
                assert not found, (task.id, case.name, found)
                looked += 1
    assert looked > 30
