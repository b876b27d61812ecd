"""Causes of public reports as small kernels, each with its repair (``mended``). Their twins are in reported.asc.

Where each was reported, and what of, stands in reports.py.
"""

from __future__ import annotations

import ascend_lab.asc as asc
from tests.checks.doors.shorthand import after, bound, local


@asc.jit
def p01(x: asc.GlobalAddress, z: asc.GlobalAddress, mended: int):
    x_gm, z_gm = bound(x, z)
    part = local(x.dtype, 0, 64)
    other = local(x.dtype, 1024, 64)
    asc.data_copy(part, x_gm, 64)
    after(asc.HardEvent.MTE2_V)
    if mended:
        asc.adv.silu(other, part, 64)
        asc.adds(part, other, 0.0, 64)
    else:
        asc.adv.silu(part, part, 64)  # FAULT
    after(asc.HardEvent.V_MTE3)
    asc.data_copy(z_gm, part, 64)


@asc.jit
def p02(x: asc.GlobalAddress, z: asc.GlobalAddress, mended: int):
    x_gm, z_gm = bound(x, z)
    column = local(x.dtype, 0, 128)
    other = local(x.dtype, 1024, 16)
    move = (
        asc.DataCopyExtParams(1, 64, 0, 0, 0) if mended else asc.DataCopyExtParams(16, 4, 0, 0, 0)
    )
    asc.data_copy_pad(column, x_gm, move, asc.DataCopyPadExtParams(x.dtype, False, 0, 0, 0))
    after(asc.HardEvent.MTE2_V)
    asc.adds(other, column, 1.0, 16)  # FAULT
    after(asc.HardEvent.V_MTE3)
    asc.data_copy(z_gm, other, 16)


@asc.jit
def p03(x: asc.GlobalAddress, z: asc.GlobalAddress, mended: int):
    x_gm, z_gm = bound(x, z)
    part = local(x.dtype, 0, 512)
    sums = local(x.dtype, 4096, 64)
    asc.data_copy(part, x_gm, 512)
    after(asc.HardEvent.MTE2_V)
    asc.whole_reduce_sum(sums, part, 64, 8, 1, 1, 8)
    after(asc.HardEvent.V_MTE3)
    move = asc.DataCopyExtParams(1, 32, 0, 0, 0) if mended else asc.DataCopyExtParams(8, 4, 0, 0, 0)
    asc.data_copy_pad(z_gm, sums, move)  # FAULT


@asc.jit
def p04(x: asc.GlobalAddress, y: asc.GlobalAddress, z: asc.GlobalAddress, mended: int):
    x_gm, y_gm, z_gm = bound(x, y, z)
    one = local(x.dtype, 0, 64)
    two = local(x.dtype, 1024, 64)
    out = local(x.dtype, 2048, 64)
    move = asc.DataCopyExtParams(2, 18, 0, 0, 0)
    if mended:
        move = asc.DataCopyExtParams(1, 36, 0, 0, 0)
    pad = asc.DataCopyPadExtParams(x.dtype, False, 0, 0, 0)
    asc.data_copy_pad(one, x_gm, move, pad)
    asc.data_copy_pad(two, y_gm, move, pad)
    after(asc.HardEvent.MTE2_V)
    asc.add(out, one, two, 18)  # FAULT
    after(asc.HardEvent.V_MTE3)
    asc.data_copy_pad(z_gm, out, asc.DataCopyExtParams(1, 36, 0, 0, 0))


@asc.jit
def p05(x: asc.GlobalAddress, z: asc.GlobalAddress, mended: int):
    x_gm, z_gm = bound(x, z)
    part = local(x.dtype, 0, 192)
    gap = (24 - 16) * 4 // 32 if mended else (20 - 16) * 4 // 32
    pitch = 24 if mended else 20
    move = asc.DataCopyExtParams(4, 64, 0, gap, 0)
    asc.data_copy_pad(part, x_gm, move, asc.DataCopyPadExtParams(x.dtype, False, 0, 0, 0))
    after(asc.HardEvent.MTE2_S)
    for row in range(4):
        for column in range(16):
            z_gm.set_value(row * 16 + column, part.get_value(row * pitch + column))  # FAULT
    asc.data_cache_clean_and_invalid(
        asc.CacheLine.ENTIRE_DATA_CACHE, asc.DcciDst.CACHELINE_OUT, z_gm
    )


@asc.jit
def p06(x: asc.GlobalAddress, z: asc.GlobalAddress, mended: int):
    x_gm, z_gm = bound(x, z)
    rows = local(x.dtype, 0, 512)
    out = local(x.dtype, 2048, 512)
    move = asc.DataCopyExtParams(8, 100, 0, 0, 0)
    asc.data_copy_pad(rows, x_gm, move, asc.DataCopyPadExtParams(x.dtype, False, 0, 0, 0))
    after(asc.HardEvent.MTE2_V)
    count = 8 * 64 if mended else 8 * 50
    asc.bitwise_not(out, rows, count)
    after(asc.HardEvent.V_MTE3)
    asc.data_copy_pad(z_gm, out, move)  # FAULT


@asc.jit
def p07(x: asc.GlobalAddress, z: asc.GlobalAddress, n: int, mended: int):
    x_gm, z_gm = bound(x, z)
    a = local(x.dtype, 0, 64)
    b = local(x.dtype, 1024, 64)
    d = local(x.dtype, 2048, 64)
    asc.data_copy(b, x_gm, 64)
    after(asc.HardEvent.MTE2_V)
    asc.duplicate(a, 1.0, 64)
    if n > 0 or mended:
        asc.pipe_barrier(asc.PipeID.PIPE_V)
    asc.add(d, a, b, 64)  # FAULT
    after(asc.HardEvent.V_MTE3)
    asc.data_copy(z_gm, d, 64)


@asc.jit
def p08(x: asc.GlobalAddress, z: asc.GlobalAddress, mended: int):
    x_gm, z_gm = bound(x, z)
    part = local(x.dtype, 0, 64)
    largest = local(x.dtype, 1024, 64)
    asc.data_copy(part, x_gm, 64)
    after(asc.HardEvent.MTE2_V)
    asc.maxs(largest, part, 3.0, 64)
    asc.pipe_barrier(asc.PipeID.PIPE_V)
    asc.sub(part, part, largest, 64)
    if mended:
        asc.pipe_barrier(asc.PipeID.PIPE_V)
    asc.exp(part, part, 64)  # FAULT
    after(asc.HardEvent.V_MTE3)
    asc.data_copy(z_gm, part, 64)


@asc.jit
def p09(x: asc.GlobalAddress, z: asc.GlobalAddress, mended: int):
    x_gm, z_gm = bound(x, z)
    one = local(x.dtype, 0, 64)
    two = local(x.dtype, 1024, 64)
    asc.data_copy(one, x_gm, 64)
    asc.set_flag(asc.HardEvent.MTE2_V, 2)
    asc.data_copy(two, x_gm[64:], 64)
    asc.set_flag(asc.HardEvent.MTE2_V, 3 if mended else 2)  # FAULT
    asc.wait_flag(asc.HardEvent.MTE2_V, 2)
    asc.adds(one, one, 1.0, 64)
    asc.wait_flag(asc.HardEvent.MTE2_V, 3 if mended else 2)
    asc.adds(two, two, 1.0, 64)
    after(asc.HardEvent.V_MTE3)
    asc.data_copy(z_gm, one, 64)
    asc.data_copy(z_gm[64:], two, 64)


@asc.jit
def p10(x: asc.GlobalAddress, z: asc.GlobalAddress, mended: int):
    x_gm, z_gm = bound(x, z)
    part = local(x.dtype, 0, 64)
    asc.data_copy(part, x_gm, 64)
    after(asc.HardEvent.MTE2_MTE3)
    asc.data_copy(z_gm, part, 64)
    asc.pipe_barrier(asc.PipeID.PIPE_ALL if mended else asc.PipeID.PIPE_FIX)  # FAULT


@asc.jit
def p11(x: asc.GlobalAddress, z: asc.GlobalAddress, tiles: int, mended: int):
    x_gm, z_gm = bound(x, z)
    part = local(x.dtype, 0, 64)
    asc.set_flag(asc.HardEvent.MTE3_MTE2, 0)
    for tile in range(4):
        if not mended:
            asc.wait_flag(asc.HardEvent.MTE3_MTE2, 0)  # FAULT
        if tile < tiles:
            if mended:
                asc.wait_flag(asc.HardEvent.MTE3_MTE2, 0)
            asc.data_copy(part, x_gm[tile * 64 :], 64)
            after(asc.HardEvent.MTE2_MTE3)
            asc.data_copy(z_gm[tile * 64 :], part, 64)
            asc.set_flag(asc.HardEvent.MTE3_MTE2, 0)
    if mended:
        asc.wait_flag(asc.HardEvent.MTE3_MTE2, 0)


@asc.jit
def p12(x: asc.GlobalAddress, z: asc.GlobalAddress, mended: int):
    x_gm, z_gm = bound(x, z)
    part = local(x.dtype, 0, 64)
    row = asc.get_block_idx()
    asc.data_copy(part, x_gm[row * 64 :], 64)
    after(asc.HardEvent.MTE2_MTE3)
    width = 48 if mended or row == 3 else 56
    asc.data_copy_pad(z_gm[row * 48 :], part, asc.DataCopyExtParams(1, width * 4, 0, 0, 0))  # FAULT


@asc.jit
def p13(x: asc.GlobalAddress, z: asc.GlobalAddress, mended: int):
    x_gm, z_gm = bound(x, z)
    rows = local(x.dtype, 0, 512)
    asc.data_copy(rows, x_gm, 512)
    after(asc.HardEvent.MTE2_MTE3)
    gap = (128 - 64) * 4 // 32 if mended else (128 - 64) * 4
    asc.data_copy_pad(z_gm, rows, asc.DataCopyExtParams(4, 256, gap, 0, 0))  # FAULT


@asc.jit
def p14(x: asc.GlobalAddress, z: asc.GlobalAddress, w: asc.GlobalAddress, mended: int):
    x_gm, z_gm, w_gm = bound(x, z, w)
    part = local(x.dtype, 0, 64)
    first = 1 if not mended else 0
    for batch in range(first, 4):
        w_gm.set_value(batch, batch * 64)
    for batch in range(4):
        offset = w_gm.get_value(batch)  # FAULT
        asc.data_copy(part, x_gm[offset:], 64)
        after(asc.HardEvent.MTE2_MTE3)
        asc.data_copy(z_gm[batch * 64 :], part, 64)
        after(asc.HardEvent.MTE3_MTE2)


@asc.jit
def p15(x: asc.GlobalAddress, z: asc.GlobalAddress, length: int, mended: int):
    x_gm, z_gm = bound(x, z)
    part = local(x.dtype, 0, 64)
    work = local(x.dtype, 1024, 64)
    out = local(x.dtype, 2048, 8)
    count = 48 if mended else length
    move = asc.DataCopyExtParams(1, count * 4, 0, 0, 0)
    pad = asc.DataCopyPadExtParams(x.dtype, False, 0, 0, 0)
    asc.data_copy_pad(part, x_gm, move, pad)  # FAULT
    after(asc.HardEvent.MTE2_V)
    asc.reduce_sum(out, part, work, count)
    after(asc.HardEvent.V_MTE3)
    asc.data_copy_pad(z_gm, out, asc.DataCopyExtParams(1, 4, 0, 0, 0))


@asc.jit
def p16(x: asc.GlobalAddress, z: asc.GlobalAddress, heads: int, mended: int):
    x_gm, z_gm = bound(x, z)
    part = local(x.dtype, 0, 64)
    for head in range(heads):
        batch = asc.get_block_idx() if mended else head // heads
        row = batch * heads + head
        asc.data_copy(part, x_gm[row * 64 :], 64)
        after(asc.HardEvent.MTE2_MTE3)
        asc.data_copy(z_gm[row * 64 :], part, 64)  # FAULT
        after(asc.HardEvent.MTE3_MTE2)


@asc.jit
def p17(z: asc.GlobalAddress, mended: int):
    (z_gm,) = bound(z)
    pipe = asc.TPipe()
    out = asc.TQue(asc.TPosition.VECOUT, 1)
    pipe.init_buffer(out, 1, 128)
    numbers = out.alloc_tensor(asc.int32)
    asc.create_vec_index(numbers, 0, 32 if mended else 64)  # FAULT
    out.enque(numbers)
    numbers = out.deque(asc.int32)
    asc.data_copy(z_gm, numbers, 32)
    out.free_tensor(numbers)


@asc.jit
def p18(x: asc.GlobalAddress, z: asc.GlobalAddress, mended: int):
    x_gm, z_gm = bound(x, z)
    part = local(x.dtype, 0, 128)
    out = local(x.dtype, 1024, 32)
    asc.data_copy(part, x_gm, 64)
    after(asc.HardEvent.MTE2_V)
    step = 8 if mended else 4
    asc.add(out, part[step:], part[step:], 32)  # FAULT
    after(asc.HardEvent.V_MTE3)
    asc.data_copy(z_gm, out, 32)


@asc.jit
def p19(x: asc.GlobalAddress, z: asc.GlobalAddress, valid: int, mended: int):
    x_gm, z_gm = bound(x, z)
    part = local(x.dtype, 0, 64)
    asc.data_copy(part, x_gm, 64)
    if mended:
        after(asc.HardEvent.MTE2_S)
        for column in range(valid, 64):
            part.set_value(column, 0.0)
        after(asc.HardEvent.S_MTE3)
    else:
        after(asc.HardEvent.MTE2_V)
        asc.duplicate(part[valid:], 0.0, 64 - valid)  # FAULT
        after(asc.HardEvent.V_MTE3)
    asc.data_copy(z_gm, part, 64)


@asc.jit
def p20(x: asc.GlobalAddress, z: asc.GlobalAddress, rows: int, limit: int, mended: int):
    x_gm, z_gm = bound(x, z)
    part = local(x.dtype, 0, 64)
    last = min(rows, limit) if mended else rows
    for row in range(last):
        asc.data_copy(part, x_gm[row * 64 :], 64)
        after(asc.HardEvent.MTE2_MTE3)
        asc.data_copy(z_gm[row * 64 :], part, 64)  # FAULT
        after(asc.HardEvent.MTE3_MTE2)


@asc.jit
def p21(x: asc.GlobalAddress, z: asc.GlobalAddress, w: asc.GlobalAddress, mended: int):
    x_gm, z_gm, w_gm = bound(x, z, w)
    part = local(x.dtype, 0, 64)
    zero = local(x.dtype, 1024, 64)
    if mended:
        asc.duplicate(zero, 0.0, 64)
        after(asc.HardEvent.V_MTE3)
        asc.data_copy(w_gm, zero, 64)
        after(asc.HardEvent.MTE3_MTE2)
    for tile in range(2):
        asc.data_copy(part, x_gm[tile * 64 :], 64)
        after(asc.HardEvent.MTE2_MTE3)
        asc.set_atomic_add(x.dtype)
        asc.data_copy(w_gm, part, 64)
        asc.set_atomic_none()
        after(asc.HardEvent.MTE3_MTE2)
    asc.data_copy(part, w_gm, 64)  # FAULT
    after(asc.HardEvent.MTE2_MTE3)
    asc.data_copy(z_gm, part, 64)


@asc.jit
def p22(x: asc.GlobalAddress, z: asc.GlobalAddress, mended: int):
    x_gm, z_gm = bound(x, z)
    part = local(x.dtype, 0, 64)
    work = local(x.dtype, 1024, 64)
    out = local(x.dtype, 2048, 16)
    pitch = 16
    for row in range(2):
        asc.data_copy_pad(
            part[row * pitch :],
            x_gm[row * 10 :],
            asc.DataCopyExtParams(1, 40, 0, 0, 0),
            asc.DataCopyPadExtParams(x.dtype, False, 0, 0, 0),
        )
    after(asc.HardEvent.MTE2_V)
    for row in range(2):
        count = 10 if mended else 16
        asc.reduce_sum(out[row * 8 :], part[row * pitch :], work, count)  # FAULT
    after(asc.HardEvent.V_MTE3)
    for row in range(2):
        asc.data_copy_pad(z_gm[row:], out[row * 8 :], asc.DataCopyExtParams(1, 4, 0, 0, 0))


@asc.jit
def p23(
    x: asc.GlobalAddress,
    z: asc.GlobalAddress,
    w: asc.GlobalAddress,
    s: asc.GlobalAddress,
    mended: int,
):
    x_gm, z_gm, w_gm, s_gm = bound(x, z, w, s)
    part = local(x.dtype, 0, 64)
    flags = local(asc.int32, 1024, 8)
    if asc.get_block_idx() == 0:
        if not mended:
            asc.ib_set(s_gm, flags, 0, 0)
        asc.data_copy(part, x_gm, 64)
        after(asc.HardEvent.MTE2_MTE3)
        asc.data_copy(w_gm, part, 64)
        if mended:
            asc.ib_set(s_gm, flags, 0, 0)
    else:
        asc.ib_wait(s_gm, flags, 0, 0)
        asc.data_copy(part, w_gm, 64)  # FAULT
        after(asc.HardEvent.MTE2_MTE3)
        asc.data_copy(z_gm, part, 64)


@asc.jit
def p24(x: asc.GlobalAddress, z: asc.GlobalAddress, mended: int):
    x_gm, z_gm = bound(x, z)
    part = local(x.dtype, 0, 64)
    old = local(x.dtype, 1024, 64)
    new = local(x.dtype, 2048, 64)
    total = local(x.dtype, 3072, 64)
    low = -1e30 if mended else float("-inf")
    asc.duplicate(old, low, 64)
    asc.duplicate(total, 0.0, 64)
    for tile in range(2):
        asc.data_copy(part, x_gm[tile * 64 :], 64)
        after(asc.HardEvent.MTE2_V)
        asc.max(new, old, part, 64)
        asc.sub(old, old, new, 64)  # FAULT
        asc.exp(old, old, 64)
        asc.mul(total, total, old, 64)
        asc.sub(part, part, new, 64)
        asc.exp(part, part, 64)
        asc.add(total, total, part, 64)
        asc.adds(old, new, 0.0, 64)
        after(asc.HardEvent.V_MTE2)
    after(asc.HardEvent.V_MTE3)
    asc.data_copy(z_gm, total, 64)


@asc.jit
def p25(x: asc.GlobalAddress, z: asc.GlobalAddress, mended: int):
    x_gm, z_gm = bound(x, z)
    part = local(x.dtype, 0, 512)
    bits = local(asc.uint8, 4096, 64)
    zero = local(x.dtype, 4096 + (64 if mended else 32), 512)
    asc.data_copy(part, x_gm, 512)
    after(asc.HardEvent.MTE2_V)
    asc.compare_scalar(bits, part, 2.0, asc.CMPMODE.GT, 512)
    asc.duplicate(zero, -1.0, 512)  # FAULT
    asc.select(part, bits, part, zero, asc.SelMode.VSEL_TENSOR_TENSOR_MODE, 512)
    after(asc.HardEvent.V_MTE3)
    asc.data_copy(z_gm, part, 512)
