TILE_BYTES = 8192


@asc.jit
def hunt_3(x: asc.GlobalAddress, z: asc.GlobalAddress, rows: int, cols: int):
    size = x.dtype.sizeof()
    pitch = (cols * size + 31) // 32 * 32 // size
    missing = pitch - cols
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, rows * cols)
    z_gm.set_global_buffer(z, rows * pitch)
    pipe = asc.TPipe()
    queue = asc.TQueBind(asc.TPosition.VECIN, asc.TPosition.VECOUT, 1)
    pipe.init_buffer(queue, 2, TILE_BYTES)

    tile_rows = TILE_BYTES // (pitch * size)
    tiles = (rows + tile_rows - 1) // tile_rows
    pad = asc.DataCopyPadExtParams(x.dtype, True, 0, missing * size, 0)
    for tile in range(asc.get_block_idx(), tiles, asc.get_block_num()):
        start = tile * tile_rows
        left = rows - start
        count = tile_rows if left > tile_rows else left
        move = asc.DataCopyExtParams(count, cols * size, 0, 0, 0)
        local = queue.alloc_tensor(x.dtype)
        asc.data_copy_pad(local, x_gm[start * cols :], move, pad)
        queue.enque(local)
        local = queue.deque(x.dtype)
        asc.data_copy(z_gm[start * pitch :], local, count * pitch)
        queue.free_tensor(local)
