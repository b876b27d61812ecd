"""DESIGN "Time and effect", one rule a test."""

from __future__ import annotations

from collections.abc import Generator
from heapq import heappop
from typing import Any

import numpy as np
import pytest

from ascend_lab.engine.clock import Clock, Pool
from ascend_lab.engine.instruction import Instr, Pipe
from tests.engine.script import (
    add,
    adds,
    barrier,
    fill,
    gm_ref,
    load,
    marker,
    new_gm,
    run,
    set_flag,
    store,
    ub,
    wait_flag,
)

MTE2, MTE3, V, S = Pipe.MTE2, Pipe.MTE3, Pipe.V, Pipe.S
Steps = Generator[Instr, Any, None]


def gm_with(name: str, values: Any) -> Any:
    gm = new_gm()
    array = np.asarray(values, dtype=np.float32)
    allocation = gm.alloc(name, array.nbytes, "float32")
    allocation.contents()[:] = array.view(np.uint8)
    return gm, allocation


def test_whole_history_of_a_load_an_add_and_a_store() -> None:
    gm, x = gm_with("x", np.arange(64))
    z = gm.alloc("z", 256, "float32")

    def program(_: int) -> Steps:
        yield load(ub(0), gm_ref(x), 64)
        yield set_flag(MTE2, V)
        yield wait_flag(MTE2, V)
        yield add(ub(256), ub(0), ub(0), 64)
        yield set_flag(V, MTE3)
        yield wait_flag(V, MTE3)
        yield store(gm_ref(z), ub(256), 64)

    made, log = run(program, gm=gm)
    names = [(pipe, op) for _, _, pipe, op in log.spans]
    assert names == [
        ("MTE2", "DataCopy"),
        ("MTE2", "SetFlag"),
        ("V", "WaitFlag"),
        ("V", "Add"),
        ("V", "SetFlag"),
        ("MTE3", "WaitFlag"),
        ("MTE3", "DataCopy"),
    ]
    copied = log.spans[0][1]
    dma = made.spec.cost.dma
    clock = made.spec.clock_mhz
    assert copied - log.spans[0][0] == pytest.approx(
        dma.mte2_latency_us * clock + 256 / (dma.mte2_burst_rate * 1e3 / clock)
    )
    hop = made.spec.cost.sync.flag_hop
    assert log.spans[3][0] == copied + hop  # the Add starts the moment it sees the flag
    assert log.spans[3][1] - log.spans[3][0] == made.spec.cost.vector.startup + 1
    assert np.array_equal(z.contents().view(np.float32), 2 * np.arange(64))


def test_an_instruction_reads_when_it_starts_so_a_missing_flag_reads_stale_data() -> None:
    gm, x = gm_with("x", np.ones(64))
    z = gm.alloc("z", 256, "float32")

    def program(_: int) -> Steps:
        yield fill(ub(0), 5.0, 64)
        yield barrier(Pipe.ALL)
        yield load(ub(0), gm_ref(x), 64)
        yield adds(ub(256), ub(0), 1.0, 64)  # no MTE2_V edge
        yield barrier(Pipe.ALL)
        yield store(gm_ref(z), ub(256), 64)

    run(program, gm=gm)
    assert set(z.contents().view(np.float32).tolist()) == {6.0}


def test_an_instruction_commits_exactly_the_bytes_it_writes() -> None:
    gm, _ = gm_with("x", np.ones(16))
    z = gm.alloc("z", 64, "float32")

    def program(_: int) -> Steps:
        yield fill(ub(0), 7.0, 16)
        masked = Instr(
            "Adds", V, ub(0), (ub(0),), {"scalar": 1.0, "mask": (0b101, 0), "repeat": 1}, 1
        )
        yield masked
        yield barrier(Pipe.ALL)
        yield store(gm_ref(z), ub(0), 16)

    run(program, gm=gm)
    assert z.contents().view(np.float32)[:4].tolist() == [8.0, 7.0, 8.0, 7.0]


def test_an_atomic_store_combines_at_commit() -> None:
    gm, _ = gm_with("x", [0])
    z = gm.alloc("z", 256, "float32")
    z.contents().view(np.float32)[:] = 1.0

    def program(_: int) -> Steps:
        yield fill(ub(0), 2.0, 64)
        yield barrier(Pipe.ALL)
        yield marker("SetAtomic", mode="add", dtype="float32")
        yield store(gm_ref(z), ub(0), 64)
        yield marker("SetAtomic", mode="none")

    run(program, blocks=8, gm=gm)
    assert set(z.contents().view(np.float32).tolist()) == {17.0}


def test_atomic_mode_is_captured_at_issue() -> None:
    gm, _ = gm_with("x", [0])
    z = gm.alloc("z", 256, "float32")
    z.contents().view(np.float32)[:] = 1.0

    def program(_: int) -> Steps:
        yield fill(ub(0), 2.0, 64)
        yield set_flag(V, MTE3)
        yield wait_flag(V, MTE3)
        yield marker("SetAtomic", mode="add", dtype="float32")
        yield store(gm_ref(z), ub(0), 64)
        yield marker("SetAtomic", mode="none")  # long before the store starts

    run(program, gm=gm)
    assert set(z.contents().view(np.float32).tolist()) == {3.0}


def test_the_mask_register_is_captured_at_issue() -> None:
    gm, _ = gm_with("x", [0])
    z = gm.alloc("z", 256, "float32")

    def program(_: int) -> Steps:
        yield fill(ub(0), 1.0, 64)
        yield marker("SetMask", low=0b1, high=0, counter=False)
        yield Instr("Adds", V, ub(0), (ub(0),), {"scalar": 1.0, "mask": None, "repeat": 1}, 1)
        yield marker("ResetMask")
        yield barrier(Pipe.ALL)
        yield store(gm_ref(z), ub(0), 64)

    run(program, gm=gm)
    assert z.contents().view(np.float32)[:3].tolist() == [2.0, 1.0, 1.0]


def test_counter_mode_takes_the_mask_as_a_count_and_ignores_repeat() -> None:
    gm, _ = gm_with("x", [0])
    z = gm.alloc("z", 400, "float32")

    def program(_: int) -> Steps:
        yield fill(ub(0), 1.0, 100)
        yield marker("SetMask", count=70, counter=True)
        yield Instr("Adds", V, ub(0), (ub(0),), {"scalar": 1.0, "mask": None, "repeat": 1}, 1)
        yield marker("SetMaskNorm")
        yield barrier(Pipe.ALL)
        yield store(gm_ref(z), ub(0), 96)

    run(program, gm=gm)
    got = z.contents().view(np.float32)[:96]
    assert got[:70].tolist() == [2.0] * 70
    assert got[70:].tolist() == [1.0] * 26


def test_a_count_form_call_leaves_a_full_mask() -> None:
    gm, _ = gm_with("x", [0])

    def program(_: int) -> Steps:
        yield marker("SetMask", low=1, high=0, counter=False)
        yield fill(ub(0), 1.0, 64)

    made, _log = run(program, gm=gm)
    mask = made.cores[0].mask
    assert not mask.counter
    assert mask.low == mask.high == (1 << 64) - 1


def test_instructions_of_one_pipe_start_in_order() -> None:
    gm, x = gm_with("x", np.ones(4096))

    def program(_: int) -> Steps:
        for i in range(5):
            yield load(ub(i * 4096), gm_ref(x), 1024 - 128 * i, where=i)

    _, log = run(program, gm=gm)
    starts = [start for start, _, _, _ in log.spans]
    assert starts == sorted(starts)


def two_copies(count: int) -> tuple[Any, list[tuple[float, float]]]:
    gm, x = gm_with("x", np.ones(2 * count))

    def program(_: int) -> Steps:
        yield load(ub(0), gm_ref(x), count)
        yield load(ub(65536), gm_ref(x, 4 * count), count)

    made, log = run(program, gm=gm)
    return made, [(start, end) for start, end, _, _ in log.spans]


def test_small_copies_of_a_pipe_are_on_their_way_together() -> None:
    made, ((s0, e0), (s1, e1)) = two_copies(1024)
    rate = made.spec.cost.dma.mte2_rate * 1e3 / made.spec.clock_mhz
    assert s1 - s0 == pytest.approx(4096 / rate)  # no faster than the core takes them in
    assert e0 < e1 < e0 + (e0 - s0) / 2


def test_a_copy_waits_when_the_window_of_its_pipe_is_full() -> None:
    made, ((s0, e0), (s1, e1)) = two_copies(2048)
    assert 2 * 8192 > made.spec.cost.dma.window_bytes
    assert s1 == e0
    assert e1 - s1 == pytest.approx(e0 - s0)


def test_a_long_copy_takes_its_bytes_at_the_rate_of_its_core() -> None:
    made, ((s0, e0), _) = two_copies(16384)
    rate = made.spec.cost.dma.mte2_rate * 1e3 / made.spec.clock_mhz
    assert e0 - s0 == pytest.approx(65536 / rate)


def test_independent_vector_instructions_overlap_without_a_barrier_and_not_with_one() -> None:
    def free(_: int) -> Steps:
        yield fill(ub(0), 1.0, 64)
        yield fill(ub(256), 1.0, 64)

    def ordered(_: int) -> Steps:
        yield fill(ub(0), 1.0, 64)
        yield barrier(V)
        yield fill(ub(256), 1.0, 64)

    made, log = run(free)
    assert log.spans[0][1] - log.spans[1][0] == pytest.approx(made.spec.cost.vector.drain)
    _, log = run(ordered)
    spans = [span for span in log.spans if span[3] == "Duplicate"]
    assert spans[1][0] >= spans[0][1]


def test_flags_count() -> None:
    def program(_: int) -> Steps:
        yield set_flag(MTE2, V)
        yield set_flag(MTE2, V)
        yield wait_flag(MTE2, V)
        yield wait_flag(MTE2, V)
        yield fill(ub(0), 1.0, 64)

    _, log = run(program)
    assert [op for *_, op in log.spans].count("WaitFlag") == 2
    assert log.stuck_at == []


def test_a_wait_without_a_set_is_reported_and_never_hangs() -> None:
    def program(_: int) -> Steps:
        yield wait_flag(MTE2, V, 3, where=42)
        yield fill(ub(0), 1.0, 64)

    _, log = run(program)
    (wait,) = log.stuck_at
    assert (wait.kind, wait.flag, wait.x.instr.where) == ("flag", (MTE2, V, 3), 42)


def drain(clock: Clock) -> None:
    while clock.events:
        clock.now, _, action, argument = heappop(clock.events)
        action(argument)


def test_equal_times_run_in_the_order_they_were_scheduled() -> None:
    clock, seen = Clock(), []
    for name in "abc":
        clock.at(5.0, seen.append, name)
    clock.at(1.0, seen.append, "first")
    drain(clock)
    assert seen == ["first", "a", "b", "c"]


def test_transfers_share_a_pool_equally() -> None:
    clock, ends = Clock(), {}
    pool = Pool(clock, total=10.0, cap=8.0)
    clock.at(0.0, lambda _: pool.join(80.0, lambda n: ends.setdefault(n, clock.now), "a"))
    clock.at(5.0, lambda _: pool.join(40.0, lambda n: ends.setdefault(n, clock.now), "b"))
    drain(clock)
    # a: 40 bytes alone at 8, then both at 5; they end together.
    assert ends == {"a": pytest.approx(13.0), "b": pytest.approx(13.0)}


def test_a_full_issue_queue_holds_the_scalar_unit() -> None:
    def program(_: int) -> Steps:
        for _i in range(100):
            yield fill(ub(0), 1.0, 4096)

    made, _log = run(program)
    rows = list(made.trace({}).rows())
    depth = made.queue_depth
    waiting = [sum(1 for other in rows if other.issue <= row.issue < other.start) for row in rows]
    assert depth - 1 <= max(waiting) <= depth + 1


def test_the_same_program_gives_the_same_trace_bytes() -> None:
    def program(block: int) -> Steps:
        for i in range(10):
            yield fill(ub(i * 256), float(block), 64)

    first, _ = run(program, blocks=9)
    second, _ = run(program, blocks=9)
    assert first.trace({}).to_bytes() == second.trace({}).to_bytes()
