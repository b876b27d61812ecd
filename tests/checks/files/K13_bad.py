"""K13: 40 blocks for 8 tiles."""

import numpy as np

import ascend_lab.asc as asc
from ascend_lab import Device, Result

TILE, TILES, BLOCKS = 8192, 8, 40
PERFORMANCE = True
SCHEDULES = ("realistic",)  # another schedule has no times
CHIPS = ("Ascend910B1", "Ascend910B3")  # the 310P has 8 cores in all


@asc.jit
def kernel(x: asc.GlobalAddress, z: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    z_gm.set_global_buffer(z)
    pipe = asc.TPipe()
    in_x = asc.TQue(asc.TPosition.VECIN, 1)
    out_z = asc.TQue(asc.TPosition.VECOUT, 1)
    pipe.init_buffer(in_x, 1, TILE * x.dtype.sizeof())
    pipe.init_buffer(out_z, 1, TILE * z.dtype.sizeof())
    for tile in range(asc.get_block_idx(), TILES, asc.get_block_num()):
        x_local = in_x.alloc_tensor(x.dtype)
        asc.data_copy(x_local, x_gm[tile * TILE :], TILE)
        in_x.enque(x_local)
        x_local = in_x.deque(x.dtype)
        z_local = out_z.alloc_tensor(z.dtype)
        asc.exp(z_local, x_local, TILE)
        in_x.free_tensor(x_local)
        out_z.enque(z_local)
        z_local = out_z.deque(z.dtype)
        asc.data_copy(z_gm[tile * TILE :], z_local, TILE)
        out_z.free_tensor(z_local)


def launch(device: Device) -> Result:
    x = np.linspace(-1.0, 1.0, TILE * TILES, dtype=np.float32)
    z = np.zeros_like(x)
    return device.launch(kernel, BLOCKS, x, z, outputs=("z",))
