"""Flags, barriers, mask, atomic mode, system variables, printing."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

import ascend_lab.asc as asc
from ascend_lab import Device, chips
from ascend_lab.engine.instruction import Crash
from tests.asc.driving import GM, array, instructions

Record = Callable[..., list[str]]
FULL = (1 << 64) - 1


def test_flags_are_instructions_of_the_pipes_they_name(record: Record) -> None:
    @asc.jit
    def kernel(n: int) -> None:
        asc.set_flag(asc.HardEvent.MTE2_V, n)
        asc.wait_flag(asc.HardEvent.MTE2_V, event_id=n)
        asc.set_flag(asc.HardEvent.V_S)
        asc.wait_flag(event=asc.HardEvent.V_S)
        asc.set_flag(asc.HardEvent.V_V)
        asc.wait_flag(asc.HardEvent.V_V)

    assert record(kernel, [3]) == [
        "MTE2 SetFlag src=4 dst=1 id=3",
        "V WaitFlag src=4 dst=1 id=3",
        "V SetFlag src=1 dst=0 id=0",
        "S WaitFlag src=1 dst=0 id=0",
        "S PipeBarrier pipe=1",
    ]


def test_barriers(record: Record) -> None:
    @asc.jit
    def kernel() -> None:
        for pipe in ("S", "V", "MTE2", "MTE3", "ALL"):
            asc.pipe_barrier(asc.PipeID[f"PIPE_{pipe}"])
        asc.data_sync_barrier(asc.MemDsbT.DDR)

    pipes = [f"S PipeBarrier pipe={number}" for number in (0, 1, 4, 5, 7)]
    assert record(kernel) == [*pipes, "S DataSyncBarrier memory='DDR'"]


def test_all_cores(record: Record) -> None:
    @asc.jit
    def kernel(x: asc.GlobalAddress) -> None:
        gm = asc.GlobalTensor()
        gm.set_global_buffer(x)
        ub = asc.LocalTensor(asc.int32, asc.TPosition.VECIN, 0, 8)
        asc.sync_all()
        asc.sync_all(True)
        asc.sync_all(gm, ub)
        asc.sync_all(gm_workspace=gm, ub_workspace=ub, used_cores=4)

    refs = f"GM+{GM}:int32[-1], UB+0:int32[8]"
    assert record(kernel, [array(dtype="int32")])[2:] == [
        "S SyncAll soft=False used=0",
        "S SyncAll soft=False used=0",
        f"S SyncAll <- {refs} soft=True used=0",
        f"S SyncAll <- {refs} soft=True used=4",
    ]


NORMAL, COUNTER = asc.MaskMode.NORMAL, asc.MaskMode.COUNTER


@pytest.mark.parametrize(
    ("call", "low", "high"),
    [
        (lambda: asc.set_vector_mask(5, dtype=asc.half, mode=NORMAL), 0b11111, 0),
        (lambda: asc.set_vector_mask(100, dtype=asc.half, mode=NORMAL), FULL, (1 << 36) - 1),
        (lambda: asc.set_vector_mask(128, dtype=asc.half, mode=NORMAL), FULL, FULL),
        (lambda: asc.set_vector_mask(64, dtype=asc.float32, mode=NORMAL), FULL, 0),
        (lambda: asc.set_vector_mask(length=7, dtype=asc.half, mode=NORMAL), 127, 0),
        (lambda: asc.set_vector_mask(1, 2, dtype=asc.half, mode=NORMAL), 2, 1),
        (lambda: asc.set_vector_mask(1, 2, asc.half, NORMAL), 2, 1),
        (
            lambda: asc.set_vector_mask(mask_high=1, mask_low=2, dtype=asc.half, mode=NORMAL),
            2,
            1,
        ),
        (lambda: asc.set_vector_mask(1000, dtype=asc.half, mode=COUNTER), 1000, 0),
        (lambda: asc.set_vector_mask(0, 1000, dtype=asc.half, mode=COUNTER), 1000, 0),
    ],
)
def test_the_mask_register(call: Callable[[], None], low: int, high: int) -> None:
    def kernel() -> None:
        call()

    issued, crash = instructions(asc.jit(kernel))
    assert crash is None
    assert [(i.op, i.params["low"], i.params["high"]) for i in issued] == [("SetMask", low, high)]


def test_mask_modes(record: Record) -> None:
    @asc.jit
    def kernel() -> None:
        asc.set_mask_count()
        asc.set_mask_norm()
        asc.reset_mask()
        asc.init_soc_state()

    assert record(kernel) == ["S SetMaskCount", "S SetMaskNorm", "S ResetMask", "S InitSocState"]


def test_atomic_mode(record: Record) -> None:
    @asc.jit
    def kernel() -> None:
        asc.set_atomic_add(asc.float32)
        asc.set_atomic_type(asc.half)
        asc.set_atomic_max(asc.int32)
        asc.set_atomic_min(asc.int32)
        asc.set_atomic_none()
        asc.set_atomic_type(asc.bfloat16)

    assert record(kernel) == [
        "S SetAtomic mode='add' dtype='float32'",
        "S SetAtomic mode='add' dtype='float16'",
        "S SetAtomic mode='max' dtype='int32'",
        "S SetAtomic mode='min' dtype='int32'",
        "S SetAtomic mode='none'",
        "S SetAtomic mode='none' dtype='bfloat16'",
    ]


def test_system_variables(record: Record) -> None:
    seen: list[Any] = []

    @asc.jit
    def kernel() -> None:
        seen.extend([asc.get_block_idx(), asc.get_block_num(), asc.get_sub_block_idx()])
        seen.extend([asc.get_sub_block_num(), asc.get_task_ratio()])
        seen.extend([asc.get_data_block_size_in_bytes(), asc.ascend_is_aiv(), asc.ascend_is_aic()])
        seen.append(asc.property(asc.ONE_BLK_SIZE))
        seen.append(asc.property(asc.TOTAL_L0C_SIZE))
        seen.append(asc.get_block_idx() / 2)
        seen.append(asc.get_system_cycle() + 1)

    assert record(kernel, block=3, blocks=8, answers=[100]) == ["S GetSystemCycle"]
    assert seen == [3, 8, 0, 1, 1, 32, True, False, 32, 128 * 1024, 1, 101]


def test_properties_follow_the_chip() -> None:
    seen: list[int] = []

    @asc.jit
    def kernel() -> None:
        seen.append(asc.property(asc.TOTAL_L1_SIZE))

    for name in ("Ascend910B1", "Ascend310P3"):
        instructions(kernel, chip=chips.load(name))
    assert seen == [512 * 1024, 1024 * 1024]


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (("plain\n",), "plain\n"),
        (("%d of %u%%\n", 3, 8), "3 of 8%\n"),
        (("%lld %5.2f %e", 7, 0.5, 1.0), "7  0.50 1.000000e+00"),
        (("%x %X %p", 255, 255, 4096), "ff FF 0x1000"),
        (("%s=%i", "n", 2.9), "n=2"),
        (("%f", asc.ConstExpr(1)), "1.000000"),
    ],
)
def test_printf(arguments: tuple[Any, ...], text: str) -> None:
    @asc.jit
    def kernel() -> None:
        asc.printf(*arguments)

    issued, crash = instructions(kernel)
    assert crash is None
    assert [(i.op, i.params["text"]) for i in issued] == [("Printf", text)]


def test_a_time_stamp_says_what_the_counter_says() -> None:
    @asc.jit
    def kernel() -> None:
        asc.print_time_stamp(65577)
        asc.pipe_barrier(asc.PipeID.PIPE_ALL)
        asc.print_time_stamp(65578)

    lines = Device().launch(kernel, 1).stdout.splitlines()
    found = [re.fullmatch(r"descId is (\d+), .*timeStamp is (\d+), .*", line) for line in lines]
    (first, begun), (second, ended) = (one.groups() for one in found if one is not None)
    assert (first, second) == ("65577", "65578")
    assert int(begun) < int(ended)


@pytest.mark.parametrize(
    ("misuse", "kind", "text"),
    [
        (lambda: asc.printf("%d %d", 1), "LabError", "does not fit its 1 arguments"),
        (lambda: asc.set_flag(4, 0), "LabError", "no form of asc.set_flag"),
        (lambda: asc.set_flag(asc.HardEvent.M_MTE1), "NotModelled", "HardEvent.M_MTE1"),
        (lambda: asc.pipe_barrier(1), "LabError", "no form of asc.pipe_barrier"),
        (lambda: asc.DataCopyPadExtParams(False, 0, 0, 0.0), "LabError", "dtype: DataType, is_pad"),
        (lambda: asc.pipe_barrier(asc.PipeID.PIPE_FIX), "LabError", "has no PIPE_FIX"),
        (lambda: asc.sync_all(False), "NotModelled", "is_aiv_only=False"),
        (lambda: asc.set_vector_mask(1, dtype=asc.half), "LabError", "asc.set_vector_mask"),
        (lambda: asc.set_atomic_add("float"), "LabError", "asc.set_atomic_add"),
        (asc.trap, "LabError", "the kernel called trap()"),
        (lambda: asc.static_assert(False, "no"), "AssertionError", "no"),
    ],
)
def test_misuse_is_explained(
    crashed: Callable[..., Crash], misuse: Callable[[], None], kind: str, text: str
) -> None:
    @asc.jit
    def kernel() -> None:
        misuse()

    found = crashed(kernel)
    assert found.kind == kind
    assert text in found.message
