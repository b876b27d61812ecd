"""Transfers and tensors: which pipe, which addresses, which params."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import ascend_lab.asc as asc
from ascend_lab.engine.instruction import Crash
from tests.asc.driving import GM, array, instructions

Record = Callable[..., list[str]]


def test_the_direction_is_the_pipe(record: Record) -> None:
    @asc.jit
    def kernel(x: asc.GlobalAddress, n: int) -> None:
        gm = asc.GlobalTensor()
        gm.set_global_buffer(x + 16)
        ub = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, 64, 128)
        asc.data_copy(ub, gm, n)
        asc.data_copy(ub[8:], gm[n:], count=n)
        asc.data_copy(dst=gm[8], src=ub, count=n)
        asc.data_copy(ub[64:], ub, n)

    assert record(kernel, [array(dtype="float16"), 32]) == [
        f"S BindGlobal GM+{GM + 32}:float16[-1] name='x'",
        "S Static UB+64:float16[128] name='ub'",
        f"MTE2 DataCopy UB+64:float16[128] <- GM+{GM + 32}:float16[-1] count=32",
        f"MTE2 DataCopy UB+80:float16[120] <- GM+{GM + 32 + 64}:float16[-1] count=32",
        f"MTE3 DataCopy GM+{GM + 32 + 16}:float16[-1] <- UB+64:float16[128] count=32",
        "V DataCopy UB+192:float16[64] <- UB+64:float16[128] count=32",
    ]


def test_blocks(record: Record) -> None:
    @asc.jit
    def kernel(x: asc.GlobalAddress) -> None:
        gm = asc.GlobalTensor()
        gm.set_global_buffer(x, 100)
        ub = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, 0, 64)
        params = asc.DataCopyParams(4, 2, src_stride=3, dst_stride=1)
        asc.data_copy(ub, gm, params)
        asc.data_copy(gm[8:], ub, repeat_params=asc.DataCopyParams(block_len=8))

    blocks = "block_count=4 block_len=2 src_gap=3 dst_gap=1"
    assert record(kernel, [array()])[2:] == [
        f"MTE2 DataCopy UB+0:float32[64] <- GM+{GM}:float32[100] {blocks}",
        f"MTE3 DataCopy GM+{GM + 32}:float32[92] <- UB+0:float32[64]"
        " block_count=1 block_len=8 src_gap=0 dst_gap=0",
    ]


def test_padded_blocks(record: Record) -> None:
    @asc.jit
    def kernel(x: asc.GlobalAddress) -> None:
        gm = asc.GlobalTensor()
        gm.set_global_buffer(x)
        ub = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, 0, 64)
        blocks = asc.DataCopyExtParams(2, 20, 4, 0, 0)
        asc.data_copy_pad(ub, gm, blocks, asc.DataCopyPadExtParams(x.dtype, True, 1, 2, 0.5))
        asc.data_copy_pad(gm, ub, data_copy_params=blocks)
        old = asc.DataCopyParams(2, 20, 4, 0)
        asc.data_copy_pad(ub, gm, old, asc.DataCopyPadParams(True, 0, 3, 0x3F800000))
        asc.data_copy_pad(gm, ub, old)
        asc.set_pad_value(1.5)

    ub, gm, blocks = (
        "UB+0:float32[64]",
        f"GM+{GM}:float32[-1]",
        ("block_count=2 block_len=20 src_stride=4 dst_stride=0"),
    )
    assert record(kernel, [array()])[2:] == [
        f"MTE2 DataCopyPad {ub} <- {gm} {blocks} is_pad=True left=1 right=2 pad_value=0.5",
        f"MTE3 DataCopyPad {gm} <- {ub} {blocks}",
        f"MTE2 DataCopyPad {ub} <- {gm} {blocks} is_pad=True left=0 right=3 pad_value=1.0",
        f"MTE3 DataCopyPad {gm} <- {ub} {blocks}",
        "S SetPadValue value=1.5 pos='MAX'",
    ]


def test_masked_copy(record: Record) -> None:
    @asc.jit
    def kernel() -> None:
        a = asc.LocalTensor(asc.half, asc.TPosition.VECIN, 0, 512)
        asc.copy(a, a[256:], 64, 4, asc.CopyRepeatParams(1, 1, 8, 8))
        asc.copy(a, a, mask=[1, 2], repeat_time=1, repeat_params=asc.CopyRepeatParams())

    a = "UB+0:float16[512]"
    assert record(kernel)[1:] == [
        f"V Copy {a} <- UB+512:float16[256] mask=64 repeat=4 blk=(1, 1) rep=(8, 8)",
        f"V Copy {a} <- {a} mask=(1, 2) repeat=1 blk=(0, 0) rep=(0, 0)",
    ]


def test_scalars_of_tensors(record: Record) -> None:
    @asc.jit
    def kernel(x: asc.GlobalAddress) -> None:
        gm = asc.GlobalTensor()
        gm.set_global_buffer(x, 100)
        ub = asc.LocalTensor(asc.float32, asc.TPosition.VECIN, 32, 8)
        n = gm.get_value(5)
        ub.set_value(n % 8, 2)
        ub[4:].set_value(9, 1.5)
        gm.set_value(0, n / 2)
        ub.get_value(7)

    assert record(kernel, [array(dtype="int32")], answers=[-7, 0.5])[2:] == [
        f"S GetValue <- GM+{GM + 20}:int32[95] index=5 size=100",
        "S SetValue UB+4:float32[15] value=2.0 index=-7 size=8",
        "S SetValue UB+84:float32[0] value=1.5 index=9 size=4",
        f"S SetValue GM+{GM}:int32[100] value=-3 index=0 size=100",
        "S GetValue <- UB+60:float32[1] index=7 size=8",
    ]


def test_other_views_of_a_tensor(record: Record) -> None:
    seen = []

    @asc.jit
    def kernel(x: asc.GlobalAddress) -> None:
        gm = asc.GlobalTensor()
        gm.set_global_buffer(x, 100)
        ub = asc.LocalTensor(asc.float32, asc.TPosition.VECOUT, 64, 32)
        bytes_ = ub.reinterpret_cast(asc.uint8)
        seen.append((bytes_.ref[:4], bytes_.get_size(), bytes_.get_length()))
        ub.set_size(8)
        seen.append((ub.get_size(), ub.get_length(), ub.get_phy_addr(2)))
        ub.set_buffer_len(64)
        seen.append((ub.get_size(), ub.get_position() == asc.TPosition.VECOUT))
        bytes_.set_addr_with_offset(ub, 4)
        seen.append((bytes_.ref[:4],))
        seen.append((gm.get_size(), gm[90:].get_size(), gm.get_phy_addr(3).addr - GM))
        ub.set_user_tag(13)
        shape = asc.ShapeInfo(asc.array(asc.int32, (4, 8)))
        ub.set_shape_info(shape)
        seen.append((ub[8:].get_user_tag(), ub.get_shape_info().shape(1)))
        seen.append((asc.get_shape_size(shape), shape.original_shape(0)))

    record(kernel, [array()])
    assert seen == [
        (("UB", 64, "uint8", 128), 128, 128),
        (8, 32, 72),
        (16, True),
        (("UB", 80, "uint8", 64),),
        (100, 10, 12),
        (13, 8),
        (32, 4),
    ]


def test_memory_laid_out_by_hand(record: Record) -> None:
    @asc.jit
    def kernel() -> None:
        allocator = asc.LocalMemAllocator(asc.Hardware.UB)
        first = allocator.alloc(asc.TPosition.VECIN, asc.half, 10)
        second = allocator.alloc(asc.TPosition.VECOUT, asc.float32, tile_size=asc.ConstExpr(4))
        assert (first.get_size(), second.get_size(), allocator.get_cur_addr()) == (10, 4, 36)

    assert record(kernel) == [
        "S Static UB+0:float16[10] name='first'",
        "S Static UB+20:float32[4] name='second'",
    ]


def test_tensors_placed_by_the_compiler_keep_their_address(record: Record) -> None:
    @asc.jit
    def kernel() -> None:
        for _ in range(2):
            a = asc.LocalTensorAuto(asc.half, (3, 5))
            b = asc.LocalTensorAuto(asc.half, 16)
            asc.add(b, a, a, 15)

    once = [
        "S Static UB+0:float16[15] name='a'",
        "S Static UB+32:float16[16] name='b'",
        "V Add UB+32:float16[16] <- UB+0:float16[15], UB+0:float16[15] count=15",
    ]
    assert record(kernel) == once * 2
    assert kernel.insert_sync


@pytest.mark.parametrize(
    ("subscript", "text"),
    [
        (lambda t: t[0:8], "LocalTensor[0:8]: a subscript gives a start only"),
        (lambda t: t[::2], "LocalTensor[::2]: a subscript gives a start only"),
        (lambda t: t[:], "LocalTensor[:]: a subscript gives a start only"),
        (lambda t: t[1.0], "subscript is 1.0 (float), it must be an integer"),
        (lambda t: t["x"], "subscript is 'x' (str), it must be an integer"),
    ],
)
def test_subscripts_that_name_no_address(
    crashed: Callable[..., Crash], subscript: Callable[..., object], text: str
) -> None:
    @asc.jit
    def kernel() -> None:
        subscript(asc.LocalTensor(asc.half, asc.TPosition.VECIN, 0, 16))

    assert text in crashed(kernel).message


def test_paths_that_are_not_there(crashed: Callable[..., Crash]) -> None:
    @asc.jit
    def between_gm(x: asc.GlobalAddress) -> None:
        gm = asc.GlobalTensor()
        gm.set_global_buffer(x)
        asc.data_copy(gm, gm, 8)

    @asc.jit
    def to_l1(x: asc.GlobalAddress) -> None:
        gm = asc.GlobalTensor()
        gm.set_global_buffer(x)
        asc.data_copy(asc.LocalTensor(x.dtype, asc.TPosition.A1, 0, 64), gm, 8)

    @asc.jit
    def slices(x: asc.GlobalAddress) -> None:
        gm = asc.GlobalTensor()
        gm.set_global_buffer(x)
        asc.data_copy(asc.LocalTensor(x.dtype, asc.TPosition.VECIN, 0, 64), gm, [], [], 1)

    assert "there is no path from GM to GM" in crashed(between_gm, [array()]).message
    assert crashed(to_l1, [array()]).message.startswith("GM -> L1 of asc.data_copy is not modelled")
    assert crashed(slices, [array()]).kind == "NotModelled"


def test_what_a_debugger_shows() -> None:
    seen = []

    @asc.jit
    def kernel(x: asc.GlobalAddress) -> None:
        gm = asc.GlobalTensor()
        seen.append(repr(gm))
        gm.set_global_buffer(x)
        seen.append(repr(gm[4:]))
        pipe = asc.TPipe()
        que = asc.TQue(asc.TPosition.VECIN, 1)
        pipe.init_buffer(que, 1, 64)
        seen.append(repr(que))
        seen.append(repr(que.alloc_tensor(asc.half)[8:]))

    instructions(kernel, [array()])
    assert seen == [
        "GlobalTensor(no memory yet)",
        f"GlobalTensor(float32, GM + {GM + 16} B, length not declared)",
        "TQue('que', VECIN, 1 buffers)",
        "LocalTensor(float16, UB VECIN + 16 B, 24 elements)",
    ]
