import ascend_lab.asc as asc

TILE_LENGTH = 4096
TMP_LENGTH = 128
BATCH_ROWS = 256
LOWEST = float("-inf")


@asc.jit
def load(x_gm: asc.GlobalTensor, in_queue: asc.TQue, wide: asc.LocalTensor, start: int, count: int):
    move = asc.DataCopyExtParams(1, count * x_gm.dtype.sizeof(), 0, 0, 0)
    pad = asc.DataCopyPadExtParams(x_gm.dtype, False, 0, 0, 0)
    x_local = in_queue.alloc_tensor(x_gm.dtype)
    asc.data_copy_pad(x_local, x_gm[start:], move, pad)
    in_queue.enque(x_local)

    x_local = in_queue.deque(x_gm.dtype)
    if x_gm.dtype == asc.float32:
        asc.muls(wide, x_local, 1.0, count)
    else:
        asc.cast(wide, x_local, asc.RoundMode.CAST_NONE, count)
    in_queue.free_tensor(x_local)


@asc.jit
def store(
    z_gm: asc.GlobalTensor, out_queue: asc.TQue, wide: asc.LocalTensor, start: int, count: int
):
    z_local = out_queue.alloc_tensor(z_gm.dtype)
    if z_gm.dtype == asc.float32:
        asc.muls(z_local, wide, 1.0, count)
    else:
        asc.cast(z_local, wide, asc.RoundMode.CAST_RINT, count)
    out_queue.enque(z_local)

    z_local = out_queue.deque(z_gm.dtype)
    block = 32 // z_gm.dtype.sizeof()
    asc.data_copy(z_gm[start:], z_local, (count + block - 1) // block * block)
    out_queue.free_tensor(z_local)


@asc.jit
def log_sum_exp(x: asc.GlobalAddress, z: asc.GlobalAddress, rows: int, cols: int):
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, rows * cols)
    z_gm.set_global_buffer(z, rows)
    pipe = asc.TPipe()
    in_queue = asc.TQue(asc.TPosition.VECIN, 1)
    out_queue = asc.TQue(asc.TPosition.VECOUT, 1)
    wide_buf = asc.TBuf(asc.TPosition.VECCALC)
    tmp_buf = asc.TBuf(asc.TPosition.VECCALC)
    result_buf = asc.TBuf(asc.TPosition.VECCALC)
    highest_buf = asc.TBuf(asc.TPosition.VECCALC)
    total_buf = asc.TBuf(asc.TPosition.VECCALC)
    pipe.init_buffer(in_queue, 2, TILE_LENGTH * x.dtype.sizeof())
    pipe.init_buffer(out_queue, 2, BATCH_ROWS * z.dtype.sizeof())
    pipe.init_buffer(wide_buf, TILE_LENGTH * asc.float32.sizeof())
    pipe.init_buffer(tmp_buf, TMP_LENGTH * asc.float32.sizeof())
    pipe.init_buffer(result_buf, 32)
    pipe.init_buffer(highest_buf, BATCH_ROWS * asc.float32.sizeof())
    pipe.init_buffer(total_buf, BATCH_ROWS * asc.float32.sizeof())
    wide = wide_buf.get(asc.float32)
    tmp = tmp_buf.get(asc.float32)
    result = result_buf.get(asc.float32)
    highest_of = highest_buf.get(asc.float32)
    total_of = total_buf.get(asc.float32)

    block_rows = (rows + asc.get_block_num() - 1) // asc.get_block_num()
    first = asc.get_block_idx() * block_rows
    last = first + block_rows if first + block_rows < rows else rows
    for batch in range(first, last, BATCH_ROWS):
        left = last - batch
        todo = BATCH_ROWS if left > BATCH_ROWS else left
        for k in range(todo):
            line = (batch + k) * cols
            highest = asc.number(LOWEST, asc.float32)
            for start in range(0, cols, TILE_LENGTH):
                left = cols - start
                count = TILE_LENGTH if left > TILE_LENGTH else left
                load(x_gm, in_queue, wide, line + start, count)
                asc.reduce_max(result, wide, tmp, count)
                value = result.get_value(0)
                highest = value if value > highest else highest
            total = asc.number(0.0, asc.float32)
            for start in range(0, cols, TILE_LENGTH):
                left = cols - start
                count = TILE_LENGTH if left > TILE_LENGTH else left
                if cols > TILE_LENGTH:
                    load(x_gm, in_queue, wide, line + start, count)
                asc.adds(wide, wide, 0.0 - highest, count)
                asc.exp(wide, wide, count)
                asc.reduce_sum(result, wide, tmp, count)
                total = total + result.get_value(0)
            highest_of.set_value(k, highest)
            total_of.set_value(k, total)

        asc.ln(total_of, total_of, todo)
        asc.add(total_of, total_of, highest_of, todo)
        store(z_gm, out_queue, total_of, batch, todo)
