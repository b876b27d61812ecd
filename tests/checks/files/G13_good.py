"""G13: eight cores share five elements."""

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
    part = asc.LocalTensor(x.dtype, asc.TPosition.VECCALC, 0, 64)
    cores = asc.get_block_num()
    mine = (length + cores - 1) // cores
    first = mine * asc.get_block_idx()
    count = min(mine, length - first)
    if count > 0:
        move = asc.DataCopyExtParams(1, count * 4, 0, 0, 0)
        pad = asc.DataCopyPadExtParams(x.dtype, False, 0, 0, 0)
        asc.data_copy_pad(part, x_gm[first:], move, pad)
        asc.set_flag(asc.HardEvent.MTE2_MTE3, 0)
        asc.wait_flag(asc.HardEvent.MTE2_MTE3, 0)
        asc.data_copy_pad(z_gm[first:], part, move)


def launch(device: Device) -> Result:
    x = np.arange(5, dtype=np.float32)
    z = np.zeros(5, dtype=np.float32)
    length = 5
    return device.launch(kernel, 8, x, z, length, outputs=("z",))
