"""Real runs for the tests of the views: a good queued Add, one with a race, one that stands still."""

from __future__ import annotations

import inspect
from functools import cache
from typing import Any

import numpy as np

import ascend_lab.asc as asc
from ascend_lab.device import Device, Result

TILE = 1024


@asc.jit
def queued_add(
    x: asc.GlobalAddress,
    y: asc.GlobalAddress,
    z: asc.GlobalAddress,
    length: int,
    tiles: asc.ConstExpr[int],
) -> None:
    offset = asc.get_block_idx() * length
    x_gm, y_gm, z_gm = asc.GlobalTensor(), asc.GlobalTensor(), asc.GlobalTensor()
    x_gm.set_global_buffer(x + offset, length)
    y_gm.set_global_buffer(y + offset, length)
    z_gm.set_global_buffer(z + offset, length)
    pipe = asc.TPipe()
    in_x = asc.TQue(asc.TPosition.VECIN, 1)
    in_y = asc.TQue(asc.TPosition.VECIN, 1)
    out_z = asc.TQue(asc.TPosition.VECOUT, 1)
    pipe.init_buffer(in_x, 2, TILE * x.dtype.sizeof())
    pipe.init_buffer(in_y, 2, TILE * x.dtype.sizeof())
    pipe.init_buffer(out_z, 2, TILE * x.dtype.sizeof())
    for i in range(tiles):
        x_local = in_x.alloc_tensor(x.dtype)
        y_local = in_y.alloc_tensor(x.dtype)
        asc.data_copy(x_local, x_gm[i * TILE :], TILE)
        asc.data_copy(y_local, y_gm[i * TILE :], TILE)
        in_x.enque(x_local)
        in_y.enque(y_local)
        x_local = in_x.deque(x.dtype)
        y_local = in_y.deque(x.dtype)
        z_local = out_z.alloc_tensor(x.dtype)
        asc.add(z_local, x_local, y_local, TILE)
        out_z.enque(z_local)
        in_x.free_tensor(x_local)
        in_y.free_tensor(y_local)
        z_local = out_z.deque(x.dtype)
        asc.data_copy(z_gm[i * TILE :], z_local, TILE)
        out_z.free_tensor(z_local)


@asc.jit
def racy_add(
    x: asc.GlobalAddress, y: asc.GlobalAddress, z: asc.GlobalAddress, tiles: asc.ConstExpr[int]
) -> None:
    """Add uses y_local as alloc_tensor gave it: nothing makes V wait for its load."""
    x_gm, y_gm, z_gm = asc.GlobalTensor(), asc.GlobalTensor(), asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    y_gm.set_global_buffer(y)
    z_gm.set_global_buffer(z)
    pipe = asc.TPipe()
    in_x = asc.TQue(asc.TPosition.VECIN, 1)
    in_y = asc.TQue(asc.TPosition.VECIN, 1)
    out_z = asc.TQue(asc.TPosition.VECOUT, 1)
    pipe.init_buffer(in_x, 1, TILE * x.dtype.sizeof())
    pipe.init_buffer(in_y, 1, TILE * x.dtype.sizeof())
    pipe.init_buffer(out_z, 1, TILE * x.dtype.sizeof())
    for i in range(tiles):
        x_local = in_x.alloc_tensor(x.dtype)
        y_local = in_y.alloc_tensor(x.dtype)
        asc.data_copy(x_local, x_gm[i * TILE :], TILE)
        in_x.enque(x_local)
        asc.data_copy(y_local, y_gm[i * TILE :], TILE)
        x_local = in_x.deque(x.dtype)
        z_local = out_z.alloc_tensor(x.dtype)
        asc.add(z_local, x_local, y_local, TILE)
        out_z.enque(z_local)
        in_x.free_tensor(x_local)
        in_y.free_tensor(y_local)
        z_local = out_z.deque(x.dtype)
        asc.data_copy(z_gm[i * TILE :], z_local, TILE)
        out_z.free_tensor(z_local)


@asc.jit
def stuck_copy(x: asc.GlobalAddress, z: asc.GlobalAddress) -> None:
    """V waits for a flag with id 1; id 0 is set."""
    x_gm, z_gm = asc.GlobalTensor(), asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    z_gm.set_global_buffer(z)
    x_local = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, 0, TILE)
    z_local = asc.LocalTensor(x.dtype, asc.TPosition.VECOUT, 4096, TILE)
    asc.data_copy(x_local, x_gm, TILE)
    asc.set_flag(asc.HardEvent.MTE2_V, 0)
    asc.wait_flag(asc.HardEvent.MTE2_V, 1)
    asc.adds(z_local, x_local, 1.0, TILE)
    asc.set_flag(asc.HardEvent.V_MTE3, 0)
    asc.wait_flag(asc.HardEvent.V_MTE3, 0)
    asc.data_copy(z_gm, z_local, TILE)


@asc.jit
def adds_at(
    x: asc.GlobalAddress,
    src0: asc.ConstExpr[int],
    src1: asc.ConstExpr[int],
    dst: asc.ConstExpr[int],
    blk: asc.ConstExpr[int],
    rep: asc.ConstExpr[int],
) -> None:
    """One Add of 64 repeats at three UB addresses; ``blk`` and ``rep`` are the strides of src0."""
    a = asc.LocalTensor(x.dtype, asc.TPosition.VECCALC, src0, 4096)
    b = asc.LocalTensor(x.dtype, asc.TPosition.VECCALC, src1, 4096)
    c = asc.LocalTensor(x.dtype, asc.TPosition.VECCALC, dst, 4096)
    asc.duplicate(a, 1.0, 4096)
    asc.duplicate(b, 1.0, 4096)
    asc.add(c, a, b, 64, 64, asc.BinaryRepeatParams(1, blk, 1, 8, rep, 8))


def _floats(n: int) -> list[Any]:
    rng = np.random.default_rng(3)
    return [rng.random(n, np.float32), rng.random(n, np.float32), np.zeros(n, np.float32)]


@asc.jit
def misaligned_copy(x: asc.GlobalAddress, z: asc.GlobalAddress) -> None:
    """Loads to an address that is no multiple of 32."""
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    pipe = asc.TPipe()
    queue = asc.TQue(asc.TPosition.VECIN, 1)
    pipe.init_buffer(queue, 1, 2 * TILE * x.dtype.sizeof())
    x_local = queue.alloc_tensor(x.dtype)
    asc.data_copy(x_local[1:], x_gm, TILE)


@cache
def good(tiles: int = 6, blocks: int = 2) -> Result:
    length = tiles * TILE
    return Device().launch(queued_add, blocks, *_floats(length * blocks), length, tiles)


@cache
def racy(tiles: int = 3) -> Result:
    return Device().launch(racy_add, 1, *_floats(tiles * TILE), tiles)


@cache
def stuck() -> Result:
    x, _, z = _floats(TILE)
    return Device().launch(stuck_copy, 1, x, z)


@cache
def misaligned() -> Result:
    x, _, z = _floats(TILE)
    return Device().launch(misaligned_copy, 1, x, z)


@cache
def banked(src0: int, src1: int, dst: int, blk: int = 1, rep: int = 8) -> Result:
    return Device(checks=False).launch(adds_at, 1, _floats(8)[0], src0, src1, dst, blk, rep)


def line(kernel: Any, text: str) -> int:
    """The first line of ``kernel`` that contains ``text``."""
    lines, first = inspect.getsourcelines(kernel.fn)
    return first + next(k for k, source in enumerate(lines) if text in source)
