"""Q45: one block a row, and 65 536 rows."""

from __future__ import annotations

import numpy as np

import ascend_lab.asc as asc
from ascend_lab import Device, Result

FINDS = "E13"
COLS, ROWS = 8, 65536


@asc.jit
def kernel(x: asc.GlobalAddress, z: asc.GlobalAddress, rows: int):
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    z_gm.set_global_buffer(z)
    local = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, 0, COLS * 4096)
    own = rows // asc.get_block_num()
    first = asc.get_block_idx() * own
    for start in range(0, own, 4096):
        count = min(4096, own - start)
        asc.data_copy(local, x_gm[(first + start) * COLS :], count * COLS)
        asc.set_flag(asc.HardEvent.MTE2_MTE3, 0)
        asc.wait_flag(asc.HardEvent.MTE2_MTE3, 0)
        asc.data_copy(z_gm[(first + start) * COLS :], local, count * COLS)
        asc.set_flag(asc.HardEvent.MTE3_MTE2, 0)
        asc.wait_flag(asc.HardEvent.MTE3_MTE2, 0)


def launch(device: Device, mended: bool) -> Result:
    x = np.ones(ROWS * COLS, dtype=np.float32)
    z = np.zeros(ROWS * COLS, dtype=np.float32)
    return device.launch(kernel, 8 if mended else ROWS, x, z, ROWS, outputs=("z",))
