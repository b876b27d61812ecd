"""I1, mended: they are eight blocks apart."""

import numpy as np

import ascend_lab.asc as asc
from ascend_lab import Device, Result

COUNT = 512


@asc.jit
def kernel(x: asc.GlobalAddress, z: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    z_gm.set_global_buffer(z)
    x_local = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, 0, COUNT)
    z_local = asc.LocalTensor(z.dtype, asc.TPosition.VECOUT, 4096, COUNT)
    asc.data_copy(x_local, x_gm, COUNT)
    asc.set_flag(asc.HardEvent.MTE2_V, 0)
    asc.wait_flag(asc.HardEvent.MTE2_V, 0)
    params = asc.UnaryRepeatParams(1, 1, 8, 8)
    asc.adds(z_local, x_local, 1.0, 64, COUNT // 64, params)
    asc.set_flag(asc.HardEvent.V_MTE3, 0)
    asc.wait_flag(asc.HardEvent.V_MTE3, 0)
    asc.data_copy(z_gm, z_local, COUNT)


def launch(device: Device) -> Result:
    x = np.arange(COUNT, dtype=np.float32)
    z = np.zeros(COUNT, dtype=np.float32)
    return device.launch(kernel, 1, x, z, outputs=("z",))
