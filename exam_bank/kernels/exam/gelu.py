import ascend_lab.asc as asc

TILE_LENGTH = 4096
FIRST = -1.5957691216057308  # -2 sqrt(2 / pi)
THIRD = 0.044715 * FIRST


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
def gelu(x: asc.GlobalAddress, z: asc.GlobalAddress, length: int):
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, length)
    z_gm.set_global_buffer(z, length)
    pipe = asc.TPipe()
    in_queue = asc.TQue(asc.TPosition.VECIN, 1)
    out_queue = asc.TQue(asc.TPosition.VECOUT, 1)
    wide_buf = asc.TBuf(asc.TPosition.VECCALC)
    below_buf = asc.TBuf(asc.TPosition.VECCALC)
    pipe.init_buffer(in_queue, 2, TILE_LENGTH * x.dtype.sizeof())
    pipe.init_buffer(out_queue, 2, TILE_LENGTH * z.dtype.sizeof())
    pipe.init_buffer(wide_buf, TILE_LENGTH * asc.float32.sizeof())
    pipe.init_buffer(below_buf, TILE_LENGTH * asc.float32.sizeof())
    wide = wide_buf.get(asc.float32)
    below = below_buf.get(asc.float32)

    tiles = (length + TILE_LENGTH - 1) // TILE_LENGTH
    for tile in range(asc.get_block_idx(), tiles, asc.get_block_num()):
        start = tile * TILE_LENGTH
        left = length - start
        count = TILE_LENGTH if left > TILE_LENGTH else left
        load(x_gm, in_queue, wide, start, count)
        asc.mul(below, wide, wide, count)
        asc.muls(below, below, THIRD, count)
        asc.adds(below, below, FIRST, count)
        asc.mul(below, below, wide, count)
        asc.exp(below, below, count)
        asc.adds(below, below, 1.0, count)
        asc.div(wide, wide, below, count)
        store(z_gm, out_queue, wide, start, count)
