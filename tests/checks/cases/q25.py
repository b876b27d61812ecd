"""Q25: a tile goes to GM and is read back by another engine at once."""

from __future__ import annotations

import numpy as np

import ascend_lab.asc as asc
from ascend_lab import Device, Result

FINDS = "D6"
COUNT = 512


@asc.jit
def kernel(x: asc.GlobalAddress, z: asc.GlobalAddress, workspace: asc.GlobalAddress, flag: bool):
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    z_gm.set_global_buffer(z)
    w_gm = asc.GlobalTensor()
    w_gm.set_global_buffer(workspace)
    there = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, 0, COUNT)
    back = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, 4096, COUNT)
    asc.data_copy(there, x_gm, COUNT)
    asc.set_flag(asc.HardEvent.MTE2_MTE3, 0)
    asc.wait_flag(asc.HardEvent.MTE2_MTE3, 0)
    asc.data_copy(w_gm, there, COUNT)
    if flag:
        asc.set_flag(asc.HardEvent.MTE3_MTE2, 0)
        asc.wait_flag(asc.HardEvent.MTE3_MTE2, 0)
    asc.data_copy(back, w_gm, COUNT)
    asc.set_flag(asc.HardEvent.MTE2_MTE3, 1)
    asc.wait_flag(asc.HardEvent.MTE2_MTE3, 1)
    asc.data_copy(z_gm, back, COUNT)


def launch(device: Device, mended: bool) -> Result:
    x = np.arange(COUNT, dtype=np.float32)
    z, workspace = np.zeros(COUNT, np.float32), np.zeros(COUNT, np.float32)
    return device.launch(kernel, 1, x, z, workspace, mended, outputs=("z",))
