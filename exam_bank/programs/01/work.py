import ascend_lab.asc as asc

TILE = 8192
ROUNDS = 15


@asc.jit
def work(x: asc.GlobalAddress, z: asc.GlobalAddress, length: int):
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    z_gm.set_global_buffer(z)
    pipe = asc.TPipe()
    x_queue = asc.TQue(asc.TPosition.VECIN, 1)
    z_queue = asc.TQue(asc.TPosition.VECOUT, 1)
    pipe.init_buffer(x_queue, 2, TILE * 4)
    pipe.init_buffer(z_queue, 2, TILE * 4)
    for tile in range(asc.get_block_idx(), length // TILE, asc.get_block_num()):
        x_local = x_queue.alloc_tensor(x.dtype)
        asc.data_copy(x_local, x_gm[tile * TILE :], TILE)
        x_queue.enque(x_local)
        x_local = x_queue.deque(x.dtype)
        z_local = z_queue.alloc_tensor(z.dtype)
        asc.adds(z_local, x_local, 1.0, TILE)
        for _ in range(ROUNDS):
            asc.adds(z_local, z_local, 1.0, TILE)
        z_queue.enque(z_local)
        x_queue.free_tensor(x_local)
        z_local = z_queue.deque(z.dtype)
        asc.data_copy(z_gm[tile * TILE :], z_local, TILE)
        z_queue.free_tensor(z_local)
