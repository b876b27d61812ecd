"""Q35: three mistakes in one kernel, alone and together: the first that shows hides the next."""

from __future__ import annotations

import numpy as np

import ascend_lab.asc as asc
from ascend_lab import Device, Result

FINDS = "E1"
TILE, TILES, CORES = 256, 4, 4
BLOCK = TILE * TILES


@asc.jit
def kernel(
    x: asc.GlobalAddress, z: asc.GlobalAddress, no_offset: bool, no_tile: bool, no_free: bool
):
    offset = 0 if no_offset else asc.get_block_idx() * BLOCK
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x + offset, BLOCK)
    z_gm.set_global_buffer(z + offset, BLOCK)
    pipe = asc.TPipe()
    in_x = asc.TQue(asc.TPosition.VECIN, 1)
    out_z = asc.TQue(asc.TPosition.VECOUT, 1)
    pipe.init_buffer(in_x, 2, TILE * x.dtype.sizeof())
    pipe.init_buffer(out_z, 2, TILE * z.dtype.sizeof())
    for tile in range(TILES):
        at = 0 if no_tile else tile * TILE
        x_local = in_x.alloc_tensor(x.dtype)
        asc.data_copy(x_local, x_gm[at:], TILE)
        in_x.enque(x_local)
        x_local = in_x.deque(x.dtype)
        z_local = out_z.alloc_tensor(z.dtype)
        asc.exp(z_local, x_local, TILE)
        in_x.free_tensor(x_local)
        out_z.enque(z_local)
        z_local = out_z.deque(z.dtype)
        asc.data_copy(z_gm[at:], z_local, TILE)
        if not no_free:
            out_z.free_tensor(z_local)


def launch(device: Device, mended: bool) -> Result:
    if mended:
        return _run(device, False, False, False)
    assert _run(device, False, True, False).findings.ids == ("E3",)
    assert _run(device, False, False, True).findings.ids == ("F1",)
    assert "F1" in _run(device, True, True, True).findings.ids
    return _run(device, True, False, False)


def _run(device: Device, *faults: bool) -> Result:
    x = np.linspace(-1, 1, CORES * BLOCK, dtype=np.float32)
    z = np.zeros(CORES * BLOCK, dtype=np.float32)
    return device.launch(kernel, CORES, x, z, *faults, outputs=("z",))
