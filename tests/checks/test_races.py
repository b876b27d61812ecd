"""Races are found from what orders what, not from what happened to come first."""

from __future__ import annotations

from typing import Any

import pytest

from ascend_lab.checks import Findings
from ascend_lab.engine.instruction import Instr, Pipe
from tests.checks.scripting import Arrays, Program, init_buffer, judge, vector
from tests.engine import script
from tests.engine.script import barrier, get_value, set_flag, set_value, ub, wait_flag

S, V, MTE2, MTE3 = Pipe.S, Pipe.V, Pipe.MTE2, Pipe.MTE3
A, B = ub(0), ub(4096)


def access(pipe: Pipe, writes: bool, where: int) -> Instr:
    """An instruction of ``pipe`` that writes, or reads, the 256 B at A."""
    gm = script.gm_ref
    if pipe == S:
        return set_value(A, 1.0, where) if writes else get_value(A, where)
    if pipe == V:
        return vector("Adds", *((A, B) if writes else (B, A)), count=64, scalar=1.0, where=where)
    if pipe == MTE2:
        return script.load(A, gm(ARRAYS["x"]), 64, where)
    return script.store(gm(ARRAYS["z"]), A, 64, where)


ARRAYS: dict[str, Any] = {}


def judged(*steps: Any, **options: Any) -> Findings:
    """``steps``: instructions, or functions that make one once the arrays are there."""

    def program(block: int, arrays: Arrays) -> Program:
        ARRAYS.update(arrays)
        for step in steps:
            yield step() if callable(step) else step

    return judge(program, **options)


def step(pipe: Pipe, writes: bool, where: int) -> Any:
    return lambda: access(pipe, writes, where)


PAIRS = [
    (MTE2, True, V, False, "D1"),
    (V, True, MTE3, False, "D2"),
    (MTE2, True, MTE3, False, "D2"),
    (V, False, MTE2, True, "D3"),
    (MTE3, False, V, True, "D3"),
    (MTE3, False, MTE2, True, "D3"),
    (MTE2, True, V, True, "D3"),
    (V, True, MTE2, True, "D3"),
]
SCALAR = [
    (V, True, S, False, "D4"),
    (MTE2, True, S, False, "D4"),
    (V, False, S, True, "D4"),
    (S, True, V, False, "D5"),
    (S, True, MTE3, False, "D5"),
    (S, True, MTE2, True, "D5"),
]


def told(findings: Findings) -> list[tuple[str, int]]:
    races = [f for f in findings.all if f.id.startswith("D")]
    return [(f.id, f.line) for f in races if f.id not in ("D10",)]


@pytest.mark.parametrize(("first", "w1", "second", "w2", "class_id"), PAIRS)
def test_pairs_of_pipes(first: Pipe, w1: bool, second: Pipe, w2: bool, class_id: str) -> None:
    one, two = step(first, w1, 20), step(second, w2, 21)
    findings = judged(one, two)
    assert told(findings) == [(class_id, 21)]
    assert [(p.line) for p in next(f for f in findings.all if f.id == class_id).related] == [20]
    assert told(judged(one, set_flag(first, second), wait_flag(first, second), two)) == []
    assert told(judged(one, barrier(Pipe.ALL), two)) == []
    assert told(judged(one, two, insert_sync=True)) == []


@pytest.mark.parametrize(("first", "w1", "second", "w2", "class_id"), SCALAR)
def test_scalar_unit(first: Pipe, w1: bool, second: Pipe, w2: bool, class_id: str) -> None:
    one, two = step(first, w1, 20), step(second, w2, 21)
    assert told(judged(one, two, auto_sync=False)) == [(class_id, 21)]
    assert told(judged(one, two)) == []
    ordered = judged(one, set_flag(first, second), wait_flag(first, second), two, auto_sync=False)
    assert told(ordered) == []


@pytest.mark.parametrize("delayed", [None, V, MTE2, MTE3])
def test_the_class_is_that_of_the_program_in_every_schedule(delayed: Pipe | None) -> None:
    for first, w1, second, w2, class_id in PAIRS:
        findings = judged(step(first, w1, 20), step(second, w2, 21), delayed=delayed)
        assert told(findings) == [(class_id, 21)]


def test_reads_do_not_race() -> None:
    assert told(judged(step(V, False, 20), step(MTE3, False, 21))) == []


def test_other_bytes_do_not_race() -> None:
    shifted = lambda: script.load(ub(256), script.gm_ref(ARRAYS["x"]), 64, 21)  # noqa: E731
    assert told(judged(step(V, False, 20), shifted)) == []


def test_half_a_region_races() -> None:
    shifted = lambda: script.load(ub(128), script.gm_ref(ARRAYS["x"]), 64, 21)  # noqa: E731
    assert told(judged(step(V, False, 20), shifted)) == [("D3", 21)]


def test_order_goes_through_a_third_pipe() -> None:
    """V → MTE3 → MTE2 orders V before MTE2, as in the official first tutorial."""
    findings = judged(
        step(V, False, 20),
        set_flag(V, MTE3),
        wait_flag(V, MTE3),
        set_flag(MTE3, MTE2),
        wait_flag(MTE3, MTE2),
        step(MTE2, True, 21),
    )
    assert told(findings) == []


def test_a_wait_of_the_scalar_unit_orders_what_is_issued_later() -> None:
    findings = judged(step(V, False, 20), set_flag(V, S), wait_flag(V, S), step(MTE2, True, 21))
    assert told(findings) == []


def test_a_flag_set_too_early_orders_nothing() -> None:
    findings = judged(
        set_flag(MTE2, V), step(MTE2, True, 20), wait_flag(MTE2, V), step(V, False, 21)
    )
    assert told(findings) == [("D1", 21)]


def test_another_id_orders_too() -> None:
    findings = judged(
        step(MTE2, True, 20), set_flag(MTE2, V, 3), wait_flag(MTE2, V, 3), step(V, False, 21)
    )
    assert told(findings) == []


def test_vector_after_vector() -> None:
    """Automatic sync orders V; without it PIPE_V must."""
    one, two = step(V, True, 20), lambda: vector("Adds", B, A, count=64, scalar=1.0, where=21)
    assert told(judged(one, two)) == []
    assert told(judged(one, two, auto_sync=False)) == [("D7", 21)]
    assert told(judged(one, barrier(V), two, auto_sync=False)) == []


def test_a_barrier_of_one_pipe_is_named_when_it_stands_between() -> None:
    findings = judged(step(V, True, 20), barrier(V, 25), step(MTE3, False, 21))
    assert told(findings) == [("D7", 21)]
    assert next(f for f in findings.all if f.id == "D7").numbers["barrier_line"] == 25


def test_two_stores_to_one_place() -> None:
    """Equal values do no harm; different ones need PIPE_MTE3 between."""

    def store(value: int, where: int) -> Any:
        return lambda: script.store(script.gm_ref(ARRAYS["z"]), ub(value * 4096), 64, where)

    fills = [vector("Duplicate", ub(n * 4096), count=64, scalar=float(n)) for n in (1, 2)]
    start = [*fills, set_flag(V, MTE3), wait_flag(V, MTE3)]
    assert told(judged(*start, store(1, 30), store(2, 31))) == [("D7", 31)]
    assert told(judged(*start, store(1, 30), barrier(MTE3), store(2, 31))) == []
    assert told(judged(*start, store(1, 30), store(1, 31))) == []


def test_each_pair_of_lines_is_told_once() -> None:
    steps = [step(MTE2, True, 20), step(V, False, 21)] * 5
    assert told(judged(*steps)) == [("D1", 21), ("D3", 20)]


def test_the_buffer_is_named() -> None:
    kind = init_buffer(size=256)
    tbuf = Instr("InitBuffer", S, params={**kind.params, "kind": "buf", "name": "tmp"})
    a = A._replace(buf=0, size=64)
    load = lambda: script.load(a, script.gm_ref(ARRAYS["x"]), 64, 20)  # noqa: E731
    use = vector("Adds", B, a, count=64, scalar=1.0, where=21)
    for first, hint in ((kind, "F6"), (tbuf, "F8")):
        findings = judged(first, load, use)
        assert findings[0].hints == (hint,)
        assert findings[0].numbers["buffer"] in findings[0].message("en")
