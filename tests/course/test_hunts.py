"""Fault hunts: what counts as found, and that what counts is what the model finds."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ascend_lab import course
from ascend_lab.course import hunts
from ascend_lab.exercise.bank import bank

Shown = Callable[..., str]
HUNTS = hunts.load(bank().folder, "03")


@pytest.mark.parametrize("key", HUNTS)
@pytest.mark.parametrize("lang", ["zh", "en"])
def test_empty_answer_is_not_attempted(shown: Shown, key: str, lang: str) -> None:
    told = shown("hunt", key, {}, lang=lang)
    assert ("尚未作答" if lang == "zh" else "Not attempted") in told
    for fault in HUNTS[key].faults:
        assert fault.why["en"] not in told


@pytest.mark.parametrize("key", HUNTS)
def test_every_listed_line_is_accepted(shown: Shown, key: str) -> None:
    faults = HUNTS[key].faults
    for pick in (0, -1):
        told = shown("hunt", key, {fault.id: fault.lines[pick] for fault in faults})
        assert f"{len(faults)} of {len(faults)} found" in told
        assert all(fault.why["en"] in told for fault in faults)


@pytest.mark.parametrize("key", HUNTS)
def test_lines_exist(key: str) -> None:
    count = len(bank().source(HUNTS[key].kernel).splitlines())
    lines = [line for fault in HUNTS[key].faults for line in fault.lines]
    assert all(0 < line <= count for line in lines)


def test_right_id_on_another_line(shown: Shown) -> None:
    told = shown("hunt", "03/hunt-1", {"C1": 4})
    assert "there is such a fault, on another line" in told
    assert "0 of 1 found" in told


def test_fault_that_is_not_there(shown: Shown) -> None:
    assert "no such fault here" in shown("hunt", "03/hunt-1", {"F1": 22})


def test_guessing_all_classes_is_refused(shown: Shown) -> None:
    told = shown("hunt", "03/hunt-1", {"C1": 22, "F1": 22})
    assert "At most 1 answers count; there are 2" in told


def test_true_but_not_asked_for(shown: Shown) -> None:
    told = shown("hunt", "03/cuda-add", {"E1": 5, "F4": 20})
    assert "get_block_idx" in told
    assert "1 of 6 found" in told


@pytest.mark.parametrize("answer", [{"C1": "22"}, {"C1": None}, {22: "C1"}, ["C1", 22], 22])
def test_answer_that_cannot_be_read(shown: Shown, answer: object) -> None:
    assert "cannot be read" in shown("hunt", "03/hunt-1", answer)


def test_unknown_hunt_names_the_known(shown: Shown) -> None:
    assert "03/hunt-1" in shown("hunt", "03/hunt-9", {})


def test_found_is_kept(shown: Shown) -> None:
    shown("hunt", "03/cuda-add", {"F4": 20})
    shown("hunt", "03/cuda-add", {"C3": 14})
    assert "2 of 6 found" in shown("progress")


def test_lab_without_hunts() -> None:
    assert hunts.load(bank().folder, "99") == {}
    assert repr(course.start("99", lang="en")) == "Lab('99', 'en')"
