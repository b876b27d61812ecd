"""H3: the sum is kept in float."""

import numpy as np

import ascend_lab.asc as asc
from ascend_lab import Device, Result

TILES = 64


@asc.jit
def kernel(x: asc.GlobalAddress, z: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    z_gm.set_global_buffer(z)
    x_local = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, 0, 64)
    wide = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 1024, 64)
    z_local = asc.LocalTensor(z.dtype, asc.TPosition.VECOUT, 2048, 64)
    total = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 4096, 64)
    small = asc.LocalTensor(x.dtype, asc.TPosition.VECCALC, 8192, 64)
    asc.data_copy(x_local, x_gm, 64)
    asc.set_flag(asc.HardEvent.MTE2_V, 0)
    asc.wait_flag(asc.HardEvent.MTE2_V, 0)
    asc.cast(wide, x_local, asc.RoundMode.CAST_NONE, 64)
    asc.duplicate(total, 2048.0, 64)
    asc.duplicate(small, 2048.0, 64)
    for _ in range(TILES):
        asc.add(small, small, x_local, 64)
        asc.add(total, total, wide, 64)
    asc.adds(z_local, total, 0.0, 64)
    asc.set_flag(asc.HardEvent.V_MTE3, 0)
    asc.wait_flag(asc.HardEvent.V_MTE3, 0)
    asc.data_copy(z_gm, z_local, 64)


def launch(device: Device) -> Result:
    x = np.ones(64, dtype=np.float16)
    z = np.zeros(64, dtype=np.float32)
    result = device.launch(kernel, 1, x, z, outputs=("z",))
    errors.append(float(abs(z / (2048 + TILES) - 1).max()))
    return result


errors: list[float] = []  # relative, one per launch
