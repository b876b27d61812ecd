"""H12: a scale a row is applied as a scale a column. Only the output shows it. More than two lines differ."""

import numpy as np

import ascend_lab.asc as asc
from ascend_lab import Device, Result

DIFF = 3


@asc.jit
def kernel(x: asc.GlobalAddress, s: asc.GlobalAddress, z: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    s_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    s_gm.set_global_buffer(s)
    z_gm.set_global_buffer(z)
    part = asc.LocalTensor(x.dtype, asc.TPosition.VECCALC, 0, 8)
    scale = asc.LocalTensor(x.dtype, asc.TPosition.VECCALC, 1024, 16)
    asc.data_copy(scale, s_gm, 16)
    for row in range(16):
        asc.data_copy(part, x_gm[row * 8 :], 8)
        asc.set_flag(asc.HardEvent.MTE2_V, 0)
        asc.wait_flag(asc.HardEvent.MTE2_V, 0)
        asc.set_flag(asc.HardEvent.V_S, 0)
        asc.wait_flag(asc.HardEvent.V_S, 0)
        asc.muls(part, part, scale.get_value(row), 8)
        asc.set_flag(asc.HardEvent.V_MTE3, 0)
        asc.wait_flag(asc.HardEvent.V_MTE3, 0)
        asc.data_copy(z_gm[row * 8 :], part, 8)
        asc.set_flag(asc.HardEvent.MTE3_MTE2, 0)
        asc.wait_flag(asc.HardEvent.MTE3_MTE2, 0)


def launch(device: Device) -> Result:
    x = np.arange(1, 129, dtype=np.float32).reshape(16, 8)
    s = np.arange(1, 17, dtype=np.float32)
    z = np.zeros((16, 8), dtype=np.float32)
    result = device.launch(kernel, 1, x, s, z, outputs=("z",))
    right = x * s[:, None]
    with np.errstate(all="ignore"):
        error = np.abs(z - right) / np.abs(right).max()
    errors.append(float(np.nan_to_num(error, nan=1.0, posinf=1.0).max()))
    return result


errors: list[float] = []  # relative, one per launch
