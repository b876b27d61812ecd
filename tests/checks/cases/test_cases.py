"""Every public case that a kernel can have: its kernel is caught, and its repair is clean."""

from __future__ import annotations

import pytest

from tests.checks.cases import table

NAMES = table.names()


@pytest.mark.parametrize("name", NAMES)
def test_the_kernel_is_caught(name: str) -> None:
    module = table.load(name)
    findings = table.launch(module, False).findings
    assert findings.ids[:1] == ((module.FINDS,) if module.FINDS else ()), findings
    if hasattr(module, "HINT"):
        assert module.HINT in findings[0].hints


@pytest.mark.parametrize("name", NAMES)
def test_its_repair_is_clean(name: str) -> None:
    module = table.load(name)
    for schedule in getattr(module, "SCHEDULES", ("realistic", "adversarial")):
        findings = table.launch(module, True, schedule).findings
        assert not findings, f"{schedule}: {findings[0].message()}"


def test_every_case_is_expressed_or_explained() -> None:
    """The cases have the odd numbers from 1 to 47."""
    assert {*NAMES, *table.NOT_EXPRESSED} == {f"Q{n:02}" for n in range(1, 48, 2)}
    assert not {*NAMES} & {*table.NOT_EXPRESSED}
