import ascend_lab.asc as asc

TILE_LENGTH = 4096
BLOCK = 16  # elements, whole 32 B of every type


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
def cumulative_sum(x: asc.GlobalAddress, z: asc.GlobalAddress, rows: int, cols: int):
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, rows * cols)
    z_gm.set_global_buffer(z, rows * cols)
    pipe = asc.TPipe()
    in_queue = asc.TQue(asc.TPosition.VECIN, 1)
    out_queue = asc.TQue(asc.TPosition.VECOUT, 1)
    wide_buf = asc.TBuf(asc.TPosition.VECCALC)
    total_buf = asc.TBuf(asc.TPosition.VECCALC)
    pipe.init_buffer(in_queue, 2, TILE_LENGTH * x.dtype.sizeof())
    pipe.init_buffer(out_queue, 2, TILE_LENGTH * z.dtype.sizeof())
    pipe.init_buffer(wide_buf, TILE_LENGTH * asc.float32.sizeof())
    pipe.init_buffer(total_buf, TILE_LENGTH * asc.float32.sizeof())
    wide = wide_buf.get(asc.float32)
    total = total_buf.get(asc.float32)

    share = (cols + asc.get_block_num() - 1) // asc.get_block_num()
    own = (share + BLOCK - 1) // BLOCK * BLOCK
    width = own if own < TILE_LENGTH else TILE_LENGTH
    strips = (cols + width - 1) // width
    asc.duplicate(total, 0.0, width)
    for strip in range(asc.get_block_idx(), strips, asc.get_block_num()):
        first = strip * width
        left = cols - first
        count = width if left > width else left
        for row in range(rows):
            load(x_gm, in_queue, wide, row * cols + first, count)
            asc.add(total, total, wide, count)
            store(z_gm, out_queue, total, row * cols + first, count)
