TILE = 4096


@asc.jit
def hunt_3(x: asc.GlobalAddress, z: asc.GlobalAddress, n: int):
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
        asc.exp(z_local, x_local, TILE)
        asc.pipe_barrier(asc.PipeID.PIPE_ALL)
        asc.ln(z_local, z_local, TILE)
        asc.muls(z_local, z_local, 0.5, TILE)
        out_queue.enque(z_local)
        in_queue.free_tensor(x_local)

        z_local = out_queue.deque(z.dtype)
        asc.data_copy(z_gm[start:], z_local, TILE)
        out_queue.free_tensor(z_local)
