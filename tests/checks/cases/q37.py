"""Q37: an add as a document printed it: no InitBuffer, the output queue by-passed, the remainder dropped."""

from __future__ import annotations

import numpy as np

import ascend_lab.asc as asc
from ascend_lab import Device, Result

FINDS = "C3"
TILE, TOTAL = 256, 1000


@asc.jit
def kernel(x: asc.GlobalAddress, z: asc.GlobalAddress, repaired: int):
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    z_gm.set_global_buffer(z)
    pipe = asc.TPipe()
    in_x = asc.TQue(asc.TPosition.VECIN, 1)
    out_z = asc.TQue(asc.TPosition.VECOUT, 1)
    if repaired > 0:
        pipe.init_buffer(in_x, 1, TILE * x.dtype.sizeof())
        pipe.init_buffer(out_z, 1, TILE * z.dtype.sizeof())
    tiles = (TOTAL + TILE - 1) // TILE if repaired > 2 else TOTAL // TILE
    for tile in range(tiles):
        count = min(TILE, TOTAL - tile * TILE)
        x_local = in_x.alloc_tensor(x.dtype)
        asc.data_copy(x_local, x_gm[tile * TILE :], count)
        in_x.enque(x_local)
        x_local = in_x.deque(x.dtype)
        z_local = out_z.alloc_tensor(z.dtype)
        asc.adds(z_local, x_local, 1.0, count)
        if repaired > 1:
            out_z.enque(z_local)
            z_local = out_z.deque(z.dtype)
        asc.data_copy(z_gm[tile * TILE :], z_local, count)
        in_x.free_tensor(x_local)
        out_z.free_tensor(z_local)


def launch(device: Device, mended: bool) -> Result:
    """Each repair shows the next fault: the buffers, then the race of the by-passed queue, then the rest."""
    if mended:
        return _run(device, 3)
    race = _run(device, 1).findings
    assert race.ids[0] == "D2"
    assert "F6" in race[0].hints
    assert _run(device, 2).findings.ids == ("E3",)
    return _run(device, 0)


def _run(device: Device, repaired: int) -> Result:
    x = np.arange(TOTAL, dtype=np.float32)
    z = np.zeros(TOTAL, dtype=np.float32)
    return device.launch(kernel, 1, x, z, repaired, outputs=("z",))
