"""Q19: the tail of a row is filled with 0 before the maximum is taken."""

from __future__ import annotations

import numpy as np

import ascend_lab.asc as asc
from ascend_lab import Device, Result

FINDS = "C6"
COLS, SLOT = 100, 104


@asc.jit
def kernel(x: asc.GlobalAddress, z: asc.GlobalAddress, fill: float):
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    z_gm.set_global_buffer(z)
    local = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, 0, SLOT)
    result = asc.LocalTensor(x.dtype, asc.TPosition.VECOUT, 1024, 8)
    tmp = asc.LocalTensor(x.dtype, asc.TPosition.VECCALC, 2048, 64)
    pad = asc.DataCopyPadExtParams(x.dtype, True, 0, SLOT - COLS, fill)
    asc.data_copy_pad(local, x_gm, asc.DataCopyExtParams(1, COLS * 4, 0, 0, 0), pad)
    asc.set_flag(asc.HardEvent.MTE2_V, 0)
    asc.wait_flag(asc.HardEvent.MTE2_V, 0)
    asc.reduce_max(result, local, tmp, SLOT)
    asc.set_flag(asc.HardEvent.V_MTE3, 0)
    asc.wait_flag(asc.HardEvent.V_MTE3, 0)
    asc.data_copy_pad(z_gm, result, asc.DataCopyExtParams(1, 4, 0, 0, 0))


def launch(device: Device, mended: bool) -> Result:
    x = np.linspace(-9, -8, COLS, dtype=np.float32)
    z = np.zeros(1, dtype=np.float32)
    fill = float("-inf") if mended else 0.0
    return device.launch(kernel, 1, x, z, fill, outputs=("z",))
