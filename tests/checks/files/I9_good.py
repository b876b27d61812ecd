"""I9: of eight partial sums the first is used. Only the output shows it."""

import numpy as np

import ascend_lab.asc as asc
from ascend_lab import Device, Result


@asc.jit
def kernel(x: asc.GlobalAddress, z: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    z_gm.set_global_buffer(z)
    part = asc.LocalTensor(x.dtype, asc.TPosition.VECCALC, 0, 512)
    sums = asc.LocalTensor(x.dtype, asc.TPosition.VECCALC, 4096, 64)
    out = asc.LocalTensor(x.dtype, asc.TPosition.VECCALC, 8192, 8)
    asc.data_copy(part, x_gm, 512)
    asc.set_flag(asc.HardEvent.MTE2_V, 0)
    asc.wait_flag(asc.HardEvent.MTE2_V, 0)
    asc.whole_reduce_sum(sums, part, 64, 8, 1, 1, 8)
    asc.whole_reduce_sum(sums, sums, 8, 1, 1, 1, 8)
    asc.set_flag(asc.HardEvent.V_S, 0)
    asc.wait_flag(asc.HardEvent.V_S, 0)
    total = sums.get_value(0)
    asc.set_flag(asc.HardEvent.S_V, 0)
    asc.wait_flag(asc.HardEvent.S_V, 0)
    asc.duplicate(out, total, 8)
    asc.set_flag(asc.HardEvent.V_MTE3, 0)
    asc.wait_flag(asc.HardEvent.V_MTE3, 0)
    asc.data_copy(z_gm, out, 8)


def launch(device: Device) -> Result:
    x = np.arange(512, dtype=np.float32)
    z = np.zeros(8, dtype=np.float32)
    result = device.launch(kernel, 1, x, z, outputs=("z",))
    right = np.full(8, x.sum())
    with np.errstate(all="ignore"):
        error = np.abs(z - right) / np.abs(right).max()
    errors.append(float(np.nan_to_num(error, nan=1.0, posinf=1.0).max()))
    return result


errors: list[float] = []  # relative, one per launch
