"""K6: every core reads the whole table, all in the same order. L2 is by-passed, as in the documented case."""

import numpy as np

import ascend_lab.asc as asc
from ascend_lab import Device, Result

TILE, TILES, CORES = 4096, 40, 40
PERFORMANCE = True
SCHEDULES = ("realistic",)  # another schedule has no times
CHIPS = ("Ascend910B1",)  # the hint to L2 is theirs


@asc.jit
def kernel(x: asc.GlobalAddress, z: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, TILE * TILES)
    z_gm.set_global_buffer(z + TILE * asc.get_block_idx(), TILE)
    x_gm.set_l2_cache_hint(asc.CacheMode.CACHE_MODE_DISABLE)
    pipe = asc.TPipe()
    in_x = asc.TQue(asc.TPosition.VECIN, 1)
    out_z = asc.TQue(asc.TPosition.VECOUT, 1)
    pipe.init_buffer(in_x, 4, TILE * x.dtype.sizeof())
    pipe.init_buffer(out_z, 1, TILE * z.dtype.sizeof())
    z_local = out_z.alloc_tensor(z.dtype)
    asc.duplicate(z_local, 0.0, TILE)
    for step in range(TILES):
        at = step
        x_local = in_x.alloc_tensor(x.dtype)
        asc.data_copy(x_local, x_gm[at * TILE :], TILE)  # FAULT
        in_x.enque(x_local)
        x_local = in_x.deque(x.dtype)
        asc.add(z_local, z_local, x_local, TILE)
        in_x.free_tensor(x_local)
    out_z.enque(z_local)
    z_local = out_z.deque(z.dtype)
    asc.data_copy(z_gm, z_local, TILE)
    out_z.free_tensor(z_local)


def launch(device: Device) -> Result:
    x = np.linspace(-1.0, 1.0, TILE * TILES, dtype=np.float32)
    z = np.zeros(TILE * CORES, dtype=np.float32)
    return device.launch(kernel, CORES, x, z, outputs=("z",))
