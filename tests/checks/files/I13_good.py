"""I13: the kernel writes into its tiling."""

import numpy as np

import ascend_lab.asc as asc
from ascend_lab import Device, Result


@asc.jit
def kernel(x: asc.GlobalAddress, z: asc.GlobalAddress, t: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    t_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    z_gm.set_global_buffer(z)
    t_gm.set_global_buffer(t)
    part = asc.LocalTensor(x.dtype, asc.TPosition.VECCALC, 0, 64)
    tiles = t_gm.get_value(0)
    for tile in range(tiles):
        asc.data_copy(part, x_gm[tile * 64 :], 64)
        asc.set_flag(asc.HardEvent.MTE2_MTE3, 0)
        asc.wait_flag(asc.HardEvent.MTE2_MTE3, 0)
        asc.data_copy(z_gm[tile * 64 :], part, 64)
        asc.set_flag(asc.HardEvent.MTE3_MTE2, 0)
        asc.wait_flag(asc.HardEvent.MTE3_MTE2, 0)


def launch(device: Device) -> Result:
    x = np.arange(256, dtype=np.float32)
    z = np.zeros(256, dtype=np.float32)
    t = np.array([4, 0, 0, 0, 0, 0, 0, 0], dtype=np.int32)
    return device.launch(kernel, 1, x, z, t, outputs=("z",))
