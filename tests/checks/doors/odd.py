"""Kernels that look wrong and are right: nothing is to be said of them. Their twins are in odd.asc."""

from __future__ import annotations

import ascend_lab.asc as asc
from tests.checks.doors.shorthand import after, bound, local


@asc.jit
def in_place(x: asc.GlobalAddress, z: asc.GlobalAddress):
    x_gm, z_gm = bound(x, z)
    part = local(x.dtype, 0, 128)
    asc.data_copy(part, x_gm, 128)
    after(asc.HardEvent.MTE2_V)
    asc.add(part, part, part, 128)
    asc.sub(part, part[64:], part, 64)
    asc.exp(part, part, 64)
    after(asc.HardEvent.V_MTE3)
    asc.data_copy(z_gm, part, 128)


@asc.jit
def over_again(x: asc.GlobalAddress, z: asc.GlobalAddress):
    x_gm, z_gm = bound(x, z)
    part = local(x.dtype, 0, 64)
    asc.data_copy(part, x_gm, 64)
    after(asc.HardEvent.MTE2_MTE3)
    asc.data_copy(z_gm, part, 64)
    asc.pipe_barrier(asc.PipeID.PIPE_MTE3)
    asc.data_copy(z_gm[32:], part, 64)


@asc.jit
def single(x: asc.GlobalAddress, z: asc.GlobalAddress):
    x_gm, z_gm = bound(x, z)
    part = local(x.dtype, 0, 8)
    move = asc.DataCopyExtParams(1, 4, 0, 0, 0)
    pad = asc.DataCopyPadExtParams(x.dtype, False, 0, 0, 0)
    for row in range(5):
        asc.data_copy_pad(part, x_gm[row:], move, pad)
        after(asc.HardEvent.MTE2_V)
        asc.adds(part, part, 1.0, 1)
        after(asc.HardEvent.V_MTE3)
        asc.data_copy_pad(z_gm[row:], part, move)
        after(asc.HardEvent.MTE3_MTE2)


@asc.jit
def nothing_left(x: asc.GlobalAddress, z: asc.GlobalAddress, length: int):
    x_gm, z_gm = bound(x, z)
    part = local(x.dtype, 0, 64)
    mine = (length + 8 - 1) // 8
    first = mine * asc.get_block_idx()
    count = max(0, min(mine, length - first))
    move = asc.DataCopyExtParams(1, count * 4, 0, 0, 0)
    pad = asc.DataCopyPadExtParams(x.dtype, False, 0, 0, 0)
    asc.data_copy_pad(part, x_gm[min(first, length - 1) :], move, pad)
    after(asc.HardEvent.MTE2_V)
    asc.adds(part, part, 1.0, count)
    after(asc.HardEvent.V_MTE3)
    asc.data_copy_pad(z_gm[min(first, length - 1) :], part, move)


@asc.jit
def neighbours(x: asc.GlobalAddress, z: asc.GlobalAddress, w: asc.GlobalAddress):
    x_gm, z_gm, w_gm = bound(x, z, w)
    part = local(x.dtype, 0, 64)
    me = asc.get_block_idx()
    asc.data_copy(part, x_gm[me * 64 :], 64)
    after(asc.HardEvent.MTE2_MTE3)
    asc.data_copy(w_gm[me * 64 :], part, 64)
    asc.sync_all()
    for _ in range(2):
        asc.data_copy(part, w_gm[(me + 1) % asc.get_block_num() * 64 :], 64)
        after(asc.HardEvent.MTE2_MTE3)
        asc.data_copy(z_gm[me * 64 :], part, 64)
        asc.pipe_barrier(asc.PipeID.PIPE_ALL)


@asc.jit
def all_add(x: asc.GlobalAddress, z: asc.GlobalAddress):
    x_gm, z_gm = bound(x, z)
    part = local(x.dtype, 0, 64)
    asc.data_copy(part, x_gm[asc.get_block_idx() * 64 :], 64)
    after(asc.HardEvent.MTE2_MTE3)
    asc.set_atomic_add(x.dtype)
    asc.data_copy(z_gm, part, 64)
    asc.set_atomic_none()


@asc.jit
def to_and_fro(x: asc.GlobalAddress, z: asc.GlobalAddress, w: asc.GlobalAddress):
    x_gm, z_gm, w_gm = bound(x, z, w)
    part = local(x.dtype, 0, 64)
    me = asc.get_block_idx()
    asc.data_copy(part, x_gm[me * 64 :], 64)
    for turn in range(4):
        after(asc.HardEvent.MTE2_V)
        asc.adds(part, part, 1.0, 64)
        after(asc.HardEvent.V_MTE3)
        half = turn % 2 * 256
        asc.data_copy(w_gm[half + me * 64 :], part, 64)
        asc.sync_all()
        asc.data_copy(part, w_gm[half + (me + 1) % 4 * 64 :], 64)
    after(asc.HardEvent.MTE2_MTE3)
    asc.data_copy(z_gm[me * 64 :], part, 64)


@asc.jit
def painted_over(x: asc.GlobalAddress, z: asc.GlobalAddress):
    x_gm, z_gm = bound(x, z)
    part = local(x.dtype, 0, 256)
    me = asc.get_block_idx()
    if me == 0:
        asc.duplicate(part, -1.0, 256)
        after(asc.HardEvent.V_MTE3)
        asc.data_copy(z_gm, part, 256)
    asc.sync_all()
    if me > 0:
        asc.data_copy(part, x_gm[me * 64 :], 32)
        after(asc.HardEvent.MTE2_MTE3)
        asc.data_copy(z_gm[me * 64 :], part, 32)


@asc.jit
def one_buffer(x: asc.GlobalAddress, z: asc.GlobalAddress):
    x_gm, z_gm = bound(x, z)
    pipe = asc.TPipe()
    work = asc.TBuf(asc.TPosition.VECCALC)
    pipe.init_buffer(work, 512)
    numbers = work.get(x.dtype, 64)
    bits = work.get(asc.int32, 64)
    asc.data_copy(numbers, x_gm, 64)
    after(asc.HardEvent.MTE2_MTE3)
    asc.data_copy(z_gm, numbers, 64)
    after(asc.HardEvent.MTE3_V)
    asc.duplicate(bits, 0, 64)
    asc.duplicate(numbers, 2.0, 64)
    after(asc.HardEvent.V_MTE3)
    asc.data_copy(z_gm[64:], numbers, 64)


@asc.jit
def infinite(x: asc.GlobalAddress, z: asc.GlobalAddress):
    x_gm, z_gm = bound(x, z)
    part = local(x.dtype, 0, 64)
    work = local(x.dtype, 1024, 64)
    result = local(x.dtype, 2048, 8)
    asc.data_copy(part, x_gm, 64)
    after(asc.HardEvent.MTE2_V)
    asc.reduce_max(result, part, work, 64)
    after(asc.HardEvent.V_S)
    asc.adds(part, part, -result.get_value(0), 64)
    asc.exp(part, part, 64)
    asc.reduce_sum(result, part, work, 64)
    after(asc.HardEvent.V_S)
    asc.muls(part, part, 1.0 / result.get_value(0), 64)
    after(asc.HardEvent.V_MTE3)
    asc.data_copy(z_gm, part, 64)


@asc.jit
def passed_on(x: asc.GlobalAddress, z: asc.GlobalAddress):
    x_gm, z_gm = bound(x, z)
    part = local(x.dtype, 0, 64)
    asc.data_copy(part, x_gm, 64)
    after(asc.HardEvent.MTE2_V)
    asc.muls(part, part, 0.0, 64)
    asc.ln(part, part, 64)
    after(asc.HardEvent.V_MTE3)
    asc.data_copy(z_gm, part, 64)


@asc.jit
def updated(z: asc.GlobalAddress):
    (z_gm,) = bound(z)
    part = local(z.dtype, 0, 64)
    for tile in range(2):
        asc.data_copy(part, z_gm[tile * 64 :], 64)
        after(asc.HardEvent.MTE2_V)
        asc.adds(part, part, 1.0, 64)
        after(asc.HardEvent.V_MTE3)
        asc.data_copy(z_gm[tile * 64 :], part, 64)
        after(asc.HardEvent.MTE3_MTE2)


@asc.jit
def odd_places(x: asc.GlobalAddress, z: asc.GlobalAddress):
    x_gm, z_gm = bound(x, z)
    part = local(x.dtype, 0, 64)
    move = asc.DataCopyExtParams(1, 4, 0, 0, 0)
    pad = asc.DataCopyPadExtParams(x.dtype, False, 0, 0, 0)
    me = asc.get_block_idx()
    for place in range(me, 13, asc.get_block_num()):
        asc.data_copy_pad(part, x_gm[12 - place :], move, pad)
        after(asc.HardEvent.MTE2_MTE3)
        asc.data_copy_pad(z_gm[place:], part, move)
        after(asc.HardEvent.MTE3_MTE2)


@asc.jit
def first_four(x: asc.GlobalAddress, z: asc.GlobalAddress):
    x_gm, z_gm = bound(x, z)
    part = local(x.dtype, 0, 512)
    sums = local(x.dtype, 4096, 64)
    asc.data_copy(part, x_gm, 256)
    asc.duplicate(part[256:], 0.0, 256)
    after(asc.HardEvent.MTE2_V)
    asc.whole_reduce_sum(sums, part, 64, 8, 1, 1, 8)
    after(asc.HardEvent.V_MTE3)
    asc.data_copy_pad(z_gm, sums, asc.DataCopyExtParams(1, 16, 0, 0, 0))


@asc.jit
def two_flags(x: asc.GlobalAddress, z: asc.GlobalAddress):
    x_gm, z_gm = bound(x, z)
    parts = [local(x.dtype, 0, 64), local(x.dtype, 1024, 64)]
    asc.set_flag(asc.HardEvent.MTE3_MTE2, 0)
    asc.set_flag(asc.HardEvent.MTE3_MTE2, 1)
    for tile in range(6):
        turn = tile % 2
        asc.wait_flag(asc.HardEvent.MTE3_MTE2, turn)
        asc.data_copy(parts[turn], x_gm[tile * 64 :], 64)
        asc.set_flag(asc.HardEvent.MTE2_MTE3, turn)
        asc.wait_flag(asc.HardEvent.MTE2_MTE3, turn)
        asc.data_copy(z_gm[tile * 64 :], parts[turn], 64)
        asc.set_flag(asc.HardEvent.MTE3_MTE2, turn)
    asc.wait_flag(asc.HardEvent.MTE3_MTE2, 0)
    asc.wait_flag(asc.HardEvent.MTE3_MTE2, 1)


@asc.jit
def by_hand(x: asc.GlobalAddress, z: asc.GlobalAddress):
    x_gm, z_gm = bound(x, z)
    part = local(x.dtype, 0, 64)
    asc.data_copy(part, x_gm, 64)
    after(asc.HardEvent.MTE2_S)
    for k in range(32):
        first = part.get_value(k)
        part.set_value(k, part.get_value(63 - k))
        part.set_value(63 - k, first)
    after(asc.HardEvent.S_MTE3)
    asc.data_copy(z_gm, part, 64)


@asc.jit
def logarithm(x: asc.GlobalAddress, z: asc.GlobalAddress):
    x_gm, z_gm = bound(x, z)
    part = local(x.dtype, 0, 64)
    asc.data_copy(part, x_gm, 64)
    after(asc.HardEvent.MTE2_V)
    asc.ln(part, part, 64)
    asc.maxs(part, part, -50.0, 64)
    after(asc.HardEvent.V_MTE3)
    asc.data_copy(z_gm, part, 64)
