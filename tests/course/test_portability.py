"""What pyasc would refuse stands on the check card as notes, and costs points only where the task says so."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from ascend_lab.exercise import Verdict, check, open_bank
from tests.labs.lab_03 import text

Shown = Callable[..., str]

GOOD = text("seed_add.py")
#: Right on the model; `min` is a function of Python.
ODD = GOOD.replace(
    "copy_len = BLOCK_LENGTH if left > BLOCK_LENGTH else left",
    "copy_len = min(left, BLOCK_LENGTH)",
)
LINE = 1 + ODD[: ODD.index("min(")].count("\n")


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_notes_stand_on_the_card_and_cost_nothing(shown: Shown, lang: str) -> None:
    told = shown("check", "03/seed-add", ODD, lang=lang)
    assert ("[18 / 18 分]" if lang == "zh" else "[18 / 18 points]") in told
    assert f"seed_add.py:{LINE}: lint/builtin: min" in told
    assert ("可移植性" if lang == "zh" else "Portability (costs no points)") in told


def test_a_kernel_that_pyasc_takes_has_no_notes(shown: Shown) -> None:
    assert "Portability" not in shown("check", "03/seed-add", GOOD)


def test_a_task_may_ask_for_it() -> None:
    task = open_bank().load("03/seed-add")
    strict = replace(task, requirements=replace(task.requirements, lint=True))
    odd = check(strict, ODD).check("requirements")
    assert odd.verdict is Verdict.FAIL
    assert f"answer.py:{LINE}: lint/builtin: min" in odd.en
    assert "下一步" in odd.zh
    assert check(strict, GOOD).check("requirements").verdict is Verdict.PASS
    assert check(task, ODD).check("requirements").verdict is Verdict.PASS
