"""Q31: counters written by the scalar unit never leave its cache; a barrier of all pipes does not help."""

from __future__ import annotations

import numpy as np

import ascend_lab.asc as asc
from ascend_lab import Device, Result

FINDS = "E9"
LINE, OUT = asc.CacheLine.SINGLE_CACHE_LINE, asc.DcciDst.CACHELINE_OUT


@asc.jit
def kernel(counts: asc.GlobalAddress, z: asc.GlobalAddress, flush: bool):
    block = asc.get_block_idx()
    counts_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    counts_gm.set_global_buffer(counts)
    z_gm.set_global_buffer(z)
    if block == 0:
        counts_gm.set_value(0, 42)
        if flush:
            asc.data_cache_clean_and_invalid(LINE, OUT, counts_gm)
    asc.pipe_barrier(asc.PipeID.PIPE_ALL)
    asc.sync_all()
    if block == 1:
        local = asc.LocalTensor(z.dtype, asc.TPosition.VECOUT, 0, 8)
        asc.duplicate(local, counts_gm.get_value(0), 8)
        asc.set_flag(asc.HardEvent.V_MTE3, 0)
        asc.wait_flag(asc.HardEvent.V_MTE3, 0)
        asc.data_copy(z_gm, local, 8)


def launch(device: Device, mended: bool) -> Result:
    counts = np.full(16, 507, dtype=np.int32)
    z = np.zeros(8, dtype=np.int32)
    return device.launch(kernel, 2, counts, z, mended, outputs=("z",))
