"""A block that has waited for another one may touch what that one has finished, and nothing else."""

from __future__ import annotations

from typing import Any

import pytest

from ascend_lab.checks import Findings
from ascend_lab.engine.instruction import Instr, Pipe
from tests.checks.scripting import Arrays, Program, judge, load, store
from tests.engine.script import ub

WORK = {"x": (64, "float32"), "z": (64, "float32"), "work": (256, "int32")}
ALL = frozenset({"z"})


def sync(a: Arrays, op: str, **params: int) -> Instr:
    workspace = a.at("work")._replace(dtype="int32")
    return Instr(op, Pipe.S, None, (workspace, ub(8192)), params, 20)


def cross(op: str, pipe: Pipe = Pipe.S) -> Instr:
    return Instr(op, pipe, params={"id": 0}, where=21)


def publish(block: int, a: Arrays) -> Program:
    """Block ``block`` stores its half of z."""
    yield from load(ub(0), a.at("x", block % 2 * 32), 32)
    yield from store(a.at("z", block * 32), ub(0), 32)


def read_other(block: int, a: Arrays) -> Program:
    """Block ``block`` reads the other half of z."""
    yield from load(ub(1024), a.at("z", (1 - block) * 32), 32, 9)


def ids(findings: Findings) -> set[str]:
    return {finding.id for finding in findings.all}


def judged(program: Any, blocks: int = 2) -> set[str]:
    return ids(judge(program, blocks=blocks, arrays=WORK))


def test_nothing_orders_them() -> None:
    def program(block: int, a: Arrays) -> Program:
        yield from publish(block, a)
        yield from read_other(block, a)

    assert "E7" in judged(program)


def test_ib_wait_orders() -> None:
    def program(block: int, a: Arrays) -> Program:
        yield from publish(block, a)
        if block == 0:
            yield sync(a, "IBSet", idx=0, event=0)
        else:
            yield sync(a, "IBWait", idx=0, event=0)
            yield from read_other(block, a)

    assert not judged(program)


def test_a_signal_does_not_order_the_other_way() -> None:
    def program(block: int, a: Arrays) -> Program:
        yield from publish(block, a)
        yield sync(a, "IBSet" if block == 0 else "IBWait", idx=0, event=0)
        yield from read_other(block, a)

    assert "E7" in judged(program)


def test_what_comes_after_the_signal_is_not_ordered() -> None:
    def program(block: int, a: Arrays) -> Program:
        if block == 0:
            yield sync(a, "IBSet", idx=0, event=0)
            yield from publish(block, a)
        else:
            yield from publish(block, a)
            yield sync(a, "IBWait", idx=0, event=0)
            yield from read_other(block, a)

    assert "E7" in judged(program)


@pytest.mark.parametrize(("pipe", "found"), [(Pipe.MTE3, False), (Pipe.V, True)])
def test_cross_core_flags_order_their_pipe(pipe: Pipe, found: bool) -> None:
    def program(block: int, a: Arrays) -> Program:
        yield from publish(block, a)
        yield cross("CrossCoreSetFlag", pipe)
        yield cross("CrossCoreWaitFlag")
        yield from read_other(block, a)

    assert ("E7" in judged(program)) == found


def test_turns_order_all_blocks_before() -> None:
    def program(block: int, a: Arrays) -> Program:
        yield sync(a, "WaitPreBlock")
        yield from load(ub(0), a.at("z"), 64)
        yield from store(a.at("z"), ub(0), 64)
        yield sync(a, "NotifyNextBlock")

    assert not judged(program, blocks=3) & {"E1", "E2", "E7", "E10"}


def test_a_chain_of_signals_orders() -> None:
    def program(block: int, a: Arrays) -> Program:
        if block == 0:
            yield from publish(0, a)
            yield sync(a, "IBSet", idx=0, event=0)
        elif block == 1:
            yield from publish(1, a)
            yield sync(a, "IBWait", idx=0, event=0)
            yield sync(a, "IBSet", idx=1, event=0)
        else:
            yield sync(a, "IBWait", idx=1, event=0)
            yield from load(ub(1024), a.at("z"), 64, 9)

    assert not judged(program, blocks=3)


def test_a_core_knows_what_its_own_signal_waited_for() -> None:
    def program(block: int, a: Arrays) -> Program:
        yield from publish(block, a)
        yield cross("CrossCoreSetFlag", Pipe.MTE3)
        yield cross("CrossCoreWaitFlag")
        yield from load(ub(0), a.at("x"), 32, 9)  # over what MTE3 has read

    assert not judged(program)


# --- a word of GM that is polled --------------------------------------------------------------------


def flag(a: Arrays, op: str, **params: Any) -> Instr:
    """A scalar access to the word that tells, a line of its own."""
    ref = a.at("work", 64)._replace(dtype="int32")
    operands = (None, (ref,)) if op != "SetValue" else (ref, ())
    return Instr(op, Pipe.S, *operands, {"index": 0, "size": 64, **params}, 20)


def cleaned(a: Arrays) -> Instr:
    return flag(a, "DataCacheCleanAndInvalid", lines="SINGLE_CACHE_LINE", to="CACHELINE_OUT")


def told_by_a_word(bypass: bool, polls: bool = True, landed: bool = True) -> Any:
    """Block 0 stores its half and then a word; block 1 polls the word and reads that half."""
    params = {"bypass": 1} if bypass else {}

    def program(block: int, a: Arrays) -> Program:
        if block == 0:
            yield from publish(block, a)
            if landed:
                yield Instr("SetFlag", Pipe.MTE3, params={"src": 5, "dst": 0, "id": 0}, where=21)
                yield Instr("WaitFlag", Pipe.S, params={"src": 5, "dst": 0, "id": 0}, where=22)
            yield flag(a, "SetValue", value=7, **params)
            if not bypass:
                yield cleaned(a)
            return
        found = 0
        while polls and found != 7:
            if not bypass:
                yield cleaned(a)
            found = yield flag(a, "GetValue", **params)
        yield from read_other(block, a)

    return program


@pytest.mark.parametrize("bypass", [False, True])
def test_a_word_that_is_polled_orders(bypass: bool) -> None:
    assert not judged(told_by_a_word(bypass))


@pytest.mark.parametrize("bypass", [False, True])
def test_a_word_that_nobody_polls_does_not(bypass: bool) -> None:
    assert "E7" in judged(told_by_a_word(bypass, polls=False))


@pytest.mark.parametrize("bypass", [False, True])
def test_a_word_that_overtakes_the_copy_does_not(bypass: bool) -> None:
    assert "E7" in judged(told_by_a_word(bypass, landed=False))
