"""E6: every core does."""

import numpy as np

import ascend_lab.asc as asc
from ascend_lab import Device, Result

COUNT = 8


@asc.jit
def kernel(
    x: asc.GlobalAddress, z: asc.GlobalAddress, parts: asc.GlobalAddress, sync: asc.GlobalAddress
):
    block = asc.get_block_idx()
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    parts_gm = asc.GlobalTensor()
    sync_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x + block * COUNT)
    z_gm.set_global_buffer(z)
    parts_gm.set_global_buffer(parts)
    sync_gm.set_global_buffer(sync)
    local = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, 0, 1024)
    asc.data_copy(local, x_gm, COUNT)
    asc.set_flag(asc.HardEvent.MTE2_MTE3, 0)
    asc.wait_flag(asc.HardEvent.MTE2_MTE3, 0)
    asc.data_copy(parts_gm[block * COUNT :], local, COUNT)
    if block >= 0:
        asc.sync_all(sync_gm, local[512:].reinterpret_cast(sync.dtype))
    asc.pipe_barrier(asc.PipeID.PIPE_ALL)
    if block == 0:
        asc.data_copy(local, parts_gm, asc.get_block_num() * COUNT)
        asc.set_flag(asc.HardEvent.MTE2_MTE3, 0)
        asc.wait_flag(asc.HardEvent.MTE2_MTE3, 0)
        asc.data_copy(z_gm, local, asc.get_block_num() * COUNT)


def launch(device: Device) -> Result:
    blocks = 8
    x = np.arange(blocks * COUNT, dtype=np.float32)
    z = np.zeros(blocks * COUNT, dtype=np.float32)
    parts = np.zeros(blocks * COUNT, dtype=np.float32)
    sync = np.zeros(blocks * 8, dtype=np.int32)
    return device.launch(kernel, blocks, x, z, parts, sync, outputs=("z",))
