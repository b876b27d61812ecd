"""E8: four cores store words of one cache line."""

import numpy as np

import ascend_lab.asc as asc
from ascend_lab import Device, Result


@asc.jit
def kernel(x: asc.GlobalAddress, z: asc.GlobalAddress):
    block = asc.get_block_idx()
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    z_gm.set_global_buffer(z)
    z_gm.set_value(block, x_gm.get_value(block))  # FAULT


def launch(device: Device) -> Result:
    x = np.arange(4, dtype=np.float32)
    z = np.zeros(4 * 16, dtype=np.float32)
    return device.launch(kernel, 4, x, z)
