LONG_TILE = 8192


@asc.jit
def hunt_2(x: asc.GlobalAddress, y: asc.GlobalAddress, z: asc.GlobalAddress, tiles: int):
    x_gm = asc.GlobalTensor()
    y_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    y_gm.set_global_buffer(y)
    z_gm.set_global_buffer(z)
    pipe = asc.TPipe()
    in_queue_x = asc.TQue(asc.TPosition.VECIN, 1)
    in_queue_y = asc.TQue(asc.TPosition.VECIN, 1)
    out_queue = asc.TQue(asc.TPosition.VECOUT, 1)
    square_buf = asc.TBuf(asc.TPosition.VECCALC)
    pipe.init_buffer(in_queue_x, 2, LONG_TILE * x.dtype.sizeof())
    pipe.init_buffer(in_queue_y, 2, LONG_TILE * y.dtype.sizeof())
    pipe.init_buffer(out_queue, 2, LONG_TILE * z.dtype.sizeof())
    pipe.init_buffer(square_buf, LONG_TILE * x.dtype.sizeof())
    square = square_buf.get(x.dtype)

    for tile in range(tiles):
        start = tile * LONG_TILE
        x_local = in_queue_x.alloc_tensor(x.dtype)
        y_local = in_queue_y.alloc_tensor(y.dtype)
        asc.data_copy(x_local, x_gm[start:], LONG_TILE)
        asc.data_copy(y_local, y_gm[start:], LONG_TILE)
        in_queue_x.enque(x_local)
        in_queue_y.enque(y_local)
        x_local = in_queue_x.deque(x.dtype)
        y_local = in_queue_y.deque(y.dtype)
        z_local = out_queue.alloc_tensor(z.dtype)
        asc.mul(square, x_local, x_local, LONG_TILE)
        asc.add(z_local, square, y_local, LONG_TILE)
        in_queue_x.free_tensor(x_local)
        in_queue_y.free_tensor(y_local)
        out_queue.enque(z_local)
        z_local = out_queue.deque(z.dtype)
        asc.data_copy(z_gm[start:], z_local, LONG_TILE)
        out_queue.free_tensor(z_local)
