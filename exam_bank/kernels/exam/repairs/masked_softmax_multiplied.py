import ascend_lab.asc as asc

TILE_LENGTH = 4096
TMP_LENGTH = 128
LOWEST = -1.0e30


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
def load_masked(
    x_gm: asc.GlobalTensor,
    mask_gm: asc.GlobalTensor,
    in_queue: asc.TQue,
    mask_queue: asc.TQue,
    wide: asc.LocalTensor,
    keep: asc.LocalTensor,
    bits: asc.LocalTensor,
    start: int,
    count: int,
):
    load(x_gm, in_queue, wide, start, count)
    move = asc.DataCopyExtParams(1, count, 0, 0, 0)
    pad = asc.DataCopyPadExtParams(mask_gm.dtype, False, 0, 0, 0)
    mask_local = mask_queue.alloc_tensor(mask_gm.dtype)
    asc.data_copy_pad(mask_local, mask_gm[start:], move, pad)
    mask_queue.enque(mask_local)

    mask_local = mask_queue.deque(mask_gm.dtype)
    asc.cast(keep, mask_local, asc.RoundMode.CAST_NONE, count)
    mask_queue.free_tensor(mask_local)
    asc.cast(bits, keep, asc.RoundMode.CAST_NONE, count)
    asc.mins(bits, bits, 1.0, count)
    asc.mul(wide, wide, bits, count)
    asc.adds(bits, bits, -1.0, count)
    asc.muls(bits, bits, -LOWEST, count)
    asc.add(wide, wide, bits, count)


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
    move = asc.DataCopyExtParams(1, count * z_gm.dtype.sizeof(), 0, 0, 0)
    asc.data_copy_pad(z_gm[start:], z_local, move)
    out_queue.free_tensor(z_local)


@asc.jit
def masked_softmax(
    x: asc.GlobalAddress, mask: asc.GlobalAddress, z: asc.GlobalAddress, rows: int, cols: int
):
    x_gm = asc.GlobalTensor()
    mask_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, rows * cols)
    mask_gm.set_global_buffer(mask, rows * cols)
    z_gm.set_global_buffer(z, rows * cols)
    pipe = asc.TPipe()
    in_queue = asc.TQue(asc.TPosition.VECIN, 1)
    mask_queue = asc.TQue(asc.TPosition.VECIN, 1)
    out_queue = asc.TQue(asc.TPosition.VECOUT, 1)
    wide_buf = asc.TBuf(asc.TPosition.VECCALC)
    keep_buf = asc.TBuf(asc.TPosition.VECCALC)
    bits_buf = asc.TBuf(asc.TPosition.VECCALC)
    tmp_buf = asc.TBuf(asc.TPosition.VECCALC)
    result_buf = asc.TBuf(asc.TPosition.VECCALC)
    pipe.init_buffer(in_queue, 2, TILE_LENGTH * x.dtype.sizeof())
    pipe.init_buffer(mask_queue, 2, TILE_LENGTH * mask.dtype.sizeof())
    pipe.init_buffer(out_queue, 2, TILE_LENGTH * z.dtype.sizeof())
    pipe.init_buffer(wide_buf, TILE_LENGTH * asc.float32.sizeof())
    pipe.init_buffer(keep_buf, TILE_LENGTH * asc.float16.sizeof())
    pipe.init_buffer(bits_buf, TILE_LENGTH * asc.float32.sizeof())
    pipe.init_buffer(tmp_buf, TMP_LENGTH * asc.float32.sizeof())
    pipe.init_buffer(result_buf, 32)
    wide = wide_buf.get(asc.float32)
    keep = keep_buf.get(asc.float16)
    bits = bits_buf.get(asc.float32)
    tmp = tmp_buf.get(asc.float32)
    result = result_buf.get(asc.float32)

    for row in range(asc.get_block_idx(), rows, asc.get_block_num()):
        line = row * cols
        highest = asc.number(LOWEST, asc.float32)
        for start in range(0, cols, TILE_LENGTH):
            left = cols - start
            count = TILE_LENGTH if left > TILE_LENGTH else left
            load_masked(x_gm, mask_gm, in_queue, mask_queue, wide, keep, bits, line + start, count)
            asc.reduce_max(result, wide, tmp, count)
            value = result.get_value(0)
            highest = value if value > highest else highest
        shift = 0.0 - highest if highest > LOWEST / 2 else asc.number(0.0, asc.float32)

        total = asc.number(0.0, asc.float32)
        for start in range(0, cols, TILE_LENGTH):
            left = cols - start
            count = TILE_LENGTH if left > TILE_LENGTH else left
            if cols > TILE_LENGTH:
                load_masked(
                    x_gm, mask_gm, in_queue, mask_queue, wide, keep, bits, line + start, count
                )
            asc.adds(wide, wide, shift, count)
            asc.exp(wide, wide, count)
            asc.reduce_sum(result, wide, tmp, count)
            total = total + result.get_value(0)
        factor = 1.0 / total if total > 0.0 else asc.number(0.0, asc.float32)

        for start in range(0, cols, TILE_LENGTH):
            left = cols - start
            count = TILE_LENGTH if left > TILE_LENGTH else left
            if cols > TILE_LENGTH:
                load_masked(
                    x_gm, mask_gm, in_queue, mask_queue, wide, keep, bits, line + start, count
                )
                asc.adds(wide, wide, shift, count)
                asc.exp(wide, wide, count)
            asc.muls(wide, wide, factor, count)
            store(z_gm, out_queue, wide, line + start, count)
