"""The same faulty kernel is told the same way in both doors, at its line; its repair, and what is right, is not told at all."""

from __future__ import annotations

import pytest

from ascend_lab.ascendc import NoCompiler
from ascend_lab.ascendc.building import compiler
from tests.checks.doors.classes import CLASSES
from tests.checks.doors.reports import REPORTS
from tests.checks.doors.right import ODD
from tests.checks.doors.table import (
    DOORS,
    Situation,
    fault_line,
    found_at,
    kernel_of,
    launch,
)

FAULTY = [("silent", one) for one in CLASSES] + [("reported", one) for one in REPORTS]


def _kernel(situation: Situation, group: str, door: str) -> object:
    if door not in situation.doors:
        pytest.skip("this door cannot write it")
    if door == "cpp":
        try:
            compiler()
        except NoCompiler as error:
            pytest.skip(error.message("en").splitlines()[0])
    return kernel_of(situation, group, door)


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize(("group", "situation"), FAULTY, ids=[one.name for _, one in FAULTY])
def test_the_fault_is_named_at_its_line(group: str, situation: Situation, door: str) -> None:
    run = launch(situation, _kernel(situation, group, door), False)
    assert run.leads == situation.finds, run.result.findings
    lead = run.result.findings[0]
    assert found_at(lead, fault_line(situation.name, door, group)), lead.message()
    assert situation.hint in ("", *lead.hints)
    for lang in ("zh", "en"):
        assert "{" not in lead.message(lang)
        assert door != "cpp" or "asc." not in lead.message(lang)


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize(("group", "situation"), FAULTY, ids=[one.name for _, one in FAULTY])
def test_the_repair_is_right_and_silent(group: str, situation: Situation, door: str) -> None:
    run = launch(situation, _kernel(situation, group, door), True)
    assert run.right
    assert not run.result.findings, run.result.findings[0].message()


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("situation", ODD, ids=[one.name for one in ODD])
def test_what_is_right_is_not_told(situation: Situation, door: str) -> None:
    run = launch(situation, _kernel(situation, "odd", door), True)
    assert run.right
    assert not run.result.findings, run.result.findings[0].message()


@pytest.mark.nightly
@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("situation", ODD, ids=[one.name for one in ODD])
def test_what_is_right_is_not_told_in_any_order(situation: Situation, door: str) -> None:
    for seed in range(5):
        run = launch(situation, _kernel(situation, "odd", door), True, "adversarial", seed)
        assert run.right
        assert not run.result.findings, run.result.findings[0].message()
