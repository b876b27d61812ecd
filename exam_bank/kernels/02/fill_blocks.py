import ascend_lab.asc as asc

FILL_TILE = 2048


@asc.jit
def fill(z_gm: asc.GlobalTensor, queue: asc.TQue, start: int, count: int, value: int):
    z_local = queue.alloc_tensor(z_gm.dtype)
    asc.duplicate(z_local, value, count)
    queue.enque(z_local)
    z_local = queue.deque(z_gm.dtype)
    asc.data_copy(z_gm[start:], z_local, count)
    queue.free_tensor(z_local)


@asc.jit
def fill_blocks(z: asc.GlobalAddress, total_length: int):
    z_gm = asc.GlobalTensor()
    z_gm.set_global_buffer(z, total_length)
    pipe = asc.TPipe()
    queue = asc.TQue(asc.TPosition.VECOUT, 1)
    pipe.init_buffer(queue, 2, FILL_TILE * z.dtype.sizeof())

    block = asc.get_block_idx()
    block_length = total_length // asc.get_block_num()
    for done in range(0, block_length, FILL_TILE):
        left = block_length - done
        count = FILL_TILE if left > FILL_TILE else left
        fill(z_gm, queue, block * block_length + done, count, block)
