TILE_LENGTH = 1024


@asc.jit
def hunt_2(x: asc.GlobalAddress, z: asc.GlobalAddress, total_length: int):
    block = asc.get_block_idx()
    blocks = asc.get_block_num()
    block_length = (total_length + blocks * 8 - 1) // (blocks * 8) * 8
    offset = block * block_length
    own = block_length
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x + offset)
    z_gm.set_global_buffer(z + offset)
    pipe = asc.TPipe()
    queue = asc.TQueBind(asc.TPosition.VECIN, asc.TPosition.VECOUT, 1)
    pipe.init_buffer(queue, 2, TILE_LENGTH * x.dtype.sizeof())

    tiles = (own + TILE_LENGTH - 1) // TILE_LENGTH
    for tile in range(tiles):
        start = tile * TILE_LENGTH
        left = own - start
        count = TILE_LENGTH if left > TILE_LENGTH else left
        local = queue.alloc_tensor(x.dtype)
        asc.data_copy(local, x_gm[start:], count)
        queue.enque(local)
        local = queue.deque(x.dtype)
        asc.data_copy(z_gm[start:], local, count)
        queue.free_tensor(local)
