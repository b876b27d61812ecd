"""K15: two buffers for 1 KB a core, in four tiles."""

import numpy as np

import ascend_lab.asc as asc
from ascend_lab import Device, Result

OWN, CORES = 256, 2
BUFFERS, TILE = 2, OWN // 4
PERFORMANCE = True
SCHEDULES = ("realistic",)  # another schedule has no times


@asc.jit
def kernel(x: asc.GlobalAddress, y: asc.GlobalAddress, z: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    y_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x + OWN * asc.get_block_idx(), OWN)
    y_gm.set_global_buffer(y + OWN * asc.get_block_idx(), OWN)
    z_gm.set_global_buffer(z + OWN * asc.get_block_idx(), OWN)
    pipe = asc.TPipe()
    in_x = asc.TQue(asc.TPosition.VECIN, 1)
    in_y = asc.TQue(asc.TPosition.VECIN, 1)
    out_z = asc.TQue(asc.TPosition.VECOUT, 1)
    pipe.init_buffer(in_x, BUFFERS, TILE * x.dtype.sizeof())  # FAULT
    pipe.init_buffer(in_y, BUFFERS, TILE * y.dtype.sizeof())
    pipe.init_buffer(out_z, BUFFERS, TILE * z.dtype.sizeof())
    for tile in range(OWN // TILE):
        x_local = in_x.alloc_tensor(x.dtype)
        asc.data_copy(x_local, x_gm[tile * TILE :], TILE)
        in_x.enque(x_local)
        y_local = in_y.alloc_tensor(y.dtype)
        asc.data_copy(y_local, y_gm[tile * TILE :], TILE)
        in_y.enque(y_local)
        x_local = in_x.deque(x.dtype)
        y_local = in_y.deque(y.dtype)
        z_local = out_z.alloc_tensor(z.dtype)
        asc.add(z_local, x_local, y_local, TILE)
        in_x.free_tensor(x_local)
        in_y.free_tensor(y_local)
        out_z.enque(z_local)
        z_local = out_z.deque(z.dtype)
        asc.data_copy(z_gm[tile * TILE :], z_local, TILE)
        out_z.free_tensor(z_local)


def launch(device: Device) -> Result:
    x = np.linspace(-1.0, 1.0, OWN * CORES, dtype=np.float32)
    z = np.zeros_like(x)
    return device.launch(kernel, CORES, x, x[::-1].copy(), z, outputs=("z",))
