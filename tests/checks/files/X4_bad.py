"""X4: another number is added than the task says. Only the output shows it."""

import numpy as np

import ascend_lab.asc as asc
from ascend_lab import Device, Result


@asc.jit
def kernel(x: asc.GlobalAddress, z: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    z_gm.set_global_buffer(z)
    part = asc.LocalTensor(x.dtype, asc.TPosition.VECCALC, 0, 64)
    asc.data_copy(part, x_gm, 64)
    asc.set_flag(asc.HardEvent.MTE2_V, 0)
    asc.wait_flag(asc.HardEvent.MTE2_V, 0)
    asc.adds(part, part, 2.0, 64)
    asc.set_flag(asc.HardEvent.V_MTE3, 0)
    asc.wait_flag(asc.HardEvent.V_MTE3, 0)
    asc.data_copy(z_gm, part, 64)


def launch(device: Device) -> Result:
    x = np.arange(64, dtype=np.float32)
    z = np.zeros(64, dtype=np.float32)
    result = device.launch(kernel, 1, x, z, outputs=("z",))
    errors.append(float(np.abs(z - x - 1).max() / 64))
    return result


errors: list[float] = []  # relative, one per launch
