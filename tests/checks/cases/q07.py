"""Q07: rows whose distance became the size of the whole tensor."""

from __future__ import annotations

import numpy as np

import ascend_lab.asc as asc
from ascend_lab import Device, Result

FINDS = "A6"
ROWS, WIDTH, COLS, TAKEN = 64, 128, 32, 4


@asc.jit
def kernel(x: asc.GlobalAddress, z: asc.GlobalAddress, gap: int):
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    z_gm.set_global_buffer(z)
    local = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, 0, TAKEN * COLS)
    rows = asc.DataCopyExtParams(TAKEN, COLS * 4, gap, 0, 0)
    asc.data_copy_pad(local, x_gm, rows, asc.DataCopyPadExtParams(x.dtype, False, 0, 0, 0))
    asc.set_flag(asc.HardEvent.MTE2_MTE3, 0)
    asc.wait_flag(asc.HardEvent.MTE2_MTE3, 0)
    asc.data_copy(z_gm, local, TAKEN * COLS)


def launch(device: Device, mended: bool) -> Result:
    x = np.arange(ROWS * WIDTH, dtype=np.float32)
    z = np.zeros(TAKEN * COLS, dtype=np.float32)
    gap = (WIDTH - COLS) * 4 if mended else ROWS * WIDTH * 4
    return device.launch(kernel, 1, x, z, gap, outputs=("z",))
