"""A single Ascend C source for several types: DTYPE_X is the type of the case, one compilation for each."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

import pytest

from ascend_lab.engine.instruction import Argument
from ascend_lab.exercise import Answer, Judge, Task, open_bank
from ascend_lab.exercise.typed import ByTypes
from ascend_lab.exercise.wire import Cell

BANK = open_bank()
SOURCES = {
    path.stem: path.read_text(encoding="utf-8")
    for path in sorted((BANK.folder / "kernels/exam").glob("*.asc"))
}
#: The quickest.
QUICK = ("quantise", "sinh")
needs_compiler = pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++")


@pytest.fixture(scope="module")
def judge() -> Iterator[Judge]:
    with Judge("typed") as found:
        yield found


def task_of(kernel: str) -> Task:
    return next(task for task in BANK.tasks("exam") if task.kernel == kernel)


def answer(kernel: str, text: str) -> Answer:
    return Answer((Cell(f"{kernel}.asc", text),), form="cpp")


@needs_compiler
@pytest.mark.parametrize(
    "kernel",
    [name if name in QUICK else pytest.param(name, marks=pytest.mark.nightly) for name in SOURCES],
)
def test_a_single_source_gets_all_points_of_an_exam_task(judge: Judge, kernel: str) -> None:
    task = task_of(kernel)
    result = judge.check(task, answer(kernel, SOURCES[kernel]), cases="all")
    assert (result.verdict, result.points) == ("pass", task.points.total)
    assert not result.findings


@needs_compiler
def test_an_error_names_the_types_it_is_compiled_for(judge: Judge) -> None:
    text = SOURCES["quantise"] + 'static_assert(sizeof(DTYPE_X) == 4, "float only");\n'
    result = judge.check(task_of("quantise"), answer("quantise", text), cases="public")
    assert result.check("loads").verdict == "pass"
    said = result.check("runs").en
    assert "quantise.asc (DTYPE_X=half, DTYPE_Z=int8_t) does not compile" in said


def test_each_combination_is_made_once_and_only_where_a_source_names_types() -> None:
    task = task_of("quantise")
    made: list[tuple[str, ...]] = []
    half, single = (
        [Argument("x", 0, dtype, 8), Argument("z", 64, "int8", 8), 8, 1.0, 0]
        for dtype in ("float16", "float32")
    )
    typed = ByTypes("DTYPE_X DTYPE_Z", task, made.append)
    plain = ByTypes("float", task, made.append)
    for kernels in (typed, plain):
        kernels.first()
        kernels.of(half)
        kernels.of(single)
        kernels.of(half)
    assert len(made) == 3
    assert [names[0] for names in made if names] == ["DTYPE_X=float", "DTYPE_X=half"]
    assert made[-1] == ()


def test_names_to_compare_types_with_are_there_where_they_are_asked_for() -> None:
    made: list[tuple[str, ...]] = []
    ByTypes("#if ORIG_DTYPE_X == DT_FLOAT", task_of("clamp"), made.append).first()
    assert {"ORIG_DTYPE_X=DT_FLOAT", "DT_FLOAT=0", "DT_FLOAT16=1"} <= set(made[0])
