import ascend_lab.asc as asc

LONGEST = 1024


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
    move = asc.DataCopyExtParams(1, count * z_gm.dtype.sizeof(), 0, 0, 0)
    asc.data_copy_pad(z_gm[start:], z_local, move)
    out_queue.free_tensor(z_local)


@asc.jit
def rope(
    x: asc.GlobalAddress,
    cos: asc.GlobalAddress,
    sin: asc.GlobalAddress,
    z: asc.GlobalAddress,
    tokens: int,
    heads: int,
    half: int,
):
    rows = tokens * heads
    x_gm = asc.GlobalTensor()
    cos_gm = asc.GlobalTensor()
    sin_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, rows * half * 2)
    cos_gm.set_global_buffer(cos, tokens * half)
    sin_gm.set_global_buffer(sin, tokens * half)
    z_gm.set_global_buffer(z, rows * half * 2)
    pipe = asc.TPipe()
    in_queue = asc.TQue(asc.TPosition.VECIN, 1)
    out_queue = asc.TQue(asc.TPosition.VECOUT, 1)
    cos_buf = asc.TBuf(asc.TPosition.VECCALC)
    sin_buf = asc.TBuf(asc.TPosition.VECCALC)
    low_buf = asc.TBuf(asc.TPosition.VECCALC)
    high_buf = asc.TBuf(asc.TPosition.VECCALC)
    result_buf = asc.TBuf(asc.TPosition.VECCALC)
    turned_buf = asc.TBuf(asc.TPosition.VECCALC)
    pipe.init_buffer(in_queue, 2, LONGEST * x.dtype.sizeof())
    pipe.init_buffer(out_queue, 2, LONGEST * z.dtype.sizeof())
    pipe.init_buffer(cos_buf, LONGEST * asc.float32.sizeof())
    pipe.init_buffer(sin_buf, LONGEST * asc.float32.sizeof())
    pipe.init_buffer(low_buf, LONGEST * asc.float32.sizeof())
    pipe.init_buffer(high_buf, LONGEST * asc.float32.sizeof())
    pipe.init_buffer(result_buf, LONGEST * asc.float32.sizeof())
    pipe.init_buffer(turned_buf, LONGEST * asc.float32.sizeof())
    cos_wide = cos_buf.get(asc.float32)
    sin_wide = sin_buf.get(asc.float32)
    low = low_buf.get(asc.float32)
    high = high_buf.get(asc.float32)
    result = result_buf.get(asc.float32)
    turned = turned_buf.get(asc.float32)

    block_rows = (rows + asc.get_block_num() - 1) // asc.get_block_num()
    first = asc.get_block_idx() * block_rows
    last = first + block_rows if first + block_rows < rows else rows
    for row in range(first, last):
        token = row // heads
        if row == first or row == token * heads:
            load(cos_gm, in_queue, cos_wide, token * half, half)
            load(sin_gm, in_queue, sin_wide, token * half, half)
        line = row * half * 2
        load(x_gm, in_queue, low, line, half)
        load(x_gm, in_queue, high, line + half, half)
        asc.mul(turned, high, sin_wide, half)
        asc.mul(low, low, cos_wide, half)
        asc.sub(low, low, turned, half)
        store(z_gm, out_queue, low, line, half)
        asc.mul(result, high, cos_wide, half)
        asc.mul(turned, low, sin_wide, half)
        asc.add(result, result, turned, half)
        store(z_gm, out_queue, result, line + half, half)
