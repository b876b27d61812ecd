TILE_LENGTH = 512


@asc.jit
def yellow_3(x: asc.GlobalAddress, z: asc.GlobalAddress, total_length: int):
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    z_gm.set_global_buffer(z)
    pipe = asc.TPipe()
    queue = asc.TQueBind(asc.TPosition.VECIN, asc.TPosition.VECOUT, 1)
    pipe.init_buffer(queue, 2, TILE_LENGTH * x.dtype.sizeof())

    tiles = total_length // TILE_LENGTH
    for tile in range(asc.get_block_idx(), tiles, asc.get_block_num()):
        start = tile * TILE_LENGTH
        left = total_length - start
        count = TILE_LENGTH if left > TILE_LENGTH else left
        local = queue.alloc_tensor(x.dtype)
        asc.data_copy(local, x_gm[start:], count)
        queue.enque(local)
        local = queue.deque(x.dtype)
        asc.data_copy(z_gm[start:], local, count)
        queue.free_tensor(local)
