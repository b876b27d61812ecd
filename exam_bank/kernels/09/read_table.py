import ascend_lab.asc as asc


@asc.jit
def read_table(
    z: asc.GlobalAddress,
    total: int,
    scalar: int,
    vec: int,
    mte2: int,
    mte3: int,
    mean: int,
    slowest: int,
):
    z_gm = asc.GlobalTensor()
    z_gm.set_global_buffer(z, 8)
    pipe = asc.TPipe()
    queue = asc.TQue(asc.TPosition.VECOUT, 1)
    pipe.init_buffer(queue, 1, 8 * z.dtype.sizeof())
    answers = queue.alloc_tensor(z.dtype)
    asc.duplicate(answers, 0, 8)

    most = scalar
    if vec > most:
        answers.set_value(0, 1)
        most = vec
    if mte2 > most:
        answers.set_value(0, 2)
        most = mte2
    if mte3 > most:
        answers.set_value(0, 3)
        most = mte3
    answers.set_value(1, 100 * most // total)
    answers.set_value(2, 100 * (total - vec) // total)
    answers.set_value(3, 3)
    if 100 * most // total >= 80:
        answers.set_value(3, 2)
    if 10 * slowest > 12 * mean:
        answers.set_value(3, 1)

    queue.enque(answers)
    answers = queue.deque(z.dtype)
    asc.data_copy(z_gm, answers, 8)
    queue.free_tensor(answers)
