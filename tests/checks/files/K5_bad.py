"""K5: every copy starts 4 B beyond the grid of GM."""

import numpy as np

import ascend_lab.asc as asc
from ascend_lab import Device, Result

N, TILE, OFFSET = 1 << 20, 8192, 1
PERFORMANCE = True
SCHEDULES = ("realistic",)  # another schedule has no times


@asc.jit
def kernel(x: asc.GlobalAddress, z: asc.GlobalAddress, n: int):
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x + OFFSET)
    z_gm.set_global_buffer(z)
    pipe = asc.TPipe()
    queue = asc.TQueBind(asc.TPosition.VECIN, asc.TPosition.VECOUT, 1)
    pipe.init_buffer(queue, 2, TILE * x.dtype.sizeof())
    for tile in range(asc.get_block_idx(), n // TILE, asc.get_block_num()):
        local = queue.alloc_tensor(x.dtype)
        asc.data_copy(local, x_gm[tile * TILE :], TILE)  # FAULT
        queue.enque(local)
        local = queue.deque(x.dtype)
        asc.data_copy(z_gm[tile * TILE :], local, TILE)
        queue.free_tensor(local)


def launch(device: Device) -> Result:
    x = np.linspace(-1.0, 1.0, N + 8, dtype=np.float32)
    z = np.zeros(N, dtype=np.float32)
    return device.launch(kernel, 8, x, z, N, outputs=("z",))
