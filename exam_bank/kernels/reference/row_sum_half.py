import ascend_lab.asc as asc

TILE_LENGTH = 256


@asc.jit
def row_sum_half(x: asc.GlobalAddress, z: asc.GlobalAddress, rows: int, cols: int):
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, rows * cols)
    z_gm.set_global_buffer(z, rows)
    pipe = asc.TPipe()
    in_queue = asc.TQue(asc.TPosition.VECIN, 1)
    out_queue = asc.TQue(asc.TPosition.VECOUT, 1)
    wide_buf = asc.TBuf(asc.TPosition.VECCALC)
    total_buf = asc.TBuf(asc.TPosition.VECCALC)
    tmp_buf = asc.TBuf(asc.TPosition.VECCALC)
    pipe.init_buffer(in_queue, 2, TILE_LENGTH * x.dtype.sizeof())
    pipe.init_buffer(out_queue, 2, 32)
    pipe.init_buffer(wide_buf, TILE_LENGTH * asc.float32.sizeof())
    pipe.init_buffer(total_buf, TILE_LENGTH * asc.float32.sizeof())
    pipe.init_buffer(tmp_buf, TILE_LENGTH * asc.float32.sizeof())
    wide = wide_buf.get(asc.float32)
    total = total_buf.get(asc.float32)
    tmp = tmp_buf.get(asc.float32)

    pad = asc.DataCopyPadExtParams(x.dtype, False, 0, 0, 0)
    one = asc.DataCopyExtParams(1, z.dtype.sizeof(), 0, 0, 0)
    for row in range(asc.get_block_idx(), rows, asc.get_block_num()):
        asc.duplicate(total, 0.0, TILE_LENGTH)
        for start in range(0, cols, TILE_LENGTH):
            left = cols - start
            count = TILE_LENGTH if left > TILE_LENGTH else left
            move = asc.DataCopyExtParams(1, count * x.dtype.sizeof(), 0, 0, 0)
            x_local = in_queue.alloc_tensor(x.dtype)
            asc.data_copy_pad(x_local, x_gm[row * cols + start :], move, pad)
            in_queue.enque(x_local)
            x_local = in_queue.deque(x.dtype)
            asc.cast(wide, x_local, asc.RoundMode.CAST_NONE, count)
            asc.add(total, total, wide, count)
            in_queue.free_tensor(x_local)
        z_local = out_queue.alloc_tensor(z.dtype)
        asc.reduce_sum(total, total, tmp, TILE_LENGTH)
        asc.cast(z_local, total, asc.RoundMode.CAST_RINT, 1)
        out_queue.enque(z_local)

        z_local = out_queue.deque(z.dtype)
        asc.data_copy_pad(z_gm[row:], z_local, one)
        out_queue.free_tensor(z_local)
