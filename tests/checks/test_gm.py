"""Several cores and one memory: overlaps, gaps, and what only looks like them."""

from __future__ import annotations

from typing import Any

import pytest

from ascend_lab.checks import Findings
from ascend_lab.engine.instruction import Pipe
from tests.checks.scripting import Arrays, Program, judge, load, pad, scalar, store, vector
from tests.engine import script
from tests.engine.script import set_flag, sync_all, ub, wait_flag

Z = frozenset("z")


def filled(a: Arrays, at: int, count: int, value: float, where: int = 2) -> Program:
    """``value`` into z from element ``at`` on."""
    yield vector("Duplicate", ub(0), count=max(count, 8), scalar=value)
    yield from store(a.at("z", at), ub(0), count, where)
    yield set_flag(Pipe.MTE3, Pipe.V, 1)
    yield wait_flag(Pipe.MTE3, Pipe.V, 1)


def exact(a: Arrays, at: int, count: int, value: float) -> Program:
    """The same with DataCopyPad: to the byte."""
    yield vector("Duplicate", ub(0), count=64, scalar=value)
    yield set_flag(Pipe.V, Pipe.MTE3)
    yield wait_flag(Pipe.V, Pipe.MTE3)
    yield pad(a.at("z", at), ub(0), 1, count * 4, 2)


def cores(make: Any, blocks: int, size: int, **options: Any) -> Findings:
    """``make(block, arrays)`` on ``blocks`` cores; z has ``size`` elements."""
    return judge(make, blocks=blocks, arrays={"z": (size, "float32")}, **options)


def told(findings: Findings) -> list[tuple[str, str]]:
    return [(f.id, f.variant) for f in findings]


def test_own_ranges() -> None:
    assert not cores(lambda b, a: filled(a, 64 * b, 64, b), 4, 256, outputs=Z)


def test_overlap_with_other_values() -> None:
    findings = cores(lambda b, a: filled(a, 32 * b, 64, b), 2, 96)
    assert told(findings) == [("E2", "")]
    numbers = findings[0].numbers
    assert (numbers["array"], numbers["first"], numbers["last"]) == ("z", 32, 63)
    assert {findings[0].block, numbers["other"]} == {0, 1}


def test_overlap_with_equal_values_is_a_note() -> None:
    findings = cores(lambda b, a: filled(a, 32 * b, 64, 5.0), 2, 96)
    assert [(f.id, f.severity) for f in findings] == [("E2", "note")]


def column(a: Arrays, at: int, value: float) -> Program:
    """``value`` into elements at..at+7 of each of 16 rows of 64."""
    yield vector("Duplicate", ub(0), count=128, scalar=value)
    yield set_flag(Pipe.V, Pipe.MTE3)
    yield wait_flag(Pipe.V, Pipe.MTE3)
    yield pad(a.at("z", at), ub(0), 16, 32, 2, dst_stride=224)
    yield set_flag(Pipe.MTE3, Pipe.V, 1)
    yield wait_flag(Pipe.MTE3, Pipe.V, 1)


@pytest.mark.parametrize(("first", "second"), [((8, 0), (16, 8)), ((0, 8), (8, 16))])
def test_columns_that_overlap_among_columns_that_do_not(
    first: tuple[int, int], second: tuple[int, int]
) -> None:
    """The rows of all columns lie among each other; one column is written by both cores."""

    def program(block: int, a: Arrays) -> Program:
        for at in (first, second)[block]:
            yield from column(a, at, block)

    findings = cores(program, 2, 1024)
    assert told(findings) == [("E2", "")]
    assert (findings[0].numbers["first"], findings[0].numbers["last"]) == (8, 15)


def test_columns_side_by_side() -> None:
    assert not cores(lambda b, a: column(a, 8 * b, b), 8, 1024, outputs=Z)


def test_one_block_for_all_cores() -> None:
    findings = cores(lambda b, a: filled(a, 0, 64, b), 4, 256, outputs=Z)
    assert told(findings) == [("E1", "")]
    numbers = findings[0].numbers
    assert (numbers["gap_first"], numbers["gap_last"], numbers["length"]) == (64, 255, 64)
    assert {f.id for f in findings[0].consequences} <= {"E2", "E3"}


def test_sums_into_the_whole_array_are_lost() -> None:
    findings = cores(lambda b, a: filled(a, 0, 64, b), 4, 64, outputs=Z)
    assert told(findings) == [("E10", "")]
    assert findings[0].numbers["cores"] == 4


def test_atomics_are_exempt() -> None:
    def program(block: int, a: Arrays) -> Program:
        yield scalar("SetAtomic", mode="add", dtype="float32")
        yield from filled(a, 0, 64, block)
        yield scalar("SetAtomic", mode="none")

    assert not cores(program, 4, 64, outputs=Z)


def test_zeroing_without_a_barrier_before_atomics() -> None:
    def program(block: int, a: Arrays) -> Program:
        if block == 0:
            yield from filled(a, 0, 64, 0.0)
        if barrier:
            yield sync_all()
        yield scalar("SetAtomic", mode="add", dtype="float32")
        yield from filled(a, 0, 64, block)
        yield scalar("SetAtomic", mode="none")

    barrier = False
    assert told(cores(program, 4, 64)) == [("E7", "")]
    barrier = True
    assert not cores(program, 4, 64)


def test_a_rounded_up_tail_at_a_seam() -> None:
    """Core 0 stores 16 elements but owns 13; core 1 begins at 13."""

    def program(block: int, a: Arrays) -> Program:
        yield from filled(a, 0, 16, 1.0) if block == 0 else exact(a, 13, 19, 2.0)

    findings = cores(program, 2, 32)
    assert told(findings) == [("A3", "")]
    numbers = findings[0].numbers
    assert (findings[0].block, numbers["other"], numbers["overlap"]) == (0, 1, 3)
    assert (numbers["from_"], numbers["last"]) == (13, 15)


def test_exact_stores_meet_in_a_block() -> None:
    assert not cores(lambda b, a: exact(a, 13 * b, 13, b), 4, 52, outputs=Z)


@pytest.mark.parametrize("barrier", [True, False])
def test_one_core_reads_what_the_others_write(barrier: bool) -> None:
    def program(block: int, a: Arrays) -> Program:
        yield from filled(a, 64 * block, 64, block, 20)
        yield script.barrier(Pipe.ALL)
        if barrier:
            yield sync_all()
        if block == 0:
            yield script.load(ub(8192), a.at("z"), 256, 21)

    findings = cores(program, 4, 256, delayed=Pipe.MTE3)
    assert told(findings) == ([] if barrier else [("E7", "")])
    if not barrier:
        assert findings[0].line == 21
        assert findings[0].block == 0


def test_in_place_over_a_seam() -> None:
    """Core 1 reads elements that core 0 overwrites."""

    def program(block: int, a: Arrays) -> Program:
        yield from load(ub(8192), a.at("z", 64 * block - 8 * block), 64, 30)
        yield from filled(a, 64 * block, 64, block, 31)

    assert told(cores(program, 2, 128)) == [("E7", "")]


# --- gaps ------------------------------------------------------------------------------------------


def test_a_declared_output_must_be_complete() -> None:
    findings = cores(lambda b, a: filled(a, 16 * b, 8, 1.0), 2, 32, outputs=Z)
    assert told(findings) == [("E3", "")]
    assert (findings[0].numbers["first"], findings[0].numbers["missing"]) == (8, 16)


def test_how_the_parts_add_up() -> None:
    findings = cores(lambda b, a: filled(a, 16 * b, 16, 1.0), 4, 72, outputs=Z)
    assert findings[0].numbers["sum"] == "72 = 4 x 16 + 8"


@pytest.mark.parametrize(
    ("at", "count", "size", "told_"),
    [
        (0, 64, 64, False),  # complete
        (0, 64, 72, True),  # a tail is missing
        (8, 64, 72, False),  # does not begin at 0: it may be meant so
        (0, 24, 64, False),  # less than half
        (0, 32, 64, False),  # half: an array twice as long may be meant so
    ],
)
def test_an_array_that_nobody_declared(at: int, count: int, size: int, told_: bool) -> None:
    findings = cores(lambda b, a: filled(a, at, count, 1.0), 1, size)
    assert bool(findings) is told_


def test_a_gap_that_only_rounds_the_array_up() -> None:
    """13 elements stored exactly into an array of 16: the array is padded, nothing is missing."""
    assert not cores(lambda b, a: exact(a, 0, 13, 1.0), 1, 16)
    assert told(cores(lambda b, a: exact(a, 0, 13, 1.0), 1, 16, outputs=Z)) == [("E3", "")]
    assert told(cores(lambda b, a: filled(a, 0, 16, 1.0), 1, 24)) == [("E3", "")]


def test_declaring_one_output_leaves_the_others_alone() -> None:
    def program(block: int, a: Arrays) -> Program:
        yield from filled(a, 0, 64, 1.0)
        yield from store(a.at("w"), ub(0), 64)

    arrays = {"z": (64, "float32"), "w": (96, "float32")}
    assert not judge(program, arrays=arrays, outputs=Z)
    assert told(judge(program, arrays=arrays)) == [("E3", "")]


def test_a_launch_that_was_cut_has_no_gaps() -> None:
    """A trap leaves everything unwritten: that is no fault of its own."""

    def program(block: int, a: Arrays) -> Program:
        yield from filled(a, 64 * block, 32, 1.0)
        yield vector("Adds", ub(4), ub(0), count=8, scalar=1.0, where=40)
        yield from filled(a, 64 * block + 32, 32, 1.0)

    assert told(cores(program, 2, 128, outputs=Z)) == [("A5", "")]


def test_many_equal_stores_are_kept_once() -> None:
    """A loop that stores to one place stays fast: what is kept does not grow."""

    def program(block: int, a: Arrays) -> Program:
        for _ in range(3000):
            yield script.set_value(a.at("z"), 1.0)

    assert not cores(program, 1, 1)
