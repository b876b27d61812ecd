TILE = 8192


@asc.jit
def hunt_2(x: asc.GlobalAddress, z: asc.GlobalAddress, n: int):
    own = n // asc.get_block_num()
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x + own * asc.get_block_idx(), own)
    z_gm.set_global_buffer(z + own * asc.get_block_idx(), own)
    pipe = asc.TPipe()
    in_queue = asc.TQue(asc.TPosition.VECIN, 2)
    out_queue = asc.TQue(asc.TPosition.VECOUT, 2)
    pipe.init_buffer(in_queue, 2, TILE * x.dtype.sizeof())
    pipe.init_buffer(out_queue, 2, TILE * z.dtype.sizeof())
    for tile in range(own // TILE):
        start = tile * TILE
        x_local = in_queue.alloc_tensor(x.dtype)
        asc.data_copy(x_local, x_gm[start:], TILE)
        in_queue.enque(x_local)

        x_local = in_queue.deque(x.dtype)
        z_local = out_queue.alloc_tensor(z.dtype)
        for row in range(0, TILE, 32):
            asc.relu(z_local[row:], x_local[row:], 32)
        out_queue.enque(z_local)
        in_queue.free_tensor(x_local)

        z_local = out_queue.deque(z.dtype)
        asc.data_copy(z_gm[start:], z_local, TILE)
        out_queue.free_tensor(z_local)
