"""D11: one id per buffer."""

import numpy as np

import ascend_lab.asc as asc
from ascend_lab import Device, Result

COUNT = 256
IDS = (0, 1)


@asc.jit
def kernel(x: asc.GlobalAddress, z: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    z_gm.set_global_buffer(z)
    x_local = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, 0, 2 * COUNT)
    z_local = asc.LocalTensor(z.dtype, asc.TPosition.VECOUT, 4096, 2 * COUNT)
    for i in range(2):
        asc.data_copy(x_local[i * COUNT :], x_gm[i * COUNT :], COUNT)
        asc.set_flag(asc.HardEvent.MTE2_V, IDS[i])
    for i in range(2):
        asc.wait_flag(asc.HardEvent.MTE2_V, IDS[i])
        asc.adds(z_local[i * COUNT :], x_local[i * COUNT :], 1.0, COUNT)
    asc.set_flag(asc.HardEvent.V_MTE3, 0)
    asc.wait_flag(asc.HardEvent.V_MTE3, 0)
    asc.data_copy(z_gm, z_local, 2 * COUNT)


def launch(device: Device) -> Result:
    x = np.arange(2 * COUNT, dtype=np.float32)
    z = np.zeros(2 * COUNT, dtype=np.float32)
    return device.launch(kernel, 1, x, z, outputs=("z",))
