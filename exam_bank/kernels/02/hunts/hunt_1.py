ROW = 256


@asc.jit
def hunt_1(x: asc.GlobalAddress, z: asc.GlobalAddress, rows: int):
    block_rows = (rows + asc.get_block_num() - 1) // asc.get_block_num()
    first = asc.get_block_idx() * block_rows
    left = rows - first
    own = block_rows if left > block_rows else left
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x + first * ROW)
    z_gm.set_global_buffer(z)
    pipe = asc.TPipe()
    queue = asc.TQueBind(asc.TPosition.VECIN, asc.TPosition.VECOUT, 1)
    pipe.init_buffer(queue, 2, ROW * x.dtype.sizeof())

    for row in range(own):
        local = queue.alloc_tensor(x.dtype)
        asc.data_copy(local, x_gm[row * ROW :], ROW)
        queue.enque(local)
        local = queue.deque(x.dtype)
        asc.data_copy(z_gm[row * ROW :], local, ROW)
        queue.free_tensor(local)
