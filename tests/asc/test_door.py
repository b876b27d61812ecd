"""The door itself: batches, questions, crashes, places in the source."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import ascend_lab.asc as asc
from ascend_lab import chips
from ascend_lab.asc.runtime.jit import JITFunction
from ascend_lab.engine.instruction import Crash, Where
from tests.asc.driving import array

THIS = Path(__file__).name


@asc.jit
def barriers(n: int) -> None:
    for _ in range(n):
        asc.pipe_barrier(asc.PipeID.PIPE_V)


@asc.jit
def asks(x: asc.GlobalAddress) -> None:
    tensor = asc.GlobalTensor()
    tensor.set_global_buffer(x, 16)
    first = tensor.get_value(3)
    tensor.set_value(4, first + 1)


def helper() -> None:
    raise KeyError("gone")


@asc.jit
def fails() -> None:
    asc.pipe_barrier(asc.PipeID.PIPE_V)
    helper()


def test_a_full_batch_gives_way(chip: chips.ChipSpec) -> None:
    door = barriers.open([600], 2, chip, batch_limit=256)
    states = [door.resume(0) for _ in range(3)]
    assert [(len(b.instrs), b.state) for b in states] == [
        (256, "more"),
        (256, "more"),
        (88, "done"),
    ]
    assert door.resume(0) == ([], "done", None)
    assert len(door.resume(1).instrs) == 256
    door.close()


def test_a_question_ends_the_batch_and_gets_its_answer(chip: chips.ChipSpec) -> None:
    door = asks.open([array(size=16)], 1, chip)
    batch = door.resume(0)
    assert [i.op for i in batch.instrs] == ["BindGlobal", "GetValue"]
    assert batch.state == "ask"
    batch = door.resume(0, 2.5)
    assert [(i.op, i.params["value"]) for i in batch.instrs] == [("SetValue", 3.5)]
    assert batch.state == "done"


def test_blocks_are_interleaved_as_the_engine_likes(chip: chips.ChipSpec) -> None:
    door = asks.open([array(size=16)], 3, chip)
    for block in (2, 0, 1):
        assert door.resume(block).state == "ask"
    values = {b: door.resume(b, float(b)).instrs[0].params["value"] for b in (1, 0, 2)}
    assert values == {1: 2.0, 0: 1.0, 2: 3.0}


def test_where_is_the_students_line(chip: chips.ChipSpec) -> None:
    door = asks.open([array(size=16)], 1, chip)
    door.resume(0)
    issued = door.resume(0, 0.0).instrs
    line = asks.line
    places = [door.sources[i.where] for i in issued]
    assert places == [Where(__file__, line + 4, "asks")]
    assert Path(asks.file).name == THIS


def test_a_line_has_one_place_however_often_it_runs(chip: chips.ChipSpec) -> None:
    door = barriers.open([5], 1, chip)
    door.resume(0)
    assert [where.line for where in door.sources] == [barriers.line + 2]


def test_a_crash_names_the_innermost_line_of_the_student(chip: chips.ChipSpec) -> None:
    door = fails.open([], 1, chip)
    batch = door.resume(0)
    assert batch.state == "crash"
    assert len(batch.instrs) == 1
    assert batch.crash is not None
    assert batch.crash[:2] == ("KeyError", "'gone'")
    assert door.sources[batch.crash.where] == Where(
        __file__, helper.__code__.co_firstlineno + 1, "helper"
    )


def test_an_error_in_ours_names_the_students_line(chip: chips.ChipSpec) -> None:
    @asc.jit
    def kernel() -> None:
        tensor = asc.GlobalTensor()
        tensor.get_value(0)

    door = kernel.open([], 1, chip)
    batch = door.resume(0)
    assert batch.crash is not None
    assert batch.crash.kind == "LabError"
    english, chinese = batch.crash.message.split("\n")
    assert english.startswith("GlobalTensor.get_value: this tensor has no memory yet.")
    assert "这个 tensor 还没有内存" in chinese
    assert door.sources[batch.crash.where].line == kernel.line + 2


@pytest.mark.parametrize("error", [SystemExit(0), RecursionError("deep"), MemoryError()])
def test_leaving_a_kernel_by_force_is_a_crash(
    error: BaseException, crashed: Callable[..., Crash]
) -> None:
    @asc.jit
    def kernel() -> None:
        raise error

    assert crashed(kernel).kind == type(error).__name__


def test_what_is_not_modelled_is_a_crash_that_says_so(crashed: Callable[..., Crash]) -> None:
    @asc.jit
    def kernel() -> None:
        asc.mmad()

    found = crashed(kernel)
    assert found.kind == "NotModelled"
    assert found.message.startswith("asc.mmad is not modelled yet")


def test_closing_drops_blocks_that_have_not_finished(chip: chips.ChipSpec) -> None:
    left = []

    @asc.jit
    def kernel() -> None:
        try:
            asc.get_system_cycle()
        finally:
            left.append("left")

    door = kernel.open([], 2, chip)
    assert [i.op for i in door.resume(0).instrs] == ["GetSystemCycle"]
    door.close()
    assert left == ["left"]
    assert door.resume(0).state == "done"
    assert left == ["left"]


def test_two_launches_of_one_kernel_do_not_meet(chip: chips.ChipSpec) -> None:
    first, second = (asks.open([array(size=16, addr=a)], 1, chip) for a in (0, 0x4000))
    addresses = [door.resume(0).instrs[0].dst.addr for door in (first, second)]  # type: ignore[union-attr]
    assert addresses == [0, 0x4000]
    first.close()
    assert second.resume(0, 1.0).state == "done"


def test_the_same_kernel_issues_the_same_twice(chip: chips.ChipSpec) -> None:
    def all_of(kernel: JITFunction) -> list[str]:
        door = kernel.open([array(size=16)], 1, chip)
        return [repr(i) for i in door.resume(0).instrs + door.resume(0, 1.0).instrs]

    assert all_of(asks) == all_of(asks)
