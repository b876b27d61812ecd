import ascend_lab.asc as asc

BLOCK_LENGTH = 256


@asc.jit
def seed_add(x: asc.GlobalAddress, y: asc.GlobalAddress, out: asc.GlobalAddress, total_length: int):
    x_gm = asc.GlobalTensor()
    y_gm = asc.GlobalTensor()
    out_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, total_length)
    y_gm.set_global_buffer(y, total_length)
    out_gm.set_global_buffer(out, total_length)
    pipe = asc.TPipe()
    in_queue_x = asc.TQue(asc.TPosition.VECIN, 1)
    in_queue_y = asc.TQue(asc.TPosition.VECIN, 1)
    out_queue = asc.TQue(asc.TPosition.VECOUT, 1)

    start = asc.get_block_idx() * BLOCK_LENGTH
    copy_len = BLOCK_LENGTH
    x_local = in_queue_x.alloc_tensor(x.dtype)
    y_local = in_queue_y.alloc_tensor(y.dtype)
    out_local = out_queue.alloc_tensor(out.dtype)
    asc.data_copy(x_local, x_gm[start:], copy_len)
    asc.data_copy(y_local, y_gm[start:], copy_len)
    in_queue_x.enque(x_local)
    in_queue_y.enque(y_local)

    x_temp = in_queue_x.deque(x.dtype)
    y_temp = in_queue_y.deque(y.dtype)
    asc.add(out_local, x_temp, y_temp, copy_len)

    asc.data_copy(out_gm[start:], out_local, copy_len)
    in_queue_x.free_tensor(x_temp)
    in_queue_y.free_tensor(y_temp)
    out_queue.free_tensor(out_local)
