"""B9: each core keeps 512 partial results in a workspace that has room for 256."""

import numpy as np

import ascend_lab.asc as asc
from ascend_lab import Device, Result

PART = 512
LEADS = "B4"  # B9 is a sentence of its message


@asc.jit
def kernel(x: asc.GlobalAddress, z: asc.GlobalAddress, workspace: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    w_gm = asc.GlobalTensor()
    at = asc.get_block_idx() * PART
    x_gm.set_global_buffer(x + at)
    z_gm.set_global_buffer(z + at)
    w_gm.set_global_buffer(workspace + at)
    local = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, 0, PART)
    asc.data_copy(local, x_gm, PART)
    asc.set_flag(asc.HardEvent.MTE2_MTE3, 0)
    asc.wait_flag(asc.HardEvent.MTE2_MTE3, 0)
    asc.data_copy(w_gm, local, PART)  # FAULT
    asc.data_copy(z_gm, local, PART)


def launch(device: Device) -> Result:
    x = np.arange(2 * PART, dtype=np.float32)
    z = np.zeros(2 * PART, dtype=np.float32)
    workspace = np.zeros(2 * PART - 256, dtype=np.float32)
    return device.launch(kernel, 2, x, z, workspace, outputs=("z",), undefined=("workspace",))
