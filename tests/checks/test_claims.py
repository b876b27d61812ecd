"""The eleven claims of the taxonomy that sound right and are wrong: none may come from us.

Each test is named for the claim. Where it is about kernels, one runs; where it is about texts, they are read; the log
level and the allocator of the CPU twin belong to no kernel.
"""

from __future__ import annotations

import numpy as np

import ascend_lab.asc as asc
from ascend_lab import Device, Result, checks
from tests.checks import fixtures
from tests.checks.cases import table
from tests.checks.clean import CASES

CORES, PART = 4, 64


def _clean(name: str) -> None:
    launch, chips = CASES[name]
    for schedule in fixtures.SCHEDULES:
        assert not launch(Device(chips[0], schedule)).findings, name


def _bad(class_id: str) -> Result:
    fixture = fixtures.load(class_id)
    return fixture.launch("bad", fixture.chips[0], fixture.schedules[0])


def _texts() -> str:
    found = []
    for entry in checks.catalogue().values():
        for texts in (entry.texts, *entry.variants.values()):
            found += [text["en"].lower() for text in texts.values()]
    return "\n".join(found)


def test_data_copy_pad_needs_an_aligned_gm_address() -> None:
    _clean("odd GM offset with DataCopyPad")
    assert "GM address only needs the element size" in checks.entry("A1").texts["rule"]["en"]


def test_repeat_times_matters_in_counter_mode() -> None:
    _clean("counter mode ignores repeat")


def test_data_copy_crashes_on_an_unaligned_length() -> None:
    result = _bad("A2")
    assert not result.findings[0].fatal
    assert "not copied" in result.findings[0].message()
    assert "crash" not in result.findings[0].message()


def test_queue_depth_two_is_double_buffering() -> None:
    _clean("one buffer, depth 2")
    slow, twice = _bad("F12"), fixtures.load("F12").launch("good", "Ascend910B1", "realistic")
    assert slow.findings[0].hints == ("F12",)
    assert slow.cycles > 1.15 * twice.cycles


def test_log_level_1_is_debug() -> None:
    """No finding speaks of log levels."""
    assert "log_level" not in _texts()


def test_global_memory_overflows_when_buffers_are_too_large() -> None:
    message = _bad("B1").findings[0].message()
    assert "UB has" in message
    assert "not GM" in message


def test_without_double_buffer_results_are_wrong_and_buffers_may_start_anywhere() -> None:
    module = table.load("Q47")
    assert not table.launch(module, True).findings
    assert table.launch(module, False).findings.ids == ("E1",)


def test_gm_alloc_is_an_api_of_the_npu() -> None:
    assert not hasattr(asc, "gm_alloc")
    assert "gmalloc" not in _texts()


def test_a_padded_copy_of_blocks_below_32_bytes_is_illegal() -> None:
    _clean("narrow rows with pad lanes")
    message = _bad("A4").findings[0].message()
    assert "illegal" not in message.lower()


def test_simulators_cannot_show_performance() -> None:
    """A model of the cycles shows ratios: one buffer or two, a loop over elements or an instruction."""
    for class_id, least in (("K1", 1.15), ("K3", 2.0)):
        fixture = fixtures.load(class_id)
        slow, fast = (fixture.launch(kind, "Ascend910B1", "realistic") for kind in ("bad", "good"))
        assert slow.cycles > least * fast.cycles, class_id


@asc.jit
def neighbours(x: asc.GlobalAddress, z: asc.GlobalAddress, w: asc.GlobalAddress, barrier: bool):
    block = asc.get_block_idx()
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    w_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    z_gm.set_global_buffer(z)
    w_gm.set_global_buffer(w)
    local = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, 0, PART)
    asc.data_copy(local, x_gm[block * PART :], PART)
    asc.pipe_barrier(asc.PipeID.PIPE_ALL)
    asc.data_copy(w_gm[block * PART :], local, PART)
    asc.pipe_barrier(asc.PipeID.PIPE_ALL)
    if barrier:
        asc.sync_all()
    asc.data_copy(local, w_gm[(block + 1) % CORES * PART :], PART)
    asc.pipe_barrier(asc.PipeID.PIPE_ALL)
    asc.data_copy(z_gm[block * PART :], local, PART)


def _neighbours(barrier: bool) -> tuple[str, ...]:
    x = np.arange(CORES * PART, dtype=np.float32)
    z, w = np.zeros_like(x), np.zeros_like(x)
    return (
        Device("Ascend910B1").launch(neighbours, CORES, x, z, w, barrier, outputs=("z",)).findings
    ).ids


def test_pipe_barrier_all_orders_the_cores() -> None:
    assert _neighbours(barrier=False) == ("E7",)
    assert _neighbours(barrier=True) == ()
    assert "PipeBarrier orders one core only" in checks.entry("E7").texts["rule"]["en"]
