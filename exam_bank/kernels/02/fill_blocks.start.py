import ascend_lab.asc as asc

FILL_TILE = 2048


@asc.jit
def fill_blocks(z: asc.GlobalAddress, total_length: int):
    z_gm = asc.GlobalTensor()
    z_gm.set_global_buffer(z, total_length)
    pipe = asc.TPipe()
    queue = asc.TQue(asc.TPosition.VECOUT, 1)
    pipe.init_buffer(queue, 2, FILL_TILE * z.dtype.sizeof())

    # call fill once for each tile of this core
