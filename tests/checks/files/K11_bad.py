"""K11: what is read once fills L2, and results are pushed out. The chip's L2 has 18 MB here, so that little data will do."""

from dataclasses import replace

import numpy as np

import ascend_lab.asc as asc
from ascend_lab import Device, Result
from ascend_lab.chips import ChipSpec

TILE, TILES, CORES = 8192, 10, 48
PERFORMANCE = True
SCHEDULES = ("realistic",)  # another schedule has no times
CHIPS = ("Ascend910B1",)  # the hint to L2 is theirs


@asc.jit
def kernel(x: asc.GlobalAddress, z: asc.GlobalAddress):
    own = TILE * TILES
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    z_gm.set_global_buffer(z)
    x_gm.set_l2_cache_hint(asc.CacheMode.CACHE_MODE_NORMAL)
    pipe = asc.TPipe()
    in_x = asc.TQue(asc.TPosition.VECIN, 1)
    out_z = asc.TQue(asc.TPosition.VECOUT, 1)
    pipe.init_buffer(in_x, 2, TILE * x.dtype.sizeof())
    pipe.init_buffer(out_z, 2, TILE * z.dtype.sizeof())
    for tile in range(TILES):
        at = own * asc.get_block_idx() + tile * TILE
        x_local = in_x.alloc_tensor(x.dtype)
        asc.data_copy(x_local, x_gm[at:], TILE)  # FAULT
        in_x.enque(x_local)
        x_local = in_x.deque(x.dtype)
        z_local = out_z.alloc_tensor(z.dtype)
        asc.relu(z_local, x_local, TILE)
        in_x.free_tensor(x_local)
        out_z.enque(z_local)
        z_local = out_z.deque(z.dtype)
        asc.data_copy(z_gm[at:], z_local, TILE)
        out_z.free_tensor(z_local)


def small(spec: ChipSpec) -> ChipSpec:
    return replace(spec, memory=replace(spec.memory, l2_bytes=18 << 20))


def launch(device: Device) -> Result:
    x = np.linspace(-1.0, 1.0, TILE * TILES * CORES, dtype=np.float32)
    z = np.zeros_like(x)
    mine = Device(small(device.spec), device.schedule, device.seed, performance=True)
    return mine.launch(kernel, CORES, x, z, outputs=("z",))
