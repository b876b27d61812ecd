"""Q23: two output tiles share an address, and the flag back from the store is missing."""

from __future__ import annotations

import numpy as np

import ascend_lab.asc as asc
from ascend_lab import Device, Result

FINDS = "D3"
TILE, TILES = 256, 4


@asc.jit
def kernel(x: asc.GlobalAddress, z: asc.GlobalAddress, flag: bool):
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    z_gm.set_global_buffer(z)
    local = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, 0, TILE * TILES)
    out = asc.LocalTensor(z.dtype, asc.TPosition.VECOUT, 8192, TILE)
    asc.data_copy(local, x_gm, TILE * TILES)
    asc.set_flag(asc.HardEvent.MTE2_V, 0)
    asc.wait_flag(asc.HardEvent.MTE2_V, 0)
    for tile in range(TILES):
        if flag and tile > 0:
            asc.wait_flag(asc.HardEvent.MTE3_V, 0)
        asc.adds(out, local[tile * TILE :], 1.0, TILE)
        asc.set_flag(asc.HardEvent.V_MTE3, 0)
        asc.wait_flag(asc.HardEvent.V_MTE3, 0)
        asc.data_copy(z_gm[tile * TILE :], out, TILE)
        if flag and tile < TILES - 1:
            asc.set_flag(asc.HardEvent.MTE3_V, 0)


def launch(device: Device, mended: bool) -> Result:
    x = np.arange(TILE * TILES, dtype=np.float32)
    z = np.zeros(TILE * TILES, dtype=np.float32)
    return device.launch(kernel, 1, x, z, mended, outputs=("z",))
