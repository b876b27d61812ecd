"""G5: an offset is kept in 16 bits. Only the output shows it."""

import numpy as np

import ascend_lab.asc as asc
from ascend_lab import Device, Result


@asc.jit
def kernel(x: asc.GlobalAddress, z: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    z_gm.set_global_buffer(z)
    part = asc.LocalTensor(x.dtype, asc.TPosition.VECCALC, 0, 8192)
    for row in range(16):
        first = row * 8192
        first = first % 65536
        asc.data_copy(part, x_gm[first:], 8192)
        asc.set_flag(asc.HardEvent.MTE2_MTE3, 0)
        asc.wait_flag(asc.HardEvent.MTE2_MTE3, 0)
        asc.data_copy(z_gm[row * 8192 :], part, 8192)
        asc.set_flag(asc.HardEvent.MTE3_MTE2, 0)
        asc.wait_flag(asc.HardEvent.MTE3_MTE2, 0)


def launch(device: Device) -> Result:
    x = np.arange(16 * 8192, dtype=np.float32)
    z = np.zeros(16 * 8192, dtype=np.float32)
    result = device.launch(kernel, 1, x, z, outputs=("z",))
    right = x
    with np.errstate(all="ignore"):
        error = np.abs(z - right) / np.abs(right).max()
    errors.append(float(np.nan_to_num(error, nan=1.0, posinf=1.0).max()))
    return result


errors: list[float] = []  # relative, one per launch
