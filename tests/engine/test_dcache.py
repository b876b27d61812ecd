"""The scalar unit's data cache: what it hides, and what a write-back takes away."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import numpy as np
import pytest

from ascend_lab import chips
from ascend_lab.engine.dcache import LINE, DCache
from ascend_lab.engine.instruction import Instr, Pipe, Ref
from ascend_lab.engine.memory import commit
from tests.engine.script import get_value, gm_ref, load, new_gm, run, set_value, sync_all, ub
from tests.engine.script import store as copy_out

Program = Generator[Instr, Any, None]


def clean(ref: Ref, lines: str = "SINGLE_CACHE_LINE") -> Instr:
    params = {"lines": lines, "to": "CACHELINE_OUT"}
    return Instr("DataCacheCleanAndInvalid", Pipe.S, None, (ref,), params, 20)


def _array(gm: Any, size: int = 64) -> Any:
    made = gm.alloc("z", size * 4, "float32")
    made.contents()[:] = 0
    return made


def _floats(allocation: Any) -> list[float]:
    return [float(value) for value in allocation.contents().view(np.float32)]


def test_a_store_reaches_memory_when_the_line_is_cleaned() -> None:
    gm = new_gm()
    z = _array(gm)
    cache = DCache(gm)
    commit(cache.writes(z.addr + 4, np.array([2.0], np.float32).view(np.uint8)))
    assert _floats(z)[1] == 0
    assert cache.read(z.addr + 4, 4).view(np.float32)[0] == 2
    cache.clean(z.addr)
    assert _floats(z)[1] == 2


def test_only_the_part_behind_the_address_is_cleaned() -> None:
    """asc-devkit: an address that is not 64 B aligned cleans from there to the end of the line."""
    gm = new_gm()
    z = _array(gm)
    cache = DCache(gm)
    for element in (0, 8):
        raw = np.array([1.0], np.float32).view(np.uint8)
        commit(cache.writes(z.addr + 4 * element, raw))
    cache.clean(z.addr + LINE // 2)
    assert (_floats(z)[0], _floats(z)[8]) == (0, 1)
    cache.clean_all()
    assert _floats(z)[0] == 1


def test_the_oldest_line_is_pushed_out() -> None:
    gm = new_gm()
    z = gm.alloc("z", 64 * 1024, "float32")
    z.contents()[:] = 0
    cache = DCache(gm)
    commit(cache.writes(z.addr, np.array([1.0], np.float32).view(np.uint8)))
    for line in range(1, 32 * 1024 // LINE):
        cache.read(z.addr + line * LINE, 4)
    assert _floats(z)[0] == 0
    cache.read(z.addr + 32 * 1024, 4)
    assert _floats(z)[0] == 1


def test_a_copy_does_not_see_a_scalar_store() -> None:
    gm = new_gm()
    z = _array(gm)
    seen = []

    def program(block: int) -> Program:
        yield set_value(gm_ref(z), 5.0)
        yield load(ub(0), gm_ref(z), 8)
        seen.append((yield get_value(ub(0))))
        yield clean(gm_ref(z))
        yield load(ub(0), gm_ref(z), 8)
        seen.append((yield get_value(ub(0))))

    run(program, gm=gm)
    assert seen == [0, 5]


def test_a_line_in_the_cache_is_old() -> None:
    gm = new_gm()
    z = _array(gm)
    seen = []

    def program(block: int) -> Program:
        if block == 0:
            seen.append((yield get_value(gm_ref(z))))
        else:
            yield Instr("Duplicate", Pipe.V, ub(0), (), {"count": 8, "scalar": 3.0}, 4)
            yield Instr("PipeBarrier", Pipe.S, params={"pipe": int(Pipe.ALL)})
            yield sync_all()
            yield copy_out(gm_ref(z), ub(0), 8)
        if block == 0:
            yield sync_all()
        yield sync_all()
        if block == 0:
            seen.append((yield get_value(gm_ref(z))))
            yield clean(gm_ref(z), "ENTIRE_DATA_CACHE")
            seen.append((yield get_value(gm_ref(z))))

    run(program, blocks=2, gm=gm)
    assert seen == [0, 0, 3]


def test_the_last_write_back_takes_the_others_away() -> None:
    gm = new_gm()
    z = _array(gm)

    def program(block: int) -> Program:
        yield set_value(gm_ref(z, 4 * block), 1.0 + block)
        yield sync_all()

    run(program, blocks=4, gm=gm)
    assert sum(value != 0 for value in _floats(z)) == 1


def test_a_line_apart_everything_arrives() -> None:
    gm = new_gm()
    z = _array(gm)

    def program(block: int) -> Program:
        yield set_value(gm_ref(z, LINE * block), 1.0 + block)

    run(program, blocks=4, gm=gm)
    assert [_floats(z)[16 * block] for block in range(4)] == [1, 2, 3, 4]


def test_a_line_that_is_not_held_takes_as_long_as_memory_does() -> None:
    gm = new_gm()
    z = _array(gm)
    spec = chips.shared()

    def program(block: int) -> Program:
        for offset in (0, 4, LINE, 4):
            yield get_value(gm_ref(z, offset))
        yield Instr("GetValue", Pipe.S, None, (gm_ref(z, 4),), {"bypass": True})

    _, log = run(program, gm=gm)
    held = spec.cost.scalar.get_value
    away = held + spec.cost.dma.mte2_latency_us * spec.clock_mhz
    spent = [end - start for start, end, _, _ in log.spans]
    assert spent == pytest.approx([away, held, away, held, away])
