"""K14: 256 instructions of one repeat each."""

import numpy as np

import ascend_lab.asc as asc
from ascend_lab import Device, Result

COUNT, ONCE = 24576, 64
PERFORMANCE = True
CHIPS = ("Ascend910B1", "Ascend910B3")  # a 310P waits for GM
SCHEDULES = ("realistic",)  # another schedule has no times


@asc.jit
def kernel(x: asc.GlobalAddress, z: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    z_gm.set_global_buffer(z)
    a = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, 0, COUNT)
    asc.data_copy(a, x_gm, COUNT)
    asc.set_flag(asc.HardEvent.MTE2_V, 0)
    asc.wait_flag(asc.HardEvent.MTE2_V, 0)
    for start in range(0, COUNT, ONCE):
        asc.muls(a[start:], a[start:], 2.0, ONCE)  # FAULT
    asc.set_flag(asc.HardEvent.V_MTE3, 0)
    asc.wait_flag(asc.HardEvent.V_MTE3, 0)
    asc.data_copy(z_gm, a, COUNT)


def launch(device: Device) -> Result:
    x = np.linspace(-1.0, 1.0, COUNT, dtype=np.float32)
    z = np.zeros(COUNT, dtype=np.float32)
    return device.launch(kernel, 1, x, z, outputs=("z",))
