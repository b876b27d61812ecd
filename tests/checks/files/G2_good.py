"""G2: the number of tiles is rounded down."""

import numpy as np

import ascend_lab.asc as asc
from ascend_lab import Device, Result

LEADS = "E3"
CHIPS = ("Ascend910B1", "Ascend910B3")


@asc.jit
def kernel(x: asc.GlobalAddress, z: asc.GlobalAddress, length: int):
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    z_gm.set_global_buffer(z)
    part = asc.LocalTensor(x.dtype, asc.TPosition.VECCALC, 0, 128)
    tiles = (length + 127) // 128
    for tile in range(tiles):
        count = min(128, length - tile * 128)
        move = asc.DataCopyExtParams(1, count * 4, 0, 0, 0)
        pad = asc.DataCopyPadExtParams(x.dtype, False, 0, 0, 0)
        asc.data_copy_pad(part, x_gm[tile * 128 :], move, pad)
        asc.set_flag(asc.HardEvent.MTE2_V, 0)
        asc.wait_flag(asc.HardEvent.MTE2_V, 0)
        asc.adds(part, part, 1.0, count)
        asc.set_flag(asc.HardEvent.V_MTE3, 0)
        asc.wait_flag(asc.HardEvent.V_MTE3, 0)
        asc.data_copy_pad(z_gm[tile * 128 :], part, move)
        asc.set_flag(asc.HardEvent.MTE3_MTE2, 0)
        asc.wait_flag(asc.HardEvent.MTE3_MTE2, 0)


def launch(device: Device) -> Result:
    x = np.arange(1000, dtype=np.float32)
    z = np.zeros(1000, dtype=np.float32)
    length = 1000
    return device.launch(kernel, 1, x, z, length, outputs=("z",))
