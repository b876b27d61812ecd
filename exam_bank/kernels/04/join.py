import ascend_lab.asc as asc

JOIN_BYTES = 32768


@asc.jit
def join(
    x: asc.GlobalAddress, y: asc.GlobalAddress, z: asc.GlobalAddress, rows: int, a: int, b: int
):
    size = x.dtype.sizeof()
    x_gm = asc.GlobalTensor()
    y_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, rows * a)
    y_gm.set_global_buffer(y, b * rows)
    z_gm.set_global_buffer(z, rows * (a + b))
    pipe = asc.TPipe()
    queue = asc.TQueBind(asc.TPosition.VECIN, asc.TPosition.VECOUT, 1)
    pipe.init_buffer(queue, 2, JOIN_BYTES)
    pad = asc.DataCopyPadExtParams(x.dtype, False, 0, 0, 0)

    own = (rows + asc.get_block_num() - 1) // asc.get_block_num()
    first = asc.get_block_idx() * own
    end = first + own
    end = rows if end > rows else end

    slot = (a * size + 31) // 32 * 32
    tile_rows = JOIN_BYTES // slot
    for row in range(first, end, tile_rows):
        left = end - row
        count = tile_rows if left > tile_rows else left
        local = queue.alloc_tensor(x.dtype)
        load = asc.DataCopyExtParams(count, a * size, 0, 0, 0)
        asc.data_copy_pad(local, x_gm[row * a :], load, pad)
        queue.enque(local)
        local = queue.deque(x.dtype)
        store = asc.DataCopyExtParams(count, a * size, 0, b * size, 0)
        asc.data_copy_pad(z_gm[row * (a + b) :], local, store)
        queue.free_tensor(local)

    tile_rows = JOIN_BYTES // 32
    for row in range(first, end, tile_rows):
        left = end - row
        count = tile_rows if left > tile_rows else left
        for col in range(b):
            local = queue.alloc_tensor(y.dtype)
            load = asc.DataCopyExtParams(count, size, 0, 0, 0)
            asc.data_copy_pad(local, y_gm[col * rows + row :], load, pad)
            queue.enque(local)
            local = queue.deque(y.dtype)
            store = asc.DataCopyExtParams(count, size, 0, (a + b - 1) * size, 0)
            asc.data_copy_pad(z_gm[row * (a + b) + a + col :], local, store)
            queue.free_tensor(local)
