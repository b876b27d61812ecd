"""Q17: the mask of the kernel before it."""

from __future__ import annotations

import numpy as np

import ascend_lab.asc as asc
from ascend_lab import Device, Result

FINDS = "C7"
COUNT = 128


@asc.jit
def leaves_a_mask(x: asc.GlobalAddress):
    local = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, 0, COUNT)
    asc.set_mask_norm()
    asc.set_vector_mask(0, 0xFFFF, x.dtype, asc.MaskMode.NORMAL)
    params = asc.UnaryRepeatParams(1, 1, 8, 8)
    asc.duplicate(local, 0.0, COUNT)
    asc.set_vector_mask(0, 0xFFFF, x.dtype, asc.MaskMode.NORMAL)
    asc.adds(local, local, 1.0, asc.MASK_PLACEHOLDER, 2, params, is_set_mask=False)


@asc.jit
def kernel(x: asc.GlobalAddress, z: asc.GlobalAddress, sets_mask: bool):
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    z_gm.set_global_buffer(z)
    local = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, 0, COUNT)
    asc.data_copy(local, x_gm, COUNT)
    asc.set_flag(asc.HardEvent.MTE2_V, 0)
    asc.wait_flag(asc.HardEvent.MTE2_V, 0)
    if sets_mask:
        asc.set_mask_norm()
        asc.reset_mask()
    params = asc.UnaryRepeatParams(1, 1, 8, 8)
    asc.adds(local, local, 1.0, asc.MASK_PLACEHOLDER, 2, params, is_set_mask=False)
    asc.set_flag(asc.HardEvent.V_MTE3, 0)
    asc.wait_flag(asc.HardEvent.V_MTE3, 0)
    asc.data_copy(z_gm, local, COUNT)


SCHEDULES = ("realistic",)  # another schedule runs on fresh cores


def launch(device: Device, mended: bool) -> Result:
    x = np.arange(COUNT, dtype=np.float32)
    z = np.zeros(COUNT, dtype=np.float32)
    alone = device.launch(kernel, 1, x, z, True, outputs=("z",))
    assert not alone.findings
    assert not device.launch(leaves_a_mask, 1, x).findings
    return device.launch(kernel, 1, x, z, mended, outputs=("z",))
