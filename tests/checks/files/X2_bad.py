"""X2: the loop waits for a value that nobody changes."""

import numpy as np

import ascend_lab.asc as asc
from ascend_lab import Device, Result

COUNT = 256


@asc.jit
def kernel(x: asc.GlobalAddress, z: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    z_gm.set_global_buffer(z)
    while x_gm.get_value(0) == 0.0:  # FAULT
        z_gm.set_value(0, 1.0)


def launch(device: Device) -> Result:
    short = Device(device.spec.name, device.schedule, device.seed, device.auto_sync, limit=2000)
    return short.launch(kernel, 1, np.zeros(1, np.float32), np.zeros(1, np.float32), outputs=("z",))
