"""Q29: a barrier that some blocks do not reach: idle cores return early, or there are more blocks than cores."""

from __future__ import annotations

import numpy as np

import ascend_lab.asc as asc
from ascend_lab import Device, Result

FINDS = "E6"
PART = 64


@asc.jit
def kernel(x: asc.GlobalAddress, z: asc.GlobalAddress, idle_from: int):
    if asc.get_block_idx() < idle_from:
        at = asc.get_block_idx() * PART
        x_gm = asc.GlobalTensor()
        z_gm = asc.GlobalTensor()
        x_gm.set_global_buffer(x + at)
        z_gm.set_global_buffer(z + at)
        local = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, 0, PART)
        asc.data_copy(local, x_gm, PART)
        asc.set_flag(asc.HardEvent.MTE2_MTE3, 0)
        asc.wait_flag(asc.HardEvent.MTE2_MTE3, 0)
        asc.data_copy(z_gm, local, PART)
        asc.sync_all()


def launch(device: Device, mended: bool) -> Result:
    cores = 8
    if not mended:
        too_many = _run(device, device.spec.vector_cores + 1, device.spec.vector_cores + 1)
        assert too_many.findings.ids == ("E5",)
    return _run(device, cores, cores if mended else cores // 2)


def _run(device: Device, blocks: int, busy: int) -> Result:
    x = np.arange(busy * PART, dtype=np.float32)
    z = np.zeros(busy * PART, dtype=np.float32)
    return device.launch(kernel, blocks, x, z, busy, outputs=("z",))
