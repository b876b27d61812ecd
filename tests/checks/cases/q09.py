"""Q09: one tile of 48 000 elements a core."""

from __future__ import annotations

import numpy as np

import ascend_lab.asc as asc
from ascend_lab import Device, Result

FINDS = "B1"
TOTAL = 48000


@asc.jit
def kernel(x: asc.GlobalAddress, z: asc.GlobalAddress, length: int):
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    z_gm.set_global_buffer(z)
    pipe = asc.TPipe()
    in_x = asc.TQue(asc.TPosition.VECIN, 1)
    out_z = asc.TQue(asc.TPosition.VECOUT, 1)
    pipe.init_buffer(in_x, 2, length * x.dtype.sizeof())
    pipe.init_buffer(out_z, 2, length * z.dtype.sizeof())
    for tile in range(TOTAL // length):
        x_local = in_x.alloc_tensor(x.dtype)
        asc.data_copy(x_local, x_gm[tile * length :], length)
        in_x.enque(x_local)
        x_local = in_x.deque(x.dtype)
        z_local = out_z.alloc_tensor(z.dtype)
        asc.exp(z_local, x_local, length)
        in_x.free_tensor(x_local)
        out_z.enque(z_local)
        z_local = out_z.deque(z.dtype)
        asc.data_copy(z_gm[tile * length :], z_local, length)
        out_z.free_tensor(z_local)


def launch(device: Device, mended: bool) -> Result:
    x = np.arange(TOTAL, dtype=np.float32)
    z = np.zeros(TOTAL, dtype=np.float32)
    return device.launch(kernel, 1, x, z, TOTAL // 8 if mended else TOTAL, outputs=("z",))
