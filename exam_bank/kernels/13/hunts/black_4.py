COLS = 64
TILE_ROWS = 16


@asc.jit
def black_4(x: asc.GlobalAddress, z: asc.GlobalAddress, rows: int):
    block = asc.get_block_idx()
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, rows * COLS)
    z_gm.set_global_buffer(z, COLS)
    pipe = asc.TPipe()
    in_queue = asc.TQue(asc.TPosition.VECIN, 1)
    out_queue = asc.TQue(asc.TPosition.VECOUT, 1)
    pipe.init_buffer(in_queue, 2, TILE_ROWS * COLS * x.dtype.sizeof())
    pipe.init_buffer(out_queue, 1, COLS * z.dtype.sizeof())

    if block == 0:
        zero = out_queue.alloc_tensor(z.dtype)
        asc.duplicate(zero, 0.0, COLS)
        out_queue.enque(zero)
        zero = out_queue.deque(z.dtype)
        asc.data_copy(z_gm, zero, COLS)
        out_queue.free_tensor(zero)
    asc.pipe_barrier(asc.PipeID.PIPE_ALL)
    asc.sync_all()

    total = out_queue.alloc_tensor(z.dtype)
    asc.duplicate(total, 0.0, COLS)
    tiles = (rows + TILE_ROWS - 1) // TILE_ROWS
    for tile in range(block, tiles, asc.get_block_num()):
        start = tile * TILE_ROWS
        left = rows - start
        count = TILE_ROWS if left > TILE_ROWS else left
        x_local = in_queue.alloc_tensor(x.dtype)
        asc.data_copy(x_local, x_gm[start * COLS :], count * COLS)
        in_queue.enque(x_local)
        x_local = in_queue.deque(x.dtype)
        for row in range(count):
            asc.add(total, total, x_local[row * COLS :], COLS)
        in_queue.free_tensor(x_local)
    out_queue.enque(total)
    total = out_queue.deque(z.dtype)
    asc.data_copy(z_gm, total, COLS)
    out_queue.free_tensor(total)
