"""The other sentences of K4 and K9: a write beside a read in one bank, and cores that only cost their start."""

from __future__ import annotations

import numpy as np

import ascend_lab.asc as asc
from ascend_lab import Device

COUNT = 8192


@asc.jit
def collide(x: asc.GlobalAddress, z: asc.GlobalAddress, to: asc.ConstExpr[int]):
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    z_gm.set_global_buffer(z)
    a = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, 0x0, COUNT)
    b = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, 0x10100, COUNT)
    c = asc.LocalTensor(x.dtype, asc.TPosition.VECOUT, to, COUNT)
    asc.data_copy(a, x_gm, COUNT)
    asc.data_copy(b, x_gm[COUNT:], COUNT)
    asc.set_flag(asc.HardEvent.MTE2_V, 0)
    asc.wait_flag(asc.HardEvent.MTE2_V, 0)
    for _ in range(40):
        asc.add(c, a, b, COUNT)
    asc.set_flag(asc.HardEvent.V_MTE3, 0)
    asc.wait_flag(asc.HardEvent.V_MTE3, 0)
    asc.data_copy(z_gm, c, COUNT)


@asc.jit
def copy(x: asc.GlobalAddress, z: asc.GlobalAddress, n: asc.ConstExpr[int]):
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x + asc.get_block_idx() * n)
    z_gm.set_global_buffer(z + asc.get_block_idx() * n)
    tile = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, 0, n)
    asc.data_copy(tile, x_gm, n)
    asc.set_flag(asc.HardEvent.MTE2_MTE3, 0)
    asc.wait_flag(asc.HardEvent.MTE2_MTE3, 0)
    asc.data_copy(z_gm, tile, n)


def told(kernel: object, blocks: int, argument: int) -> list[tuple[str, str]]:
    x = np.linspace(-1.0, 1.0, 2 * COUNT, dtype=np.float32)
    z = np.zeros_like(x)
    result = Device(performance=True).launch(kernel, blocks, x, z, argument, outputs=())  # type: ignore[arg-type]
    for finding in result.findings:
        assert "{" not in finding.message("zh") + finding.message("en")
    return [(finding.id, finding.variant) for finding in result.findings]


def test_a_write_beside_a_read_in_its_bank() -> None:
    assert ("K4", "rw") in told(collide, 1, 0x18020)
    assert ("K4", "rw") not in told(collide, 1, 0x20000)


def test_more_cores_than_the_data_can_feed() -> None:
    assert ("K9", "many") in told(copy, 96, 32)
    assert ("K9", "many") not in told(copy, 4, 768)


@asc.jit
def rows_out(x: asc.GlobalAddress, z: asc.GlobalAddress, waits: asc.ConstExpr[int]):
    """64 rows of 256 B to every fourth row of z; with ``waits`` each row has something to wait for."""
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    z_gm.set_global_buffer(z)
    tile = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, 0, 4096)
    asc.data_copy(tile, x_gm, 4096)
    asc.set_flag(asc.HardEvent.MTE2_MTE3, 0)
    asc.wait_flag(asc.HardEvent.MTE2_MTE3, 0)
    for row in range(64):
        if waits:
            asc.set_flag(asc.HardEvent.V_MTE3, 0)
            asc.wait_flag(asc.HardEvent.V_MTE3, 0)
        asc.data_copy(z_gm[row * 256 :], tile[row * 64 :], 64)


def test_rows_copied_out_one_by_one() -> None:
    assert ("K10", "MTE3") in told(rows_out, 1, 0)
    assert "K10" not in dict(told(rows_out, 1, 1))
