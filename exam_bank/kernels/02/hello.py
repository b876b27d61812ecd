import ascend_lab.asc as asc

LINE = 8


@asc.jit
def fill(z_gm: asc.GlobalTensor, queue: asc.TQue, start: int, count: int, value: int):
    z_local = queue.alloc_tensor(z_gm.dtype)
    asc.duplicate(z_local, value, count)
    queue.enque(z_local)
    z_local = queue.deque(z_gm.dtype)
    asc.data_copy(z_gm[start:], z_local, count)
    queue.free_tensor(z_local)


@asc.jit
def hello(z: asc.GlobalAddress):
    z_gm = asc.GlobalTensor()
    z_gm.set_global_buffer(z)
    pipe = asc.TPipe()
    queue = asc.TQue(asc.TPosition.VECOUT, 1)
    pipe.init_buffer(queue, 1, LINE * z.dtype.sizeof())

    block = asc.get_block_idx()
    asc.printf("Hello from core %d of %d\n", block, asc.get_block_num())
    fill(z_gm, queue, block * LINE, LINE, block)
