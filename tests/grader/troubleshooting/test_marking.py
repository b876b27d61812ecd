"""Locate 30, name 20, fix 40, no regression 10."""

from __future__ import annotations

import msgspec

from grader.troubleshooting import Drawn, Found, mark
from tests.grader.troubleshooting.conftest import given, right_words


def points(drawn: Drawn, faults: tuple[Found, ...] = (), source: str | None = None) -> list[float]:
    return [each.points for each in mark(drawn, given(drawn, faults, source)).marks]


def test_right_answers_get_everything(race: Drawn, two: Drawn) -> None:
    for drawn in (race, two):
        marks = mark(drawn, given(drawn, right_words(drawn), drawn.reference.source))
        assert marks.points == 100
        assert all(each.text.zh and each.text.en for each in marks.marks)


def test_a_blank_paper_gets_nothing(race: Drawn, two: Drawn) -> None:
    for drawn in (race, two):
        blank = tuple(Found() for _ in drawn.truths)
        assert points(drawn) == [0, 0, 0, 0]
        assert points(drawn, blank, drawn.source) == [0, 0, 0, 0]
        spaced = drawn.source.replace("\n", "\n\n").replace("        ", "\t  \t  ", 0)
        assert points(drawn, blank, spaced) == [0, 0, 0, 0]


def test_a_repaired_kernel_alone_gets_fifty(race: Drawn, two: Drawn) -> None:
    for drawn in (race, two):
        assert points(drawn, (), drawn.reference.source) == [0, 0, 40, 10]


def test_words_alone_get_fifty(race: Drawn) -> None:
    assert points(race, right_words(race)) == [30, 20, 0, 0]


def test_each_line_of_the_truth_locates(race: Drawn) -> None:
    right = right_words(race)[0]
    for line in race.truths[0].lines:
        assert points(race, (msgspec.structs.replace(right, line=line),))[0] == 30
    outside = max(race.truths[0].lines) + 1
    assert points(race, (msgspec.structs.replace(right, line=outside),)) == [0, 20, 0, 0]


def test_class_and_reason_are_worth_ten_each(race: Drawn) -> None:
    truth = race.truths[0]
    assert points(race, (Found(class_id=f" {truth.names[0].lower()} "),)) == [0, 10, 0, 0]
    assert points(race, (Found(why=truth.why.upper()),)) == [0, 10, 0, 0]
    wrong = next(letter for letter, _ in race.reasons if letter != truth.why)
    assert points(race, (Found(class_id="A1", why=wrong),)) == [0, 0, 0, 0]


def test_two_faults_may_be_answered_in_any_order(two: Drawn) -> None:
    first, second = right_words(two)
    assert points(two, (second, first)) == [30, 20, 0, 0]
    assert points(two, (second,)) == [15, 10, 0, 0]
    assert points(two, (first, first)) == [15, 10, 0, 0]


def test_more_answers_than_faults_do_not_help(two: Drawn) -> None:
    first, second = right_words(two)
    assert points(two, (Found(), Found(), first, second)) == [0, 0, 0, 0]


def test_the_hiding_fault_repaired_is_half_a_fix(two: Drawn) -> None:
    hidden_only = two.truths[1].alone.source
    assert points(two, (), hidden_only) == [0, 0, 20, 0]
    shown_only = two.truths[0].alone.source
    assert points(two, (), shown_only) == [0, 0, 0, 0]
    assert points(two, (), two.source + "\n# looked at\n") == [0, 0, 0, 0]


def test_a_repair_that_breaks_something_else(race: Drawn) -> None:
    broken = race.reference.source.replace("1.0 / ", "2.0 / ")
    assert broken != race.reference.source
    assert points(race, (), broken) == [0, 0, 0, 0]


def test_a_repair_that_cannot_be_read(race: Drawn) -> None:
    marks = mark(race, given(race, (), "def nothing( :\n"))
    assert marks.points == 0
    assert "repaired.py:1" in marks.marks[2].text.en


def test_a_repair_by_barriers_everywhere_is_a_regression(race: Drawn) -> None:
    slow = race.reference.source
    for line in ("asc.exp(", "asc.muls("):
        wait = "asc.pipe_barrier(asc.PipeID.PIPE_ALL)\n        "
        slow = slow.replace(f"        {line}", f"        {wait * 400}{line}")
    assert points(race, (), slow) == [0, 0, 40, 0]
