"""H11: NaN is masked by a multiplication. Only the output shows it. More than two lines differ."""

import numpy as np

import ascend_lab.asc as asc
from ascend_lab import Device, Result

DIFF = 3


@asc.jit
def kernel(x: asc.GlobalAddress, m: asc.GlobalAddress, z: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    m_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    m_gm.set_global_buffer(m)
    z_gm.set_global_buffer(z)
    part = asc.LocalTensor(x.dtype, asc.TPosition.VECCALC, 0, 64)
    keep = asc.LocalTensor(x.dtype, asc.TPosition.VECCALC, 1024, 64)
    bits = asc.LocalTensor(asc.uint8, asc.TPosition.VECCALC, 2048, 32)
    asc.data_copy(part, x_gm, 64)
    asc.data_copy(keep, m_gm, 64)
    asc.set_flag(asc.HardEvent.MTE2_V, 0)
    asc.wait_flag(asc.HardEvent.MTE2_V, 0)
    asc.compare_scalar(bits, keep, 0.5, asc.CMPMODE.GT, 64)
    asc.select(part, bits, part, 0.0, asc.SelMode.VSEL_TENSOR_SCALAR_MODE, 64)
    asc.set_flag(asc.HardEvent.V_MTE3, 0)
    asc.wait_flag(asc.HardEvent.V_MTE3, 0)
    asc.data_copy(z_gm, part, 64)


def launch(device: Device) -> Result:
    x = np.arange(64, dtype=np.float32)
    x[7] = np.nan
    m = np.ones(64, dtype=np.float32)
    m[7:9] = 0
    z = np.zeros(64, dtype=np.float32)
    result = device.launch(kernel, 1, x, m, z, outputs=("z",))
    right = np.where(m > 0, x, 0)
    with np.errstate(all="ignore"):
        error = np.abs(z - right) / np.abs(right).max()
    errors.append(float(np.nan_to_num(error, nan=1.0, posinf=1.0).max()))
    return result


errors: list[float] = []  # relative, one per launch
