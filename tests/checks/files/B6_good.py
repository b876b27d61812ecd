"""B6, mended: 32 elements hold the 16 pairs of the first round."""

import numpy as np

import ascend_lab.asc as asc
from ascend_lab import Device, Result

COUNT = 1024
CHIPS = ("Ascend910B1", "Ascend910B3")  # DataCopyPad


@asc.jit
def kernel(x: asc.GlobalAddress, z: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    z_gm.set_global_buffer(z)
    local = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, 0, COUNT)
    result = asc.LocalTensor(x.dtype, asc.TPosition.VECOUT, 8192, 8)
    tmp = asc.LocalTensor(x.dtype, asc.TPosition.VECCALC, 12288, 32)
    asc.data_copy(local, x_gm, COUNT)
    asc.set_flag(asc.HardEvent.MTE2_V, 0)
    asc.wait_flag(asc.HardEvent.MTE2_V, 0)
    asc.reduce_max(result, local, tmp, COUNT)
    asc.set_flag(asc.HardEvent.V_MTE3, 0)
    asc.wait_flag(asc.HardEvent.V_MTE3, 0)
    asc.data_copy_pad(z_gm, result, asc.DataCopyExtParams(1, 4, 0, 0, 0))


def launch(device: Device) -> Result:
    x = np.arange(COUNT, dtype=np.float32)
    z = np.zeros(1, dtype=np.float32)
    return device.launch(kernel, 1, x, z, outputs=("z",))
