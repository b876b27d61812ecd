import ascend_lab.asc as asc

UNIT = 8
STAMP_TILE = 2048


@asc.jit
def stamp(x: asc.GlobalAddress, z: asc.GlobalAddress, length: int):
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, length)
    z_gm.set_global_buffer(z, length)
    pipe = asc.TPipe()
    in_queue = asc.TQue(asc.TPosition.VECIN, 1)
    out_queue = asc.TQue(asc.TPosition.VECOUT, 1)
    pipe.init_buffer(in_queue, 2, STAMP_TILE * x.dtype.sizeof())
    pipe.init_buffer(out_queue, 2, STAMP_TILE * z.dtype.sizeof())

    # call stamp_tile once for each tile of this core
