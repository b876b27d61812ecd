import ascend_lab.asc as asc

TILE = 4096


@asc.jit
def fast_add(x: asc.GlobalAddress, y: asc.GlobalAddress, z: asc.GlobalAddress, length: int):
    own = (length + asc.get_block_num() - 1) // asc.get_block_num()
    own = (own + 255) // 256 * 256
    start = asc.get_block_idx() * own
    left = length - start
    own = own if left > own else left
    x_gm = asc.GlobalTensor()
    y_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, length)
    y_gm.set_global_buffer(y, length)
    z_gm.set_global_buffer(z, length)
    pipe = asc.TPipe()
    in_x = asc.TQue(asc.TPosition.VECIN, 1)
    in_y = asc.TQue(asc.TPosition.VECIN, 1)
    out_z = asc.TQue(asc.TPosition.VECOUT, 1)
    pipe.init_buffer(in_x, 1, TILE * x.dtype.sizeof())
    pipe.init_buffer(in_y, 1, TILE * y.dtype.sizeof())
    pipe.init_buffer(out_z, 1, TILE * z.dtype.sizeof())
    pad = asc.DataCopyPadExtParams(x.dtype, False, 0, 0, 0)
    for at in range(0, own, TILE):
        count = TILE if own - at > TILE else own - at
        move = asc.DataCopyExtParams(1, count * x.dtype.sizeof(), 0, 0, 0)
        x_local = in_x.alloc_tensor(x.dtype)
        y_local = in_y.alloc_tensor(y.dtype)
        asc.data_copy_pad(x_local, x_gm[start + at :], move, pad)
        asc.data_copy_pad(y_local, y_gm[start + at :], move, pad)
        in_x.enque(x_local)
        in_y.enque(y_local)

        x_local = in_x.deque(x.dtype)
        y_local = in_y.deque(y.dtype)
        z_local = out_z.alloc_tensor(z.dtype)
        asc.add(z_local, x_local, y_local, count)
        out_z.enque(z_local)
        in_x.free_tensor(x_local)
        in_y.free_tensor(y_local)

        z_local = out_z.deque(z.dtype)
        asc.data_copy_pad(z_gm[start + at :], z_local, move)
        out_z.free_tensor(z_local)
