"""A8: seven elements fill the row up to 64 B."""

import numpy as np

import ascend_lab.asc as asc
from ascend_lab import Device, Result

ROW = 9
COUNT = 16
CHIPS = ("Ascend910B1", "Ascend910B3")  # the 310P has no DataCopyPad


@asc.jit
def kernel(x: asc.GlobalAddress, z: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    z_gm.set_global_buffer(z)
    x_local = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, 0, 64)
    z_local = asc.LocalTensor(z.dtype, asc.TPosition.VECOUT, 4096, 64)
    row = asc.DataCopyExtParams(1, ROW * 4, 0, 0)
    pad = asc.DataCopyPadExtParams(x.dtype, True, 0, 7, 0)
    asc.data_copy_pad(x_local, x_gm, row, pad)
    asc.set_flag(asc.HardEvent.MTE2_V, 0)
    asc.wait_flag(asc.HardEvent.MTE2_V, 0)
    asc.adds(z_local, x_local, 1.0, COUNT)
    asc.set_flag(asc.HardEvent.V_MTE3, 0)
    asc.wait_flag(asc.HardEvent.V_MTE3, 0)
    asc.data_copy(z_gm, z_local, COUNT)


def launch(device: Device) -> Result:
    x = np.arange(ROW, dtype=np.float32)
    z = np.zeros(COUNT, dtype=np.float32)
    return device.launch(kernel, 1, x, z, outputs=("z",))
