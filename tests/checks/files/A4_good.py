"""A4: the rows are contiguous in GM, so one block brings them in packed."""

import numpy as np

import ascend_lab.asc as asc
from ascend_lab import Device, Result

ROWS, COLS = 4, 9
COUNT = ROWS * COLS
CHIPS = ("Ascend910B1", "Ascend910B3")  # the 310P has no DataCopyPad


@asc.jit
def kernel(x: asc.GlobalAddress, z: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    z_gm.set_global_buffer(z)
    x_local = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, 0, ROWS * 16)
    z_local = asc.LocalTensor(z.dtype, asc.TPosition.VECOUT, 4096, ROWS * 16)
    no_pad = asc.DataCopyPadExtParams(x.dtype, False, 0, 0, 0)
    rows = asc.DataCopyExtParams(1, ROWS * COLS * 2, 0, 0)
    asc.data_copy_pad(x_local, x_gm, rows, no_pad)
    asc.set_flag(asc.HardEvent.MTE2_V, 0)
    asc.wait_flag(asc.HardEvent.MTE2_V, 0)
    asc.adds(z_local, x_local, 1.0, COUNT)
    asc.set_flag(asc.HardEvent.V_MTE3, 0)
    asc.wait_flag(asc.HardEvent.V_MTE3, 0)
    asc.data_copy_pad(z_gm, z_local, asc.DataCopyExtParams(1, COUNT * 2, 0, 0))


def launch(device: Device) -> Result:
    x = np.arange(COUNT, dtype=np.float16)
    z = np.zeros(COUNT, dtype=np.float16)
    return device.launch(kernel, 1, x, z, outputs=("z",))
