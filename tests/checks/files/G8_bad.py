"""G8: the loop counts tiles, and not the halves that two buffers make of them."""

import numpy as np

import ascend_lab.asc as asc
from ascend_lab import Device, Result

LEADS = "E3"


@asc.jit
def kernel(x: asc.GlobalAddress, z: asc.GlobalAddress, tiles: int):
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    z_gm.set_global_buffer(z)
    part = asc.LocalTensor(x.dtype, asc.TPosition.VECCALC, 0, 64)
    for tile in range(tiles):
        asc.data_copy(part, x_gm[tile * 64 :], 64)
        asc.set_flag(asc.HardEvent.MTE2_MTE3, 0)
        asc.wait_flag(asc.HardEvent.MTE2_MTE3, 0)
        asc.data_copy(z_gm[tile * 64 :], part, 64)  # FAULT
        asc.set_flag(asc.HardEvent.MTE3_MTE2, 0)
        asc.wait_flag(asc.HardEvent.MTE3_MTE2, 0)


def launch(device: Device) -> Result:
    x = np.arange(1024, dtype=np.float32)
    z = np.zeros(1024, dtype=np.float32)
    tiles = 8
    return device.launch(kernel, 1, x, z, tiles, outputs=("z",))
