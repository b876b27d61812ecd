"""One Add with a setting for each thing that can be slow, as a cell of a notebook would have it."""

from __future__ import annotations

from functools import cache

import numpy as np

import ascend_lab.asc as asc
from ascend_lab.device import Device, Result


@asc.jit
def add(
    x: asc.GlobalAddress,
    y: asc.GlobalAddress,
    z: asc.GlobalAddress,
    n: int,
    tile: asc.ConstExpr[int],
    buffers: asc.ConstExpr[int],
    shift: asc.ConstExpr[int],
):
    """``n`` elements, evenly over the cores; ``shift`` bytes lie between the buffers of x and y."""
    size = x.dtype.sizeof()
    own = n // asc.get_block_num()
    start = own * asc.get_block_idx()
    x_gm, y_gm, z_gm = asc.GlobalTensor(), asc.GlobalTensor(), asc.GlobalTensor()
    x_gm.set_global_buffer(x + start, own)
    y_gm.set_global_buffer(y + start, own)
    z_gm.set_global_buffer(z + start, own)
    pipe = asc.TPipe()
    in_x, in_y = asc.TQue(asc.TPosition.VECIN, 1), asc.TQue(asc.TPosition.VECIN, 1)
    out_z = asc.TQue(asc.TPosition.VECOUT, 1)
    pipe.init_buffer(in_x, buffers, tile * size)
    if shift:
        pipe.init_buffer(asc.TBuf(asc.TPosition.VECCALC), shift)
    pipe.init_buffer(in_y, buffers, tile * size)
    pipe.init_buffer(out_z, buffers, tile * size)
    for i in range(own // tile):
        x_local = in_x.alloc_tensor(x.dtype)
        y_local = in_y.alloc_tensor(x.dtype)
        asc.data_copy(x_local, x_gm[i * tile :], tile)
        asc.data_copy(y_local, y_gm[i * tile :], tile)
        in_x.enque(x_local)
        in_y.enque(y_local)
        x_local = in_x.deque(x.dtype)
        y_local = in_y.deque(x.dtype)
        z_local = out_z.alloc_tensor(x.dtype)
        asc.add(z_local, x_local, y_local, tile)
        out_z.enque(z_local)
        in_x.free_tensor(x_local)
        in_y.free_tensor(y_local)
        z_local = out_z.deque(x.dtype)
        asc.data_copy(z_gm[i * tile :], z_local, tile)
        out_z.free_tensor(z_local)


def arguments(
    n: int = 65536, tile: int = 1024, buffers: int = 1, shift: int = 0
) -> tuple[object, ...]:
    """What `add` takes."""
    x = np.arange(n, dtype=np.float32)
    return x, x[::-1].copy(), np.zeros(n, np.float32), n, tile, buffers, shift


@cache
def run(
    blocks: int = 4, performance: bool = False, chip: str = "Ascend910B1", **how: int
) -> Result:
    """A launch of `add`."""
    device = Device(chip, performance=performance)
    return device.launch(add, blocks, *arguments(**how), outputs=["z"])
