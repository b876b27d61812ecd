"""Kernels of classes that no check of bytes can name alone, each with its repair: ``mended`` is the one line.

Their twins of the same names are in silent.asc. ``arguments``, ``golden`` and the class each has stand in table.py.
"""

from __future__ import annotations

import ascend_lab.asc as asc
from tests.checks.doors.shorthand import after, bound, local

WHOLE = asc.UnaryRepeatParams(1, 1, 8, 8)


@asc.jit
def c5(x: asc.GlobalAddress, z: asc.GlobalAddress, mended: int):
    x_gm, z_gm = bound(x, z)
    part = local(x.dtype, 0, 64)
    total = local(x.dtype, 1024, 64)
    asc.duplicate(total, 0.0, 64)
    for row in range(4):
        if mended:
            asc.duplicate(total, 0.0, 64)
        for tile in range(2):
            asc.data_copy(part, x_gm[row * 128 + tile * 64 :], 64)
            after(asc.HardEvent.MTE2_V)
            asc.add(total, total, part, 64)
            after(asc.HardEvent.V_MTE2)
        after(asc.HardEvent.V_MTE3)
        asc.data_copy(z_gm[row * 64 :], total, 64)  # FAULT
        after(asc.HardEvent.MTE3_V)


@asc.jit
def g2(x: asc.GlobalAddress, z: asc.GlobalAddress, length: int, mended: int):
    x_gm, z_gm = bound(x, z)
    part = local(x.dtype, 0, 128)
    tiles = (length + 127) // 128 if mended else length // 128
    for tile in range(tiles):
        count = min(128, length - tile * 128)
        move = asc.DataCopyExtParams(1, count * 4, 0, 0, 0)
        pad = asc.DataCopyPadExtParams(x.dtype, False, 0, 0, 0)
        asc.data_copy_pad(part, x_gm[tile * 128 :], move, pad)
        after(asc.HardEvent.MTE2_V)
        asc.adds(part, part, 1.0, count)
        after(asc.HardEvent.V_MTE3)
        asc.data_copy_pad(z_gm[tile * 128 :], part, move)  # FAULT
        after(asc.HardEvent.MTE3_MTE2)


@asc.jit
def g3(x: asc.GlobalAddress, z: asc.GlobalAddress, length: int, mended: int):
    x_gm, z_gm = bound(x, z)
    part = local(x.dtype, 0, 128)
    tiles = (length + 127) // 128
    tail = length % 128
    if mended and tail == 0:
        tail = 128
    for tile in range(tiles):
        count = tail if tile == tiles - 1 else 128
        move = asc.DataCopyExtParams(1, count * 4, 0, 0, 0)
        pad = asc.DataCopyPadExtParams(x.dtype, False, 0, 0, 0)
        asc.data_copy_pad(part, x_gm[tile * 128 :], move, pad)
        after(asc.HardEvent.MTE2_V)
        asc.adds(part, part, 1.0, count)
        after(asc.HardEvent.V_MTE3)
        asc.data_copy_pad(z_gm[tile * 128 :], part, move)  # FAULT
        after(asc.HardEvent.MTE3_MTE2)


@asc.jit
def g4(x: asc.GlobalAddress, z: asc.GlobalAddress, mended: int):
    x_gm, z_gm = bound(x, z)
    part = local(x.dtype, 0, 64)
    step = 64 if mended else 64 * 4
    for tile in range(8):
        asc.data_copy(part, x_gm[tile * 64 :], 64)
        after(asc.HardEvent.MTE2_MTE3)
        asc.data_copy(z_gm[tile * step :], part, 64)  # FAULT
        after(asc.HardEvent.MTE3_MTE2)


@asc.jit
def g5(x: asc.GlobalAddress, z: asc.GlobalAddress, mended: int):
    x_gm, z_gm = bound(x, z)
    part = local(x.dtype, 0, 8192)
    for row in range(16):
        first = row * 8192
        if not mended:
            first = first % 65536
        asc.data_copy(part, x_gm[first:], 8192)
        after(asc.HardEvent.MTE2_MTE3)
        asc.data_copy(z_gm[row * 8192 :], part, 8192)  # FAULT
        after(asc.HardEvent.MTE3_MTE2)


@asc.jit
def g8(x: asc.GlobalAddress, z: asc.GlobalAddress, tiles: int, mended: int):
    x_gm, z_gm = bound(x, z)
    part = local(x.dtype, 0, 64)
    for tile in range(tiles * 2 if mended else tiles):
        asc.data_copy(part, x_gm[tile * 64 :], 64)
        after(asc.HardEvent.MTE2_MTE3)
        asc.data_copy(z_gm[tile * 64 :], part, 64)  # FAULT
        after(asc.HardEvent.MTE3_MTE2)


@asc.jit
def g10(x: asc.GlobalAddress, z: asc.GlobalAddress, key: int, mended: int):
    x_gm, z_gm = bound(x, z)
    part = local(x.dtype, 0, 64)
    if key == 1 or mended:
        asc.data_copy(part, x_gm, 64)
        after(asc.HardEvent.MTE2_MTE3)
        asc.data_copy(z_gm, part, 64)


@asc.jit
def g11(x: asc.GlobalAddress, z: asc.GlobalAddress, mended: int):
    x_gm, z_gm = bound(x, z)
    part = local(x.dtype, 0, 32)
    pitch = 32 if mended else 24
    for row in range(6):
        asc.data_copy(part, x_gm[row * pitch :], 24)
        after(asc.HardEvent.MTE2_V)
        asc.muls(part, part, 2.0, 24)
        after(asc.HardEvent.V_MTE3)
        asc.data_copy(z_gm[row * 24 :], part, 24)  # FAULT
        after(asc.HardEvent.MTE3_MTE2)


@asc.jit
def g12(x: asc.GlobalAddress, y: asc.GlobalAddress, z: asc.GlobalAddress, mended: int):
    x_gm, y_gm, z_gm = bound(x, y, z)
    part = local(x.dtype, 0, 16)
    other = local(x.dtype, 1024, 16)
    asc.data_copy(other, y_gm, 16)
    for row in range(16):
        asc.data_copy(part, x_gm[row * 16 :], 16)
        after(asc.HardEvent.MTE2_V)
        if mended:
            after(asc.HardEvent.V_S)
            asc.adds(part, part, y_gm.get_value(row), 16)
        else:
            asc.add(part, part, other, 16)
        after(asc.HardEvent.V_MTE3)
        asc.data_copy(z_gm[row * 16 :], part, 16)  # FAULT
        after(asc.HardEvent.MTE3_MTE2)


@asc.jit
def g13(x: asc.GlobalAddress, z: asc.GlobalAddress, length: int, mended: int):
    x_gm, z_gm = bound(x, z)
    part = local(x.dtype, 0, 64)
    cores = asc.get_block_num()
    mine = (length + cores - 1) // cores if mended else length // cores
    first = mine * asc.get_block_idx()
    count = min(mine, length - first)
    if count > 0:
        move = asc.DataCopyExtParams(1, count * 4, 0, 0, 0)
        pad = asc.DataCopyPadExtParams(x.dtype, False, 0, 0, 0)
        asc.data_copy_pad(part, x_gm[first:], move, pad)
        after(asc.HardEvent.MTE2_MTE3)
        asc.data_copy_pad(z_gm[first:], part, move)


@asc.jit
def h2(x: asc.GlobalAddress, z: asc.GlobalAddress, mended: int):
    x_gm, z_gm = bound(x, z)
    row_of = local(x.dtype, 0, 64)
    work = local(x.dtype, 1024, 64)
    result = local(x.dtype, 2048, 8)
    for row in range(4):
        asc.data_copy(row_of, x_gm[row * 64 :], 64)
        after(asc.HardEvent.MTE2_V)
        if mended:
            asc.reduce_max(result, row_of, work, 64)
            after(asc.HardEvent.V_S)
            asc.adds(row_of, row_of, -result.get_value(0), 64)
        asc.exp(row_of, row_of, 64)  # FAULT
        asc.reduce_sum(result, row_of, work, 64)
        after(asc.HardEvent.V_S)
        asc.muls(row_of, row_of, 1.0 / result.get_value(0), 64)
        after(asc.HardEvent.V_MTE3)
        asc.data_copy(z_gm[row * 64 :], row_of, 64)
        after(asc.HardEvent.MTE3_MTE2)


@asc.jit
def h7(x: asc.GlobalAddress, z: asc.GlobalAddress, mended: int):
    x_gm, z_gm = bound(x, z)
    deviation = local(x.dtype, 0, 64)
    variance = local(x.dtype, 1024, 64)
    asc.data_copy(deviation, x_gm, 64)
    after(asc.HardEvent.MTE2_V)
    asc.mul(variance, deviation, deviation, 64)
    if mended:
        asc.adds(variance, variance, 1e-5, 64)
    asc.rsqrt(variance, variance, 64)  # FAULT
    asc.mul(deviation, deviation, variance, 64)
    after(asc.HardEvent.V_MTE3)
    asc.data_copy(z_gm, deviation, 64)


@asc.jit
def h1(x: asc.GlobalAddress, z: asc.GlobalAddress, mended: int):
    x_gm, z_gm = bound(x, z)
    small = local(x.dtype, 0, 64)
    wide = local(asc.float32, 1024, 64)
    other = local(asc.float32, 2048, 64)
    asc.data_copy(small, x_gm, 64)
    after(asc.HardEvent.MTE2_V)
    if mended:
        asc.cast(wide, small, asc.RoundMode.CAST_NONE, 64)
        asc.exp(other, wide, 64)
        asc.adds(wide, other, 1.0, 64)
        asc.div(other, other, wide, 64)
        asc.cast(small, other, asc.RoundMode.CAST_RINT, 64)
    else:
        first = local(x.dtype, 1024, 64)
        second = local(x.dtype, 2048, 64)
        asc.exp(first, small, 64)  # FAULT
        asc.adds(second, first, 1.0, 64)
        asc.div(small, first, second, 64)
    after(asc.HardEvent.V_MTE3)
    asc.data_copy(z_gm, small, 64)


@asc.jit
def h11(x: asc.GlobalAddress, m: asc.GlobalAddress, z: asc.GlobalAddress, mended: int):
    x_gm, m_gm, z_gm = bound(x, m, z)
    part = local(x.dtype, 0, 64)
    keep = local(x.dtype, 1024, 64)
    bits = local(asc.uint8, 2048, 32)
    asc.data_copy(part, x_gm, 64)
    asc.data_copy(keep, m_gm, 64)
    after(asc.HardEvent.MTE2_V)
    if mended:
        asc.compare_scalar(bits, keep, 0.5, asc.CMPMODE.GT, 64)
        asc.select(part, bits, part, 0.0, asc.SelMode.VSEL_TENSOR_SCALAR_MODE, 64)
    else:
        asc.mul(part, part, keep, 64)  # FAULT
    after(asc.HardEvent.V_MTE3)
    asc.data_copy(z_gm, part, 64)


@asc.jit
def h12(x: asc.GlobalAddress, s: asc.GlobalAddress, z: asc.GlobalAddress, mended: int):
    x_gm, s_gm, z_gm = bound(x, s, z)
    part = local(x.dtype, 0, 8)
    scale = local(x.dtype, 1024, 16)
    asc.data_copy(scale, s_gm, 16)
    for row in range(16):
        asc.data_copy(part, x_gm[row * 8 :], 8)
        after(asc.HardEvent.MTE2_V)
        if mended:
            after(asc.HardEvent.V_S)
            asc.muls(part, part, scale.get_value(row), 8)
        else:
            asc.mul(part, part, scale, 8)
        after(asc.HardEvent.V_MTE3)
        asc.data_copy(z_gm[row * 8 :], part, 8)  # FAULT
        after(asc.HardEvent.MTE3_MTE2)


@asc.jit
def i3(x: asc.GlobalAddress, z: asc.GlobalAddress, mended: int):
    x_gm, z_gm = bound(x, z)
    part = local(x.dtype, 0, 512)
    other = local(x.dtype, 4096, 512)
    asc.data_copy(part, x_gm, 512)
    after(asc.HardEvent.MTE2_V)
    asc.set_mask_count()
    asc.set_vector_mask(512 if mended else 64, x.dtype, asc.MaskMode.COUNTER)
    asc.adds(other, part, 1.0, asc.MASK_PLACEHOLDER, 8, WHOLE, is_set_mask=False)
    asc.set_mask_norm()
    asc.reset_mask()
    after(asc.HardEvent.V_MTE3)
    asc.data_copy(z_gm, other, 512)  # FAULT


@asc.jit
def i6_order(x: asc.GlobalAddress, y: asc.GlobalAddress, z: asc.GlobalAddress, mended: int):
    x_gm, y_gm, z_gm = bound(x, y, z)
    one = local(x.dtype, 0, 64)
    two = local(x.dtype, 1024, 64)
    out = local(x.dtype, 2048, 64)
    asc.data_copy(one, x_gm, 64)
    asc.data_copy(two, y_gm, 64)
    after(asc.HardEvent.MTE2_V)
    if mended:
        asc.sub(out, one, two, 64)
    else:
        asc.sub(out, two, one, 64)  # FAULT
    after(asc.HardEvent.V_MTE3)
    asc.data_copy(z_gm, out, 64)


@asc.jit
def i6_ends(x: asc.GlobalAddress, z: asc.GlobalAddress, mended: int):
    x_gm, z_gm = bound(x, z)
    pipe = asc.TPipe()
    in_x = asc.TQue(asc.TPosition.VECIN, 1)
    out_z = asc.TQue(asc.TPosition.VECOUT, 1)
    pipe.init_buffer(in_x, 1, 256)
    pipe.init_buffer(out_z, 1, 256)
    x_local = in_x.alloc_tensor(x.dtype)
    if mended:
        asc.data_copy(x_local, x_gm, 64)
    else:
        asc.data_copy(x_gm, x_local, 64)  # FAULT
    in_x.enque(x_local)
    x_local = in_x.deque(x.dtype)
    z_local = out_z.alloc_tensor(x.dtype)
    asc.adds(z_local, x_local, 1.0, 64)
    out_z.enque(z_local)
    in_x.free_tensor(x_local)
    z_local = out_z.deque(x.dtype)
    asc.data_copy(z_gm, z_local, 64)
    out_z.free_tensor(z_local)


@asc.jit
def i6_dst(x: asc.GlobalAddress, y: asc.GlobalAddress, z: asc.GlobalAddress, mended: int):
    x_gm, y_gm, z_gm = bound(x, y, z)
    pipe = asc.TPipe()
    in_x = asc.TQue(asc.TPosition.VECIN, 1)
    in_y = asc.TQue(asc.TPosition.VECIN, 1)
    out_z = asc.TQue(asc.TPosition.VECOUT, 1)
    pipe.init_buffer(in_x, 1, 256)
    pipe.init_buffer(in_y, 1, 256)
    pipe.init_buffer(out_z, 1, 256)
    x_local = in_x.alloc_tensor(x.dtype)
    y_local = in_y.alloc_tensor(x.dtype)
    asc.data_copy(x_local, x_gm, 64)
    asc.data_copy(y_local, y_gm, 64)
    in_x.enque(x_local)
    in_y.enque(y_local)
    x_local = in_x.deque(x.dtype)
    y_local = in_y.deque(x.dtype)
    z_local = out_z.alloc_tensor(x.dtype)
    if mended:
        asc.add(z_local, x_local, y_local, 64)
    else:
        asc.add(x_local, y_local, z_local, 64)  # FAULT
    out_z.enque(z_local)
    in_x.free_tensor(x_local)
    in_y.free_tensor(y_local)
    z_local = out_z.deque(x.dtype)
    asc.data_copy(z_gm, z_local, 64)
    out_z.free_tensor(z_local)


@asc.jit
def i7(x: asc.GlobalAddress, z: asc.GlobalAddress, mended: int):
    x_gm, z_gm = bound(x, z)
    part = local(x.dtype, 0, 256)
    move = asc.DataCopyParams(4, 8, 8, 0) if mended else asc.DataCopyParams(8, 4, 8, 0)
    asc.data_copy(part, x_gm, move)  # FAULT
    after(asc.HardEvent.MTE2_MTE3)
    asc.data_copy(z_gm, part, 256)


@asc.jit
def i7_gaps(x: asc.GlobalAddress, z: asc.GlobalAddress, mended: int):
    x_gm, z_gm = bound(x, z)
    part = local(x.dtype, 0, 512)
    move = asc.DataCopyParams(4, 8, 8, 0) if mended else asc.DataCopyParams(4, 8, 0, 8)
    asc.data_copy(part, x_gm, move)  # FAULT
    after(asc.HardEvent.MTE2_MTE3)
    asc.data_copy(z_gm, part, 256)


@asc.jit
def i9(x: asc.GlobalAddress, z: asc.GlobalAddress, mended: int):
    x_gm, z_gm = bound(x, z)
    part = local(x.dtype, 0, 512)
    sums = local(x.dtype, 4096, 64)
    out = local(x.dtype, 8192, 8)
    asc.data_copy(part, x_gm, 512)
    after(asc.HardEvent.MTE2_V)
    asc.whole_reduce_sum(sums, part, 64, 8, 1, 1, 8)  # FAULT
    if mended:
        asc.whole_reduce_sum(sums, sums, 8, 1, 1, 1, 8)
    after(asc.HardEvent.V_S)
    total = sums.get_value(0)
    after(asc.HardEvent.S_V)
    asc.duplicate(out, total, 8)
    after(asc.HardEvent.V_MTE3)
    asc.data_copy(z_gm, out, 8)


@asc.jit
def i13(x: asc.GlobalAddress, z: asc.GlobalAddress, t: asc.GlobalAddress, mended: int):
    x_gm, z_gm, t_gm = bound(x, z, t)
    part = local(x.dtype, 0, 64)
    tiles = t_gm.get_value(0)
    if not mended:
        t_gm.set_value(0, tiles - 1)  # FAULT
    for tile in range(tiles):
        asc.data_copy(part, x_gm[tile * 64 :], 64)
        after(asc.HardEvent.MTE2_MTE3)
        asc.data_copy(z_gm[tile * 64 :], part, 64)
        after(asc.HardEvent.MTE3_MTE2)


@asc.jit
def i15(x: asc.GlobalAddress, z: asc.GlobalAddress, length: int, mended: int):
    x_gm, z_gm = bound(x, z)
    part = local(x.dtype, 0, 64)
    out = local(x.dtype, 1024, 64)
    asc.data_copy(part, x_gm, 64)
    after(asc.HardEvent.MTE2_V)
    count = 64 if mended else length // 128
    asc.adds(out, part, 1.0, count)
    after(asc.HardEvent.V_MTE3)
    asc.data_copy(z_gm, out, 64)  # FAULT


@asc.jit
def e12(x: asc.GlobalAddress, z: asc.GlobalAddress, mended: int):
    x_gm, z_gm = bound(x, z)
    part = local(x.dtype, 0, 64)
    first = asc.get_block_idx() * 12
    move = asc.DataCopyExtParams(1, 48, 0, 0, 0)
    asc.data_copy_pad(part, x_gm[first:], move, asc.DataCopyPadExtParams(x.dtype, False, 0, 0, 0))
    after(asc.HardEvent.MTE2_V)
    asc.adds(part, part, 1.0, 12)
    after(asc.HardEvent.V_MTE3)
    if mended:
        asc.data_copy_pad(z_gm[first:], part, move)
    else:
        asc.data_copy(z_gm[first:], part, 16)  # FAULT


@asc.jit
def c10(x: asc.GlobalAddress, z: asc.GlobalAddress, mended: int):
    x_gm, z_gm = bound(x, z)
    part = local(x.dtype, 0, 64)
    out = local(z.dtype, 1024, 64)
    asc.data_copy(part, x_gm, 64)
    after(asc.HardEvent.MTE2_V)
    if mended:
        asc.set_deq_scale(1.0)
    asc.cast(out, part, asc.RoundMode.CAST_NONE, 64)  # FAULT
    after(asc.HardEvent.V_MTE3)
    asc.data_copy(z_gm, out, 64)


@asc.jit
def d14(x: asc.GlobalAddress, z: asc.GlobalAddress, mended: int):
    x_gm, z_gm = bound(x, z)
    part = local(x.dtype, 0, 64)
    asc.data_copy(part, x_gm[asc.get_block_idx() * 64 :], 64)
    after(asc.HardEvent.MTE2_MTE3)
    asc.data_copy(z_gm[asc.get_block_idx() * 64 :], part, 64)
    if mended or asc.get_block_idx() == 0:
        asc.cross_core_set_flag(3, 0, asc.PipeID.PIPE_MTE3)
    asc.cross_core_wait_flag(3)  # FAULT


@asc.jit
def f11(x: asc.GlobalAddress, z: asc.GlobalAddress, mended: int):
    x_gm, z_gm = bound(x, z)
    pipe = asc.TPipe()
    queue = asc.TQueBind(asc.TPosition.VECIN, asc.TPosition.VECOUT, 1 if mended else 0)
    pipe.init_buffer(queue, 1, 256)
    part = queue.alloc_tensor(x.dtype)  # FAULT
    asc.data_copy(part, x_gm, 64)
    queue.enque(part)
    part = queue.deque(x.dtype)
    asc.data_copy(z_gm, part, 64)
    queue.free_tensor(part)
