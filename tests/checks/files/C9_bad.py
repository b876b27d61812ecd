"""C9: the workspace of the soft SyncAll has not been cleared."""

import numpy as np

import ascend_lab.asc as asc
from ascend_lab import Device, Result

PART = 64


@asc.jit
def kernel(x: asc.GlobalAddress, z: asc.GlobalAddress, sync: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    sync_gm = asc.GlobalTensor()
    at = asc.get_block_idx() * PART
    x_gm.set_global_buffer(x + at)
    z_gm.set_global_buffer(z + at)
    sync_gm.set_global_buffer(sync)
    local = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, 0, PART)
    flags = asc.LocalTensor(asc.int32, asc.TPosition.VECCALC, 4096, 4 * 8)
    asc.data_copy(local, x_gm, PART)
    asc.sync_all(sync_gm, flags)  # FAULT
    asc.set_flag(asc.HardEvent.MTE2_MTE3, 0)
    asc.wait_flag(asc.HardEvent.MTE2_MTE3, 0)
    asc.data_copy(z_gm, local, PART)


def launch(device: Device) -> Result:
    x = np.arange(4 * PART, dtype=np.float32)
    z = np.zeros(4 * PART, dtype=np.float32)
    sync = np.arange(4 * 8, dtype=np.int32)
    return device.launch(kernel, 4, x, z, sync, outputs=("z",))
