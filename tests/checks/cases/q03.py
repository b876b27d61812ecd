"""Q03: rows of 126 floats stored with DataCopy: the pitch of 504 B is no whole number of blocks."""

from __future__ import annotations

import numpy as np

import ascend_lab.asc as asc
from ascend_lab import Device, Result

FINDS = "A2"
ROWS = 4


@asc.jit
def kernel(x: asc.GlobalAddress, z: asc.GlobalAddress, width: int, padded: bool):
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    z_gm.set_global_buffer(z)
    local = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, 0, 128)
    pad = asc.DataCopyPadExtParams(x.dtype, False, 0, 0, 0)
    for row in range(ROWS):
        move = asc.DataCopyExtParams(1, width * 4, 0, 0, 0)
        asc.data_copy_pad(local, x_gm[row * width :], move, pad)
        asc.set_flag(asc.HardEvent.MTE2_MTE3, 0)
        asc.wait_flag(asc.HardEvent.MTE2_MTE3, 0)
        if padded:
            asc.data_copy_pad(z_gm[row * width :], local, move)
        else:
            asc.data_copy(z_gm[row * width :], local, width)
        asc.set_flag(asc.HardEvent.MTE3_MTE2, 0)
        asc.wait_flag(asc.HardEvent.MTE3_MTE2, 0)


def launch(device: Device, mended: bool) -> Result:
    """Of the four runs only the store of 126 without padding is wrong."""
    results = [_run(device, *way) for way in ((128, False), (128, True), (126, True))]
    return _run(device, 126, False) if not mended else max(results, key=lambda r: len(r.findings))


def _run(device: Device, width: int, padded: bool) -> Result:
    x = np.arange(ROWS * width, dtype=np.float32)
    z = np.zeros(ROWS * width, dtype=np.float32)
    return device.launch(kernel, 1, x, z, width, padded, outputs=("z",))
