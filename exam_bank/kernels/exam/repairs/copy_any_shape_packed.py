import ascend_lab.asc as asc

BUFFER_BYTES = 32768


@asc.jit
def copy_any_shape(
    x: asc.GlobalAddress, z: asc.GlobalAddress, rows: int, cols: int, pitch: int, first: int
):
    size = x.dtype.sizeof()
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, rows * cols)
    z_gm.set_global_buffer(z, rows * pitch)
    pipe = asc.TPipe()
    queue = asc.TQueBind(asc.TPosition.VECIN, asc.TPosition.VECOUT, 1)
    pipe.init_buffer(queue, 2, BUFFER_BYTES)

    most_cols = BUFFER_BYTES // size
    tile_cols = most_cols if cols > most_cols else cols
    tile_rows = BUFFER_BYTES // (tile_cols * size)
    down = (rows + tile_rows - 1) // tile_rows
    across = (cols + tile_cols - 1) // tile_cols

    pad = asc.DataCopyPadExtParams(x.dtype, False, 0, 0, 0)
    for tile in range(asc.get_block_idx(), down * across, asc.get_block_num()):
        row = tile // across * tile_rows
        col = tile % across * tile_cols
        left = rows - row
        height = tile_rows if left > tile_rows else left
        left = cols - col
        width = tile_cols if left > tile_cols else left
        load = asc.DataCopyExtParams(height, width * size, (cols - width) * size, 0, 0)
        local = queue.alloc_tensor(x.dtype)
        asc.data_copy_pad(local, x_gm[row * cols + col :], load, pad)
        queue.enque(local)

        local = queue.deque(z.dtype)
        store = asc.DataCopyExtParams(height, width * size, 0, (pitch - width) * size, 0)
        asc.data_copy_pad(z_gm[row * pitch + first + col :], local, store)
        queue.free_tensor(local)
