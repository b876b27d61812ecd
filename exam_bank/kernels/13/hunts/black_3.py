LANES = 64
REPEATS = 240
TILE_LENGTH = LANES * REPEATS


@asc.jit
def black_3(x: asc.GlobalAddress, y: asc.GlobalAddress, z: asc.GlobalAddress, length: int):
    x_gm = asc.GlobalTensor()
    y_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, length)
    y_gm.set_global_buffer(y, length)
    z_gm.set_global_buffer(z, length)
    pipe = asc.TPipe()
    in_queue_x = asc.TQue(asc.TPosition.VECIN, 1)
    in_queue_y = asc.TQue(asc.TPosition.VECIN, 1)
    out_queue_z = asc.TQue(asc.TPosition.VECOUT, 1)
    pipe.init_buffer(in_queue_x, 1, TILE_LENGTH * x.dtype.sizeof())
    pipe.init_buffer(in_queue_y, 1, TILE_LENGTH * y.dtype.sizeof())
    pipe.init_buffer(out_queue_z, 1, TILE_LENGTH * z.dtype.sizeof())

    two = asc.BinaryRepeatParams(1, 1, 1, 8, 8, 4)
    one = asc.UnaryRepeatParams(1, 1, 8, 8)
    tiles = (length + TILE_LENGTH - 1) // TILE_LENGTH
    for tile in range(asc.get_block_idx(), tiles, asc.get_block_num()):
        start = tile * TILE_LENGTH
        left = length - start
        count = TILE_LENGTH if left > TILE_LENGTH else left
        repeats = count // LANES
        tail = count % LANES
        x_local = in_queue_x.alloc_tensor(x.dtype)
        y_local = in_queue_y.alloc_tensor(y.dtype)
        asc.data_copy(x_local, x_gm[start:], count)
        asc.data_copy(y_local, y_gm[start:], count)
        in_queue_x.enque(x_local)
        in_queue_y.enque(y_local)

        x_local = in_queue_x.deque(x.dtype)
        y_local = in_queue_y.deque(y.dtype)
        z_local = out_queue_z.alloc_tensor(z.dtype)
        asc.add(x_local, x_local, y_local, LANES, repeats, two)
        if tail > 0:
            at = repeats * LANES
            asc.add(x_local[at:], x_local[at:], y_local[at:], tail, 1, two)
        asc.set_mask_count()
        asc.set_vector_mask(count, x.dtype, asc.MaskMode.COUNTER)
        asc.muls(z_local, x_local, 0.5, asc.MASK_PLACEHOLDER, 1, one, is_set_mask=False)
        asc.set_mask_norm()
        asc.reset_mask()
        out_queue_z.enque(z_local)
        in_queue_x.free_tensor(x_local)
        in_queue_y.free_tensor(y_local)

        z_local = out_queue_z.deque(z.dtype)
        asc.data_copy(z_gm[start:], z_local, count)
        out_queue_z.free_tensor(z_local)
