import ascend_lab.asc as asc

TILE_LENGTH = 4096


@asc.jit
def add_any_shape(x: asc.GlobalAddress, y: asc.GlobalAddress, z: asc.GlobalAddress, length: int):
    x_gm = asc.GlobalTensor()
    y_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, length)
    y_gm.set_global_buffer(y, length)
    z_gm.set_global_buffer(z, length)
    pipe = asc.TPipe()
    x_queue = asc.TQue(asc.TPosition.VECIN, 1)
    y_queue = asc.TQue(asc.TPosition.VECIN, 1)
    z_queue = asc.TQue(asc.TPosition.VECOUT, 1)
    pipe.init_buffer(x_queue, 2, TILE_LENGTH * x.dtype.sizeof())
    pipe.init_buffer(y_queue, 2, TILE_LENGTH * y.dtype.sizeof())
    pipe.init_buffer(z_queue, 2, TILE_LENGTH * z.dtype.sizeof())

    tiles = (length + TILE_LENGTH - 1) // TILE_LENGTH
    for tile in range(asc.get_block_idx(), tiles, asc.get_block_num()):
        start = tile * TILE_LENGTH
        left = length - start
        count = TILE_LENGTH if left > TILE_LENGTH else left
        x_local = x_queue.alloc_tensor(x.dtype)
        y_local = y_queue.alloc_tensor(y.dtype)
        asc.data_copy(x_local, x_gm[start:], count)
        asc.data_copy(y_local, y_gm[start:], count)
        x_queue.enque(x_local)
        y_queue.enque(y_local)

        x_local = x_queue.deque(x.dtype)
        y_local = y_queue.deque(y.dtype)
        z_local = z_queue.alloc_tensor(z.dtype)
        asc.add(z_local, x_local, y_local, count)
        z_queue.enque(z_local)
        x_queue.free_tensor(x_local)
        y_queue.free_tensor(y_local)

        z_local = z_queue.deque(z.dtype)
        asc.data_copy(z_gm[start:], z_local, count)
        z_queue.free_tensor(z_local)
