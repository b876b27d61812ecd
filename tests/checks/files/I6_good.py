"""I6: the destination is the last operand."""

import numpy as np

import ascend_lab.asc as asc
from ascend_lab import Device, Result


@asc.jit
def kernel(x: asc.GlobalAddress, y: asc.GlobalAddress, z: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    y_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    y_gm.set_global_buffer(y)
    z_gm.set_global_buffer(z)
    pipe = asc.TPipe()
    in_x = asc.TQue(asc.TPosition.VECIN, 1)
    in_y = asc.TQue(asc.TPosition.VECIN, 1)
    out_z = asc.TQue(asc.TPosition.VECOUT, 1)
    pipe.init_buffer(in_x, 1, 256)
    pipe.init_buffer(in_y, 1, 256)
    pipe.init_buffer(out_z, 1, 256)
    x_local = in_x.alloc_tensor(x.dtype)
    y_local = in_y.alloc_tensor(x.dtype)
    asc.data_copy(x_local, x_gm, 64)
    asc.data_copy(y_local, y_gm, 64)
    in_x.enque(x_local)
    in_y.enque(y_local)
    x_local = in_x.deque(x.dtype)
    y_local = in_y.deque(x.dtype)
    z_local = out_z.alloc_tensor(x.dtype)
    asc.add(z_local, x_local, y_local, 64)
    out_z.enque(z_local)
    in_x.free_tensor(x_local)
    in_y.free_tensor(y_local)
    z_local = out_z.deque(x.dtype)
    asc.data_copy(z_gm, z_local, 64)
    out_z.free_tensor(z_local)


def launch(device: Device) -> Result:
    x = np.arange(64, dtype=np.float32)
    y = np.arange(64, dtype=np.float32)
    z = np.zeros(64, dtype=np.float32)
    return device.launch(kernel, 1, x, y, z, outputs=("z",))
