TILE_LENGTH = 1024


@asc.jit
def yellow_1(x: asc.GlobalAddress, y: asc.GlobalAddress, z: asc.GlobalAddress, total_length: int):
    block = asc.get_block_idx()
    blocks = asc.get_block_num()
    block_length = (total_length + blocks * 8 - 1) // (blocks * 8) * 8
    offset = block * block_length
    own = total_length - offset if block == blocks - 1 else block_length
    x_gm = asc.GlobalTensor()
    y_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x + offset)
    y_gm.set_global_buffer(y + offset)
    z_gm.set_global_buffer(z)
    pipe = asc.TPipe()
    in_queue_x = asc.TQue(asc.TPosition.VECIN, 1)
    in_queue_y = asc.TQue(asc.TPosition.VECIN, 1)
    out_queue_z = asc.TQue(asc.TPosition.VECOUT, 1)
    pipe.init_buffer(in_queue_x, 2, TILE_LENGTH * x.dtype.sizeof())
    pipe.init_buffer(in_queue_y, 2, TILE_LENGTH * y.dtype.sizeof())
    pipe.init_buffer(out_queue_z, 2, TILE_LENGTH * z.dtype.sizeof())

    tiles = (own + TILE_LENGTH - 1) // TILE_LENGTH
    for tile in range(tiles):
        start = tile * TILE_LENGTH
        left = own - start
        count = TILE_LENGTH if left > TILE_LENGTH else left
        x_local = in_queue_x.alloc_tensor(x.dtype)
        y_local = in_queue_y.alloc_tensor(y.dtype)
        asc.data_copy(x_local, x_gm[start:], count)
        asc.data_copy(y_local, y_gm[start:], count)
        in_queue_x.enque(x_local)
        in_queue_y.enque(y_local)

        x_local = in_queue_x.deque(x.dtype)
        y_local = in_queue_y.deque(y.dtype)
        z_local = out_queue_z.alloc_tensor(z.dtype)
        asc.add(z_local, x_local, y_local, count)
        out_queue_z.enque(z_local)
        in_queue_x.free_tensor(x_local)
        in_queue_y.free_tensor(y_local)

        z_local = out_queue_z.deque(z.dtype)
        asc.data_copy(z_gm[start:], z_local, count)
        out_queue_z.free_tensor(z_local)
