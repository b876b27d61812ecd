"""K4: the second source is 256 B further on."""

import numpy as np

import ascend_lab.asc as asc
from ascend_lab import Device, Result

COUNT, Y = 8192, 0x10100
PERFORMANCE = True
SCHEDULES = ("realistic",)  # another schedule has no times
CHIPS = ("Ascend910B1", "Ascend910B3")  # its rules are published


@asc.jit
def kernel(x: asc.GlobalAddress, z: asc.GlobalAddress, n: int):
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    z_gm.set_global_buffer(z)
    a = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, 0x0, COUNT)
    b = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, Y, COUNT)
    c = asc.LocalTensor(x.dtype, asc.TPosition.VECOUT, 0x20000, COUNT)
    asc.data_copy(a, x_gm, COUNT)
    asc.data_copy(b, x_gm[COUNT:], COUNT)
    asc.set_flag(asc.HardEvent.MTE2_V, 0)
    asc.wait_flag(asc.HardEvent.MTE2_V, 0)
    for _ in range(n):
        asc.add(c, a, b, COUNT)
    asc.set_flag(asc.HardEvent.V_MTE3, 0)
    asc.wait_flag(asc.HardEvent.V_MTE3, 0)
    asc.data_copy(z_gm, c, COUNT)


def launch(device: Device) -> Result:
    x = np.linspace(-1.0, 1.0, 2 * COUNT, dtype=np.float32)
    z = np.zeros(COUNT, dtype=np.float32)
    return device.launch(kernel, 1, x, z, 40, outputs=("z",))
