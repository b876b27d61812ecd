import ascend_lab.asc as asc

TILE_LENGTH = 2048


@asc.jit
def copy_in(
    a_gm: asc.GlobalTensor,
    b_gm: asc.GlobalTensor,
    in_queue_a: asc.TQue,
    in_queue_b: asc.TQue,
    start: int,
    count: int,
):
    a_local = in_queue_a.alloc_tensor(a_gm.dtype)
    b_local = in_queue_b.alloc_tensor(b_gm.dtype)
    asc.data_copy(a_local, a_gm[start:], count)
    asc.data_copy(b_local, b_gm[start:], count)
    in_queue_a.enque(a_local)
    in_queue_b.enque(b_local)


@asc.jit
def compute(
    c_gm: asc.GlobalTensor,
    in_queue_a: asc.TQue,
    in_queue_b: asc.TQue,
    out_queue: asc.TQue,
    count: int,
):
    a_local = in_queue_a.deque(c_gm.dtype)
    b_local = in_queue_b.deque(c_gm.dtype)
    c_local = out_queue.alloc_tensor(c_gm.dtype)
    asc.add(c_local, a_local, b_local, count)
    out_queue.enque(c_local)
    in_queue_a.free_tensor(a_local)
    in_queue_b.free_tensor(b_local)


@asc.jit
def copy_out(c_gm: asc.GlobalTensor, out_queue: asc.TQue, start: int, count: int):
    c_local = out_queue.deque(c_gm.dtype)
    asc.data_copy(c_gm[start:], c_local, count)
    out_queue.free_tensor(c_local)


@asc.jit
def cuda_add(a: asc.GlobalAddress, b: asc.GlobalAddress, c: asc.GlobalAddress, length: int):
    a_gm = asc.GlobalTensor()
    b_gm = asc.GlobalTensor()
    c_gm = asc.GlobalTensor()
    a_gm.set_global_buffer(a, length)
    b_gm.set_global_buffer(b, length)
    c_gm.set_global_buffer(c, length)
    pipe = asc.TPipe()
    in_queue_a = asc.TQue(asc.TPosition.VECIN, 1)
    in_queue_b = asc.TQue(asc.TPosition.VECIN, 1)
    out_queue = asc.TQue(asc.TPosition.VECOUT, 1)
    pipe.init_buffer(in_queue_a, 2, TILE_LENGTH * a.dtype.sizeof())
    pipe.init_buffer(in_queue_b, 2, TILE_LENGTH * b.dtype.sizeof())
    pipe.init_buffer(out_queue, 2, TILE_LENGTH * c.dtype.sizeof())

    tiles = (length + TILE_LENGTH - 1) // TILE_LENGTH
    for tile in range(asc.get_block_idx(), tiles, asc.get_block_num()):
        start = tile * TILE_LENGTH
        left = length - start
        count = TILE_LENGTH if left > TILE_LENGTH else left
        copy_in(a_gm, b_gm, in_queue_a, in_queue_b, start, count)
        compute(c_gm, in_queue_a, in_queue_b, out_queue, count)
        copy_out(c_gm, out_queue, start, count)
