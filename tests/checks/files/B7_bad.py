"""B7: the buffers leave nothing of UB, and mode 2 of Select needs 8 KB."""

import numpy as np

import ascend_lab.asc as asc
from ascend_lab import Device, Result

COUNT = 1024
MODE = asc.SelMode.VSEL_TENSOR_SCALAR_MODE
REST = 196608 - 2 * 4 * COUNT - COUNT // 8
CHIPS = ("Ascend910B1", "Ascend910B3")  # REST is the rest of their UB


@asc.jit
def kernel(x: asc.GlobalAddress, z: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    z_gm.set_global_buffer(z)
    pipe = asc.TPipe()
    in_x = asc.TQue(asc.TPosition.VECIN, 1)
    out_z = asc.TQue(asc.TPosition.VECOUT, 1)
    bits_buf = asc.TBuf(asc.TPosition.VECCALC)
    rest_buf = asc.TBuf(asc.TPosition.VECCALC)
    pipe.init_buffer(in_x, 1, COUNT * x.dtype.sizeof())
    pipe.init_buffer(out_z, 1, COUNT * z.dtype.sizeof())
    pipe.init_buffer(bits_buf, COUNT // 8)
    pipe.init_buffer(rest_buf, REST)
    bits = bits_buf.get(asc.uint8)
    x_local = in_x.alloc_tensor(x.dtype)
    asc.data_copy(x_local, x_gm, COUNT)
    in_x.enque(x_local)
    x_local = in_x.deque(x.dtype)
    z_local = out_z.alloc_tensor(z.dtype)
    asc.compare_scalar(bits, x_local, 0.0, asc.CMPMODE.GT, COUNT)
    asc.select(z_local, bits, x_local, 0.0, MODE, COUNT)  # FAULT
    out_z.enque(z_local)
    in_x.free_tensor(x_local)
    z_local = out_z.deque(z.dtype)
    asc.data_copy(z_gm, z_local, COUNT)
    out_z.free_tensor(z_local)


def launch(device: Device) -> Result:
    x = np.arange(COUNT, dtype=np.float32) - 100
    z = np.zeros(COUNT, dtype=np.float32)
    return device.launch(kernel, 1, x, z, outputs=("z",))
