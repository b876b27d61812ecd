"""C4: the output is cleared first."""

import numpy as np

import ascend_lab.asc as asc
from ascend_lab import Device, Result

COUNT = 256


@asc.jit
def kernel(x: asc.GlobalAddress, z: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    z_gm.set_global_buffer(z)
    x_local = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, 0, COUNT)
    z_local = asc.LocalTensor(z.dtype, asc.TPosition.VECOUT, 4096, COUNT)
    zero = asc.LocalTensor(z.dtype, asc.TPosition.VECOUT, 8192, COUNT)
    asc.data_copy(x_local, x_gm, COUNT)
    asc.set_flag(asc.HardEvent.MTE2_V, 0)
    asc.wait_flag(asc.HardEvent.MTE2_V, 0)
    asc.duplicate(zero, 0.0, COUNT)
    asc.adds(z_local, x_local, 1.0, COUNT)
    asc.set_flag(asc.HardEvent.V_MTE3, 0)
    asc.wait_flag(asc.HardEvent.V_MTE3, 0)
    asc.data_copy(z_gm, zero, COUNT)
    asc.pipe_barrier(asc.PipeID.PIPE_MTE3)
    asc.set_atomic_add(z.dtype)
    asc.data_copy(z_gm, z_local, COUNT)
    asc.set_atomic_none()


def launch(device: Device) -> Result:
    x = np.arange(COUNT, dtype=np.float32)
    z = np.full(COUNT, 7, dtype=np.float32)
    result = device.launch(kernel, 1, x, z, outputs=("z",))
    errors.append(float(abs(z / (x + 1) - 1).max()))
    return result


errors: list[float] = []  # relative, one per launch
