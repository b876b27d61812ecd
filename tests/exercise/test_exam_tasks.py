"""The practical tasks of the exam: references are right and clean, and wrong answers lose what was foretold."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import msgspec
import numpy as np
import pytest
from numpy.typing import NDArray

from ascend_lab.exercise import Judge, Verdict, from_text, open_bank
from ascend_lab.exercise.accuracy import compare
from ascend_lab.exercise.golden import settings
from grader.faults import Verifier, reference

BANK = open_bank()
TASKS = BANK.ids("exam")
Values = NDArray[np.float32]
ASCENDC = sorted((BANK.folder / "kernels/exam").glob("*.asc"))
CHECKS = ("loads", "runs", "values", "hidden", "requirements", "schedules")

#: A wrong answer of ``kernels/exam/repairs``, the check that it fails first, and the finding that leads there.
WRONG = {
    "add_any_shape_divided": ("runs", {"E3"}),
    "add_any_shape_rounded": ("runs", {"A2"}),
    "arg_max_from_zero": ("values", set()),
    "arg_max_last": ("hidden", set()),
    "clamp_float_only": ("runs", {"H8"}),
    "clamp_in_half": ("values", set()),
    "copy_any_shape_packed": ("hidden", {"B2"}),
    "copy_any_shape_pitch": ("runs", {"A6"}),
    "cumulative_sum_carried_over": ("hidden", set()),
    "cumulative_sum_one_strip": ("hidden", {"B2"}),
    "gather_rows_no_negative": ("runs", {"B3"}),
    "gather_rows_one_tile": ("hidden", {"B2"}),
    "gelu_quotient": ("hidden", set()),
    "gelu_sigmoid": ("values", set()),
    "group_norm_one_pass": ("hidden", set()),
    "group_norm_sample_ignored": ("runs", {"B3"}),
    "layernorm_no_epsilon": ("hidden", set()),
    "layernorm_one_pass": ("hidden", set()),
    "log_sum_exp_naive": ("values", set()),
    "log_sum_exp_whole_blocks": ("runs", {"A3"}),
    "masked_softmax_divides": ("hidden", set()),
    "masked_softmax_multiplied": ("hidden", set()),
    "quantise_away_from_zero": ("values", {"H4"}),
    "quantise_offset_first": ("hidden", {"H4"}),
    "rope_first_token": ("values", set()),
    "rope_in_place": ("values", set()),
    "sinh_halved_last": ("hidden", set()),
    "sinh_whole_tiles": ("runs", {"E3"}),
    "softmax_one_tile": ("hidden", {"B2"}),
    "softmax_unstable": ("values", set()),
}
#: One for each check that fails first.
QUICK = ("clamp_float_only", "clamp_in_half", "quantise_offset_first")


@pytest.fixture(scope="module")
def judge() -> Iterator[Judge]:
    with Judge("exam") as found:
        yield found


@pytest.mark.parametrize("id", TASKS)
def test_a_reference_is_right_in_the_public_cases(judge: Judge, id: str) -> None:
    task = BANK.load(id)
    result = judge.check(task, from_text(BANK.source(task.reference)))
    assert [(f.id, f.line) for f in result.findings] == []
    assert result.points == 40 - task.points.hidden


@pytest.mark.nightly
@pytest.mark.timeout(600)
@pytest.mark.parametrize("id", TASKS)
def test_a_reference_gets_every_point(judge: Judge, id: str) -> None:
    task = BANK.load(id)
    result = judge.check(task, from_text(BANK.source(task.reference)), cases="all")
    assert [(f.id, f.line) for f in result.findings] == []
    assert (result.verdict, result.points) == (Verdict.PASS, 40)


@pytest.mark.nightly
@pytest.mark.timeout(600)
def test_references_are_clean_on_the_other_chip_with_data_copy_pad() -> None:
    with Verifier() as verifier:
        for id in TASKS:
            whole = reference(id)
            public = msgspec.structs.replace(whole.task, cases=whole.task.public_cases)
            assert verifier.clean(replace(whole, task=public), "Ascend910B3") == ()


@pytest.mark.parametrize("id", TASKS)
def test_the_source_handed_out_is_no_attempt(judge: Judge, id: str) -> None:
    task = BANK.load(id)
    assert task.given is not None
    result = judge.check(task, from_text(BANK.source(task.given)), cases="all")
    assert (result.verdict, result.points) == (Verdict.NOT_ATTEMPTED, 0)


@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    "name", [n if n in QUICK else pytest.param(n, marks=pytest.mark.nightly) for n in sorted(WRONG)]
)
def test_a_wrong_answer_fails_where_it_was_foretold(judge: Judge, name: str) -> None:
    check, leading = WRONG[name]
    task = next(t for t in BANK.tasks("exam") if name.startswith(f"{t.kernel}_"))
    source = BANK.source(f"kernels/exam/repairs/{name}.py")
    result = judge.check(task, from_text(source), cases="all")
    failed = [c.name for c in result.checks if c.verdict is Verdict.FAIL]
    assert failed[:1] == [check]
    found = {f.id for f in result.check(check).findings[:1]}
    assert found <= leading
    assert bool(found) == bool(leading)
    before = CHECKS[: CHECKS.index(check)]
    assert all(result.check(name).verdict is Verdict.PASS for name in before)


def test_every_wrong_answer_is_foretold() -> None:
    folder = BANK.folder / "kernels/exam/repairs"
    assert sorted(path.stem for path in folder.glob("*.py")) == sorted(WRONG)


def test_every_task_has_the_cases_an_exam_needs() -> None:
    for task in BANK.tasks("exam"):
        assert task.points.total == 40
        names = {case.name for case in task.cases}
        assert {"aligned", "one"} <= names
        assert names & {"unaligned", "odd-width"}
        types = {
            case.dtypes.get(parameter.name, parameter.dtype)
            for case in task.cases
            for parameter in task.parameters[:1]
        }
        assert len(types) >= 2
        assert len(task.hidden_cases) >= 7
        assert all(case.title is not None for case in task.cases)


HALF, LN2, QUARTER = np.float32(0.5), np.float32(np.log(2)), np.float32(0.25)


def by_shifted_exponents(x: Values) -> Values:
    return np.exp(x - LN2) - np.exp(-x - LN2)


def by_one_exponential(x: Values) -> Values:
    above = np.exp(np.abs(x) - LN2)
    return np.sign(x) * (above - QUARTER / above)


def by_the_square_of_a_half(x: Values) -> Values:
    above = np.exp(np.abs(x) * HALF)
    return np.sign(x) * (above * (above * HALF) - HALF / above / above)


@pytest.mark.parametrize("way", [by_shifted_exponents, by_one_exponential, by_the_square_of_a_half])
def test_every_way_to_sinh_is_right_on_every_input(way: Callable[[Values], Values]) -> None:
    """What two exponentials leave of a small x must not decide a mark: the inputs keep away from there."""
    task = BANK.load("exam/sinh")
    for case in task.cases:
        if case.dtypes or case.sizes["n"] > 2001:
            continue
        for seed in range(300):
            (setting,) = settings(task, case, f"class {seed}")
            x = setting.arguments[0]
            assert isinstance(x, np.ndarray)
            with np.errstate(all="ignore"):
                z = np.where(x == 0, x, way(x)) if x.size else x
            found = compare(z, setting.expected["z"])
            assert found.passed, (case.name, seed, found)


def test_every_operator_of_the_blueprint_is_there_and_most_have_an_empty_case() -> None:
    wanted = (
        "layernorm masked-softmax rope group-norm log-sum-exp clamp sinh arg-max gather-rows "
        "cumulative-sum quantise gelu"
    )
    assert {f"exam/{name}" for name in wanted.split()} <= set(TASKS)
    empty = [task.id for task in BANK.tasks("exam") if "empty" in {c.name for c in task.cases}]
    assert len(empty) >= 8


@pytest.mark.nightly
@pytest.mark.timeout(900)
@pytest.mark.parametrize("path", ASCENDC, ids=lambda path: path.stem)
def test_a_reference_in_ascend_c_is_right_and_clean_in_every_case(path: Path) -> None:
    """Of every type, hidden ones too, and in every order."""
    task = next(t for t in BANK.tasks("exam") if t.kernel == path.stem)
    with Verifier() as verifier:
        assert verifier.clean(reference(f"{task.id}.asc")) == ()


def test_at_least_six_operators_have_a_reference_in_ascend_c() -> None:
    assert len(ASCENDC) >= 6
    for path in ASCENDC:
        task = next(t for t in BANK.tasks("exam") if t.kernel == path.stem)
        kept = reference(f"{task.id}.asc").task.cases
        assert [case.name for case in kept] == [case.name for case in task.cases]
