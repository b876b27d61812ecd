"""C6: exactly nine elements."""

import numpy as np

import ascend_lab.asc as asc
from ascend_lab import Device, Result

COUNT = 9
CHIPS = ("Ascend910B1", "Ascend910B3")  # the 310P has no DataCopyPad


@asc.jit
def kernel(x: asc.GlobalAddress, z: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    z_gm.set_global_buffer(z)
    x_local = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, 0, 16)
    z_local = asc.LocalTensor(z.dtype, asc.TPosition.VECOUT, 4096, 8)
    tmp = asc.LocalTensor(z.dtype, asc.TPosition.VECCALC, 8192, 64)
    no_pad = asc.DataCopyPadExtParams(x.dtype, False, 0, 0, 0)
    asc.data_copy_pad(x_local, x_gm, asc.DataCopyExtParams(1, COUNT * 4, 0, 0), no_pad)
    asc.set_flag(asc.HardEvent.MTE2_V, 0)
    asc.wait_flag(asc.HardEvent.MTE2_V, 0)
    asc.reduce_sum(z_local, x_local, tmp, COUNT)
    asc.set_flag(asc.HardEvent.V_MTE3, 0)
    asc.wait_flag(asc.HardEvent.V_MTE3, 0)
    asc.data_copy_pad(z_gm, z_local, asc.DataCopyExtParams(1, 4, 0, 0))


def launch(device: Device) -> Result:
    x = np.arange(1, COUNT + 1, dtype=np.float32)
    z = np.zeros(1, dtype=np.float32)
    return device.launch(kernel, 1, x, z, outputs=("z",))
