"""Predict, then run: what is noted and how it is compared. Nothing of it is marked."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace

from ascend_lab.checks.finding import Finding

Shown = Callable[..., str]


def run(*ids: str) -> SimpleNamespace:
    """A result with errors of these ids."""
    return SimpleNamespace(findings=[Finding(id, "error") for id in ids])


def test_open_answer_asks_for_one(shown: Shown) -> None:
    assert "No prediction yet" in shown("predict", "03/depth", None)
    assert "No prediction yet" in shown("predict", "03/seed-add", ["C3", None, None])
    assert "还没有预测" in shown("predict", "03/depth", None, lang="zh")


def test_one_answer(shown: Shown) -> None:
    assert "You predict B" in shown("predict", "03/depth", "B")
    told = shown("reveal", "03/depth", "B")
    assert "✓ you said: B" in told
    assert "That is what the run shows." in told


def test_other_answer(shown: Shown) -> None:
    shown("predict", "03/depth", "A")
    told = shown("reveal", "03/depth", "B")
    assert "✗ you said: A" in told
    assert "the run shows: B" in told


def test_no_answer_is_no_mistake(shown: Shown) -> None:
    told = shown("reveal", "03/depth", "B")
    assert "you said: nothing" in told
    assert "✗" not in told


def test_letter_of_an_earlier_run_is_forgotten(shown: Shown) -> None:
    shown("reveal", "03/depth", "A")
    assert "the run shows: B\n" in shown("reveal", "03/depth", "B")


def test_sequence_of_runs(shown: Shown) -> None:
    shown("predict", "03/seed-add", ["C3", "E3", "D2"])
    assert shown("reveal", "03/seed-add", run("C3")).count("not seen yet") == 2
    shown("reveal", "03/seed-add", run("C3"))  # the same event again adds nothing
    shown("reveal", "03/seed-add", run("D2", "E3"))  # the leading one counts
    shown("reveal", "03/seed-add", run("E3"))
    told = shown("reveal", "03/seed-add", run()).splitlines()
    assert told[1].startswith("✓ C3")
    assert told[2].startswith("  D2")
    assert told[3].startswith("✓ E3")
    assert told[4:] == ["  clean", "○ You predicted D2: not seen yet"]


def test_sequence_without_a_prediction(shown: Shown) -> None:
    assert shown("reveal", "03/seed-add", run("C3")).splitlines()[1].startswith("  C3")
