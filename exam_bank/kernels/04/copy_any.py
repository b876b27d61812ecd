import ascend_lab.asc as asc

COPY_BYTES = 16384


@asc.jit
def copy_any(x: asc.GlobalAddress, z: asc.GlobalAddress, before: int, length: int):
    size = x.dtype.sizeof()
    tile_length = COPY_BYTES // size
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, length)
    z_gm.set_global_buffer(z + before, length)
    pipe = asc.TPipe()
    queue = asc.TQueBind(asc.TPosition.VECIN, asc.TPosition.VECOUT, 1)
    pipe.init_buffer(queue, 2, COPY_BYTES)

    pad = asc.DataCopyPadExtParams(x.dtype, False, 0, 0, 0)
    tiles = (length + tile_length - 1) // tile_length
    for tile in range(asc.get_block_idx(), tiles, asc.get_block_num()):
        start = tile * tile_length
        left = length - start
        count = tile_length if left > tile_length else left
        move = asc.DataCopyExtParams(1, count * size, 0, 0, 0)
        local = queue.alloc_tensor(x.dtype)
        asc.data_copy_pad(local, x_gm[start:], move, pad)
        queue.enque(local)
        local = queue.deque(x.dtype)
        asc.data_copy_pad(z_gm[start:], local, move)
        queue.free_tensor(local)
