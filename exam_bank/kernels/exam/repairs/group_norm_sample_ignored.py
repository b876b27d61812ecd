import ascend_lab.asc as asc

TILE_LENGTH = 4096
TMP_LENGTH = 64
MOST_CHANNELS = 512


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
def group_norm(
    x: asc.GlobalAddress,
    gamma: asc.GlobalAddress,
    beta: asc.GlobalAddress,
    z: asc.GlobalAddress,
    batch: int,
    channels: int,
    spatial: int,
    groups: int,
    epsilon: float,
):
    x_gm = asc.GlobalTensor()
    gamma_gm = asc.GlobalTensor()
    beta_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, batch * channels * spatial)
    gamma_gm.set_global_buffer(gamma, channels)
    beta_gm.set_global_buffer(beta, channels)
    z_gm.set_global_buffer(z, batch * channels * spatial)
    pipe = asc.TPipe()
    in_queue = asc.TQue(asc.TPosition.VECIN, 1)
    out_queue = asc.TQue(asc.TPosition.VECOUT, 1)
    wide_buf = asc.TBuf(asc.TPosition.VECCALC)
    gamma_buf = asc.TBuf(asc.TPosition.VECCALC)
    beta_buf = asc.TBuf(asc.TPosition.VECCALC)
    tmp_buf = asc.TBuf(asc.TPosition.VECCALC)
    result_buf = asc.TBuf(asc.TPosition.VECCALC)
    pipe.init_buffer(in_queue, 2, TILE_LENGTH * x.dtype.sizeof())
    pipe.init_buffer(out_queue, 2, TILE_LENGTH * z.dtype.sizeof())
    pipe.init_buffer(wide_buf, TILE_LENGTH * asc.float32.sizeof())
    pipe.init_buffer(gamma_buf, MOST_CHANNELS * asc.float32.sizeof())
    pipe.init_buffer(beta_buf, MOST_CHANNELS * asc.float32.sizeof())
    pipe.init_buffer(tmp_buf, TMP_LENGTH * asc.float32.sizeof())
    pipe.init_buffer(result_buf, 32)
    wide = wide_buf.get(asc.float32)
    gamma_wide = gamma_buf.get(asc.float32)
    beta_wide = beta_buf.get(asc.float32)
    tmp = tmp_buf.get(asc.float32)
    result = result_buf.get(asc.float32)

    own = channels // groups
    size = own * spatial
    for group in range(asc.get_block_idx(), batch * groups, asc.get_block_num()):
        first = group * size
        total = asc.number(0.0, asc.float32)
        for start in range(0, size, TILE_LENGTH):
            left = size - start
            count = TILE_LENGTH if left > TILE_LENGTH else left
            load(x_gm, in_queue, wide, first + start, count)
            asc.reduce_sum(result, wide, tmp, count)
            total = total + result.get_value(0)
        mean = total / size

        total = asc.number(0.0, asc.float32)
        for start in range(0, size, TILE_LENGTH):
            left = size - start
            count = TILE_LENGTH if left > TILE_LENGTH else left
            load(x_gm, in_queue, wide, first + start, count)
            asc.adds(wide, wide, 0.0 - mean, count)
            asc.mul(wide, wide, wide, count)
            asc.reduce_sum(result, wide, tmp, count)
            total = total + result.get_value(0)
        result.set_value(0, total / size + epsilon)
        asc.sqrt(result, result, 1)
        scale = 1.0 / result.get_value(0)

        channel = group * own
        load(gamma_gm, in_queue, gamma_wide, channel, own)
        load(beta_gm, in_queue, beta_wide, channel, own)
        for k in range(own):
            factor = scale * gamma_wide.get_value(k)
            shift = beta_wide.get_value(k)
            for start in range(0, spatial, TILE_LENGTH):
                left = spatial - start
                count = TILE_LENGTH if left > TILE_LENGTH else left
                load(x_gm, in_queue, wide, first + k * spatial + start, count)
                asc.adds(wide, wide, 0.0 - mean, count)
                asc.muls(wide, wide, factor, count)
                asc.adds(wide, wide, shift, count)
                store(z_gm, out_queue, wide, first + k * spatial + start, count)
