"""DESIGN "Memory" and "Automatic sync", one rule a test."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import numpy as np
import pytest

from ascend_lab.engine.instruction import Instr, Pipe, Ref
from ascend_lab.engine.memory import POISON, GlobalMemory, Region
from tests.engine.script import (
    add,
    adds,
    barrier,
    fill,
    get_value,
    gm_ref,
    load,
    marker,
    new_gm,
    run,
    set_flag,
    set_value,
    store,
    ub,
    wait_flag,
)

MTE2, MTE3, V, S = Pipe.MTE2, Pipe.MTE3, Pipe.V, Pipe.S
Steps = Generator[Instr, Any, None]


def test_gm_has_exact_extents_and_red_zones() -> None:
    gm = GlobalMemory(1 << 20)
    a, b = gm.alloc("a", 100), gm.alloc("b", 100)
    assert a.nbytes == 100
    assert gm.locate(a.addr + 99) is a
    assert gm.locate(a.end + 10) is a  # the red zone behind it, not b
    assert b.addr % 512 == 0
    assert gm.locate(0) is None
    assert set(gm.read(0, 64).tolist()) == {POISON}
    with pytest.raises(MemoryError):
        gm.alloc("c", 1 << 20)


def test_a_store_past_the_end_hits_the_red_zone_and_not_the_neighbour() -> None:
    gm = GlobalMemory(1 << 20)
    a, b = gm.alloc("a", 64), gm.alloc("b", 64)
    for write in gm.writes(a.addr + 32, np.zeros(64, np.uint8)):
        write.target[write.index] = write.values
    assert set(b.contents().tolist()) == {POISON}
    assert a.contents()[32:].tolist() == [0] * 32


def test_a_far_offset_hits_another_tensor() -> None:
    gm = GlobalMemory(1 << 20)
    a, b = gm.alloc("a", 64), gm.alloc("b", 64)
    for write in gm.writes(a.addr, np.zeros(b.addr - a.addr + 8, np.uint8)):
        write.target[write.index] = write.values
    assert b.contents()[:8].tolist() == [0] * 8


def test_fresh_local_memory_is_poison_on_every_block() -> None:
    seen: list[float] = []

    def program(_: int) -> Steps:
        value = yield get_value(ub(1024))
        seen.append(value)
        yield fill(ub(1024), 1.0, 8)

    run(program, blocks=2)
    run(program, blocks=1)
    assert all(np.isnan(seen))


def test_a_freed_buffer_is_poisoned_when_its_last_reader_has_released_it() -> None:
    gm = new_gm()
    z = gm.alloc("z", 4096, "float32")
    held = Ref("UB", 0, "float32", 1024, buf=0)
    seen: list[float] = []

    def program(_: int) -> Steps:
        yield fill(held, 2.0, 1024)
        yield adds(ub(8192), held, 0.0, 1024)
        yield marker("FreeTensor", held, len=4096)  # the Adds has not even started
        yield barrier(Pipe.ALL)
        yield store(gm_ref(z), ub(8192), 1024)
        value = yield get_value(ub(0))
        seen.append(value)

    run(program, gm=gm)
    assert set(z.contents().view(np.float32).tolist()) == {2.0}
    assert np.isnan(seen[0])


def test_a_buffer_in_use_again_is_not_poisoned() -> None:
    gm = new_gm()
    x = gm.alloc("x", 4096, "float32")
    x.contents().view(np.float32)[:] = 3.0
    held = Ref("UB", 0, "float32", 1024, buf=0)
    seen: list[float] = []

    def program(_: int) -> Steps:
        yield fill(held, 2.0, 1024)
        yield adds(ub(8192), held, 0.0, 1024)
        yield set_flag(V, MTE2)
        yield marker("FreeTensor", held, len=4096)
        yield wait_flag(V, MTE2)
        yield load(held, gm_ref(x), 1024)
        yield barrier(Pipe.ALL)
        value = yield get_value(ub(0))
        seen.append(value)

    run(program, gm=gm)
    assert seen == [3.0]


def test_region_overlap_is_exact() -> None:
    even = Region(((0, 32), (64, 96)))
    odd = Region(((32, 64), (96, 128)))
    assert not even.overlaps(odd)
    assert even.overlaps(Region(((90, 100),)))
    assert even.first_common(Region(((90, 100),))) == (90, 96)
    assert Region(()).nbytes == 0


def chain(auto_sync: bool) -> tuple[float, list[bool]]:
    """A value through Duplicate -> Adds -> Adds, each needing the one before."""
    got: list[float] = []

    def program(_: int) -> Steps:
        yield fill(ub(0), 1.0, 8)
        yield adds(ub(256), ub(0), 1.0, 8)
        yield adds(ub(512), ub(256), 1.0, 8)
        yield barrier(Pipe.ALL)
        value = yield get_value(ub(512))
        got.append(value)

    made, _ = run(program, auto_sync=auto_sync)
    autos = [bool(row.auto) for row in made.trace({}).rows() if row.pipe == V]
    return got[0], autos


def test_auto_sync_orders_dependent_vector_instructions_and_marks_the_edges() -> None:
    value, autos = chain(True)
    assert value == 3.0
    assert autos == [False, True, True]


def test_without_auto_sync_a_dependent_vector_instruction_reads_early() -> None:
    value, autos = chain(False)
    assert np.isnan(value)
    assert not any(autos)


@pytest.mark.parametrize("auto_sync", [True, False])
def test_auto_sync_orders_v_before_a_scalar_read(auto_sync: bool) -> None:
    got: list[float] = []

    def program(_: int) -> Steps:
        yield fill(ub(0), 1.0, 16384)
        value = yield get_value(ub(0))
        got.append(value)

    run(program, auto_sync=auto_sync)
    assert (got[0] == 1.0) is auto_sync


@pytest.mark.parametrize("auto_sync", [True, False])
def test_auto_sync_orders_a_scalar_write_before_v(auto_sync: bool) -> None:
    gm = new_gm()
    z = gm.alloc("z", 32, "float32")

    def program(_: int) -> Steps:
        yield fill(ub(0), 1.0, 8)
        yield barrier(Pipe.ALL)
        yield set_value(ub(0), 9.0)
        yield adds(ub(256), ub(0), 0.0, 8)
        yield barrier(Pipe.ALL)
        yield store(gm_ref(z), ub(256), 8)

    run(program, gm=gm, auto_sync=auto_sync)
    assert bool(z.contents().view(np.float32)[0] == 9.0) is auto_sync


def test_auto_sync_never_orders_mte2_and_v() -> None:
    gm = new_gm()
    x = gm.alloc("x", 256, "float32")
    x.contents()[:] = 0
    got: list[float] = []

    def program(_: int) -> Steps:
        yield load(ub(0), gm_ref(x), 64)
        yield adds(ub(256), ub(0), 1.0, 64)
        yield barrier(Pipe.ALL)
        value = yield get_value(ub(256))
        got.append(value)

    run(program, gm=gm, auto_sync=True)
    assert np.isnan(got[0])


def test_insert_sync_orders_every_hazard_of_the_core() -> None:
    gm = new_gm()
    x, z = gm.alloc("x", 1024, "float32"), gm.alloc("z", 1024, "float32")
    x.contents().view(np.float32)[:] = np.arange(256)

    def program(_: int) -> Steps:
        for i in range(4):
            yield load(ub(0), gm_ref(x, i * 256), 64)
            yield add(ub(512), ub(0), ub(0), 64)
            yield store(gm_ref(z, i * 256), ub(512), 64)

    for delayed in (None, S, V, MTE2, MTE3):
        z.contents()[:] = 0
        run(program, gm=gm, insert_sync=True, delayed=delayed)
        assert np.array_equal(z.contents().view(np.float32), 2 * np.arange(256))
