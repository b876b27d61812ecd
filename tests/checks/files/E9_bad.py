"""E9: a scalar store stays in the cache while another core reads."""

import numpy as np

import ascend_lab.asc as asc
from ascend_lab import Device, Result

LINE, OUT = asc.CacheLine.SINGLE_CACHE_LINE, asc.DcciDst.CACHELINE_OUT
CHIPS = ("Ascend910B1", "Ascend910B3")  # hard SyncAll


@asc.jit
def kernel(x: asc.GlobalAddress, z: asc.GlobalAddress):
    block = asc.get_block_idx()
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    z_gm.set_global_buffer(z)
    local = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, 0, 16)
    z_gm.set_value(block * 16, x_gm.get_value(block) + 1.0)
    asc.pipe_barrier(asc.PipeID.PIPE_ALL)
    asc.sync_all()
    asc.data_copy(local, z_gm[(block + 1) % 4 * 16 :], 16)  # FAULT
    asc.set_flag(asc.HardEvent.MTE2_MTE3, 0)
    asc.wait_flag(asc.HardEvent.MTE2_MTE3, 0)
    asc.data_copy(z_gm[64 + block * 16 :], local, 16)


def launch(device: Device) -> Result:
    x = np.arange(4, dtype=np.float32)
    z = np.zeros(8 * 16, dtype=np.float32)
    return device.launch(kernel, 4, x, z)
