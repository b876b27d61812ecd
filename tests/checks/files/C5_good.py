"""C5: the accumulator is cleared once, not for every row. Only the output shows it."""

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
    total = asc.LocalTensor(x.dtype, asc.TPosition.VECCALC, 1024, 64)
    asc.duplicate(total, 0.0, 64)
    for row in range(4):
        asc.duplicate(total, 0.0, 64)
        for tile in range(2):
            asc.data_copy(part, x_gm[row * 128 + tile * 64 :], 64)
            asc.set_flag(asc.HardEvent.MTE2_V, 0)
            asc.wait_flag(asc.HardEvent.MTE2_V, 0)
            asc.add(total, total, part, 64)
            asc.set_flag(asc.HardEvent.V_MTE2, 0)
            asc.wait_flag(asc.HardEvent.V_MTE2, 0)
        asc.set_flag(asc.HardEvent.V_MTE3, 0)
        asc.wait_flag(asc.HardEvent.V_MTE3, 0)
        asc.data_copy(z_gm[row * 64 :], total, 64)
        asc.set_flag(asc.HardEvent.MTE3_V, 0)
        asc.wait_flag(asc.HardEvent.MTE3_V, 0)


def launch(device: Device) -> Result:
    x = np.arange(1, 513, dtype=np.float32).reshape(4, 128)
    z = np.zeros((4, 64), dtype=np.float32)
    result = device.launch(kernel, 1, x, z, outputs=("z",))
    right = x[:, :64] + x[:, 64:]
    with np.errstate(all="ignore"):
        error = np.abs(z - right) / np.abs(right).max()
    errors.append(float(np.nan_to_num(error, nan=1.0, posinf=1.0).max()))
    return result


errors: list[float] = []  # relative, one per launch
