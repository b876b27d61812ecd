"""H1: exp is computed in half: from 11.1 on it is infinite. Only the output shows it."""

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
    x_local = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, 0, COUNT)
    wide = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 4096, COUNT)
    z_local = asc.LocalTensor(z.dtype, asc.TPosition.VECOUT, 8192, COUNT)
    small = asc.LocalTensor(x.dtype, asc.TPosition.VECCALC, 12288, COUNT)
    asc.data_copy(x_local, x_gm, COUNT)
    asc.set_flag(asc.HardEvent.MTE2_V, 0)
    asc.wait_flag(asc.HardEvent.MTE2_V, 0)
    asc.cast(wide, x_local, asc.RoundMode.CAST_NONE, COUNT)
    asc.exp(wide, wide, COUNT)
    asc.exp(small, x_local, COUNT)
    asc.cast(z_local, small, asc.RoundMode.CAST_NONE, COUNT)
    asc.set_flag(asc.HardEvent.V_MTE3, 0)
    asc.wait_flag(asc.HardEvent.V_MTE3, 0)
    asc.data_copy(z_gm, z_local, COUNT)


def launch(device: Device) -> Result:
    x = np.linspace(8, 16, COUNT, dtype=np.float16)
    z = np.zeros(COUNT, dtype=np.float32)
    result = device.launch(kernel, 1, x, z, outputs=("z",))
    errors.append(float(abs(z / np.exp(x.astype(np.float32)) - 1).max()))
    return result


errors: list[float] = []  # relative, one per launch
