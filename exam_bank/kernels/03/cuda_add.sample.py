import ascend_lab.asc as asc


@asc.jit
def cuda_add(a: asc.GlobalAddress, b: asc.GlobalAddress, c: asc.GlobalAddress, length: int):
    in_queue = asc.TQue(asc.TPosition.VECIN, 1)
    out_queue = asc.TQue(asc.TPosition.VECOUT, 1)
    a_gm = asc.GlobalTensor()
    b_gm = asc.GlobalTensor()
    c_gm = asc.GlobalTensor()
    a_gm.set_global_buffer(a_, len_)
    b_gm.set_global_buffer(b_, len_)
    c_gm.set_global_buffer(c_, len_)
    pipe_.init_buffer(in_queue, 1, length * a.dtype.sizeof())
    pipe_.init_buffer(out_queue, 1, length * c.dtype.sizeof())

    data = in_queue.alloc_tensor(a.dtype)
    asc.data_copy(data, a_gm)
    in_queue.enque(data)
    data_b = in_queue.alloc_tensor(b.dtype)
    asc.data_copy(data_b, b_gm)
    in_queue.enque(data_b)
    # take both from the queue and add them: left to the reader
