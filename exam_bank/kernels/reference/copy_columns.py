import ascend_lab.asc as asc

BUFFER_BYTES = 4096


@asc.jit
def copy_columns(x: asc.GlobalAddress, z: asc.GlobalAddress, rows: int, width: int, cols: int):
    size = x.dtype.sizeof()
    block_rows = (rows + asc.get_block_num() - 1) // asc.get_block_num()
    first = asc.get_block_idx() * block_rows
    left = rows - first
    own = block_rows if left > block_rows else left
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x + first * width)
    z_gm.set_global_buffer(z + first * cols)
    pipe = asc.TPipe()
    queue = asc.TQueBind(asc.TPosition.VECIN, asc.TPosition.VECOUT, 1)
    pipe.init_buffer(queue, 2, BUFFER_BYTES)

    slot = (cols * size + 31) // 32 * 32
    tile_rows = BUFFER_BYTES // slot
    pad = asc.DataCopyPadExtParams(x.dtype, False, 0, 0, 0)
    for start in range(0, own, tile_rows):
        todo = own - start
        count = tile_rows if todo > tile_rows else todo
        load = asc.DataCopyExtParams(count, cols * size, (width - cols) * size, 0, 0)
        local = queue.alloc_tensor(x.dtype)
        asc.data_copy_pad(local, x_gm[start * width :], load, pad)
        queue.enque(local)

        local = queue.deque(x.dtype)
        store = asc.DataCopyExtParams(count, cols * size, 0, 0, 0)
        asc.data_copy_pad(z_gm[start * cols :], local, store)
        queue.free_tensor(local)
