"""The other sentences of K4, K9, K10 and K11: what their failing kernels do not say."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

import ascend_lab.asc as asc
from ascend_lab import Device, Result, chips

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


PARTS, PART, SUM_CORES = 8, 8192, 32


@asc.jit
def twice(x: asc.GlobalAddress, z: asc.GlobalAddress, at_once: asc.ConstExpr[int]):
    """Adds x up two times, ``at_once`` parts before they come again."""
    own = PARTS * PART
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x + own * asc.get_block_idx(), own)
    z_gm.set_global_buffer(z + PART * asc.get_block_idx(), PART)
    pipe = asc.TPipe()
    in_x = asc.TQue(asc.TPosition.VECIN, 1)
    out_z = asc.TQue(asc.TPosition.VECOUT, 1)
    pipe.init_buffer(in_x, 2, PART * 4)
    pipe.init_buffer(out_z, 1, PART * 4)
    z_local = out_z.alloc_tensor(z.dtype)
    asc.duplicate(z_local, 0.0, PART)
    for first in range(0, PARTS, at_once):
        for turn in range(2 * at_once):
            x_local = in_x.alloc_tensor(x.dtype)
            asc.data_copy(x_local, x_gm[(first + turn % at_once) * PART :], PART)
            in_x.enque(x_local)
            x_local = in_x.deque(x.dtype)
            asc.add(z_local, z_local, x_local, PART)
            in_x.free_tensor(x_local)
    out_z.enque(z_local)
    z_local = out_z.deque(z.dtype)
    asc.data_copy(z_gm, z_local, PART)
    out_z.free_tensor(z_local)


def passes(at_once: int) -> Result:
    """A launch on a chip whose L2 has 6 MB; x has 8 MB."""
    spec = chips.load("Ascend910B1")
    spec = replace(spec, memory=replace(spec.memory, l2_bytes=6 << 20))
    x = np.ones(SUM_CORES * PARTS * PART, np.float32)
    z = np.zeros(SUM_CORES * PART, np.float32)
    return Device(spec, performance=True).launch(twice, SUM_CORES, x, z, at_once, outputs=("z",))


def test_passes_over_more_than_l2_holds() -> None:
    slow, fast = passes(PARTS), passes(2)
    found = {(f.id, f.variant): f for f in slow.findings}["K11", "split"]
    assert "2 parts at least" in found.message("en")
    assert "{" not in found.message("zh") + found.message("en")
    assert "K11" not in fast.findings.ids
    promised = float(found.numbers["gain"].rstrip("%")) / 100
    gained = 1 - fast.time_us / slow.time_us
    assert abs(promised - gained) <= max(gained / 3, 0.05), (promised, gained)
