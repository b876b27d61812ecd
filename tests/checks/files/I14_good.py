"""I14, mended: one copy."""

import numpy as np

import ascend_lab.asc as asc
from ascend_lab import Device, Result

COUNT = 256
PERFORMANCE = True
SCHEDULES = ("realistic",)  # another schedule has no times
DIFF = 3
LEADS = "K3"  # I14 is a sentence of its message


@asc.jit
def kernel(x: asc.GlobalAddress, z: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    z_gm.set_global_buffer(z)
    local = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, 0, COUNT)
    asc.data_copy(local, x_gm, COUNT)
    asc.set_flag(asc.HardEvent.MTE2_MTE3, 0)
    asc.wait_flag(asc.HardEvent.MTE2_MTE3, 0)
    asc.data_copy(z_gm, local, COUNT)


def launch(device: Device) -> Result:
    x = np.arange(COUNT, dtype=np.float32)
    z = np.zeros(COUNT, dtype=np.float32)
    return device.launch(kernel, 1, x, z, outputs=("z",))
