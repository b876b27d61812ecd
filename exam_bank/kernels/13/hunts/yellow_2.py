TILE_ROWS = 16
MAX_COLS = 128


@asc.jit
def yellow_2(x: asc.GlobalAddress, z: asc.GlobalAddress, rows: int, cols: int):
    size = x.dtype.sizeof()
    pitch = (cols * size + 31) // 32 * 32 // size
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, rows * cols)
    z_gm.set_global_buffer(z, rows * cols)
    pipe = asc.TPipe()
    in_queue = asc.TQue(asc.TPosition.VECIN, 1)
    out_queue = asc.TQue(asc.TPosition.VECOUT, 1)
    pipe.init_buffer(in_queue, 2, TILE_ROWS * MAX_COLS * size)
    pipe.init_buffer(out_queue, 2, TILE_ROWS * MAX_COLS * size)

    tiles = (rows + TILE_ROWS - 1) // TILE_ROWS
    pad = asc.DataCopyPadExtParams(x.dtype, False, 0, 0, 0)
    for tile in range(asc.get_block_idx(), tiles, asc.get_block_num()):
        start = tile * TILE_ROWS
        left = rows - start
        count = TILE_ROWS if left > TILE_ROWS else left
        move = asc.DataCopyExtParams(count, cols * size, 0, 0, 0)
        x_local = in_queue.alloc_tensor(x.dtype)
        asc.data_copy_pad(x_local, x_gm[start * cols :], move, pad)
        in_queue.enque(x_local)

        x_local = in_queue.deque(x.dtype)
        z_local = out_queue.alloc_tensor(z.dtype)
        asc.relu(z_local, x_local, count * pitch)
        in_queue.free_tensor(x_local)

        z_local = out_queue.deque(z.dtype)
        asc.data_copy_pad(z_gm[start * cols :], z_local, move)
        out_queue.free_tensor(z_local)
