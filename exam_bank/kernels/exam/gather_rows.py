import ascend_lab.asc as asc

TILE_LENGTH = 4096
BATCH = 512


@asc.jit
def gather_rows(
    table: asc.GlobalAddress,
    index: asc.GlobalAddress,
    z: asc.GlobalAddress,
    entries: int,
    length: int,
    cols: int,
):
    table_gm = asc.GlobalTensor()
    index_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    table_gm.set_global_buffer(table, entries * cols)
    index_gm.set_global_buffer(index, length)
    z_gm.set_global_buffer(z, length * cols)
    pipe = asc.TPipe()
    index_queue = asc.TQue(asc.TPosition.VECIN, 1)
    row_queue = asc.TQueBind(asc.TPosition.VECIN, asc.TPosition.VECOUT, 1)
    pipe.init_buffer(index_queue, 1, BATCH * index.dtype.sizeof())
    pipe.init_buffer(row_queue, 2, TILE_LENGTH * z.dtype.sizeof())

    index_pad = asc.DataCopyPadExtParams(index.dtype, False, 0, 0, 0)
    pad = asc.DataCopyPadExtParams(table.dtype, False, 0, 0, 0)
    block_length = (length + asc.get_block_num() - 1) // asc.get_block_num()
    first = asc.get_block_idx() * block_length
    last = first + block_length if first + block_length < length else length
    for batch in range(first, last, BATCH):
        left = last - batch
        todo = BATCH if left > BATCH else left
        index_move = asc.DataCopyExtParams(1, todo * index.dtype.sizeof(), 0, 0, 0)
        index_local = index_queue.alloc_tensor(index.dtype)
        asc.data_copy_pad(index_local, index_gm[batch:], index_move, index_pad)
        index_queue.enque(index_local)
        index_local = index_queue.deque(index.dtype)
        for k in range(todo):
            entry = index_local.get_value(k)
            entry = entry + entries if entry < 0 else entry
            for start in range(0, cols, TILE_LENGTH):
                left = cols - start
                count = TILE_LENGTH if left > TILE_LENGTH else left
                move = asc.DataCopyExtParams(1, count * z.dtype.sizeof(), 0, 0, 0)
                local = row_queue.alloc_tensor(z.dtype)
                asc.data_copy_pad(local, table_gm[entry * cols + start :], move, pad)
                row_queue.enque(local)
                local = row_queue.deque(z.dtype)
                asc.data_copy_pad(z_gm[(batch + k) * cols + start :], local, move)
                row_queue.free_tensor(local)
        index_queue.free_tensor(index_local)
