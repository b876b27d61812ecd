TILE_LENGTH = 1024


@asc.jit
def hunt_2(x: asc.GlobalAddress, z: asc.GlobalAddress, length: int):
    size = x.dtype.sizeof()
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, length)
    z_gm.set_global_buffer(z, length)
    pipe = asc.TPipe()
    in_queue = asc.TQue(asc.TPosition.VECIN, 1)
    out_queue = asc.TQue(asc.TPosition.VECOUT, 1)
    pipe.init_buffer(in_queue, 2, TILE_LENGTH * size)
    pipe.init_buffer(out_queue, 2, TILE_LENGTH * size)

    pad = asc.DataCopyPadExtParams(x.dtype, False, 0, 0, 0)
    tiles = (length + TILE_LENGTH - 1) // TILE_LENGTH
    for tile in range(asc.get_block_idx(), tiles, asc.get_block_num()):
        start = tile * TILE_LENGTH
        left = length - start
        count = TILE_LENGTH if left > TILE_LENGTH else left
        move = asc.DataCopyExtParams(1, count * size, 0, 0, 0)
        x_local = in_queue.alloc_tensor(x.dtype)
        asc.data_copy_pad(x_local, x_gm[start:], move, pad)
        in_queue.enque(x_local)

        x_local = in_queue.deque(x.dtype)
        z_local = out_queue.alloc_tensor(z.dtype)
        asc.muls(z_local, x_local, 0.5, count)
        out_queue.enque(z_local)
        in_queue.free_tensor(x_local)

        z_local = out_queue.deque(z.dtype)
        asc.data_copy(z_gm[start:], z_local, (count * size + 31) // 32 * 32 // size)
        out_queue.free_tensor(z_local)
