import ascend_lab.asc as asc

TILE_LENGTH = 1024
LOWEST = -0.5
HIGHEST = 0.75


@asc.jit
def clamp_select(x: asc.GlobalAddress, z: asc.GlobalAddress, length: int):
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, length)
    z_gm.set_global_buffer(z, length)
    pipe = asc.TPipe()
    in_queue = asc.TQue(asc.TPosition.VECIN, 1)
    out_queue = asc.TQue(asc.TPosition.VECOUT, 1)
    bits_buf = asc.TBuf(asc.TPosition.VECCALC)
    pipe.init_buffer(in_queue, 2, TILE_LENGTH * x.dtype.sizeof())
    pipe.init_buffer(out_queue, 2, TILE_LENGTH * z.dtype.sizeof())
    pipe.init_buffer(bits_buf, TILE_LENGTH // 8)
    bits = bits_buf.get(asc.uint8)

    tiles = (length + TILE_LENGTH - 1) // TILE_LENGTH
    for tile in range(asc.get_block_idx(), tiles, asc.get_block_num()):
        start = tile * TILE_LENGTH
        left = length - start
        count = TILE_LENGTH if left > TILE_LENGTH else left
        lanes = (count + 63) // 64 * 64
        x_local = in_queue.alloc_tensor(x.dtype)
        asc.data_copy(x_local, x_gm[start:], count)
        in_queue.enque(x_local)

        x_local = in_queue.deque(x.dtype)
        z_local = out_queue.alloc_tensor(z.dtype)
        asc.compare_scalar(bits, x_local, HIGHEST, asc.CMPMODE.LT, lanes)
        asc.select(z_local, bits, x_local, HIGHEST, asc.SelMode.VSEL_TENSOR_SCALAR_MODE, count)
        asc.compare_scalar(bits, x_local, LOWEST, asc.CMPMODE.GT, lanes)
        asc.select(z_local, bits, z_local, LOWEST, asc.SelMode.VSEL_TENSOR_SCALAR_MODE, count)
        out_queue.enque(z_local)
        in_queue.free_tensor(x_local)

        z_local = out_queue.deque(z.dtype)
        asc.data_copy(z_gm[start:], z_local, count)
        out_queue.free_tensor(z_local)
