"""D6: the workspace is read back while the store may still be on its way."""

import numpy as np

import ascend_lab.asc as asc
from ascend_lab import Device, Result

COUNT = 256


@asc.jit
def kernel(x: asc.GlobalAddress, z: asc.GlobalAddress, workspace: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    z_gm.set_global_buffer(z)
    w_gm = asc.GlobalTensor()
    w_gm.set_global_buffer(workspace)
    x_local = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, 0, COUNT)
    z_local = asc.LocalTensor(z.dtype, asc.TPosition.VECOUT, 4096, COUNT)
    asc.data_copy(x_local, x_gm, COUNT)
    asc.set_flag(asc.HardEvent.MTE2_V, 0)
    asc.wait_flag(asc.HardEvent.MTE2_V, 0)
    asc.adds(z_local, x_local, 1.0, COUNT)
    asc.set_flag(asc.HardEvent.V_MTE3, 0)
    asc.wait_flag(asc.HardEvent.V_MTE3, 0)
    asc.data_copy(w_gm, z_local, COUNT)
    asc.set_flag(asc.HardEvent.MTE3_MTE2, 0)
    y_local = asc.LocalTensor(z.dtype, asc.TPosition.VECIN, 8192, COUNT)
    asc.data_copy(y_local, w_gm, COUNT)  # FAULT
    asc.set_flag(asc.HardEvent.MTE2_MTE3, 0)
    asc.wait_flag(asc.HardEvent.MTE2_MTE3, 0)
    asc.data_copy(z_gm, y_local, COUNT)


def launch(device: Device) -> Result:
    x = np.arange(COUNT, dtype=np.float32)
    z = np.zeros(COUNT, dtype=np.float32)
    workspace = np.zeros(COUNT, dtype=np.float32)
    return device.launch(kernel, 1, x, z, workspace, outputs=("z",), undefined=("workspace",))
