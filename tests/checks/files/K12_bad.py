"""K12: exp goes out to GM and comes back for abs."""

import numpy as np

import ascend_lab.asc as asc
from ascend_lab import Device, Result

TILE, TILES = 4096, 4
PERFORMANCE = True
SCHEDULES = ("realistic",)  # another schedule has no times


@asc.jit
def through_gm(z_gm: asc.GlobalTensor, local: asc.LocalTensor):
    asc.set_flag(asc.HardEvent.V_MTE3, 4)
    asc.wait_flag(asc.HardEvent.V_MTE3, 4)
    asc.data_copy(z_gm, local, TILE)
    asc.set_flag(asc.HardEvent.MTE3_MTE2, 4)
    asc.wait_flag(asc.HardEvent.MTE3_MTE2, 4)
    asc.data_copy(local, z_gm, TILE)  # FAULT
    asc.set_flag(asc.HardEvent.MTE2_V, 4)
    asc.wait_flag(asc.HardEvent.MTE2_V, 4)


@asc.jit
def kernel(x: asc.GlobalAddress, z: asc.GlobalAddress):
    own = TILE * TILES
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x + own * asc.get_block_idx(), own)
    z_gm.set_global_buffer(z + own * asc.get_block_idx(), own)
    pipe = asc.TPipe()
    in_x = asc.TQue(asc.TPosition.VECIN, 1)
    out_z = asc.TQue(asc.TPosition.VECOUT, 1)
    pipe.init_buffer(in_x, 2, TILE * x.dtype.sizeof())
    pipe.init_buffer(out_z, 2, TILE * z.dtype.sizeof())
    for tile in range(TILES):
        x_local = in_x.alloc_tensor(x.dtype)
        asc.data_copy(x_local, x_gm[tile * TILE :], TILE)
        in_x.enque(x_local)
        x_local = in_x.deque(x.dtype)
        z_local = out_z.alloc_tensor(z.dtype)
        asc.exp(z_local, x_local, TILE)
        in_x.free_tensor(x_local)
        through_gm(z_gm[tile * TILE :], z_local)
        asc.abs(z_local, z_local, TILE)
        out_z.enque(z_local)
        z_local = out_z.deque(z.dtype)
        asc.data_copy(z_gm[tile * TILE :], z_local, TILE)
        out_z.free_tensor(z_local)


def launch(device: Device) -> Result:
    x = np.linspace(-1.0, 1.0, 8 * TILE * TILES, dtype=np.float32)
    z = np.zeros_like(x)
    return device.launch(kernel, 8, x, z, outputs=("z",))
