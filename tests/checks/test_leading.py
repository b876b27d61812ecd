"""What leads where one fault is seen in several ways: rows of an operator, worked off by helpers."""

from __future__ import annotations

import numpy as np
import pytest

import ascend_lab.asc as asc
from ascend_lab import Device, Result

WIDE = 1024


@asc.jit
def rows(
    x: asc.GlobalAddress,
    z: asc.GlobalAddress,
    rows: int,
    cols: int,
    rounded: asc.ConstExpr[bool],
    limited: asc.ConstExpr[bool],
):
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, rows * cols)
    z_gm.set_global_buffer(z, rows * cols)
    pipe = asc.TPipe()
    in_queue = asc.TQue(asc.TPosition.VECIN, 1)
    out_queue = asc.TQue(asc.TPosition.VECOUT, 1)
    pipe.init_buffer(in_queue, 2, WIDE)
    pipe.init_buffer(out_queue, 2, WIDE)
    own = (rows + asc.get_block_num() - 1) // asc.get_block_num()
    first = asc.get_block_idx() * own
    last = first + own
    if limited:
        last = last if last < rows else rows
    for step in range(last - first):
        row = last - 1 - step  # what is stored too much stays
        move = asc.DataCopyExtParams(1, cols * 4, 0, 0, 0)
        pad = asc.DataCopyPadExtParams(x.dtype, False, 0, 0, 0)
        x_local = in_queue.alloc_tensor(x.dtype)
        asc.data_copy_pad(x_local, x_gm[row * cols :], move, pad)
        in_queue.enque(x_local)
        x_local = in_queue.deque(x.dtype)
        z_local = out_queue.alloc_tensor(x.dtype)
        asc.muls(z_local, x_local, 2.0, cols)
        out_queue.enque(z_local)
        in_queue.free_tensor(x_local)
        z_local = out_queue.deque(x.dtype)
        if rounded:
            asc.data_copy(z_gm[row * cols :], z_local, (cols + 7) // 8 * 8)
        else:
            asc.data_copy_pad(z_gm[row * cols :], z_local, move)
        out_queue.free_tensor(z_local)


def launched(count: int, rounded: bool, limited: bool) -> Result:
    x = np.ones((count, 27), np.float32)
    z = np.zeros_like(x)
    return Device().launch(rows, 8, x, z, count, 27, rounded, limited, outputs=("z",))


def test_of_a_store_that_is_rounded_up_the_rounding_leads() -> None:
    """That it also stores what nobody wrote, and over its own next row, is told under it."""
    findings = launched(24, True, True).findings
    assert set(findings.ids) == {
        "A3"
    }  # past the end of the tensor, and over the rows of the next core
    assert {each.id for each in findings.all} >= {"C1", "D7"}
    assert launched(24, False, True).findings.ids == ()


@pytest.mark.parametrize("count", [21, 23])
def test_a_share_for_which_less_or_nothing_is_left(count: int) -> None:
    """Of 21 rows eight cores take three each, and the last one has none."""
    findings = launched(count, False, False).findings
    assert findings.ids == ("E4",)
    assert findings[0].block == 7
    assert launched(count, False, True).findings.ids == ()


def test_one_piece_too_many_is_no_share() -> None:
    """Seven rows for eight cores: whether the eighth has a share or a piece too many cannot be told."""
    findings = launched(7, False, False).findings
    assert findings.ids[:1] == ("B3",)
    assert "E4" not in findings.ids


@asc.jit
def window(x: asc.GlobalAddress, z: asc.GlobalAddress, pitch: int):
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    z_gm.set_global_buffer(z)
    local = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, 0, 1024)
    asc.data_copy(local, x_gm, 1024)
    asc.set_flag(asc.HardEvent.MTE2_MTE3, 0)
    asc.wait_flag(asc.HardEvent.MTE2_MTE3, 0)
    move = asc.DataCopyExtParams(64, 64, 0, pitch * 4 - 64, 0)
    asc.data_copy_pad(z_gm, local, move)
    asc.data_copy_pad(z_gm, local, move)


@pytest.mark.timeout(60)
def test_a_stride_below_zero_reaches_far_and_costs_nothing() -> None:
    """Seen as unsigned it is 4 GB: what is kept of an access must not grow with its reach."""
    x, z = np.ones(1024, np.float32), np.zeros(4096, np.float32)
    assert Device().launch(window, 1, x, z, 8, outputs=("z",)).findings.ids[:1] == ("B4",)
    z = np.zeros(1024, np.float32)
    assert Device().launch(window, 1, x, z, 16, outputs=("z",)).findings.ids == ()


@asc.jit
def take(x_gm: asc.GlobalTensor, queue: asc.TQue, wide: asc.LocalTensor, start: int, count: int):
    local = queue.alloc_tensor(x_gm.dtype)
    asc.data_copy(local, x_gm[start:], count)
    queue.enque(local)
    local = queue.deque(x_gm.dtype)
    asc.adds(wide, local, 0.0, count)
    queue.free_tensor(local)


@asc.jit
def running(x: asc.GlobalAddress, z: asc.GlobalAddress, n: int, buffers: asc.ConstExpr[int]):
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    z_gm.set_global_buffer(z)
    pipe = asc.TPipe()
    queue = asc.TQue(asc.TPosition.VECIN, 1)
    out = asc.TQue(asc.TPosition.VECOUT, 1)
    wide_buf = asc.TBuf(asc.TPosition.VECCALC)
    total_buf = asc.TBuf(asc.TPosition.VECCALC)
    pipe.init_buffer(queue, buffers, n * 4)
    pipe.init_buffer(out, 1, n * 4)
    pipe.init_buffer(wide_buf, n * 4)
    pipe.init_buffer(total_buf, n * 4)
    wide = wide_buf.get(x.dtype)
    total = total_buf.get(x.dtype)
    asc.duplicate(total, 0.0, n)
    for row in range(24):
        take(x_gm, queue, wide, row * n, n)
        asc.add(total, total, wide, n)
    local = out.alloc_tensor(x.dtype)
    asc.adds(local, total, 0.0, n)
    out.enque(local)
    local = out.deque(x.dtype)
    asc.data_copy(z_gm, local, n)
    out.free_tensor(local)


def test_loads_that_wait_for_the_only_buffer() -> None:
    """Adding goes on while the next row is loaded, and yet the loads have gaps."""
    said = []
    for buffers in (1, 2):
        x, z = np.ones(24 * 2048, np.float32), np.zeros(2048, np.float32)
        device = Device(performance=True)
        result = device.launch(running, 1, x, z, 2048, buffers, outputs=("z",))
        said.append([(finding.id, finding.variant) for finding in result.findings.all])
        for finding in result.findings.all:
            assert "{" not in finding.message("zh") + finding.message("en")
    assert ("K1", "gaps") in said[0]
    assert not {id for id, _ in said[1]} & {"K1"}
