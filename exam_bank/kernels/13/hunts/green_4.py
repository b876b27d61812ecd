TILE_LENGTH = 512
TILE_BYTES = 2048


@asc.jit
def green_4(
    x: asc.GlobalAddress, y: asc.GlobalAddress, z: asc.GlobalAddress, total_length: int
):
    block_length = total_length // asc.get_block_num()
    offset = asc.get_block_idx() * block_length
    x_gm = asc.GlobalTensor()
    y_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x + offset, block_length)
    y_gm.set_global_buffer(y + offset, block_length)
    z_gm.set_global_buffer(z + offset, block_length)
    x_both = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, 0, 2 * TILE_LENGTH)
    y_both = asc.LocalTensor(y.dtype, asc.TPosition.VECIN, 2 * TILE_BYTES, 2 * TILE_LENGTH)
    z_both = asc.LocalTensor(z.dtype, asc.TPosition.VECOUT, 4 * TILE_BYTES, 2 * TILE_LENGTH)

    for turn in range(2):
        asc.set_flag(asc.HardEvent.V_MTE2, turn)
        asc.set_flag(asc.HardEvent.MTE3_V, turn)
    for tile in range(block_length // TILE_LENGTH):
        start = tile * TILE_LENGTH
        turn = tile % 2
        x_local = x_both[turn * TILE_LENGTH :]
        y_local = y_both[turn * TILE_LENGTH :]
        z_local = z_both[turn * TILE_LENGTH :]
        asc.wait_flag(asc.HardEvent.V_MTE2, turn)
        asc.data_copy(x_local, x_gm[start:], TILE_LENGTH)
        asc.data_copy(y_local, y_gm[start:], TILE_LENGTH)
        asc.set_flag(asc.HardEvent.MTE2_V, turn)

        asc.wait_flag(asc.HardEvent.MTE2_V, turn)
        asc.wait_flag(asc.HardEvent.MTE3_V, turn)
        asc.add(z_local, x_local, y_local, TILE_LENGTH)
        asc.set_flag(asc.HardEvent.V_MTE2, turn)

        asc.data_copy(z_gm[start:], z_local, TILE_LENGTH)
        asc.set_flag(asc.HardEvent.MTE3_V, turn)
    for turn in range(2):
        asc.wait_flag(asc.HardEvent.V_MTE2, turn)
        asc.wait_flag(asc.HardEvent.MTE3_V, turn)
