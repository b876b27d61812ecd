"""Waits between blocks, printing, caches, scalar helpers, pools and the stack."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import ascend_lab.asc as asc
from ascend_lab import chips
from ascend_lab.engine.instruction import Crash, Pipe
from tests.asc.driving import array, instructions, line
from tests.asc.test_vector import Record

Call = Callable[..., None]


def kernel_of(call: Callable[[Any, Any], Any]) -> Any:
    """``call(gm, ub)`` on an int32 workspace in GM and one in UB."""

    @asc.jit
    def kernel(x: asc.GlobalAddress) -> None:
        gm = asc.GlobalTensor()
        gm.set_global_buffer(x, 64)
        call(gm, asc.LocalTensor(asc.int32, asc.TPosition.VECCALC, 0, 64))

    return kernel


X = [array(dtype="int32")]
GM = "GM+4096:int32[64]"
UB = "UB+0:int32[64]"


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda gm, ub: asc.ib_set(gm, ub, 1, 2), f"S IBSet <- {GM}, {UB} idx=1 event=2"),
        (lambda gm, ub: asc.ib_wait(gm, ub, 1, 2, True), f"S IBWait <- {GM}, {UB} idx=1 event=2"),
        (asc.notify_next_block, f"S NotifyNextBlock <- {GM}, {UB}"),
        (asc.wait_pre_block, f"S WaitPreBlock <- {GM}, {UB}"),
        (
            asc.init_determine_compute_workspace,
            f"S InitDetermineComputeWorkspace <- {GM}, {UB}",
        ),
        (
            lambda gm, ub: asc.cross_core_set_flag(19, 0, asc.PipeID.PIPE_MTE3),
            "MTE3 CrossCoreSetFlag id=3",
        ),
        (lambda gm, ub: asc.cross_core_wait_flag(3), "S CrossCoreWaitFlag id=3"),
        (
            lambda gm, ub: asc.dump_tensor(ub, 7, 20),
            f"S DumpTensor <- {UB} desc=7 count=20 shape=()",
        ),
        (
            lambda gm, ub: asc.dump_tensor(gm, 7, 20, asc.ShapeInfo((4, 5))),
            f"S DumpTensor <- {GM} desc=7 count=20 shape=(4, 5)",
        ),
        (
            lambda gm, ub: asc.dump_acc_chk_point(ub, 7, 8, 20),
            "S DumpTensor <- UB+32:int32[56] desc=7 count=20 shape=()",
        ),
        (
            lambda gm, ub: asc.data_cache_clean_and_invalid(asc.CacheLine.ENTIRE_DATA_CACHE, gm),
            f"S DataCacheCleanAndInvalid <- {GM} lines='ENTIRE_DATA_CACHE' to=''",
        ),
        (
            lambda gm, ub: asc.data_cache_clean_and_invalid(
                asc.CacheLine.SINGLE_CACHE_LINE, asc.DcciDst.CACHELINE_OUT, dst=gm
            ),
            f"S DataCacheCleanAndInvalid <- {GM} lines='SINGLE_CACHE_LINE' to='CACHELINE_OUT'",
        ),
        (lambda gm, ub: asc.data_cache_preload(gm, 64), f"S DataCachePreload <- {GM} offset=64"),
        (lambda gm, ub: asc.icache_preload(2), "S ICachePreLoad length=2"),
        (lambda gm, ub: asc.metrics_prof_start(), "S MetricsProfStart"),
        (lambda gm, ub: asc.metrics_prof_stop(), "S MetricsProfStop"),
        (
            lambda gm, ub: asc.set_aipp_functions(
                gm, asc.AippInputFormat.RGB888_U8, asc.AippParams(asc.int8)
            ),
            f"S SetAippFunctions <- {GM} format='RGB888_U8'",
        ),
    ],
)
def test_one_instruction(record: Record, call: Call, text: str) -> None:
    assert record(kernel_of(call), X)[2:] == [text]


@pytest.mark.parametrize(
    ("call", "kind"),
    [
        (lambda gm, ub: asc.ib_set(ub, ub, 0, 0), "LabError"),
        (lambda gm, ub: asc.ib_set(gm, gm, 0, 0), "LabError"),
        (lambda gm, ub: asc.ib_wait(asc.GlobalTensor(), ub, 0, 0), "LabError"),
        (lambda gm, ub: asc.ib_set(gm, ub, 0, 0, False), "NotModelled"),
        (lambda gm, ub: asc.cross_core_set_flag(0, 2, asc.PipeID.PIPE_V), "NotModelled"),
        (lambda gm, ub: asc.cross_core_set_flag(0, 0, asc.PipeID.PIPE_S), "NotModelled"),
        (lambda gm, ub: asc.cross_core_wait_flag(0, 1, asc.PipeID.PIPE_S), "NotModelled"),
        (lambda gm, ub: asc.dump_tensor(1, 2, 3), "LabError"),
        (lambda gm, ub: asc.dump_tensor(asc.GlobalTensor(), 2, 3), "LabError"),
        (lambda gm, ub: asc.data_cache_clean_and_invalid(1, gm), "LabError"),
        (lambda gm, ub: asc.data_cache_preload(ub, 0), "LabError"),
        (lambda gm, ub: asc.set_aipp_functions(gm, asc.AippParams(asc.int8)), "LabError"),
        (lambda gm, ub: asc.scalar_get_sff_value(1, 2), "LabError"),
        (lambda gm, ub: asc.scalar_cast(1.0, asc.int8, asc.RoundMode.CAST_RINT), "NotModelled"),
        (lambda gm, ub: asc.pop_stack_buffer(asc.half, asc.TPosition.A1), "NotModelled"),
        (lambda gm, ub: asc.pop_stack_buffer(asc.half), "LabError"),
    ],
)
def test_misuse(crashed: Callable[..., Crash], call: Call, kind: str) -> None:
    assert crashed(kernel_of(call), X).kind == kind


# --- scalars ------------------------------------------------------------------------------------------------


def value(call: Callable[[], Any]) -> Any:
    """What ``call`` returns inside a kernel."""
    got: list[Any] = []
    _, crash = instructions(kernel_of(lambda gm, ub: got.append(call())), X)
    assert crash is None
    return got[0]


@pytest.mark.parametrize(
    ("call", "result"),
    [
        (lambda: asc.scalar_count_leading_zero(0xFFFF), 48),
        (lambda: asc.scalar_count_leading_zero(0), 64),
        (lambda: asc.scalar_count_leading_zero(-1), 0),
        (lambda: asc.scalar_get_count_of_value(0xFFFF, 1), 16),
        (lambda: asc.scalar_get_count_of_value(0xFFFF, 0), 48),
        (lambda: asc.scalar_get_sff_value(0xFF00, 0), 0),
        (lambda: asc.scalar_get_sff_value(0xFF00, 1), 8),
        (lambda: asc.scalar_get_sff_value(-1, 0), -1),
        (lambda: asc.scalar_get_sff_value(0, 1), -1),
        (lambda: asc.count_bits_cnt_same_as_sign_bit(0), -1),
        (lambda: asc.count_bits_cnt_same_as_sign_bit(-1), -1),
        (lambda: asc.count_bits_cnt_same_as_sign_bit(0x7FFFFFFFFFFFFFFF), 0),
        (lambda: asc.count_bits_cnt_same_as_sign_bit(1 << 63), 0),
        (lambda: asc.count_bits_cnt_same_as_sign_bit(1), 62),
        (lambda: asc.count_bits_cnt_same_as_sign_bit(0x00F0000000000000), 7),
        (lambda: asc.scalar_cast(2.5, asc.int32, asc.RoundMode.CAST_ROUND), 3),
        (lambda: asc.scalar_cast(2.5, asc.int32, asc.RoundMode.CAST_RINT), 2),
        (lambda: asc.scalar_cast(2.5, asc.int32, asc.RoundMode.CAST_CEIL), 3),
        (lambda: asc.scalar_cast(-2.5, asc.int32, asc.RoundMode.CAST_FLOOR), -3),
        (lambda: asc.scalar_cast(3.14159, asc.half, asc.RoundMode.CAST_ODD), 3.142578125),
        (asc.get_icache_preload_status, 0),
    ],
)
def test_scalar_helpers_give_what_their_pages_say(call: Callable[[], Any], result: float) -> None:
    assert value(call) == result


# --- pools and the stack -----------------------------------------------------------------------------------


def test_pools_share_memory(record: Record) -> None:
    @asc.jit
    def kernel() -> None:
        pipe = asc.TPipe()
        whole, first, second = (asc.TBufPool(asc.TPosition.VECCALC) for _ in range(3))
        before = asc.TBuf(asc.TPosition.VECCALC)
        pipe.init_buffer(before, 64)
        pipe.init_buf_pool(whole, 1000)
        whole.init_buf_pool(first, 512)
        kept = asc.TQue(asc.TPosition.VECIN, 1)
        whole.init_buffer(kept, 1, 256)
        whole.init_buf_pool(second, 512, first)
        one, other = asc.TQue(asc.TPosition.VECIN, 1), asc.TBuf(asc.TPosition.VECCALC)
        first.init_buffer(que=one, num=2, len=200)
        first.reset()
        second.init_buffer(buf=other, num=100)
        first.init_buffer(one, 1, 32)
        after = asc.TBuf(asc.TPosition.VECCALC)
        pipe.init_buffer(after, 32)

    placed = [text.split() for text in record(kernel) if "InitBuffer" in text]
    fields = [dict(word.split("=") for word in words[2:]) for words in placed]
    assert [(f["addr"], f["num"], f["len"]) for f in fields] == [
        ("0", "1", "64"),
        ("576", "1", "256"),
        ("64", "2", "224"),
        ("64", "1", "128"),
        ("64", "1", "32"),
        ("1088", "1", "32"),
    ]


def test_reset_ends_what_the_queues_of_a_pool_have_under_way() -> None:
    @asc.jit
    def kernel() -> None:
        pipe = asc.TPipe()
        pool = asc.TBufPool(asc.TPosition.VECIN, 4)
        pipe.init_buf_pool(pool, buf_pool_len)
        queue = asc.TQue(asc.TPosition.VECIN, 1)
        pool.init_buffer(queue, 1, 256)
        queue.free_tensor(queue.alloc_tensor(asc.half))
        pool.reset()

    buf_pool_len = 1024
    issued, crash = instructions(kernel)
    assert crash is None
    ops = [instr.op for instr in issued]
    assert ops.count("SetFlag") == ops.count("WaitFlag") == 1
    assert ops.index("WaitFlag") < ops.index("TBufPoolReset")
    assert Pipe(issued[ops.index("WaitFlag")].pipe) == Pipe.MTE2


@pytest.mark.parametrize(
    "call",
    [
        lambda pipe, pool: pool.init_buffer(asc.TBuf(asc.TPosition.VECCALC), 32),
        lambda pipe, pool: pool.reset(),
        lambda pipe, pool: pool.init_buf_pool(asc.TBufPool(asc.TPosition.VECCALC), 32),
        lambda pipe, pool: pipe.init_buf_pool(pool, 1 << 20),
        lambda pipe, pool: pipe.init_buf_pool(asc.TBuf(asc.TPosition.VECCALC), 32),
        lambda pipe, pool: (
            pipe.init_buf_pool(pool, 32),
            pool.init_buffer(asc.TBuf(asc.TPosition.VECCALC), 64),
        ),
        lambda pipe, pool: (
            pipe.init_buf_pool(pool, 32),
            pipe.init_buf_pool(asc.TBufPool(asc.TPosition.VECCALC), 64, pool),
        ),
    ],
)
def test_a_pool_says_what_is_wrong(crashed: Callable[..., Crash], call: Call) -> None:
    @asc.jit
    def kernel() -> None:
        call(asc.TPipe(), asc.TBufPool(asc.TPosition.VECCALC))

    assert crashed(kernel).kind == "LabError"


def test_the_stack_is_what_is_left() -> None:
    got: list[Any] = []

    @asc.jit
    def kernel() -> None:
        pipe = asc.TPipe()
        buffer = asc.TBuf(asc.TPosition.VECCALC)
        pipe.init_buffer(buffer, 1000)
        got.append(asc.pop_stack_buffer(asc.half))

    issued, crash = instructions(kernel)
    assert crash is None
    assert got[0].ref.addr == 1024
    assert got[0].ref.size == (chips.load("Ascend910B1").memory.ub_usable_bytes - 1024) // 2
    assert [line(instr).split()[1] for instr in issued][:2] == ["TPipe", "InitBuffer"]
