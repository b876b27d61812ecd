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

    pad = asc.DataCopyPadExtParams(x.dtype, False, 0, 0, 0)
    block_length = length // asc.get_block_num()
    first = asc.get_block_idx() * block_length
    for start in range(first, first + block_length, TILE_LENGTH):
        left = first + block_length - start
        count = TILE_LENGTH if left > TILE_LENGTH else left
        move = asc.DataCopyExtParams(1, count * x.dtype.sizeof(), 0, 0, 0)
        x_local = x_queue.alloc_tensor(x.dtype)
        y_local = y_queue.alloc_tensor(y.dtype)
        asc.data_copy_pad(x_local, x_gm[start:], move, pad)
        asc.data_copy_pad(y_local, y_gm[start:], move, pad)
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
        asc.data_copy_pad(z_gm[start:], z_local, move)
        z_queue.free_tensor(z_local)
