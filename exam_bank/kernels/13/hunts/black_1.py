TILE_LENGTH = 1024
TILE_BYTES = 4096


@asc.jit
def black_1(
    x: asc.GlobalAddress, z: asc.GlobalAddress, workspace: asc.GlobalAddress, cols: int
):
    row = asc.get_block_idx()
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    powers_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x + row * cols, cols)
    z_gm.set_global_buffer(z + row * cols, cols)
    powers_gm.set_global_buffer(workspace + row * cols, cols)
    x_local = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, 0, TILE_LENGTH)
    z_local = asc.LocalTensor(x.dtype, asc.TPosition.VECOUT, TILE_BYTES, TILE_LENGTH)
    total = asc.LocalTensor(x.dtype, asc.TPosition.VECCALC, 2 * TILE_BYTES, TILE_LENGTH)
    tmp = asc.LocalTensor(x.dtype, asc.TPosition.VECCALC, 3 * TILE_BYTES, TILE_LENGTH)

    asc.duplicate(total, 0.0, TILE_LENGTH)
    asc.set_flag(asc.HardEvent.V_MTE2, 0)
    asc.set_flag(asc.HardEvent.MTE3_V, 0)
    for start in range(0, cols, TILE_LENGTH):
        asc.wait_flag(asc.HardEvent.V_MTE2, 0)
        asc.data_copy(x_local, x_gm[start:], TILE_LENGTH)
        asc.set_flag(asc.HardEvent.MTE2_V, 0)
        asc.wait_flag(asc.HardEvent.MTE2_V, 0)
        asc.wait_flag(asc.HardEvent.MTE3_V, 0)
        asc.exp(z_local, x_local, TILE_LENGTH)
        asc.pipe_barrier(asc.PipeID.PIPE_V)
        asc.set_flag(asc.HardEvent.V_MTE2, 0)
        asc.add(total, total, z_local, TILE_LENGTH)
        asc.set_flag(asc.HardEvent.V_MTE3, 0)
        asc.wait_flag(asc.HardEvent.V_MTE3, 0)
        asc.data_copy(powers_gm[start:], z_local, TILE_LENGTH)
        asc.set_flag(asc.HardEvent.MTE3_V, 0)

    asc.pipe_barrier(asc.PipeID.PIPE_V)
    asc.reduce_sum(total, total, tmp, TILE_LENGTH)
    asc.set_flag(asc.HardEvent.V_S, 0)
    asc.wait_flag(asc.HardEvent.V_S, 0)
    scale = 1.0 / total.get_value(0)
    for start in range(0, cols, TILE_LENGTH):
        asc.wait_flag(asc.HardEvent.V_MTE2, 0)
        asc.data_copy(x_local, powers_gm[start:], TILE_LENGTH)
        asc.set_flag(asc.HardEvent.MTE2_V, 1)
        asc.wait_flag(asc.HardEvent.MTE2_V, 1)
        asc.wait_flag(asc.HardEvent.MTE3_V, 0)
        asc.muls(z_local, x_local, scale, TILE_LENGTH)
        asc.set_flag(asc.HardEvent.V_MTE2, 0)
        asc.set_flag(asc.HardEvent.V_MTE3, 1)
        asc.wait_flag(asc.HardEvent.V_MTE3, 1)
        asc.data_copy(z_gm[start:], z_local, TILE_LENGTH)
        asc.set_flag(asc.HardEvent.MTE3_V, 0)
    asc.wait_flag(asc.HardEvent.V_MTE2, 0)
    asc.wait_flag(asc.HardEvent.MTE3_V, 0)
