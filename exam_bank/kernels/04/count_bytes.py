import ascend_lab.asc as asc


@asc.jit
def count_bytes(z: asc.GlobalAddress, size: int, count: int, rows: int, cols: int, width: int):
    z_gm = asc.GlobalTensor()
    z_gm.set_global_buffer(z, 8)
    pipe = asc.TPipe()
    queue = asc.TQue(asc.TPosition.VECOUT, 1)
    pipe.init_buffer(queue, 1, 8 * z.dtype.sizeof())
    answers = queue.alloc_tensor(z.dtype)

    answers.set_value(0, count * size // 32 * 32)
    answers.set_value(1, count * size)
    answers.set_value(2, (count * size + 31) // 32 * 32)
    answers.set_value(3, (count * size + 31) // 32 * 32 - count * size)
    answers.set_value(4, (cols * size + 31) // 32 * 32)
    answers.set_value(5, rows * ((cols * size + 31) // 32 * 32))
    answers.set_value(6, ((cols * size + 31) // 32 * 32 - cols * size) // size)
    answers.set_value(7, (width - cols) * size)

    queue.enque(answers)
    answers = queue.deque(z.dtype)
    asc.data_copy(z_gm, answers, 8)
    queue.free_tensor(answers)
