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

    # the busiest pipe: 0 S, 1 V, 2 MTE2, 3 MTE3
    answers.set_value(0, 0)
    # its share of the total, in percent, rounded down
    answers.set_value(1, 0)
    # how long V does not work, in percent, rounded down
    answers.set_value(2, 0)
    # 1 imbalance, 2 bound by the busiest pipe, 3 the pipes wait for each other
    answers.set_value(3, 0)

    queue.enque(answers)
    answers = queue.deque(z.dtype)
    asc.data_copy(z_gm, answers, 8)
    queue.free_tensor(answers)
