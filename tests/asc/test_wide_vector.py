"""Gathering, sorting, transposing, fused and register forms: each call becomes one instruction."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import ascend_lab.asc as asc
from ascend_lab import chips
from ascend_lab.engine.instruction import Crash
from tests.asc.driving import instructions, line
from tests.asc.test_vector import A, B, C, Record, calls, issued

Call = Callable[..., None]
HALVES = [f"UB+{512 * k}:float16[256]" for k in range(3)]
STRIDES = "blk=(1,) rep=(8,)"


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda a, b, c: asc.gather(a, b, c, 4, 100), f"Gather {A} <- {B}, {C} count=100 base=4"),
        (
            lambda a, b, c: asc.gather(a, b, c, 0, mask=[3, 4], repeat_times=2, dst_rep_stride=9),
            f"Gather {A} <- {B}, {C} mask=(3, 4) repeat=2 rep=(9,) base=0",
        ),
        (
            lambda a, b, c: asc.scatter(a, b, c, 0, count=9),
            f"Scatter {A} <- {B}, {C} count=9 base=0",
        ),
        (
            lambda a, b, c: asc.scatter(a, b, c, 8, 64, 2, 7),
            f"Scatter {A} <- {B}, {C} mask=64 repeat=2 rep=(8, 7) base=8",
        ),
        (
            lambda a, b, c: asc.gatherb(a, b, c, 3, asc.GatherRepeatParams(2, 16)),
            f"Gatherb {A} <- {B}, {C} times=3 blk=(2,) rep=(16,)",
        ),
        (
            lambda a, b, c: asc.brcb(a, b, 2, asc.BrcbRepeatParams()),
            f"Brcb {A} <- {B} times=2 {STRIDES}",
        ),
        (
            lambda a, b, c: asc.sort32(a, b, c, 4),
            f"Sort32 {A} <- {B}, {C} times=4",
        ),
        (
            lambda a, b, c: asc.create_vec_index(a, 5, 100),
            f"CreateVecIndex {A} count=100 scalar=5.0",
        ),
        (
            lambda a, b, c: asc.create_vec_index(a, 5, 64, 2, 1, 8),
            f"CreateVecIndex {A} mask=64 repeat=2 {STRIDES} scalar=5.0",
        ),
        (lambda a, b, c: asc.get_cmp_mask(a), f"GetCmpMask {A}"),
        (lambda a, b, c: asc.set_cmp_mask(a), f"SetCmpMask <- {A}"),
        (
            lambda a, b, c: asc.compare(a, b, asc.CMPMODE.LT, 64, asc.BinaryRepeatParams()),
            f"Compare <- {A}, {B} mask=64 blk=(1, 1, 1) rep=(8, 8, 8) mode='LT'",
        ),
        (
            lambda a, b, c: asc.select(
                a, b, c, 2, asc.BinaryRepeatParams(), asc.SelMode.VSEL_CMPMASK_SPR
            ),
            f"Select {A} <- {B}, {C} mask=None repeat=2 blk=(1, 1, 1) rep=(8, 8, 8) mode=0 "
            "cmpmask=True",
        ),
        (
            lambda a, b, c: asc.bilinear_interpolation(a, b, c, c, 128, 2, True, 1, 128, 3, a),
            f"BilinearInterpolation {A} <- {B}, {C}, {C}, {A} lanes=128 horizontal=2 vertical=3 "
            "per_block=True dst_blk=1 offset=128 tmp=9728",
        ),
        (lambda a, b, c: asc.transpose(a, b), f"Transpose {A} <- {B} type=''"),
    ],
)
def test_one_instruction(record: Record, call: Call, text: str) -> None:
    assert issued(record, call) == [f"V {text}"]


FUSED = {
    "add_relu": "AddRelu",
    "sub_relu": "SubRelu",
    "mul_add_dst": "MulAddDst",
    "fused_mul_add": "FusedMulAdd",
    "fused_mul_add_relu": "MulAddRelu",
    "add_relu_cast": "AddReluCast",
    "sub_relu_cast": "SubReluCast",
    "mul_cast": "MulCast",
}


@pytest.mark.parametrize(("name", "op"), FUSED.items())
def test_fused(record: Record, name: str, op: str) -> None:
    call = getattr(asc, name)
    strides = asc.BinaryRepeatParams(dst_rep_stride=4)
    assert issued(
        record,
        lambda a, b, c: call(a, b, c, 100),
        lambda a, b, c: call(a, b, c, mask=[1, 0], repeat_times=2, repeat_params=strides),
    ) == [
        f"V {op} {A} <- {B}, {C} count=100",
        f"V {op} {A} <- {B}, {C} mask=(1, 0) repeat=2 blk=(1, 1, 1) rep=(4, 8, 8)",
    ]


@pytest.mark.parametrize(
    ("kind", "sources", "more"),
    [
        (asc.TransposeType.TRANSPOSE_ND2ND_B16, [HALVES[1]], ""),
        (asc.TransposeType.TRANSPOSE_NCHW2NHWC, HALVES[1:], " tmp=2560"),
        (asc.TransposeType.TRANSPOSE_NHWC2NCHW, HALVES[1:], " tmp=3584"),
    ],
)
def test_transpose_with_a_buffer(record: Record, kind: Any, sources: list[str], more: str) -> None:
    how = asc.TransposeParamsExt(1, 3, 4, 5, kind)
    (text,) = issued(record, lambda a, b, c: asc.transpose(a, b, c, how), dtype=asc.float16)
    origin = ", ".join(sources)
    assert text == (
        f"V Transpose {HALVES[0]} <- {origin} type={kind.name!r} shape=(1, 3, 4, 5){more}"
    )


def test_gather_mask_returns_what_it_kept() -> None:
    params = asc.GatherMaskParams(1, 2, 8, 1)

    @asc.jit
    def kernel() -> None:
        a, b, c = (
            asc.LocalTensor(asc.float32, asc.TPosition.VECIN, k * 1024, 256) for k in range(3)
        )
        kept = asc.gather_mask(a, b, c, True, 70, params)
        more = asc.gather_mask(a, b, 3, False, 0, params)
        asc.printf("%d %d %d", kept, more, asc.get_gather_mask_remain_count())

    issued_, crash = instructions(kernel, answers=[7, 8, 9])
    assert crash is None
    lines = [line(instr) for instr in issued_[3:]]
    shape = "times=2 src_blk=1 src_rep=8 pattern_rep=1"
    assert lines == [
        f"V GatherMask {A} <- {B}, {C} pattern=0 counter=True elements=70 total=False {shape}",
        "S GetRsvdCnt",
        f"V GatherMask {A} <- {B} pattern=3 counter=False elements=0 total=False {shape}",
        "S GetRsvdCnt",
        "S GetRsvdCnt",
        "S Printf text='7 8 9'",
    ]


def test_gather_mask_counts_in_all_on_the_inference_series() -> None:
    kernel = calls(lambda a, b, c: asc.gather_mask(a, b, 1, True, 9, asc.GatherMaskParams()))
    issued_, _ = instructions(kernel, chip=chips.load("Ascend310P3"))
    assert issued_[3].params["total"] is True


def test_mrg_sort(record: Record) -> None:
    def both(a: Any, b: Any, c: Any) -> None:
        lists = asc.MrgSortSrcList(asc.float32, b, c)
        asc.mrg_sort(a, lists, asc.MrgSort4Info([32, 16], True, 3, 1))
        asc.mrg_sort(a, lists, [32, 16, 0, 0], [0, 0, 0, 0], 3, 2)

    assert issued(record, both) == [
        f"V MrgSort {A} <- {B}, {C} lengths=(32, 16, 0, 0) valid=3 suspend=True times=1",
        f"V MrgSort {A} <- {B}, {C} lengths=(32, 16, 0, 0) valid=3 suspend=False times=2",
    ]


def test_mrg_sort_result() -> None:
    @asc.jit
    def kernel() -> None:
        first, *_, last = asc.get_mrg_sort_result()
        asc.printf("%d %d", first, last + 65535)

    issued_, crash = instructions(kernel, answers=[(1, 2, 3, 4)])
    assert crash is None
    assert [line(instr) for instr in issued_] == ["S GetMrgSortResult", "S Printf text='1 3'"]


# --- TransDataTo5HD -----------------------------------------------------------------------------------------

ADDRESSES = tuple(32 * k for k in range(16))
SOURCES = tuple(512 + 32 * k for k in range(16))
FIVE = (
    f"V TransDataTo5HD UB+0:float16[{{}}] <- UB+512:float16[{{}}] dst_list={ADDRESSES} "
    f"src_list={SOURCES} times=2 rep=(16, 1) dst_high=False src_high=True"
)


def to_5hd(a: Any, b: Any, form: str) -> None:
    params = asc.TransDataTo5HDParams(False, True, 2, 16, 1)
    lists = [[tensor[16 * k] for k in range(16)] for tensor in (a, b)]
    if form == "addresses":
        lists = [[part.get_phy_addr() for part in parts] for parts in lists]
    asc.trans_data_to_5hd(*lists, params)


@pytest.mark.parametrize(("form", "sizes"), [("tensors", (256, 256)), ("addresses", (-1, -1))])
def test_trans_data_to_5hd(record: Record, form: str, sizes: tuple[int, int]) -> None:
    found = issued(record, lambda a, b, c: to_5hd(a, b, form), dtype=asc.float16)
    assert found == [FIVE.format(*sizes)]


def test_trans_data_to_5hd_reads_its_addresses_from_tensors() -> None:
    @asc.jit
    def kernel() -> None:
        a, b = (asc.LocalTensor(asc.float16, asc.TPosition.VECIN, k * 512, 256) for k in range(2))
        where = [
            asc.LocalTensor(asc.uint64, asc.TPosition.VECIN, 2048 + k * 128, 16) for k in (0, 1)
        ]
        a.get_phy_addr()
        b.get_phy_addr()
        asc.trans_data_to_5hd(*where, asc.TransDataTo5HDParams(False, True, 2, 16, 1))

    issued_, crash = instructions(kernel, answers=[*ADDRESSES, *SOURCES])
    assert crash is None
    assert [instr.op for instr in issued_[4:-1]] == ["GetValue"] * 32
    assert issued_[5].srcs[0].addr == 2048 + 8
    assert line(issued_[-1]) == FIVE.format(-1, -1)


def test_an_address_without_a_type(crashed: Callable[..., Crash]) -> None:
    params = asc.TransDataTo5HDParams()
    crash = crashed(calls(lambda a, b, c: asc.trans_data_to_5hd([0] * 16, [512] * 16, params)))
    assert crash.kind == "NotModelled"
    assert "get_phy_addr" in crash.message


# --- the scale of conversions -----------------------------------------------------------------------------


def test_set_deq_scale_goes_with_the_conversions(record: Record) -> None:
    def program(a: Any, b: Any, c: Any) -> None:
        half = a.reinterpret_cast(asc.float16)
        asc.set_deq_scale(0.1)
        asc.cast(half, b, asc.RoundMode.CAST_NONE, 64)
        asc.add_deq_relu(half, b, c, 64)
        asc.set_deq_scale(0.5, -3, True)
        narrow = a.reinterpret_cast(asc.int16)
        asc.cast_deq(c.reinterpret_cast(asc.int8), narrow, 64, False, False)

    tenth = float(np.float16(0.1))
    h, i16, i8 = "UB+0:float16[512]", "UB+0:int16[512]", "UB+2048:int8[1024]"
    b, c = "UB+1024:int32[256]", "UB+2048:int32[256]"
    deq = f"deq_scale={tenth} offset=0 signed=True"
    assert issued(record, program, dtype=asc.int32) == [
        f"S SetDeqScale scale={tenth} offset=0 signed=True",
        f"V Cast {h} <- {b} count=64 round='CAST_NONE' {deq}",
        f"V AddDeqRelu {h} <- {b}, {c} count=64 {deq}",
        "S SetDeqScale scale=0.5 offset=-3 signed=True",
        f"V CastDequant {i8} <- {i16} count=64 half=False vector=False deq_scale=0.5 offset=-3 "
        "signed=True",
    ]


def test_sixteen_scales_lie_in_memory(record: Record) -> None:
    info = asc.VdeqInfo([1.0] * 16, [-1] + [2] * 15, [True] * 16)

    def program(a: Any, b: Any, c: Any) -> None:
        asc.set_deq_scale(c.reinterpret_cast(asc.uint64), info)
        strides = asc.UnaryRepeatParams()
        narrow = b.reinterpret_cast(asc.int16)
        asc.cast_deq(a.reinterpret_cast(asc.int8), narrow, 128, 1, strides, half_block=False)

    found = issued(record, program)
    words = [int(text.split("value=")[1].split()[0]) for text in found[:16]]
    assert words == [0x3F800000 | 0x1FF << 37 | 1 << 46] + [0x3F800000 | 2 << 37 | 1 << 46] * 15
    assert found[-1] == (
        "V CastDequant UB+0:int8[1024] <- UB+1024:int16[512], UB+2048:uint64[128] mask=128 repeat=1 "
        "blk=(1, 1) rep=(8, 8) half=False vector=True deq_scale=None"
    )


@pytest.mark.parametrize(
    "call",
    [
        lambda a, b, c: asc.gather(a, b, c, 0),
        lambda a, b, c: asc.gatherb(a, b, c, 1, asc.BrcbRepeatParams()),
        lambda a, b, c: asc.brcb(a, b, 1, asc.GatherRepeatParams()),
        lambda a, b, c: asc.gather_mask(a, b, 1, False, 0, 1),
        lambda a, b, c: asc.mrg_sort(a, [b, c], asc.MrgSort4Info([1, 1])),
        lambda a, b, c: asc.mrg_sort(a, asc.MrgSortSrcList(asc.float32, b, c), [1]),
        asc.transpose,
        lambda a, b, c: asc.trans_data_to_5hd([a] * 15, [b] * 16, asc.TransDataTo5HDParams()),
        lambda a, b, c: asc.trans_data_to_5hd([a] * 16, [b] * 16, 1),
        lambda a, b, c: asc.set_deq_scale(1.0, 2),
        lambda a, b, c: asc.set_deq_scale(c, 2),
        lambda a, b, c: asc.VdeqInfo([1.0], [1], [True]),
        lambda a, b, c: asc.compare(a, b, asc.CMPMODE.LT, 64),
    ],
)
def test_misuse_names_the_forms(crashed: Callable[..., Crash], call: Call) -> None:
    crash = crashed(calls(call))
    assert crash.kind == "LabError"
    assert "takes these arguments" in crash.message or "must be" in crash.message


def test_select_without_mode_is_not_modelled(crashed: Callable[..., Crash]) -> None:
    strides = asc.BinaryRepeatParams()
    assert crashed(calls(lambda a, b, c: asc.select(a, b, c, 1, strides))).kind == "NotModelled"
