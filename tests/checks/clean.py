"""Correct kernels that look suspicious. Each launches itself; none may have a finding.

The first eleven answer the claims of the fault taxonomy that sound right and are wrong.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

import ascend_lab.asc as asc
from ascend_lab import Device, Result

A2 = ("Ascend910B1",)
ALL = ("Ascend910B1", "Ascend310P3")
F32 = np.float32


@asc.jit
def odd_offset(x: asc.GlobalAddress, z: asc.GlobalAddress):
    """GM needs 1 B, UB 32 B: rows of 5 floats at odd multiples of 20 B."""
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x + asc.get_block_idx() * 5)
    z_gm.set_global_buffer(z + asc.get_block_idx() * 5)
    local = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, 0, 8)
    row = asc.DataCopyExtParams(1, 20, 0, 0)
    asc.data_copy_pad(local, x_gm, row, asc.DataCopyPadExtParams(x.dtype, False, 0, 0, 0))
    asc.set_flag(asc.HardEvent.MTE2_V, 0)
    asc.wait_flag(asc.HardEvent.MTE2_V, 0)
    asc.adds(local, local, 1.0, 8)
    asc.set_flag(asc.HardEvent.V_MTE3, 0)
    asc.wait_flag(asc.HardEvent.V_MTE3, 0)
    asc.data_copy_pad(z_gm, local, row)


@asc.jit
def counter_mode(x: asc.GlobalAddress, z: asc.GlobalAddress):
    """In counter mode the repeat is ignored; the mask is set back at the end."""
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    z_gm.set_global_buffer(z)
    local = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, 0, 128)
    asc.data_copy(local, x_gm, 128)
    asc.set_flag(asc.HardEvent.MTE2_V, 0)
    asc.wait_flag(asc.HardEvent.MTE2_V, 0)
    params = asc.UnaryRepeatParams(1, 1, 8, 8)
    asc.set_mask_count()
    asc.set_vector_mask(100, x.dtype, asc.MaskMode.COUNTER)
    asc.adds(local, local, 1.0, asc.MASK_PLACEHOLDER, 7, params, is_set_mask=False)
    asc.adds(local, local, 1.0, 100, 1, params)
    asc.set_mask_norm()
    asc.reset_mask()
    asc.adds(local, local, 1.0, 64, 2, params)
    asc.set_flag(asc.HardEvent.V_MTE3, 0)
    asc.wait_flag(asc.HardEvent.V_MTE3, 0)
    asc.data_copy(z_gm, local, 128)


@asc.jit
def mask_reused(x: asc.GlobalAddress, z: asc.GlobalAddress):
    """A mask that a call leaves set serves the next call."""
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    z_gm.set_global_buffer(z)
    local = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, 0, 128)
    asc.data_copy(local, x_gm, 128)
    asc.set_flag(asc.HardEvent.MTE2_V, 0)
    asc.wait_flag(asc.HardEvent.MTE2_V, 0)
    params = asc.UnaryRepeatParams(1, 1, 8, 8)
    asc.adds(local, local, 1.0, 32, 2, params)
    asc.adds(local, local, 1.0, asc.MASK_PLACEHOLDER, 2, params, is_set_mask=False)
    asc.set_flag(asc.HardEvent.V_MTE3, 0)
    asc.wait_flag(asc.HardEvent.V_MTE3, 0)
    asc.data_copy(z_gm, local, 128)


@asc.jit
def mask_left_on(x: asc.GlobalAddress, z: asc.GlobalAddress):
    """A partial mask, meant for the first half, stays on; what follows sets its own or counts."""
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    z_gm.set_global_buffer(z)
    local = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, 0, 128)
    asc.data_copy(local, x_gm, 128)
    asc.set_flag(asc.HardEvent.MTE2_V, 0)
    asc.wait_flag(asc.HardEvent.MTE2_V, 0)
    params = asc.UnaryRepeatParams(1, 1, 8, 8)
    asc.set_vector_mask(0, 0xFFFF, x.dtype, asc.MaskMode.NORMAL)
    asc.adds(local, local, 1.0, asc.MASK_PLACEHOLDER, 2, params, is_set_mask=False)
    asc.adds(local, local, 2.0, 64, 2, params)
    asc.muls(local, local, 2.0, 128)
    asc.set_flag(asc.HardEvent.V_MTE3, 0)
    asc.wait_flag(asc.HardEvent.V_MTE3, 0)
    asc.data_copy(z_gm, local, 128)
    asc.set_vector_mask(0, 0xFFFF, x.dtype, asc.MaskMode.NORMAL)


@asc.jit
def nothing_to_do(x: asc.GlobalAddress, z: asc.GlobalAddress, n: int):
    """Length 0 is a NOP, even at an odd address."""
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    z_gm.set_global_buffer(z)
    local = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, 0, 64)
    asc.data_copy(local, x_gm, 64)
    asc.data_copy(local[1:], x_gm, n)
    asc.set_flag(asc.HardEvent.MTE2_V, 0)
    asc.wait_flag(asc.HardEvent.MTE2_V, 0)
    asc.adds(local[3:], local, 1.0, n)
    asc.adds(local, local, 1.0, 64)
    asc.set_flag(asc.HardEvent.V_MTE3, 0)
    asc.wait_flag(asc.HardEvent.V_MTE3, 0)
    asc.data_copy(z_gm, local, 64)
    asc.data_copy(z_gm[64:], local, n)


@asc.jit
def narrow_rows(x: asc.GlobalAddress, z: asc.GlobalAddress):
    """Rows of 18 B are legal: computed in their slots of 32 B, stored without the filler."""
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    z_gm.set_global_buffer(z)
    x_local = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, 0, 64)
    z_local = asc.LocalTensor(x.dtype, asc.TPosition.VECOUT, 1024, 64)
    rows = asc.DataCopyExtParams(4, 18, 0, 0)
    asc.data_copy_pad(x_local, x_gm, rows, asc.DataCopyPadExtParams(x.dtype, False, 0, 0, 0))
    asc.set_flag(asc.HardEvent.MTE2_V, 0)
    asc.wait_flag(asc.HardEvent.MTE2_V, 0)
    asc.exp(z_local, x_local, 64)
    asc.set_flag(asc.HardEvent.V_MTE3, 0)
    asc.wait_flag(asc.HardEvent.V_MTE3, 0)
    asc.data_copy_pad(z_gm, z_local, rows)


@asc.jit
def neutral_padding(x: asc.GlobalAddress, z: asc.GlobalAddress):
    """-inf changes no maximum, 0 no sum."""
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    z_gm.set_global_buffer(z)
    high = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, 0, 16)
    flat = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, 64, 16)
    results = asc.LocalTensor(x.dtype, asc.TPosition.VECOUT, 128, 16)
    tmp = asc.LocalTensor(x.dtype, asc.TPosition.VECCALC, 1024, 64)
    row = asc.DataCopyExtParams(1, 36, 0, 0)
    low = asc.DataCopyPadExtParams(x.dtype, True, 0, 7, float("-inf"))
    asc.data_copy_pad(high, x_gm, row, low)
    asc.data_copy_pad(flat, x_gm, row, asc.DataCopyPadExtParams(x.dtype, True, 0, 7, 0))
    asc.set_flag(asc.HardEvent.MTE2_V, 0)
    asc.wait_flag(asc.HardEvent.MTE2_V, 0)
    asc.reduce_max(results, high, tmp, 16)
    asc.reduce_sum(results[8:], flat, tmp, 16)
    asc.set_flag(asc.HardEvent.V_MTE3, 0)
    asc.wait_flag(asc.HardEvent.V_MTE3, 0)
    asc.data_copy_pad(z_gm, results, asc.DataCopyExtParams(2, 4, 0, 0))


@asc.jit
def depth_is_not_double_buffering(x: asc.GlobalAddress, z: asc.GlobalAddress):
    """Depth 2 and one buffer, and no double buffer at all: slower, not wrong."""
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    z_gm.set_global_buffer(z)
    pipe = asc.TPipe()
    in_x = asc.TQue(asc.TPosition.VECIN, 2)
    out_z = asc.TQue(asc.TPosition.VECOUT, 2)
    pipe.init_buffer(in_x, 1, 256)
    pipe.init_buffer(out_z, 1, 256)
    for i in range(4):
        x_local = in_x.alloc_tensor(x.dtype)
        asc.data_copy(x_local, x_gm[i * 64 :], 64)
        in_x.enque(x_local)
        x_local = in_x.deque(x.dtype)
        z_local = out_z.alloc_tensor(z.dtype)
        asc.adds(z_local, x_local, 1.0, 64)
        in_x.free_tensor(x_local)
        out_z.enque(z_local)
        z_local = out_z.deque(z.dtype)
        asc.data_copy(z_gm[i * 64 :], z_local, 64)
        out_z.free_tensor(z_local)


@asc.jit
def exact_neighbours(x: asc.GlobalAddress, z: asc.GlobalAddress):
    """Two cores meet inside one block of 32 B, each storing exactly its bytes."""
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x + asc.get_block_idx() * 133)
    z_gm.set_global_buffer(z + asc.get_block_idx() * 133)
    local = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, 0, 136)
    row = asc.DataCopyExtParams(1, 133 * 4, 0, 0)
    asc.data_copy_pad(local, x_gm, row, asc.DataCopyPadExtParams(x.dtype, False, 0, 0, 0))
    asc.set_flag(asc.HardEvent.MTE2_MTE3, 0)
    asc.wait_flag(asc.HardEvent.MTE2_MTE3, 0)
    asc.data_copy_pad(z_gm, local, row)


@asc.jit
def tail_moved_back(x: asc.GlobalAddress, z: asc.GlobalAddress, n: int):
    """Without DataCopyPad: the last tile ends where the data ends and repeats what is there."""
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    z_gm.set_global_buffer(z)
    pipe = asc.TPipe()
    in_x = asc.TQue(asc.TPosition.VECIN, 1)
    out_z = asc.TQue(asc.TPosition.VECOUT, 1)
    pipe.init_buffer(in_x, 2, 256)
    pipe.init_buffer(out_z, 2, 256)
    for i in range((n + 63) // 64):
        at = min(i * 64, n - 64)
        x_local = in_x.alloc_tensor(x.dtype)
        asc.data_copy(x_local, x_gm[at:], 64)
        in_x.enque(x_local)
        x_local = in_x.deque(x.dtype)
        z_local = out_z.alloc_tensor(z.dtype)
        asc.adds(z_local, x_local, 1.0, 64)
        in_x.free_tensor(x_local)
        out_z.enque(z_local)
        z_local = out_z.deque(z.dtype)
        asc.data_copy(z_gm[at:], z_local, 64)
        out_z.free_tensor(z_local)


@asc.jit
def atomic_sum(x: asc.GlobalAddress, z: asc.GlobalAddress):
    """Float additions of several cores into one place: any order is legal."""
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x + asc.get_block_idx() * 64)
    z_gm.set_global_buffer(z)
    local = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, 0, 64)
    asc.data_copy(local, x_gm, 64)
    asc.set_flag(asc.HardEvent.MTE2_MTE3, 0)
    asc.wait_flag(asc.HardEvent.MTE2_MTE3, 0)
    asc.set_atomic_add(z.dtype)
    asc.data_copy(z_gm, local, 64)
    asc.set_atomic_none()


@asc.jit
def ping_pong(x: asc.GlobalAddress, z: asc.GlobalAddress, tiles: int):
    """Two buffers by hand: reverse flags primed before the loop and drained behind it."""
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    z_gm.set_global_buffer(z)
    x_local = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, 0, 128)
    z_local = asc.LocalTensor(z.dtype, asc.TPosition.VECOUT, 1024, 128)
    for ident in range(2):
        asc.set_flag(asc.HardEvent.V_MTE2, ident)
        asc.set_flag(asc.HardEvent.MTE3_V, ident)
    for i in range(tiles):
        ident = i % 2
        half = ident * 64
        asc.wait_flag(asc.HardEvent.V_MTE2, ident)
        asc.data_copy(x_local[half:], x_gm[i * 64 :], 64)
        asc.set_flag(asc.HardEvent.MTE2_V, ident)
        asc.wait_flag(asc.HardEvent.MTE2_V, ident)
        asc.wait_flag(asc.HardEvent.MTE3_V, ident)
        asc.adds(z_local[half:], x_local[half:], 1.0, 64)
        asc.set_flag(asc.HardEvent.V_MTE2, ident)
        asc.set_flag(asc.HardEvent.V_MTE3, ident)
        asc.wait_flag(asc.HardEvent.V_MTE3, ident)
        asc.data_copy(z_gm[i * 64 :], z_local[half:], 64)
        asc.set_flag(asc.HardEvent.MTE3_V, ident)
    for ident in range(2):
        asc.wait_flag(asc.HardEvent.V_MTE2, ident)
        asc.wait_flag(asc.HardEvent.MTE3_V, ident)


@asc.jit
def in_place(x: asc.GlobalAddress, z: asc.GlobalAddress, tiles: int):
    """x and z are one array, every instruction works in place, and sums pile up in one block."""
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    z_gm.set_global_buffer(z)
    pipe = asc.TPipe()
    queue = asc.TQueBind(asc.TPosition.VECIN, asc.TPosition.VECOUT, 1)
    work = asc.TBuf(asc.TPosition.VECCALC)
    pipe.init_buffer(queue, 2, 512)
    pipe.init_buffer(work, 512)
    block = work.get(x.dtype)
    pile = asc.BinaryRepeatParams(1, 1, 1, 0, 8, 0)
    for i in range(tiles):
        local = queue.alloc_tensor(x.dtype)
        asc.data_copy(local, x_gm[i * 128 :], 128)
        queue.enque(local)
        local = queue.deque(x.dtype)
        asc.set_flag(asc.HardEvent.MTE2_V, 7 - 2)
        asc.wait_flag(asc.HardEvent.MTE2_V, 7 - 2)
        asc.duplicate(block, 0.0, 64)
        asc.add(block, local, block, 64, 2, pile)
        asc.adds(local, local, 1.0, 128)
        asc.mul(local, local, local, 128)
        asc.set_flag(asc.HardEvent.V_MTE3, 7 - 2)
        asc.wait_flag(asc.HardEvent.V_MTE3, 7 - 2)
        asc.data_copy(z_gm[i * 128 :], local, 128)
        queue.free_tensor(local)


@asc.jit
def workspace_round_trip(x: asc.GlobalAddress, z: asc.GlobalAddress, workspace: asc.GlobalAddress):
    """A block with an unwritten rest goes through a workspace; only what is valid comes back."""
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    w_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    z_gm.set_global_buffer(z)
    w_gm.set_global_buffer(workspace)
    local = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, 0, 128)
    back = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, 1024, 128)
    asc.data_copy(local, x_gm, 64)
    asc.set_flag(asc.HardEvent.MTE2_MTE3, 0)
    asc.wait_flag(asc.HardEvent.MTE2_MTE3, 0)
    asc.data_copy(w_gm, local, 128)
    asc.set_flag(asc.HardEvent.MTE3_MTE2, 0)
    asc.wait_flag(asc.HardEvent.MTE3_MTE2, 0)
    asc.data_copy(back, w_gm, 64)
    asc.set_flag(asc.HardEvent.MTE2_MTE3, 0)
    asc.wait_flag(asc.HardEvent.MTE2_MTE3, 0)
    asc.data_copy(z_gm, back, 64)


@asc.jit
def chosen_lanes(x: asc.GlobalAddress, z: asc.GlobalAddress):
    """Compare needs 128 lanes, 100 are loaded; Select takes the scalar where nothing was loaded."""
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    z_gm.set_global_buffer(z)
    x_local = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, 0, 128)
    z_local = asc.LocalTensor(x.dtype, asc.TPosition.VECOUT, 1024, 128)
    mask = asc.LocalTensor(asc.uint8, asc.TPosition.VECCALC, 2048, 32)
    asc.data_copy(x_local, x_gm, 96)
    asc.set_flag(asc.HardEvent.MTE2_V, 0)
    asc.wait_flag(asc.HardEvent.MTE2_V, 0)
    asc.compare_scalar(mask, x_local, 10.0, asc.CMPMODE.GT, 128)
    asc.select(z_local, mask, x_local, 0.0, asc.SelMode.VSEL_TENSOR_SCALAR_MODE, 96)
    asc.set_flag(asc.HardEvent.V_MTE3, 0)
    asc.wait_flag(asc.HardEvent.V_MTE3, 0)
    asc.data_copy(z_gm, z_local, 96)


@asc.jit
def two_phases(
    x: asc.GlobalAddress, z: asc.GlobalAddress, parts: asc.GlobalAddress, sync: asc.GlobalAddress
):
    """Partial sums, a barrier of all cores, then core 0 adds them."""
    block = asc.get_block_idx()
    blocks = asc.get_block_num()
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    parts_gm = asc.GlobalTensor()
    sync_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x + block * 64)
    z_gm.set_global_buffer(z)
    parts_gm.set_global_buffer(parts)
    sync_gm.set_global_buffer(sync)
    pipe = asc.TPipe()
    in_x = asc.TQue(asc.TPosition.VECIN, 1)
    out_z = asc.TQue(asc.TPosition.VECOUT, 1)
    work = asc.TBuf(asc.TPosition.VECCALC)
    pipe.init_buffer(in_x, 1, 1024)
    pipe.init_buffer(out_z, 1, 256)
    pipe.init_buffer(work, 4096)
    x_local = in_x.alloc_tensor(x.dtype)
    asc.data_copy(x_local, x_gm, 64)
    in_x.enque(x_local)
    x_local = in_x.deque(x.dtype)
    z_local = out_z.alloc_tensor(z.dtype)
    asc.adds(z_local, x_local, 1.0, 64)
    in_x.free_tensor(x_local)
    out_z.enque(z_local)
    z_local = out_z.deque(z.dtype)
    asc.data_copy(parts_gm[block * 64 :], z_local, 64)
    out_z.free_tensor(z_local)
    asc.sync_all(sync_gm, work.get(asc.int32))
    if block == 0:
        total = out_z.alloc_tensor(z.dtype)
        asc.duplicate(total, 0.0, 64)
        for i in range(blocks):
            part = in_x.alloc_tensor(x.dtype)
            asc.data_copy(part, parts_gm[i * 64 :], 64)
            in_x.enque(part)
            part = in_x.deque(x.dtype)
            asc.add(total, total, part, 64)
            in_x.free_tensor(part)
        out_z.enque(total)
        total = out_z.deque(z.dtype)
        asc.data_copy(z_gm, total, 64)
        out_z.free_tensor(total)


@asc.jit
def scalar_both_ways(x: asc.GlobalAddress, z: asc.GlobalAddress):
    """GetValue and SetValue between vector instructions: automatic sync orders them."""
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    z_gm.set_global_buffer(z)
    x_local = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, 0, 64)
    tmp = asc.LocalTensor(x.dtype, asc.TPosition.VECCALC, 1024, 64)
    asc.data_copy(x_local, x_gm, 64)
    asc.set_flag(asc.HardEvent.MTE2_V, 0)
    asc.wait_flag(asc.HardEvent.MTE2_V, 0)
    asc.reduce_sum(tmp, x_local, tmp, 64)
    asc.adds(x_local, x_local, tmp.get_value(0), 64)
    x_local.set_value(3, 7.0)
    asc.set_flag(asc.HardEvent.V_MTE3, 0)
    asc.wait_flag(asc.HardEvent.V_MTE3, 0)
    asc.data_copy(z_gm, x_local, 64)


@asc.jit
def three_tiles_each(x: asc.GlobalAddress, z: asc.GlobalAddress, tiles: int):
    """Tiles dealt out in turn, more blocks than cores."""
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    z_gm.set_global_buffer(z)
    local = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, 0, 8)
    for i in range(asc.get_block_idx(), tiles, asc.get_block_num()):
        asc.data_copy(local, x_gm[i * 8 :], 8)
        asc.set_flag(asc.HardEvent.MTE2_MTE3, 0)
        asc.wait_flag(asc.HardEvent.MTE2_MTE3, 0)
        asc.data_copy(z_gm[i * 8 :], local, 8)
        asc.set_flag(asc.HardEvent.MTE3_MTE2, 0)
        asc.wait_flag(asc.HardEvent.MTE3_MTE2, 0)


def _array(size: int, dtype: type = F32) -> np.ndarray:
    return np.arange(size, dtype=dtype)


def _launch_in_place(device: Device) -> Result:
    x = _array(512)
    return device.launch(in_place, 1, x, x, 4, outputs=("z",))


def _launch_padded(device: Device) -> Result:
    """z is longer than what is written, to a multiple of 32 B, and not declared."""
    return device.launch(exact_neighbours, 2, _array(266), np.zeros(272, F32))


def _launch_phases(device: Device) -> Result:
    blocks = 8
    arrays = _array(64 * blocks), np.zeros(64, F32), np.zeros(64 * blocks, F32)
    sync = np.zeros(8 * blocks, np.int32)
    return device.launch(two_phases, blocks, *arrays, sync, outputs=("z",))


def _launch_workspace(device: Device) -> Result:
    arrays = _array(64), np.zeros(64, F32), np.zeros(128, F32)
    return device.launch(workspace_round_trip, 1, *arrays, outputs=("z",), undefined=("workspace",))


def _launch_workspace_undeclared(device: Device) -> Result:
    return device.launch(workspace_round_trip, 1, _array(64), np.zeros(64, F32), np.zeros(128, F32))


def _launch_dealt(device: Device) -> Result:
    blocks = device.spec.vector_cores + 3
    tiles = 2 * blocks
    arrays = _array(8 * tiles), np.zeros(8 * tiles, F32)
    return device.launch(three_tiles_each, blocks, *arrays, tiles, outputs=("z",))


def _plain(kernel: object, size: int, *rest: object, blocks: int = 1, out: int = 0) -> Case:
    def launch(device: Device) -> Result:
        z = np.zeros(out or size, F32)
        return device.launch(kernel, blocks, _array(size), z, *rest, outputs=("z",))

    return launch


Case = Callable[[Device], Result]


def _half_rows(device: Device) -> Result:
    x, z = np.ones(36, np.float16), np.zeros(36, np.float16)
    return device.launch(narrow_rows, 1, x, z, outputs=("z",))


#: name -> (launch, chips)
CASES: dict[str, tuple[Case, tuple[str, ...]]] = {
    "odd GM offset with DataCopyPad": (_plain(odd_offset, 15, blocks=3), A2),
    "counter mode ignores repeat": (_plain(counter_mode, 128), ALL),
    "mask of an earlier call": (_plain(mask_reused, 128), ALL),
    "mask left on at the end": (_plain(mask_left_on, 128), ALL),
    "zero length": (_plain(nothing_to_do, 64, 0), ALL),
    "narrow rows with pad lanes": (_half_rows, A2),
    "padding that changes nothing": (_plain(neutral_padding, 9, out=2), A2),
    "one buffer, depth 2": (_plain(depth_is_not_double_buffering, 256), ALL),
    "exact bytes beside a neighbour's": (_plain(exact_neighbours, 266, blocks=2), A2),
    "padded output, not declared": (_launch_padded, A2),
    "overlapping tail, equal values": (_plain(tail_moved_back, 150, 150), ALL),
    "float atomics": (_plain(atomic_sum, 512, blocks=8, out=64), ALL),
    "ping-pong with primed flags": (_plain(ping_pong, 640, 10), ALL),
    "in place, one array": (_launch_in_place, ALL),
    "workspace": (_launch_workspace, ALL),
    "workspace, nothing declared": (_launch_workspace_undeclared, ALL),
    "select over unwritten lanes": (_plain(chosen_lanes, 96), ALL),
    "two phases": (_launch_phases, ALL),
    "scalar unit with automatic sync": (_plain(scalar_both_ways, 64), ALL),
    "more blocks than cores": (_launch_dealt, ALL),
}
