"""G9, mended: the kernel's order is the host's."""

import numpy as np

import ascend_lab.asc as asc
from ascend_lab import Device, Result


@asc.jit
def kernel(x: asc.GlobalAddress, z: asc.GlobalAddress, rows: int, cols: int):
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    z_gm.set_global_buffer(z)
    local = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, 0, cols)
    for row in range(asc.get_block_idx(), rows, asc.get_block_num()):
        asc.data_copy(local, x_gm[row * cols :], cols)
        asc.set_flag(asc.HardEvent.MTE2_MTE3, 0)
        asc.wait_flag(asc.HardEvent.MTE2_MTE3, 0)
        asc.data_copy(z_gm[row * cols :], local, 8)
        asc.set_flag(asc.HardEvent.MTE3_MTE2, 0)
        asc.wait_flag(asc.HardEvent.MTE3_MTE2, 0)


def launch(device: Device) -> Result:
    x = np.arange(16 * 8, dtype=np.float32)
    z = np.zeros(16 * 8, dtype=np.float32)
    names = ("x", "z", "rows", "cols")
    return device.launch(kernel, 1, x, z, 16, 8, outputs=("z",), host_names=names)
