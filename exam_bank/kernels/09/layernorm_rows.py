import ascend_lab.asc as asc

TILE_ROWS = 8
MAX_COLS = 1024


@asc.jit
def layernorm_rows(
    x: asc.GlobalAddress,
    gamma: asc.GlobalAddress,
    beta: asc.GlobalAddress,
    z: asc.GlobalAddress,
    rows: int,
    cols: int,
):
    size = x.dtype.sizeof()
    x_gm = asc.GlobalTensor()
    gamma_gm = asc.GlobalTensor()
    beta_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, rows * cols)
    gamma_gm.set_global_buffer(gamma, cols)
    beta_gm.set_global_buffer(beta, cols)
    z_gm.set_global_buffer(z, rows * cols)
    pipe = asc.TPipe()
    in_queue = asc.TQue(asc.TPosition.VECIN, 1)
    out_queue = asc.TQue(asc.TPosition.VECOUT, 1)
    weight_queue = asc.TQue(asc.TPosition.VECIN, 1)
    square_buf = asc.TBuf(asc.TPosition.VECCALC)
    sums_buf = asc.TBuf(asc.TPosition.VECCALC)
    pipe.init_buffer(in_queue, 2, TILE_ROWS * MAX_COLS * size)
    pipe.init_buffer(out_queue, 2, TILE_ROWS * MAX_COLS * size)
    pipe.init_buffer(weight_queue, 1, 2 * MAX_COLS * size)
    pipe.init_buffer(square_buf, 1 * MAX_COLS * size)
    pipe.init_buffer(sums_buf, 1024 * size)
    square = square_buf.get(x.dtype)
    sums = sums_buf.get(x.dtype)
    spread = sums[512:]

    weights = weight_queue.alloc_tensor(x.dtype)
    asc.data_copy(weights, gamma_gm, cols)
    asc.data_copy(weights[MAX_COLS:], beta_gm, cols)
    weight_queue.enque(weights)
    weights = weight_queue.deque(x.dtype)

    fill = asc.BrcbRepeatParams(1, 8)
    by_row = asc.BinaryRepeatParams(1, 1, 0, 8, 8, 0)
    tiles = (rows + TILE_ROWS - 1) // TILE_ROWS
    for tile in range(asc.get_block_idx(), tiles, asc.get_block_num()):
        first = tile * TILE_ROWS
        count = TILE_ROWS if rows - first > TILE_ROWS else rows - first
        x_local = in_queue.alloc_tensor(x.dtype)
        asc.data_copy(x_local, x_gm[first * cols :], count * cols)
        in_queue.enque(x_local)

        x_local = in_queue.deque(x.dtype)
        z_local = out_queue.alloc_tensor(z.dtype)
        parts = cols // 64
        for row in range(count):
            line = x_local[row * cols :]
            asc.whole_reduce_sum(square[row * 64 :], line, 64, parts, 1, 1, 8)
        asc.whole_reduce_sum(sums, square, parts, count, 1, 1, 8)
        asc.muls(sums, sums, 1.0 / cols, count)
        asc.brcb(spread, sums, 1, fill)
        for row in range(count):
            at = row * cols
            asc.sub(z_local[at:], x_local[at:], spread[row * 8 :], 64, parts, by_row)
        asc.mul(x_local, z_local, z_local, count * cols)
        for row in range(count):
            line = x_local[row * cols :]
            asc.whole_reduce_sum(square[row * 64 :], line, 64, parts, 1, 1, 8)
        asc.whole_reduce_sum(sums, square, parts, count, 1, 1, 8)
        asc.muls(sums, sums, 1.0 / cols, count)
        asc.adds(sums, sums, 0.00001, count)
        asc.sqrt(sums, sums, count)
        asc.brcb(spread, sums, 1, fill)
        for row in range(count):
            at = row * cols
            asc.div(z_local[at:], z_local[at:], spread[row * 8 :], 64, parts, by_row)
            asc.mul(z_local[at:], z_local[at:], weights, cols)
            asc.add(z_local[at:], z_local[at:], weights[MAX_COLS:], cols)
        out_queue.enque(z_local)
        in_queue.free_tensor(x_local)

        z_local = out_queue.deque(z.dtype)
        asc.data_copy(z_gm[first * cols :], z_local, count * cols)
        out_queue.free_tensor(z_local)
    weight_queue.free_tensor(weights)
