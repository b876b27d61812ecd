import ascend_lab.asc as asc

TILE_LENGTH = 512
LINE = 16


@asc.jit
def scalar_parts(
    x: asc.GlobalAddress, z: asc.GlobalAddress, workspace: asc.GlobalAddress, length: int
):
    block = asc.get_block_idx()
    blocks = asc.get_block_num()
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    parts_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, length)
    z_gm.set_global_buffer(z)
    parts_gm.set_global_buffer(workspace)
    x_local = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, 0, TILE_LENGTH)
    total = asc.LocalTensor(x.dtype, asc.TPosition.VECCALC, 4096, 8)
    tmp = asc.LocalTensor(x.dtype, asc.TPosition.VECCALC, 8192, TILE_LENGTH)
    z_local = asc.LocalTensor(z.dtype, asc.TPosition.VECOUT, 12288, LINE)

    part = asc.number(0.0, asc.float32)
    tiles = (length + TILE_LENGTH - 1) // TILE_LENGTH
    for tile in range(block, tiles, blocks):
        start = tile * TILE_LENGTH
        left = length - start
        count = TILE_LENGTH if left > TILE_LENGTH else left
        asc.data_copy(x_local, x_gm[start:], count)
        asc.set_flag(asc.HardEvent.MTE2_V, 0)
        asc.wait_flag(asc.HardEvent.MTE2_V, 0)
        asc.reduce_sum(total, x_local, tmp, count)
        asc.set_flag(asc.HardEvent.V_MTE2, 0)
        asc.wait_flag(asc.HardEvent.V_MTE2, 0)
        asc.set_flag(asc.HardEvent.V_S, 0)
        asc.wait_flag(asc.HardEvent.V_S, 0)
        part = part + total.get_value(0)
        asc.set_flag(asc.HardEvent.S_V, 0)
        asc.wait_flag(asc.HardEvent.S_V, 0)
    parts_gm.set_value(block * LINE, part)
    asc.data_cache_clean_and_invalid(asc.CacheLine.SINGLE_CACHE_LINE, parts_gm[block * LINE :])
    asc.sync_all()

    if block == 0:
        asc.duplicate(z_local, 0.0, LINE)
        asc.set_flag(asc.HardEvent.V_S, 0)
        asc.wait_flag(asc.HardEvent.V_S, 0)
        result = asc.number(0.0, asc.float32)
        for other in range(blocks):
            result = result + parts_gm.get_value(other * LINE)
        z_local.set_value(0, result)
        asc.set_flag(asc.HardEvent.S_MTE3, 0)
        asc.wait_flag(asc.HardEvent.S_MTE3, 0)
        asc.data_copy(z_gm, z_local, LINE)
