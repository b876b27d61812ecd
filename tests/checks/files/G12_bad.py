"""G12: one value a row is added as one value a column. Only the output shows it. More than two lines differ."""

import numpy as np

import ascend_lab.asc as asc
from ascend_lab import Device, Result

DIFF = 3


@asc.jit
def kernel(x: asc.GlobalAddress, y: asc.GlobalAddress, z: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    y_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    y_gm.set_global_buffer(y)
    z_gm.set_global_buffer(z)
    part = asc.LocalTensor(x.dtype, asc.TPosition.VECCALC, 0, 16)
    other = asc.LocalTensor(x.dtype, asc.TPosition.VECCALC, 1024, 16)
    asc.data_copy(other, y_gm, 16)
    for row in range(16):
        asc.data_copy(part, x_gm[row * 16 :], 16)
        asc.set_flag(asc.HardEvent.MTE2_V, 0)
        asc.wait_flag(asc.HardEvent.MTE2_V, 0)
        asc.add(part, part, other, 16)
        asc.set_flag(asc.HardEvent.V_MTE3, 0)
        asc.wait_flag(asc.HardEvent.V_MTE3, 0)
        asc.data_copy(z_gm[row * 16 :], part, 16)
        asc.set_flag(asc.HardEvent.MTE3_MTE2, 0)
        asc.wait_flag(asc.HardEvent.MTE3_MTE2, 0)


def launch(device: Device) -> Result:
    x = np.arange(1, 257, dtype=np.float32).reshape(16, 16)
    y = np.arange(16, dtype=np.float32) * 100
    z = np.zeros((16, 16), dtype=np.float32)
    result = device.launch(kernel, 1, x, y, z, outputs=("z",))
    right = x + y[:, None]
    with np.errstate(all="ignore"):
        error = np.abs(z - right) / np.abs(right).max()
    errors.append(float(np.nan_to_num(error, nan=1.0, posinf=1.0).max()))
    return result


errors: list[float] = []  # relative, one per launch
