COLS = 60
PITCH = 64
TILE_ROWS = 32


@asc.jit
def green_2(x: asc.GlobalAddress, z: asc.GlobalAddress, rows: int):
    block = asc.get_block_idx()
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x + block * rows * COLS, rows * COLS)
    z_gm.set_global_buffer(z + block * COLS, COLS)
    pipe = asc.TPipe()
    in_queue = asc.TQue(asc.TPosition.VECIN, 1)
    out_queue = asc.TQue(asc.TPosition.VECOUT, 1)
    total_buf = asc.TBuf(asc.TPosition.VECCALC)
    pipe.init_buffer(in_queue, 2, TILE_ROWS * PITCH * x.dtype.sizeof())
    pipe.init_buffer(out_queue, 1, PITCH * z.dtype.sizeof())
    pipe.init_buffer(total_buf, PITCH * x.dtype.sizeof())
    total = total_buf.get(x.dtype)

    pad = asc.DataCopyPadExtParams(x.dtype, False, 0, 0, 0)
    asc.duplicate(total, 0.0, COLS)
    for start in range(0, rows, TILE_ROWS):
        left = rows - start
        count = TILE_ROWS if left > TILE_ROWS else left
        load = asc.DataCopyExtParams(count, COLS * x.dtype.sizeof(), 0, 0, 0)
        x_local = in_queue.alloc_tensor(x.dtype)
        asc.data_copy_pad(x_local, x_gm[start * COLS :], load, pad)
        in_queue.enque(x_local)
        x_local = in_queue.deque(x.dtype)
        for row in range(count):
            asc.add(total, total, x_local[row * PITCH :], COLS)
        in_queue.free_tensor(x_local)
    z_local = out_queue.alloc_tensor(z.dtype)
    asc.adds(z_local, total, 0.0, COLS)
    out_queue.enque(z_local)

    z_local = out_queue.deque(z.dtype)
    asc.data_copy_pad(z_gm, z_local, asc.DataCopyExtParams(1, COLS * z.dtype.sizeof(), 0, 0, 0))
    out_queue.free_tensor(z_local)
