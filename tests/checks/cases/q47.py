"""Q47: three answers of a public key are the reverse of what is true; two of them can be run."""

from __future__ import annotations

import numpy as np

import ascend_lab.asc as asc
from ascend_lab import Device, Result

FINDS = "E1"
TILE, TILES, CORES = 256, 4, 4
BLOCK = TILE * TILES


@asc.jit
def kernel(x: asc.GlobalAddress, z: asc.GlobalAddress, buffers: int, at_start: bool):
    offset = asc.get_block_idx() * BLOCK
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x + offset, BLOCK)
    z_gm.set_global_buffer(z if at_start else z + offset, BLOCK)
    pipe = asc.TPipe()
    in_x = asc.TQue(asc.TPosition.VECIN, 1)
    out_z = asc.TQue(asc.TPosition.VECOUT, 1)
    pipe.init_buffer(in_x, buffers, TILE * x.dtype.sizeof())
    pipe.init_buffer(out_z, buffers, TILE * z.dtype.sizeof())
    length = TILE
    for tile in range(TILES):
        x_local = in_x.alloc_tensor(x.dtype)
        asc.data_copy(x_local, x_gm[tile * length :], length)
        in_x.enque(x_local)
        x_local = in_x.deque(x.dtype)
        z_local = out_z.alloc_tensor(z.dtype)
        asc.exp(z_local, x_local, length)
        in_x.free_tensor(x_local)
        out_z.enque(z_local)
        z_local = out_z.deque(z.dtype)
        asc.data_copy(z_gm[tile * length :], z_local, length)
        out_z.free_tensor(z_local)


def launch(device: Device, mended: bool) -> Result:
    """Without double buffering the result is right; a buffer bound at the start for every core is wrong."""
    x = np.linspace(-1, 1, CORES * BLOCK, dtype=np.float32)
    z = np.zeros(CORES * BLOCK, dtype=np.float32)
    result = device.launch(kernel, CORES, x, z, 1, not mended, outputs=("z",))
    assert not mended or np.allclose(z, np.exp(x), rtol=1e-3)
    return result
