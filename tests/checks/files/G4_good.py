"""G4: the offset of the store counts bytes."""

import numpy as np

import ascend_lab.asc as asc
from ascend_lab import Device, Result

LEADS = "B4"


@asc.jit
def kernel(x: asc.GlobalAddress, z: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    z_gm.set_global_buffer(z)
    part = asc.LocalTensor(x.dtype, asc.TPosition.VECCALC, 0, 64)
    step = 64
    for tile in range(8):
        asc.data_copy(part, x_gm[tile * 64 :], 64)
        asc.set_flag(asc.HardEvent.MTE2_MTE3, 0)
        asc.wait_flag(asc.HardEvent.MTE2_MTE3, 0)
        asc.data_copy(z_gm[tile * step :], part, 64)
        asc.set_flag(asc.HardEvent.MTE3_MTE2, 0)
        asc.wait_flag(asc.HardEvent.MTE3_MTE2, 0)


def launch(device: Device) -> Result:
    x = np.arange(512, dtype=np.float32)
    z = np.zeros(512, dtype=np.float32)
    return device.launch(kernel, 1, x, z, outputs=("z",))
