"""C10: int32 becomes half without SetDeqScale."""

import numpy as np

import ascend_lab.asc as asc
from ascend_lab import Device, Result


@asc.jit
def kernel(x: asc.GlobalAddress, z: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    z_gm.set_global_buffer(z)
    part = asc.LocalTensor(x.dtype, asc.TPosition.VECCALC, 0, 64)
    out = asc.LocalTensor(z.dtype, asc.TPosition.VECCALC, 1024, 64)
    asc.data_copy(part, x_gm, 64)
    asc.set_flag(asc.HardEvent.MTE2_V, 0)
    asc.wait_flag(asc.HardEvent.MTE2_V, 0)
    asc.cast(out, part, asc.RoundMode.CAST_NONE, 64)  # FAULT
    asc.set_flag(asc.HardEvent.V_MTE3, 0)
    asc.wait_flag(asc.HardEvent.V_MTE3, 0)
    asc.data_copy(z_gm, out, 64)


def launch(device: Device) -> Result:
    x = np.arange(64, dtype=np.int32)
    z = np.zeros(64, dtype=np.float16)
    return device.launch(kernel, 1, x, z, outputs=("z",))
