"""Q21: a barrier of V in front of a scalar read of the maximum."""

from __future__ import annotations

import numpy as np

import ascend_lab.asc as asc
from ascend_lab import Device, Result

FINDS = "D4"
AUTO_SYNC = False
ROWS, COLS = 3, 64


@asc.jit
def kernel(x: asc.GlobalAddress, z: asc.GlobalAddress, flag: bool):
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    z_gm.set_global_buffer(z)
    local = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, 0, ROWS * COLS)
    highest = asc.LocalTensor(x.dtype, asc.TPosition.VECCALC, 2048, 8)
    tmp = asc.LocalTensor(x.dtype, asc.TPosition.VECCALC, 3072, 64)
    asc.data_copy(local, x_gm, ROWS * COLS)
    asc.set_flag(asc.HardEvent.MTE2_V, 0)
    asc.wait_flag(asc.HardEvent.MTE2_V, 0)
    for row in range(ROWS):
        asc.reduce_max(highest, local[row * COLS :], tmp, COLS)
        asc.pipe_barrier(asc.PipeID.PIPE_V)
        if flag:
            asc.set_flag(asc.HardEvent.V_S, 0)
            asc.wait_flag(asc.HardEvent.V_S, 0)
        scale = 1.0 / highest.get_value(0)
        if flag:
            asc.set_flag(asc.HardEvent.S_V, 0)
            asc.wait_flag(asc.HardEvent.S_V, 0)
        asc.muls(local[row * COLS :], local[row * COLS :], scale, COLS)
        asc.pipe_barrier(asc.PipeID.PIPE_V)
    asc.set_flag(asc.HardEvent.V_MTE3, 0)
    asc.wait_flag(asc.HardEvent.V_MTE3, 0)
    asc.data_copy(z_gm, local, ROWS * COLS)


def launch(device: Device, mended: bool) -> Result:
    x = np.arange(1, ROWS * COLS + 1, dtype=np.float32)
    z = np.zeros(ROWS * COLS, dtype=np.float32)
    return device.launch(kernel, 1, x, z, mended, outputs=("z",))
