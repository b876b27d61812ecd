import ascend_lab.asc as asc

TILE_LENGTH = 512
SCALE = 4.0


@asc.jit
def quantise(x: asc.GlobalAddress, z: asc.GlobalAddress, length: int):
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, length)
    z_gm.set_global_buffer(z, length)
    x_local = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, 0, TILE_LENGTH)
    wide = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 4096, TILE_LENGTH)
    z_local = asc.LocalTensor(z.dtype, asc.TPosition.VECOUT, 8192, TILE_LENGTH)

    asc.set_flag(asc.HardEvent.V_MTE2, 0)
    asc.set_flag(asc.HardEvent.MTE3_V, 0)
    tiles = (length + TILE_LENGTH - 1) // TILE_LENGTH
    for tile in range(asc.get_block_idx(), tiles, asc.get_block_num()):
        start = tile * TILE_LENGTH
        left = length - start
        count = TILE_LENGTH if left > TILE_LENGTH else left
        asc.wait_flag(asc.HardEvent.V_MTE2, 0)
        asc.data_copy(x_local, x_gm[start:], count)
        asc.set_flag(asc.HardEvent.MTE2_V, 0)

        asc.wait_flag(asc.HardEvent.MTE2_V, 0)
        asc.cast(wide, x_local, asc.RoundMode.CAST_NONE, count)
        asc.set_flag(asc.HardEvent.V_MTE2, 0)
        asc.muls(wide, wide, SCALE, count)
        asc.wait_flag(asc.HardEvent.MTE3_V, 0)
        asc.cast(z_local, wide, asc.RoundMode.CAST_RINT, count)
        asc.set_flag(asc.HardEvent.V_MTE3, 0)

        asc.wait_flag(asc.HardEvent.V_MTE3, 0)
        asc.data_copy(z_gm[start:], z_local, count)
        asc.set_flag(asc.HardEvent.MTE3_V, 0)
    asc.wait_flag(asc.HardEvent.V_MTE2, 0)
    asc.wait_flag(asc.HardEvent.MTE3_V, 0)
