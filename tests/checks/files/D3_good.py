"""D3: the load waits for V."""

import numpy as np

import ascend_lab.asc as asc
from ascend_lab import Device, Result

COUNT = 1024
TILES = 4


@asc.jit
def kernel(x: asc.GlobalAddress, z: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    z_gm.set_global_buffer(z)
    x_local = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, 0, COUNT)
    z_local = asc.LocalTensor(z.dtype, asc.TPosition.VECOUT, 4096, COUNT)
    for i in range(TILES):
        asc.data_copy(x_local, x_gm[i * COUNT :], COUNT)
        asc.set_flag(asc.HardEvent.MTE2_V, 0)
        asc.wait_flag(asc.HardEvent.MTE2_V, 0)
        asc.adds(z_local, x_local, 1.0, COUNT)
        asc.set_flag(asc.HardEvent.V_MTE2, 0)
        asc.wait_flag(asc.HardEvent.V_MTE2, 0)
        asc.set_flag(asc.HardEvent.V_MTE3, 0)
        asc.wait_flag(asc.HardEvent.V_MTE3, 0)
        asc.data_copy(z_gm[i * COUNT :], z_local, COUNT)
        asc.set_flag(asc.HardEvent.MTE3_V, 0)
        asc.wait_flag(asc.HardEvent.MTE3_V, 0)


def launch(device: Device) -> Result:
    x = np.arange(TILES * COUNT, dtype=np.float32)
    z = np.zeros(TILES * COUNT, dtype=np.float32)
    return device.launch(kernel, 1, x, z, outputs=("z",))
