"""I7: blockCount and blockLen are exchanged. Only the output shows it."""

import numpy as np

import ascend_lab.asc as asc
from ascend_lab import Device, Result


@asc.jit
def kernel(x: asc.GlobalAddress, z: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    z_gm.set_global_buffer(z)
    part = asc.LocalTensor(x.dtype, asc.TPosition.VECCALC, 0, 256)
    move = asc.DataCopyParams(8, 4, 8, 0)
    asc.data_copy(part, x_gm, move)
    asc.set_flag(asc.HardEvent.MTE2_MTE3, 0)
    asc.wait_flag(asc.HardEvent.MTE2_MTE3, 0)
    asc.data_copy(z_gm, part, 256)


def launch(device: Device) -> Result:
    x = np.arange(1, 2049, dtype=np.float32).reshape(16, 128)
    z = np.zeros((4, 64), dtype=np.float32)
    result = device.launch(kernel, 1, x, z, outputs=("z",))
    right = x[:4, :64]
    with np.errstate(all="ignore"):
        error = np.abs(z - right) / np.abs(right).max()
    errors.append(float(np.nan_to_num(error, nan=1.0, posinf=1.0).max()))
    return result


errors: list[float] = []  # relative, one per launch
