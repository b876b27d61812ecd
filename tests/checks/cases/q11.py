"""Q11: the temporary buffer of a reduction is a quarter of what it needs."""

from __future__ import annotations

import numpy as np

import ascend_lab.asc as asc
from ascend_lab import Device, Result

FINDS = "B6"
SIZES = (1024, 4096, 8192)


@asc.jit
def kernel(x: asc.GlobalAddress, z: asc.GlobalAddress, count: int, room: int):
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    z_gm.set_global_buffer(z)
    local = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, 0, count)
    result = asc.LocalTensor(x.dtype, asc.TPosition.VECOUT, 4 * count, 8)
    tmp = asc.LocalTensor(x.dtype, asc.TPosition.VECCALC, 4 * count + 32, room)
    asc.data_copy(local, x_gm, count)
    asc.set_flag(asc.HardEvent.MTE2_V, 0)
    asc.wait_flag(asc.HardEvent.MTE2_V, 0)
    asc.reduce_sum(result, local, tmp, 64, count // 64, 8)
    asc.set_flag(asc.HardEvent.V_MTE3, 0)
    asc.wait_flag(asc.HardEvent.V_MTE3, 0)
    asc.data_copy_pad(z_gm, result, asc.DataCopyExtParams(1, 4, 0, 0, 0))


def launch(device: Device, mended: bool) -> Result:
    """Too small at the larger sizes only: 16 results of 1024 elements fit into what is always there."""
    for size in SIZES:
        room = size // 64 if mended else max(size // 64 // 4, 16)
        x, z = np.ones(size, np.float32), np.zeros(1, np.float32)
        result = device.launch(kernel, 1, x, z, size, room, outputs=("z",))
        if result.findings:
            return result
    return result
