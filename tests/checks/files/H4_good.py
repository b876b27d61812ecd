"""H4: to the nearest, halves to the even number."""

import numpy as np

import ascend_lab.asc as asc
from ascend_lab import Device, Result

COUNT = 256
CHIPS = ("Ascend910B1", "Ascend910B3")  # the 310P has no Cast from float32 to int32


@asc.jit
def kernel(x: asc.GlobalAddress, z: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    z_gm.set_global_buffer(z)
    x_local = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, 0, COUNT)
    z_local = asc.LocalTensor(z.dtype, asc.TPosition.VECOUT, 4096, COUNT)
    asc.data_copy(x_local, x_gm, COUNT)
    asc.set_flag(asc.HardEvent.MTE2_V, 0)
    asc.wait_flag(asc.HardEvent.MTE2_V, 0)
    asc.cast(z_local, x_local, asc.RoundMode.CAST_RINT, COUNT)
    asc.set_flag(asc.HardEvent.V_MTE3, 0)
    asc.wait_flag(asc.HardEvent.V_MTE3, 0)
    asc.data_copy(z_gm, z_local, COUNT)


def launch(device: Device) -> Result:
    x = (np.arange(COUNT, dtype=np.float32) - 128) / 4
    z = np.zeros(COUNT, dtype=np.int32)
    result = device.launch(kernel, 1, x, z, outputs=("z",))
    errors.append(float(abs(z - np.rint(x)).max()))
    return result


errors: list[float] = []  # of one element, one per launch
