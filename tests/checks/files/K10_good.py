"""K10: in one copy with gaps."""

import numpy as np

import ascend_lab.asc as asc
from ascend_lab import Device, Result

ROWS, COLUMNS, WIDTH, HEIGHT = 1024, 1024, 256, 32
AT_A_TIME = 32
CHIPS = ("Ascend910B1", "Ascend910B3")  # a 310P waits for GM
PERFORMANCE = True
SCHEDULES = ("realistic",)  # another schedule has no times


@asc.jit
def kernel(x: asc.GlobalAddress, z: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, ROWS * COLUMNS)
    z_gm.set_global_buffer(z, ROWS * WIDTH)
    pipe = asc.TPipe()
    queue = asc.TQueBind(asc.TPosition.VECIN, asc.TPosition.VECOUT, 1)
    pipe.init_buffer(queue, 2, HEIGHT * WIDTH * x.dtype.sizeof())
    rows = asc.DataCopyParams(AT_A_TIME, WIDTH // 8, (COLUMNS - WIDTH) // 8, 0)
    for tile in range(asc.get_block_idx(), ROWS // HEIGHT, asc.get_block_num()):
        local = queue.alloc_tensor(x.dtype)
        for row in range(0, HEIGHT, AT_A_TIME):
            source = x_gm[(tile * HEIGHT + row) * COLUMNS :]
            asc.data_copy(local[row * WIDTH :], source, repeat_params=rows)
        queue.enque(local)
        local = queue.deque(x.dtype)
        asc.data_copy(z_gm[tile * HEIGHT * WIDTH :], local, HEIGHT * WIDTH)
        queue.free_tensor(local)


def launch(device: Device) -> Result:
    x = np.linspace(-1.0, 1.0, ROWS * COLUMNS, dtype=np.float32)
    z = np.zeros(ROWS * WIDTH, dtype=np.float32)
    return device.launch(kernel, 4, x, z, outputs=("z",))
