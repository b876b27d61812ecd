"""Theory questions in a notebook: nothing of the key before an answer, then why, and the proof."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ascend_lab.course.quizzes import question_card
from ascend_lab.exercise.theory import mark, run, theory

Shown = Callable[..., str]
IDS = theory().ids()


def key_of(id: str, seed: str = "practice") -> tuple[str, ...]:
    return theory().find(id).draw(seed).key


def test_an_open_question_shows_no_key(shown: Shown) -> None:
    told = shown("quiz", "moving/copy-rounds")
    assert told.count("○") == 4
    assert "✓" not in told
    assert "✗" not in told
    assert 'lab.quiz("moving/copy-rounds", "A")' in told
    assert "作答" in shown("quiz", "moving/copy-rounds", lang="zh")


@pytest.mark.parametrize("id", IDS)
def test_an_open_card_is_the_same_whatever_the_key(id: str) -> None:
    """Explanations, witness and marks come with an answer, and not before."""
    found = theory().find(id)
    drawn = found.draw("practice")
    cell = found.cell(drawn)
    html = question_card(id, drawn, "en", None, cell).html()
    assert html == question_card(id, drawn, "en", mark(drawn, ""), "").html()
    assert "details" not in html
    told = [option.why.en for option in drawn.options if option.why is not None]
    told += [drawn.because.en] if drawn.because is not None else []
    assert not any(text in html for text in told)


def test_a_right_answer(shown: Shown) -> None:
    key = key_of("moving/copy-rounds")[0]
    told = shown("quiz", "moving/copy-rounds", key)
    assert "[right]" in told
    assert f"You said {key}; right is {key}." in told
    assert told.count("✗") == 0


def test_a_wrong_answer_says_why(shown: Shown) -> None:
    drawn = theory().find("moving/copy-rounds").draw("practice")
    wrong = next(option for option in drawn.options if option.name == "up")
    told = shown("quiz", "moving/copy-rounds", wrong.letter)
    assert "[not right]" in told
    assert f"{wrong.letter}: data_copy rounds down" in told
    assert f"right is {drawn.key[0]}." in told


def test_a_number(shown: Shown) -> None:
    assert "[right]" in shown("quiz", "tiling/tile-count", int(key_of("tiling/tile-count")[0]))
    assert "[open]" in shown("quiz", "tiling/tile-count", "many")


def test_the_proof_runs() -> None:
    found = theory().find("vector/counter-mask")
    drawn = found.draw("practice")
    cell = found.cell(drawn)
    html = question_card("vector/counter-mask", drawn, "en", mark(drawn, drawn.key), cell).html()
    assert "<details>" in html
    assert "asc.set_vector_mask" in html
    assert run(cell) == drawn.number


def test_an_unknown_question(shown: Shown) -> None:
    assert "There is no moving/nothing." in shown("quiz", "moving/nothing")
