"""I15: a count of 0."""

import numpy as np

import ascend_lab.asc as asc
from ascend_lab import Device, Result

LEADS = "C1"


@asc.jit
def kernel(x: asc.GlobalAddress, z: asc.GlobalAddress, length: int):
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    z_gm.set_global_buffer(z)
    part = asc.LocalTensor(x.dtype, asc.TPosition.VECCALC, 0, 64)
    out = asc.LocalTensor(x.dtype, asc.TPosition.VECCALC, 1024, 64)
    asc.data_copy(part, x_gm, 64)
    asc.set_flag(asc.HardEvent.MTE2_V, 0)
    asc.wait_flag(asc.HardEvent.MTE2_V, 0)
    count = 64
    asc.adds(out, part, 1.0, count)
    asc.set_flag(asc.HardEvent.V_MTE3, 0)
    asc.wait_flag(asc.HardEvent.V_MTE3, 0)
    asc.data_copy(z_gm, out, 64)


def launch(device: Device) -> Result:
    x = np.arange(64, dtype=np.float32)
    z = np.zeros(64, dtype=np.float32)
    length = 64
    return device.launch(kernel, 1, x, z, length, outputs=("z",))
