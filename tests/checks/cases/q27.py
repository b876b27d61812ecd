"""Q27: a loop that waits at its top, and nobody sets the flag before the first round."""

from __future__ import annotations

import numpy as np

import ascend_lab.asc as asc
from ascend_lab import Device, Result

FINDS = "D9"
TILE, TILES = 256, 4


@asc.jit
def kernel(x: asc.GlobalAddress, z: asc.GlobalAddress, primed: bool):
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    z_gm.set_global_buffer(z)
    local = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, 0, TILE)
    if primed:
        asc.set_flag(asc.HardEvent.MTE3_MTE2, 0)
    for tile in range(TILES):
        asc.wait_flag(asc.HardEvent.MTE3_MTE2, 0)
        asc.data_copy(local, x_gm[tile * TILE :], TILE)
        asc.set_flag(asc.HardEvent.MTE2_MTE3, 0)
        asc.wait_flag(asc.HardEvent.MTE2_MTE3, 0)
        asc.data_copy(z_gm[tile * TILE :], local, TILE)
        asc.set_flag(asc.HardEvent.MTE3_MTE2, 0)
    asc.wait_flag(asc.HardEvent.MTE3_MTE2, 0)


def launch(device: Device, mended: bool) -> Result:
    x = np.arange(TILE * TILES, dtype=np.float32)
    z = np.zeros(TILE * TILES, dtype=np.float32)
    return device.launch(kernel, 1, x, z, mended, outputs=("z",))
