"""The check card: what a student reads after an attempt, and what is kept of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from ascend_lab import course
from tests.labs.lab_03 import text

Shown = Callable[..., str]
BUFFERS = text("repairs/seed_add_1_buffers.py")


def test_given_code_is_not_attempted(shown: Shown, own_progress: Path) -> None:
    told = shown("check", "03/seed-add", text("seed_add.start.py"))
    assert "[not attempted]" in told
    assert "hidden cases: less data than cores" in told
    assert "points" not in json.loads(own_progress.read_text()) if own_progress.exists() else True


def test_stub_is_not_attempted(shown: Shown) -> None:
    assert "[尚未作答]" in shown("check", "03/sigmoid", text("sigmoid.start.py"), lang="zh")


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_fault_is_shown_with_its_place_rule_and_next_step(shown: Shown, lang: str) -> None:
    told = shown("check", "03/seed-add", BUFFERS, lang=lang)
    assert ("[0 / 18 分]" if lang == "zh" else "[0 / 18 points]") in told
    assert "D2" in told
    assert "seed_add.py:36" in told
    assert ("规则" if lang == "zh" else "Rule:") in told
    assert ("下一步" if lang == "zh" else "Next:") in told
    assert 'lab.hint("03/seed-add")' in told


def test_html_shows_the_students_line() -> None:
    from ascend_lab.course import cells

    cards: list[object] = []
    lab = course.start("03", lang="en")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cells, "show", cards.append)
        lab.check("03/seed-add", BUFFERS)
    (card,) = cards
    html = card.html()  # type: ignore[attr-defined]
    assert "asc.data_copy(out_gm[start:], out_local, copy_len)" in html
    assert "asc.add(out_local, x_temp, y_temp, copy_len)" in html
    assert html.count("<style>") == 2
    assert "<script" not in html


def test_reference_gets_all_points_that_can_be_had_here(shown: Shown) -> None:
    told = shown("check", "03/seed-add", text("seed_add.py"))
    assert "[18 / 18 points]" in told
    assert "✗" not in told
    assert "Stuck?" not in told
    assert "✓ Repair the published vector add  (03/seed-add)  (18 / 18 points)" in shown("progress")


def test_best_score_is_kept(shown: Shown) -> None:
    shown("check", "03/seed-add", text("seed_add.py"))
    shown("check", "03/seed-add", BUFFERS)
    assert "(18 / 18 points)" in shown("progress")


def test_broken_python_is_explained(shown: Shown) -> None:
    told = shown("check", "03/seed-add", "@asc.jit\ndef seed_add(x:\n")
    assert "Syntax error at seed_add.py" in told
    assert "Traceback" not in told


def test_what_is_no_kernel(shown: Shown) -> None:
    assert "this is int" in shown("check", "03/seed-add", 3)


def test_unknown_task_names_the_known(shown: Shown) -> None:
    told = shown("check", "03/seed", BUFFERS)
    assert "03/seed-add, 03/sigmoid" in told


# --- hints -------------------------------------------------------------------------------------------


def test_ladder_goes_up_and_stays_at_the_top(shown: Shown) -> None:
    heads = [shown("hint", "03/sigmoid").splitlines()[0] for _ in range(4)]
    assert [head.split("[")[1] for head in heads] == [
        "Hint 1 of 3]",
        "Hint 2 of 3]",
        "Hint 3 of 3]",
        "Hint 3 of 3]",
    ]


def test_hint_is_about_what_the_check_found(shown: Shown) -> None:
    shown("check", "03/seed-add", BUFFERS)
    assert "Compare input and output" in shown("hint", "03/seed-add")
    assert "shows hint 2 of 3" in shown("check", "03/seed-add", BUFFERS)
    shown("check", "03/seed-add", text("repairs/seed_add_2_queued.py"))
    assert "Which part is not written?" in shown("hint", "03/seed-add")  # level 1 of its own ladder


def test_level_can_be_named(shown: Shown) -> None:
    assert "Hint 3 of 3" in shown("hint", "03/cuda-add", 3)
    assert "提示 1 / 3" in shown("hint", "03/cuda-add", 1, lang="zh")


def test_hints_speak_both_languages(shown: Shown) -> None:
    assert "三处" in shown("hint", "03/seed-add", 2, lang="zh")
    assert "Three places" in shown("hint", "03/seed-add", 2)
