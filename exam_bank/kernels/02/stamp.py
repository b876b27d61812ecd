import ascend_lab.asc as asc

UNIT = 8
STAMP_TILE = 2048


@asc.jit
def stamp_tile(
    x_gm: asc.GlobalTensor,
    z_gm: asc.GlobalTensor,
    in_queue: asc.TQue,
    out_queue: asc.TQue,
    start: int,
    count: int,
    value: float,
):
    move = asc.DataCopyExtParams(1, count * x_gm.dtype.sizeof(), 0, 0, 0)
    pad = asc.DataCopyPadExtParams(x_gm.dtype, False, 0, 0, 0)
    x_local = in_queue.alloc_tensor(x_gm.dtype)
    asc.data_copy_pad(x_local, x_gm[start:], move, pad)
    in_queue.enque(x_local)
    x_local = in_queue.deque(x_gm.dtype)
    z_local = out_queue.alloc_tensor(z_gm.dtype)
    asc.adds(z_local, x_local, value, count)
    out_queue.enque(z_local)
    in_queue.free_tensor(x_local)
    z_local = out_queue.deque(z_gm.dtype)
    asc.data_copy_pad(z_gm[start:], z_local, move)
    out_queue.free_tensor(z_local)


@asc.jit
def stamp(x: asc.GlobalAddress, z: asc.GlobalAddress, length: int):
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, length)
    z_gm.set_global_buffer(z, length)
    pipe = asc.TPipe()
    in_queue = asc.TQue(asc.TPosition.VECIN, 1)
    out_queue = asc.TQue(asc.TPosition.VECOUT, 1)
    pipe.init_buffer(in_queue, 2, STAMP_TILE * x.dtype.sizeof())
    pipe.init_buffer(out_queue, 2, STAMP_TILE * z.dtype.sizeof())

    block = asc.get_block_idx()
    blocks = asc.get_block_num()
    units = (length + UNIT - 1) // UNIT
    former = units % blocks
    own = units // blocks
    first = block * own + former
    if block < former:
        own = own + 1
        first = block * own
    start = first * UNIT
    end = (first + own) * UNIT
    end = length if end > length else end
    for at in range(start, end, STAMP_TILE):
        left = end - at
        count = STAMP_TILE if left > STAMP_TILE else left
        stamp_tile(x_gm, z_gm, in_queue, out_queue, at, count, block)
