"""I4: 128 floats, the surplus bits are not used."""

import numpy as np

import ascend_lab.asc as asc
from ascend_lab import Device, Result

COUNT = 128


@asc.jit
def kernel(x: asc.GlobalAddress, z: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    z_gm.set_global_buffer(z)
    x_local = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, 0, COUNT)
    z_local = asc.LocalTensor(z.dtype, asc.TPosition.VECOUT, 4096, COUNT)
    mask = asc.LocalTensor(asc.uint8, asc.TPosition.VECCALC, 8192, 32)
    asc.data_copy(x_local, x_gm, COUNT)
    asc.set_flag(asc.HardEvent.MTE2_V, 0)
    asc.wait_flag(asc.HardEvent.MTE2_V, 0)
    asc.compare_scalar(mask, x_local, 50.0, asc.CMPMODE.GT, 128)
    asc.select(z_local, mask, x_local, 0.0, asc.SelMode.VSEL_TENSOR_SCALAR_MODE, 100)
    asc.set_flag(asc.HardEvent.V_MTE3, 0)
    asc.wait_flag(asc.HardEvent.V_MTE3, 0)
    asc.data_copy(z_gm, z_local, 96)


def launch(device: Device) -> Result:
    x = np.arange(COUNT, dtype=np.float32)
    z = np.zeros(96, dtype=np.float32)
    return device.launch(kernel, 1, x, z, outputs=("z",))
