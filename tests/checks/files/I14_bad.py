"""I14: elements are fetched from GM one by one. Two lines and a flag: a copy in place of the loop."""

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
    for k in range(COUNT):
        local.set_value(k, x_gm.get_value(k))  # FAULT
    asc.data_copy(z_gm, local, COUNT)


def launch(device: Device) -> Result:
    x = np.arange(COUNT, dtype=np.float32)
    z = np.zeros(COUNT, dtype=np.float32)
    return device.launch(kernel, 1, x, z, outputs=("z",))
