"""Q13: the host rounds the number of workspace rows down."""

from __future__ import annotations

import numpy as np

import ascend_lab.asc as asc
from ascend_lab import Device, Result

FINDS = "B4"  # with the sentence of B9
HINT = "B9"
ROW, PART, LENGTH = 64, 2048, 3 * 2048 + 64


@asc.jit
def kernel(x: asc.GlobalAddress, z: asc.GlobalAddress, workspace: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    z_gm.set_global_buffer(z)
    w_gm = asc.GlobalTensor()
    w_gm.set_global_buffer(workspace)
    local = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, 0, ROW)
    parts = (LENGTH + PART - 1) // PART
    for part in range(parts):
        asc.data_copy(local, x_gm[part * PART :], ROW)
        asc.set_flag(asc.HardEvent.MTE2_MTE3, 0)
        asc.wait_flag(asc.HardEvent.MTE2_MTE3, 0)
        asc.data_copy(w_gm[part * ROW :], local, ROW)
        asc.set_flag(asc.HardEvent.MTE3_MTE2, 0)
        asc.wait_flag(asc.HardEvent.MTE3_MTE2, 0)
    asc.data_copy(local, w_gm, ROW)
    asc.set_flag(asc.HardEvent.MTE2_MTE3, 0)
    asc.wait_flag(asc.HardEvent.MTE2_MTE3, 0)
    asc.data_copy(z_gm, local, ROW)


def launch(device: Device, mended: bool) -> Result:
    x = np.arange(LENGTH, dtype=np.float32)
    z = np.zeros(ROW, dtype=np.float32)
    rows = (LENGTH + PART - 1) // PART if mended else LENGTH // PART
    workspace = np.zeros(rows * ROW, dtype=np.float32)
    return device.launch(kernel, 1, x, z, workspace, outputs=("z",), undefined=("workspace",))
