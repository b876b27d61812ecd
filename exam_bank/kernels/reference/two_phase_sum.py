import ascend_lab.asc as asc

TILE_LENGTH = 512
PART = 8


@asc.jit
def two_phase_sum(
    x: asc.GlobalAddress,
    z: asc.GlobalAddress,
    workspace: asc.GlobalAddress,
    tiling: asc.GlobalAddress,
):
    tiling_gm = asc.GlobalTensor()
    tiling_gm.set_global_buffer(tiling)
    block_length = tiling_gm.get_value(0)
    block = asc.get_block_idx()
    blocks = asc.get_block_num()
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    parts_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x + block * block_length)
    z_gm.set_global_buffer(z)
    parts_gm.set_global_buffer(workspace)
    pipe = asc.TPipe()
    in_queue = asc.TQue(asc.TPosition.VECIN, 1)
    out_queue = asc.TQue(asc.TPosition.VECOUT, 1)
    total_buf = asc.TBuf(asc.TPosition.VECCALC)
    tmp_buf = asc.TBuf(asc.TPosition.VECCALC)
    pipe.init_buffer(in_queue, 2, TILE_LENGTH * x.dtype.sizeof())
    pipe.init_buffer(out_queue, 1, PART * x.dtype.sizeof())
    pipe.init_buffer(total_buf, TILE_LENGTH * x.dtype.sizeof())
    pipe.init_buffer(tmp_buf, TILE_LENGTH * x.dtype.sizeof())
    total = total_buf.get(x.dtype)
    tmp = tmp_buf.get(x.dtype)

    asc.duplicate(total, 0.0, TILE_LENGTH)
    for tile in range(block_length // TILE_LENGTH):
        x_local = in_queue.alloc_tensor(x.dtype)
        asc.data_copy(x_local, x_gm[tile * TILE_LENGTH :], TILE_LENGTH)
        in_queue.enque(x_local)
        x_local = in_queue.deque(x.dtype)
        asc.add(total, total, x_local, TILE_LENGTH)
        in_queue.free_tensor(x_local)
    part = out_queue.alloc_tensor(x.dtype)
    asc.duplicate(part, 0.0, PART)
    asc.reduce_sum(part, total, tmp, TILE_LENGTH)
    out_queue.enque(part)
    part = out_queue.deque(x.dtype)
    asc.data_copy(parts_gm[block * PART :], part, PART)
    out_queue.free_tensor(part)
    asc.pipe_barrier(asc.PipeID.PIPE_ALL)
    asc.sync_all()

    if block == 0:
        parts = in_queue.alloc_tensor(x.dtype)
        asc.data_copy(parts, parts_gm, blocks * PART)
        in_queue.enque(parts)
        parts = in_queue.deque(x.dtype)
        result = out_queue.alloc_tensor(z.dtype)
        asc.duplicate(result, 0.0, PART)
        asc.reduce_sum(result, parts, tmp, blocks * PART)
        out_queue.enque(result)
        in_queue.free_tensor(parts)
        result = out_queue.deque(z.dtype)
        asc.data_copy(z_gm, result, PART)
        out_queue.free_tensor(result)
