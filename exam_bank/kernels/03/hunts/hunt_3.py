TILE = 1024


@asc.jit
def hunt_3(x: asc.GlobalAddress, z: asc.GlobalAddress, tiles: int):
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    z_gm.set_global_buffer(z)
    pipe = asc.TPipe()
    in_queue = asc.TQue(asc.TPosition.VECIN, 1)
    out_queue = asc.TQue(asc.TPosition.VECOUT, 1)
    pipe.init_buffer(in_queue, 2, TILE * x.dtype.sizeof())
    pipe.init_buffer(out_queue, 2, TILE * z.dtype.sizeof())

    for tile in range(tiles):
        x_local = in_queue.alloc_tensor(x.dtype)
        asc.data_copy(x_local, x_gm[tile * TILE :], TILE)
        in_queue.enque(x_local)

        x_local = in_queue.deque(x.dtype)
        z_local = out_queue.alloc_tensor(z.dtype)
        asc.relu(z_local, x_local, TILE)
        out_queue.enque(z_local)
        in_queue.free_tensor(x_local)

        z_local = out_queue.deque(z.dtype)
        asc.data_copy(z_gm[tile * TILE :], z_local, TILE)
