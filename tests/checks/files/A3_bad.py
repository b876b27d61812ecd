"""A3: a core stores 136 elements but owns 133: the first of its neighbour are overwritten."""

import numpy as np

import ascend_lab.asc as asc
from ascend_lab import Device, Result

COUNT = 136
OWN = 133
CHIPS = ("Ascend910B1", "Ascend910B3")  # the 310P has no DataCopyPad


@asc.jit
def kernel(x: asc.GlobalAddress, z: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x + asc.get_block_idx() * OWN)
    z_gm.set_global_buffer(z + asc.get_block_idx() * OWN)
    x_local = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, 0, COUNT)
    z_local = asc.LocalTensor(z.dtype, asc.TPosition.VECOUT, 4096, COUNT)
    asc.data_copy(x_local, x_gm, COUNT)
    asc.set_flag(asc.HardEvent.MTE2_V, 0)
    asc.wait_flag(asc.HardEvent.MTE2_V, 0)
    asc.adds(z_local, x_local, 1.0, COUNT)
    asc.set_flag(asc.HardEvent.V_MTE3, 0)
    asc.wait_flag(asc.HardEvent.V_MTE3, 0)
    asc.data_copy(z_gm, z_local, COUNT)  # FAULT


def launch(device: Device) -> Result:
    x = np.arange(2 * COUNT, dtype=np.float32)
    z = np.zeros(2 * OWN, dtype=np.float32)
    return device.launch(kernel, 2, x, z, outputs=("z",))
