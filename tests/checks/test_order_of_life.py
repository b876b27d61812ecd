"""Queues, flags and deadlocks: the exact story, and what must not be told."""

from __future__ import annotations

from typing import Any

from ascend_lab.checks import Findings
from ascend_lab.engine.instruction import Instr, Pipe
from tests.checks.scripting import (
    Arrays,
    Program,
    buffer,
    init_buffer,
    judge,
    queue,
    scalar,
    vector,
)
from tests.engine import script
from tests.engine.script import set_flag, sync_all, ub, wait_flag

V, MTE2, MTE3 = Pipe.V, Pipe.MTE2, Pipe.MTE3
ONE, TWO = buffer(0), buffer(1, 1024)


def judged(*steps: Instr, blocks: int = 1, **options: Any) -> Findings:
    def program(block: int, a: Arrays) -> Program:
        yield from steps

    return judge(program, blocks=blocks, **options)


def told(findings: Findings) -> list[tuple[str, str, int]]:
    return [(f.id, f.variant, f.line) for f in findings]


def test_a_whole_life() -> None:
    life = [queue(op, ONE) for op in ("AllocTensor", "EnQue", "DeQue", "FreeTensor")]
    assert not judged(init_buffer(), *life, *life)


def test_a_life_without_enque() -> None:
    life = [queue(op, ONE) for op in ("AllocTensor", "FreeTensor")]
    assert not judged(init_buffer(), *life, *life)


def test_the_same_statement_again_is_a_leak() -> None:
    findings = judged(
        init_buffer(num=2),
        queue("AllocTensor", ONE, 20),
        queue("AllocTensor", TWO, 20),
        queue("AllocTensor", None, 20),
    )
    assert told(findings) == [("F1", "", 20)]
    assert findings[0].numbers["nth"] == 3


def test_another_statement_needs_more_buffers() -> None:
    findings = judged(init_buffer(), queue("AllocTensor", ONE, 20), queue("AllocTensor", None, 21))
    assert told(findings) == [("F4", "", 21)]
    assert [(p.line, p.role) for p in findings[0].related] == [(20, "takes")]


def test_reset_takes_buffers_back() -> None:
    assert not judged(init_buffer(), queue("AllocTensor", ONE), scalar("TPipeReset"))


def test_the_trap_of_one_core_ends_the_launch() -> None:
    def program(block: int, a: Arrays) -> Program:
        yield init_buffer()
        if block == 1:
            yield queue("DeQue", None, 30)
        yield sync_all()

    assert told(judge(program, blocks=2)) == [("F3", "", 30)]


# --- flags -----------------------------------------------------------------------------------------


def test_a_flag_may_be_set_again_once_it_was_waited_for() -> None:
    pair = (set_flag(MTE2, V), wait_flag(MTE2, V))
    assert not judged(*pair, *pair, *pair)


def test_set_twice() -> None:
    findings = judged(
        set_flag(MTE2, V, 0, 20),
        set_flag(MTE2, V, 0, 21),
        wait_flag(MTE2, V, 0, 22),
        wait_flag(MTE2, V, 0, 23),
    )
    assert told(findings) == [("D11", "", 21)]
    assert findings[0].numbers["line1"] == 20


def test_directions_and_ids_are_apart() -> None:
    ids = [set_flag(MTE2, V, 0), set_flag(MTE2, V, 1), set_flag(V, MTE3, 0)]
    waits = [wait_flag(MTE2, V, 0), wait_flag(MTE2, V, 1), wait_flag(V, MTE3, 0)]
    assert not judged(*ids, *waits)


def test_never_waited_for() -> None:
    """Two sets and no wait at all: the wait is missing, not an id."""
    findings = judged(set_flag(MTE2, V, 0, 20), set_flag(MTE2, V, 0, 21))
    assert told(findings) == [("D10", "", 20)]
    assert findings[0].numbers["left"] == 2


def test_a_wait_may_stand_before_its_set() -> None:
    """The waiting pipe is another one: the scalar unit runs on to the set."""
    assert not judged(wait_flag(MTE2, V), set_flag(MTE2, V))


def test_tpipe_clears_the_flags() -> None:
    assert not judged(set_flag(MTE2, V, 0, 20), scalar("TPipe"))


# --- deadlocks --------------------------------------------------------------------------------------


def test_the_chain_leads_to_the_missing_set() -> None:
    findings = judged(
        wait_flag(MTE2, V, 1, 20),
        vector("Duplicate", ub(0), count=64, scalar=0.0),
        set_flag(V, MTE3, 2, 21),
        wait_flag(V, MTE3, 2, 22),
        set_flag(MTE3, Pipe.S, 3, 23),
        wait_flag(MTE3, Pipe.S, 3, 24),
    )
    assert told(findings) == [("D9", "", 20)]
    chain = findings[0].numbers["chain"].en
    assert chain.startswith("S waits for MTE3 (MTE3_S id 3, line 24); MTE3 waits for V")
    assert chain.endswith("V waits for MTE2 (MTE2_V id 1, line 20); nothing sets MTE2_V id 1")
    assert (findings[0].numbers["sets"], findings[0].numbers["waits"]) == (0, 1)


def test_a_circle_of_waits() -> None:
    findings = judged(
        wait_flag(MTE2, V, 0, 20),
        set_flag(V, MTE2, 0, 21),
        wait_flag(V, MTE2, 0, 22),
        set_flag(MTE2, V, 0, 23),
    )
    assert findings.ids == ("D9",)


def test_a_deadlock_explains_the_barrier() -> None:
    def program(block: int, a: Arrays) -> Program:
        if block == 0:
            yield wait_flag(MTE2, V, 0, 20)
        yield sync_all(21)

    findings = judge(program, blocks=3)
    assert told(findings) == [("D9", "", 20)]
    assert [f.id for f in findings[0].consequences] == ["E6"]
    assert findings[0].consequences[0].numbers["absent"].en == "core 0"


def test_who_is_missing_at_the_barrier() -> None:
    def program(block: int, a: Arrays) -> Program:
        if block not in (1, 4, 5, 6):
            yield sync_all(21)

    findings = judge(program, blocks=8)
    assert told(findings) == [("E6", "", 21)]
    assert findings[0].numbers["absent"].zh == "核 1, 4..6"
    assert (findings[0].numbers["arrived"], findings[0].numbers["expected"]) == (4, 8)


def test_everybody_at_the_barrier() -> None:
    assert not judged(sync_all(), sync_all(), blocks=8)


def test_a_launch_without_a_flaw_says_nothing() -> None:
    assert not judged(script.barrier(Pipe.ALL))
