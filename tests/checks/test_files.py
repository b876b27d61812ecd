"""Every class is caught on its smallest failing kernel, and its fix is clean."""

from __future__ import annotations

import difflib
import functools

import pytest

from ascend_lab import checks
from tests.checks import fixtures
from tests.checks.fixtures import Fixture

IDS = fixtures.all_ids()
SEEDS = (0, 1)

load = functools.lru_cache(fixtures.load)


def _caught(fixture: Fixture, chip: str, schedule: str, seed: int) -> None:
    findings = fixture.launch("bad", chip, schedule, seed).findings
    if fixture.shown_by_output:
        assert findings.ids == ()
        assert fixture.bad.errors[-1] > 0.01
        return
    assert findings.ids[:1] == (fixture.lead,), f"{chip} {schedule} {seed}: {findings}"
    assert findings[0].line == fixtures.fault_line(fixture.id)
    if fixture.lead != fixture.id:
        assert fixture.id in findings[0].hints


def _clean(fixture: Fixture, chip: str, schedule: str, seed: int) -> None:
    findings = fixture.launch("good", chip, schedule, seed).findings
    assert findings.ids == (), f"{chip} {schedule} {seed}: {findings[0].message()}"
    if fixture.shown_by_output:
        assert fixture.good.errors[-1] < 1e-3


@pytest.mark.parametrize("class_id", IDS)
def test_caught_under_its_own_id(class_id: str) -> None:
    fixture = load(class_id)
    for schedule in fixture.schedules:
        _caught(fixture, fixture.chips[0], schedule, SEEDS[0])
    for chip in fixture.chips[1:]:
        _caught(fixture, chip, fixture.schedules[0], SEEDS[1])


@pytest.mark.parametrize("class_id", IDS)
def test_the_fix_is_clean(class_id: str) -> None:
    fixture = load(class_id)
    for chip in fixture.chips:
        for schedule in fixture.schedules:
            for seed in SEEDS if schedule == "adversarial" else SEEDS[:1]:
                _clean(fixture, chip, schedule, seed)


@pytest.mark.nightly
@pytest.mark.parametrize("class_id", IDS)
def test_on_many_seeds(class_id: str) -> None:
    fixture = load(class_id)
    for chip in fixture.chips:
        for schedule in fixture.schedules:
            for seed in range(20):
                _caught(fixture, chip, schedule, seed)
                _clean(fixture, chip, schedule, seed)


@pytest.mark.parametrize("class_id", IDS)
def test_the_fix_is_one_line(class_id: str) -> None:
    """A module that needs more says how many, and why in its first line."""
    bad, good = fixtures.source(class_id, "bad"), fixtures.source(class_id, "good")
    steps = difflib.SequenceMatcher(None, bad, good, autojunk=False).get_opcodes()
    lines = sum(max(i2 - i1, j2 - j1) for tag, i1, i2, j1, j2 in steps if tag != "equal")
    module = load(class_id).bad
    assert lines == getattr(module, "DIFF", 1)
    assert lines == 1 or "wo lines" in (module.__doc__ or "")


@pytest.mark.parametrize("class_id", IDS)
def test_messages_name_the_place_in_both_languages(class_id: str) -> None:
    fixture = load(class_id)
    for finding in fixture.launch("bad", fixture.chips[0], fixture.schedules[0]).findings.all:
        for lang in ("zh", "en"):
            text = finding.message(lang)
            assert text.startswith(f"{finding.id}  ")
            assert "{" not in text
            assert str(finding.line) in text or not finding.line
            assert "/" not in finding.file
        assert finding.as_dict()["id"] == finding.id


def test_every_class_has_its_files() -> None:
    """Catalogue and files are one to one, but for the classes of host programs."""
    host = fixtures.of_the_host()
    assert IDS == [class_id for class_id in checks.catalogue() if class_id not in host]
