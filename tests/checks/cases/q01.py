"""Q01: a vector operand three elements behind a block of 32 B."""

from __future__ import annotations

import numpy as np

import ascend_lab.asc as asc
from ascend_lab import Device, Result

FINDS = "A5"
COUNT = 64


@asc.jit
def kernel(x: asc.GlobalAddress, z: asc.GlobalAddress, at: int):
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    z_gm.set_global_buffer(z)
    local = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, 0, 2 * COUNT)
    out = asc.LocalTensor(z.dtype, asc.TPosition.VECOUT, 1024, COUNT)
    asc.data_copy(local, x_gm, 2 * COUNT)
    asc.set_flag(asc.HardEvent.MTE2_V, 0)
    asc.wait_flag(asc.HardEvent.MTE2_V, 0)
    asc.add(out, local[at:], local, COUNT)
    asc.set_flag(asc.HardEvent.V_MTE3, 0)
    asc.wait_flag(asc.HardEvent.V_MTE3, 0)
    asc.data_copy(z_gm, out, COUNT)


def launch(device: Device, mended: bool) -> Result:
    x = np.arange(2 * COUNT, dtype=np.float32)
    z = np.zeros(COUNT, dtype=np.float32)
    return device.launch(kernel, 1, x, z, 8 if mended else 3, outputs=("z",))
