"""G1: the parameters of the kernel are not in the order of the launch: it reads the workspace as tiling. Two lines: a parameter moves."""

import numpy as np

import ascend_lab.asc as asc
from ascend_lab import Device, Result

TILE = 256
DIFF = 2


@asc.jit
def kernel(
    x: asc.GlobalAddress,
    z: asc.GlobalAddress,
    tiling: asc.GlobalAddress,
    workspace: asc.GlobalAddress,
):
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    tiling_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    z_gm.set_global_buffer(z)
    tiling_gm.set_global_buffer(tiling)
    tiles = tiling_gm.get_value(0)  # FAULT
    local = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, 0, TILE)
    for i in range(tiles):
        asc.data_copy(local, x_gm[i * TILE :], TILE)
        asc.set_flag(asc.HardEvent.MTE2_MTE3, 0)
        asc.wait_flag(asc.HardEvent.MTE2_MTE3, 0)
        asc.data_copy(z_gm[i * TILE :], local, TILE)
        asc.set_flag(asc.HardEvent.MTE3_MTE2, 0)
        asc.wait_flag(asc.HardEvent.MTE3_MTE2, 0)


def launch(device: Device) -> Result:
    x = np.arange(4 * TILE, dtype=np.float32)
    z = np.zeros(4 * TILE, dtype=np.float32)
    workspace = np.zeros(16, dtype=np.int32)
    tiling = np.full(1, 4, dtype=np.int32)
    third = kernel.parameters[2]  # what the host hands over without a value
    return device.launch(kernel, 1, x, z, workspace, tiling, outputs=("z",), undefined=(third,))
