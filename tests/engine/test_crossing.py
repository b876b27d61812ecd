"""Waits between blocks, registers that the scalar unit asks for, and DumpTensor."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import numpy as np
import pytest

from ascend_lab.engine.instruction import Instr, Pipe, Ref
from ascend_lab.engine.run import Run
from tests.engine.script import (
    Log,
    Program,
    fill,
    get_value,
    gm_ref,
    load,
    new_gm,
    run,
    set_flag,
    store,
    ub,
    wait_flag,
)

MTE2, MTE3, V, S = Pipe.MTE2, Pipe.MTE3, Pipe.V, Pipe.S
Steps = Generator[Instr, Any, None]
SCHEDULES = [None, V, MTE2, MTE3, S]


class Board:
    """GM with a workspace of zeros and one row per block, and the rows that were read back."""

    def __init__(self, blocks: int) -> None:
        self.gm = new_gm()
        self.work = self.gm.alloc("work", blocks * 64 + 64, "int32")
        self.work.contents()[:] = 0
        self.rows = self.gm.alloc("rows", blocks * 32, "float32")
        self.seen: dict[int, list[float]] = {}

    def publish(self, block: int) -> Steps:
        """Store this block's row."""
        yield fill(ub(0), float(block + 1), 8)
        yield set_flag(V, MTE3)
        yield wait_flag(V, MTE3)
        yield store(gm_ref(self.rows, block * 32), ub(0), 8)

    def read(self, block: int, rows: int) -> Steps:
        """Read the first ``rows`` rows."""
        yield load(ub(256), gm_ref(self.rows), rows * 8)
        yield set_flag(MTE2, S)
        yield wait_flag(MTE2, S)
        for row in range(rows):
            value = yield get_value(ub(256 + 32 * row))
            self.seen.setdefault(block, []).append(value)

    def sync(self, op: str, **params: int) -> Instr:
        workspace = Ref("GM", self.work.addr, "int32")
        return Instr(op, S, None, (workspace, ub(4096, "int32")), params)

    def run(self, program: Program, blocks: int, **options: Any) -> tuple[Run, Log]:
        return run(program, blocks=blocks, gm=self.gm, **options)


@pytest.mark.parametrize("delayed", SCHEDULES)
def test_ib_wait_goes_on_after_ib_set(delayed: Pipe | None) -> None:
    board = Board(2)

    def program(block: int) -> Steps:
        if block == 0:
            for _ in range(5):
                yield fill(ub(8192), 0.0, 4096)
            yield from board.publish(0)
            yield board.sync("IBSet", idx=0, event=1)
        else:
            yield board.sync("IBWait", idx=0, event=1)
            yield from board.read(1, 1)

    _, log = board.run(program, 2, delayed=delayed)
    assert board.seen == {1: [1.0]}
    assert not log.stuck_at
    assert not board.work.contents().any()  # IBWait has cleared the flag


def test_ib_set_waits_until_the_flag_was_taken() -> None:
    board = Board(2)

    def program(block: int) -> Steps:
        for _ in range(3):
            op = "IBSet" if block == 0 else "IBWait"
            yield board.sync(op, idx=0, event=0)
            if block == 1:
                for _ in range(4):
                    yield fill(ub(8192), 0.0, 4096)

    made, log = board.run(program, 2)
    assert not log.stuck_at
    rows = [row for row in made.trace({}).rows() if row.op in ("IBSet", "IBWait")]
    sets = [row.end for row in rows if row.op == "IBSet"]
    waits = [row.end for row in rows if row.op == "IBWait"]
    assert all(one < other for one, other in zip(sets, waits, strict=True))
    assert all(one < other for one, other in zip(waits, sets[2:], strict=False))


def test_a_workspace_that_was_not_cleared_hangs() -> None:
    board = Board(2)
    board.work.contents()[:] = 0xFF

    def program(block: int) -> Steps:
        yield board.sync("IBSet" if block == 0 else "IBWait", idx=0, event=0)

    _, log = board.run(program, 2)
    assert [(wait.block, wait.kind) for wait in log.stuck_at] == [(0, "cross"), (1, "cross")]


@pytest.mark.parametrize("delayed", SCHEDULES)
def test_cross_core_flags_wait_for_the_pipe_of_every_block(delayed: Pipe | None) -> None:
    board = Board(4)

    def program(block: int) -> Steps:
        for _ in range(block):
            yield fill(ub(8192), 0.0, 4096)
        yield from board.publish(block)
        yield Instr("CrossCoreSetFlag", MTE3, params={"id": 3})
        yield Instr("CrossCoreWaitFlag", S, params={"id": 3})
        yield from board.read(block, 4)

    _, log = board.run(program, 4, delayed=delayed)
    assert not log.stuck_at
    assert board.seen == {block: [1.0, 2.0, 3.0, 4.0] for block in range(4)}


def test_a_wait_knows_the_signals_it_answers() -> None:
    after: dict[int, tuple[int, ...]] = {}

    class Watch(Log):
        def synced(self, core: Any, x: Any) -> None:
            if x.instr.op == "CrossCoreWaitFlag":
                after[x.block] = x.after
            if x.instr.op == "CrossCoreSetFlag":
                serials.append(x.serial)

    serials: list[int] = []

    def program(block: int) -> Steps:
        yield Instr("CrossCoreSetFlag", V, params={"id": 0})
        yield Instr("CrossCoreWaitFlag", S, params={"id": 0})

    run(program, blocks=3, observers=[Watch()])
    assert after == {block: tuple(sorted(serials)) for block in range(3)}


def test_a_cross_core_wait_that_a_block_does_not_answer() -> None:
    def program(block: int) -> Steps:
        if block != 1:
            yield Instr("CrossCoreSetFlag", V, params={"id": 0})
            yield Instr("CrossCoreWaitFlag", S, params={"id": 0})
        yield fill(ub(0), 1.0, 64)

    _, log = run(program, blocks=3)
    assert [(wait.block, wait.kind) for wait in log.stuck_at] == [(0, "cross"), (2, "cross")]


@pytest.mark.parametrize("delayed", SCHEDULES)
def test_turns_go_round(delayed: Pipe | None) -> None:
    board = Board(3)
    turns: list[tuple[int, int]] = []

    def program(block: int) -> Steps:
        for _ in range(3 - block):  # the last block comes first
            yield fill(ub(8192), 0.0, 4096)
        for round_ in range(2):
            yield board.sync("WaitPreBlock")
            yield get_value(ub(64))
            turns.append((round_, block))
            yield board.sync("NotifyNextBlock")

    _, log = board.run(program, 3, delayed=delayed)
    assert not log.stuck_at
    assert turns == [(round_, block) for round_ in range(2) for block in range(3)]


# --- registers --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("delayed", SCHEDULES)
def test_the_count_of_gather_mask_waits_for_it(delayed: Pipe | None) -> None:
    counts: list[int] = []
    params = {"counter": False, "elements": 0, "times": 2, "src_blk": 1, "src_rep": 8}

    def gather_mask(pattern: int) -> Instr:
        more = {**params, "pattern": pattern, "pattern_rep": 0}
        return Instr("GatherMask", V, ub(1024), (ub(0),), more)

    def program(_: int) -> Steps:
        yield fill(ub(0), 1.0, 128)
        for pattern in (1, 3, 7):
            yield gather_mask(pattern)
            count = yield Instr("GetRsvdCnt", S)
            counts.append(count)

    made, _ = run(program, delayed=delayed)
    assert counts == [64, 32, 128]
    rows = made.trace({}).rows()
    ends = [row.end for row in rows if row.op == "GatherMask"]
    asked = [row.start for row in rows if row.op == "GetRsvdCnt"]
    assert all(end <= start for end, start in zip(ends, asked, strict=True))


def test_registers_are_empty_when_a_block_begins() -> None:
    answers: list[Any] = []

    def program(_: int) -> Steps:
        answers.append((yield Instr("GetRsvdCnt", S)))
        answers.append((yield Instr("GetMrgSortResult", S)))

    run(program)
    assert answers == [0, (0, 0, 0, 0)]


# --- DumpTensor ---------------------------------------------------------------------------------------------


def dump(ref: Ref, **params: Any) -> Instr:
    return Instr("DumpTensor", S, None, (ref,), {"desc": 5, **params})


def test_dump_tensor_prints_when_the_pipes_are_empty() -> None:
    def program(_: int) -> Steps:
        yield fill(ub(32), 2.5, 4096)
        yield dump(ub(32), count=3)

    made, _ = run(program, delayed=V)
    assert made.printed == [
        "DumpTensor: desc=5, addr=0x20, data_type=float32, position=UB, dump_size=3\n"
        "[2.500000, 2.500000, 2.500000]\n"
    ]


@pytest.mark.parametrize(
    ("shape", "text"),
    [
        ((2, 2), "[[1,2],\n[3,4]]\n"),
        ((3,), "shape is [3], dumpSize is 4, dumpSize is greater than shapeSize.\n[1,2,3]\n"),
        ((2, 3), "shape is [2, 3], dumpSize is 4, data is not enough.\n[[1,2,3],\n[4,-,-]]\n"),
        ((1, 2, 2), "[[[1,2],\n[3,4]]]\n"),
    ],
)
def test_dump_tensor_with_a_shape(shape: tuple[int, ...], text: str) -> None:
    gm = new_gm()
    x = gm.alloc("x", 16, "int32")
    x.contents()[:] = np.array([1, 2, 3, 4], dtype=np.int32).view(np.uint8)

    def program(_: int) -> Steps:
        yield dump(gm_ref(x, 0, "int32"), count=4, shape=shape)

    made, _ = run(program, gm=gm)
    head, _, rest = made.printed[0].partition("\n")
    assert head.endswith("data_type=int32, position=GM, dump_size=4")
    assert rest == text


def test_dump_tensor_has_a_limit() -> None:
    def program(_: int) -> Steps:
        yield dump(ub(0), count=8000)

    made, _ = run(program)
    assert made.printed[0].endswith("(more than 30 KB: not printed)\n")
