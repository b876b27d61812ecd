ROW = 512


@asc.jit
def hunt_1(x: asc.GlobalAddress, z: asc.GlobalAddress, rows: int):
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    z_gm.set_global_buffer(z)
    pipe = asc.TPipe()
    in_queue = asc.TQue(asc.TPosition.VECIN, 1)
    out_queue = asc.TQue(asc.TPosition.VECOUT, 1)
    pipe.init_buffer(in_queue, 2, ROW * x.dtype.sizeof())
    pipe.init_buffer(out_queue, 1, ROW * z.dtype.sizeof())

    z_local = out_queue.alloc_tensor(z.dtype)
    for row in range(rows):
        x_local = in_queue.alloc_tensor(x.dtype)
        asc.data_copy(x_local, x_gm[row * ROW :], ROW)
        in_queue.enque(x_local)
        x_local = in_queue.deque(x.dtype)
        asc.add(z_local, z_local, x_local, ROW)
        in_queue.free_tensor(x_local)
    out_queue.enque(z_local)
    z_local = out_queue.deque(z.dtype)
    asc.data_copy(z_gm, z_local, ROW)
    out_queue.free_tensor(z_local)
