import ascend_lab.asc as asc

MAX_COLS = 1024
LOWEST = float("-inf")


@asc.jit
def softmax_parts(x: asc.GlobalAddress, z: asc.GlobalAddress, rows: int, cols: int):
    size = x.dtype.sizeof()
    padded = (cols + 7) // 8 * 8
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, rows * cols)
    z_gm.set_global_buffer(z, rows * cols)
    pipe = asc.TPipe()
    in_queue = asc.TQue(asc.TPosition.VECIN, 1)
    out_queue = asc.TQue(asc.TPosition.VECOUT, 1)
    tmp_buf = asc.TBuf(asc.TPosition.VECCALC)
    result_buf = asc.TBuf(asc.TPosition.VECCALC)
    pipe.init_buffer(in_queue, 2, MAX_COLS * size)
    pipe.init_buffer(out_queue, 2, MAX_COLS * size)
    pipe.init_buffer(tmp_buf, MAX_COLS * size)
    pipe.init_buffer(result_buf, 32)
    tmp = tmp_buf.get(x.dtype)
    result = result_buf.get(x.dtype)

    move = asc.DataCopyExtParams(1, cols * size, 0, 0, 0)
    pad = asc.DataCopyPadExtParams(x.dtype, True, 0, padded - cols, LOWEST)
    for row in range(asc.get_block_idx(), rows, asc.get_block_num()):
        x_local = in_queue.alloc_tensor(x.dtype)
        asc.data_copy_pad(x_local, x_gm[row * cols :], move, pad)
        in_queue.enque(x_local)

        x_local = in_queue.deque(x.dtype)
        z_local = out_queue.alloc_tensor(z.dtype)
        asc.reduce_max(result, x_local, tmp, padded)
        highest = result.get_value(0)
        asc.adds(x_local, x_local, 0.0 - highest, padded)
        asc.exp(x_local, x_local, padded)
        asc.reduce_sum(result, x_local, tmp, padded)
        total = result.get_value(0)
        asc.muls(z_local, x_local, 1.0 / total, padded)
        out_queue.enque(z_local)
        in_queue.free_tensor(x_local)

        z_local = out_queue.deque(z.dtype)
        asc.data_copy_pad(z_gm[row * cols :], z_local, move)
        out_queue.free_tensor(z_local)
