"""F9: five input queues of two buffers: ten at VECIN."""

import numpy as np

import ascend_lab.asc as asc
from ascend_lab import Device, Result

TILE = 256


@asc.jit
def kernel(x: asc.GlobalAddress, z: asc.GlobalAddress, length: int):
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x + asc.get_block_idx() * length, length)
    z_gm.set_global_buffer(z + asc.get_block_idx() * length, length)
    pipe = asc.TPipe()
    in_x = asc.TQue(asc.TPosition.VECIN, 1)
    out_z = asc.TQue(asc.TPosition.VECOUT, 1)
    pipe.init_buffer(in_x, 2, TILE * x.dtype.sizeof())
    for more in [asc.TQue(asc.TPosition.VECIN, 1) for _ in range(4)]:
        pipe.init_buffer(more, 2, 32)  # FAULT
    pipe.init_buffer(out_z, 2, TILE * z.dtype.sizeof())
    for i in range(length // TILE):
        x_local = in_x.alloc_tensor(x.dtype)
        asc.data_copy(x_local, x_gm[i * TILE :], TILE)
        in_x.enque(x_local)
        x_local = in_x.deque(x.dtype)
        z_local = out_z.alloc_tensor(z.dtype)
        asc.adds(z_local, x_local, 1.0, TILE)
        in_x.free_tensor(x_local)
        out_z.enque(z_local)
        z_local = out_z.deque(z.dtype)
        asc.data_copy(z_gm[i * TILE :], z_local, TILE)
        out_z.free_tensor(z_local)


def launch(device: Device) -> Result:
    x = np.arange(4 * 768, dtype=np.float32)
    z = np.zeros(4 * 768, dtype=np.float32)
    return device.launch(kernel, 4, x, z, 768, outputs=("z",))
