"""X3: what the kernel writes depends on the time."""

import numpy as np

import ascend_lab.asc as asc
from ascend_lab import Device, Result

CHIPS = ("Ascend910B1", "Ascend910B3")  # the 310P has no GetSystemCycle
SCHEDULES = ("adversarial",)  # one run cannot differ from itself


@asc.jit
def kernel(x: asc.GlobalAddress, z: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    z_gm.set_global_buffer(z)
    local = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, 0, 1024)
    other = asc.LocalTensor(x.dtype, asc.TPosition.VECCALC, 8192, 1024)
    for _ in range(64):
        asc.duplicate(other, 0, 1024)
        asc.data_copy(local, x_gm, 1024)
        asc.pipe_barrier(asc.PipeID.PIPE_MTE2)
    asc.pipe_barrier(asc.PipeID.PIPE_ALL)
    z_gm.set_value(0, asc.get_system_cycle())


def launch(device: Device) -> Result:
    x = np.zeros(1024, dtype=np.int32)
    return device.launch(kernel, 1, x, np.zeros(1, dtype=np.int32), outputs=("z",))
