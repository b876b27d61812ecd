"""Q05: a copy out of a few elements, fewer than a block, or no whole blocks."""

from __future__ import annotations

import numpy as np

import ascend_lab.asc as asc
from ascend_lab import Device, Result

FINDS = "A2"
RANKS = (1, 3, 7, 9, 15, 17)


@asc.jit
def kernel(x: asc.GlobalAddress, z: asc.GlobalAddress, rank: int, padded: bool):
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    z_gm.set_global_buffer(z)
    size = x.dtype.sizeof()
    local = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, 0, 32)
    move = asc.DataCopyExtParams(1, rank * size, 0, 0, 0)
    asc.data_copy_pad(local, x_gm, move, asc.DataCopyPadExtParams(x.dtype, False, 0, 0, 0))
    asc.set_flag(asc.HardEvent.MTE2_MTE3, 0)
    asc.wait_flag(asc.HardEvent.MTE2_MTE3, 0)
    if padded:
        asc.data_copy_pad(z_gm, local, move)
    else:
        asc.data_copy(z_gm, local, rank)


def launch(device: Device, mended: bool) -> Result:
    """All ranks in both types; the first that is told otherwise than the others is what comes back."""
    results = []
    for dtype in (np.float16, np.float32):
        for rank in RANKS:
            x, z = np.ones(rank, dtype), np.zeros(rank, dtype)
            results.append(device.launch(kernel, 1, x, z, rank, mended, outputs=("z",)))
    odd = [result for result in results if result.findings.ids != results[0].findings.ids]
    return (odd or results)[0]
