import ascend_lab.asc as asc

TILE_LENGTH = 4096


@asc.jit
def clamp(x: asc.GlobalAddress, z: asc.GlobalAddress, length: int, lowest: float, highest: float):
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, length)
    z_gm.set_global_buffer(z, length)
    pipe = asc.TPipe()
    in_queue = asc.TQue(asc.TPosition.VECIN, 1)
    out_queue = asc.TQue(asc.TPosition.VECOUT, 1)
    half_buf = asc.TBuf(asc.TPosition.VECCALC)
    pipe.init_buffer(in_queue, 2, TILE_LENGTH * x.dtype.sizeof())
    pipe.init_buffer(out_queue, 2, TILE_LENGTH * z.dtype.sizeof())
    pipe.init_buffer(half_buf, TILE_LENGTH * asc.float16.sizeof())
    half = half_buf.get(asc.float16)

    pad = asc.DataCopyPadExtParams(x.dtype, False, 0, 0, 0)
    tiles = (length + TILE_LENGTH - 1) // TILE_LENGTH
    for tile in range(asc.get_block_idx(), tiles, asc.get_block_num()):
        start = tile * TILE_LENGTH
        left = length - start
        count = TILE_LENGTH if left > TILE_LENGTH else left
        move = asc.DataCopyExtParams(1, count * x.dtype.sizeof(), 0, 0, 0)
        x_local = in_queue.alloc_tensor(x.dtype)
        asc.data_copy_pad(x_local, x_gm[start:], move, pad)
        in_queue.enque(x_local)

        x_local = in_queue.deque(x.dtype)
        z_local = out_queue.alloc_tensor(z.dtype)
        if x.dtype != asc.float16:
            asc.cast(half, x_local, asc.RoundMode.CAST_NONE, count)
            asc.maxs(half, half, lowest, count)
            asc.mins(half, half, highest, count)
            if x.dtype == asc.int8:
                asc.cast(z_local, half, asc.RoundMode.CAST_RINT, count)
            else:
                asc.cast(z_local, half, asc.RoundMode.CAST_NONE, count)
        else:
            asc.maxs(z_local, x_local, lowest, count)
            asc.mins(z_local, z_local, highest, count)
        out_queue.enque(z_local)
        in_queue.free_tensor(x_local)

        z_local = out_queue.deque(z.dtype)
        asc.data_copy_pad(z_gm[start:], z_local, move)
        out_queue.free_tensor(z_local)
