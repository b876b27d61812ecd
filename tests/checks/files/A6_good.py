"""A6, mended: the gap is the pitch without the row."""

import numpy as np

import ascend_lab.asc as asc
from ascend_lab import Device, Result

ROWS, WIDTH, COLS = 16, 40, 8
CHIPS = ("Ascend910B1", "Ascend910B3")  # DataCopyPad


@asc.jit
def kernel(x: asc.GlobalAddress, z: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    z_gm.set_global_buffer(z)
    local = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, 0, ROWS * COLS)
    pad = asc.DataCopyPadExtParams(x.dtype, False, 0, 0, 0)
    load = asc.DataCopyExtParams(ROWS, COLS * 4, (WIDTH - COLS) * 4, 0, 0)
    asc.data_copy_pad(local, x_gm, load, pad)
    asc.set_flag(asc.HardEvent.MTE2_MTE3, 0)
    asc.wait_flag(asc.HardEvent.MTE2_MTE3, 0)
    asc.data_copy_pad(z_gm, local, asc.DataCopyExtParams(1, ROWS * COLS * 4, 0, 0, 0))


def launch(device: Device) -> Result:
    x = np.arange(ROWS * WIDTH, dtype=np.float32)
    z = np.zeros(ROWS * COLS, dtype=np.float32)
    return device.launch(kernel, 1, x, z, outputs=("z",))
