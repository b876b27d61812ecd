"""Kernels of this door on a device: results against NumPy, and not one finding."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import ascend_lab.asc as asc
from ascend_lab.device import Device, Result

N = 256
UB = asc.TPosition.VECCALC
A = np.linspace(0.5, 4, N, dtype=np.float32)
B = np.linspace(-2, 2, N, dtype=np.float32)[::-1].copy()


def run(
    compute: Callable[..., None], a: Any, b: Any, out: np.dtype[Any], length: int = N
) -> tuple[np.ndarray[Any, Any], Result]:
    """``compute(z, x, y, tmp)`` in UB between two loads and a store of ``length`` elements."""

    @asc.jit
    def kernel(
        a: asc.GlobalAddress, b: asc.GlobalAddress, z: asc.GlobalAddress, n: asc.ConstExpr[int]
    ) -> None:
        gm = [asc.GlobalTensor(), asc.GlobalTensor(), asc.GlobalTensor()]
        for tensor, address in zip(gm, (a, b, z), strict=True):
            tensor.set_global_buffer(address)
        x = asc.LocalTensor(a.dtype, UB, 0, N)
        y = asc.LocalTensor(b.dtype, UB, 4096, N)
        local = asc.LocalTensor(z.dtype, UB, 8192, N)
        tmp = asc.LocalTensor(asc.uint8, UB, 12288, 4096)
        asc.data_copy(x, gm[0], N)
        asc.data_copy(y, gm[1], N)
        asc.set_flag(asc.HardEvent.MTE2_V, 0)
        asc.wait_flag(asc.HardEvent.MTE2_V, 0)
        compute(local, x, y, tmp)
        asc.set_flag(asc.HardEvent.V_MTE3, 0)
        asc.wait_flag(asc.HardEvent.V_MTE3, 0)
        blocks = asc.DataCopyExtParams(1, n * z.dtype.sizeof(), 0, 0, 0)
        asc.data_copy_pad(gm[2], local, blocks)
        asc.pipe_barrier(asc.PipeID.PIPE_ALL)

    z = np.zeros(length, out)
    result = Device().launch(kernel, 1, a, b, z, length)
    return z, result


FLOATS: dict[str, tuple[Callable[..., None], Any]] = {
    "add": (lambda z, x, y, t: asc.add(z, x, y, N), A + B),
    "sub": (lambda z, x, y, t: asc.sub(z, x, y, N), A - B),
    "mul": (lambda z, x, y, t: asc.mul(z, x, y, N), A * B),
    "div": (lambda z, x, y, t: asc.div(z, y, x, N), B / A),
    "max": (lambda z, x, y, t: asc.max(z, x, y, N), np.maximum(A, B)),
    "min": (lambda z, x, y, t: asc.min(z, x, y, N), np.minimum(A, B)),
    "abs": (lambda z, x, y, t: asc.abs(z, y, N), np.abs(B)),
    "exp": (lambda z, x, y, t: asc.exp(z, y, N), np.exp(B)),
    "ln": (lambda z, x, y, t: asc.ln(z, x, N), np.log(A)),
    "sqrt": (lambda z, x, y, t: asc.sqrt(z, x, N), np.sqrt(A)),
    "rsqrt": (lambda z, x, y, t: asc.rsqrt(z, x, N), 1 / np.sqrt(A)),
    "reciprocal": (lambda z, x, y, t: asc.reciprocal(z, x, N), 1 / A),
    "relu": (lambda z, x, y, t: asc.relu(z, y, N), np.maximum(B, 0)),
    "leaky_relu": (
        lambda z, x, y, t: asc.leaky_relu(z, y, 0.25, N),
        np.where(B >= 0, B, B * np.float32(0.25)),
    ),
    "adds": (lambda z, x, y, t: asc.adds(z, x, 1.5, N), A + np.float32(1.5)),
    "muls": (lambda z, x, y, t: asc.muls(z, x, 1.5, N), A * np.float32(1.5)),
    "maxs": (lambda z, x, y, t: asc.maxs(z, y, 0.5, N), np.maximum(B, np.float32(0.5))),
    "mins": (lambda z, x, y, t: asc.mins(z, y, 0.5, N), np.minimum(B, np.float32(0.5))),
    "duplicate": (lambda z, x, y, t: asc.duplicate(z, 2.5, N), np.full(N, 2.5)),
    "mask and repeats": (
        lambda z, x, y, t: asc.add(z, x, y, 64, 4, asc.BinaryRepeatParams()),
        A + B,
    ),
    "mask register": (
        lambda z, x, y, t: (
            asc.set_mask_count(),
            asc.set_vector_mask(N, dtype=asc.float32, mode=asc.MaskMode.COUNTER),
            asc.add(z, x, y, asc.MASK_PLACEHOLDER, 1, asc.BinaryRepeatParams(), is_set_mask=False),
            asc.set_mask_norm(),
            asc.reset_mask(),
        ),
        A + B,
    ),
    "axpy": (
        lambda z, x, y, t: (asc.duplicate(z, 1, N), asc.axpy(z, x, 2.0, N)),
        1 + A * 2,
    ),
    "copy": (
        lambda z, x, y, t: asc.copy(z, x, 64, 4, asc.CopyRepeatParams(1, 1, 8, 8)),
        A,
    ),
    "compare, select": (
        lambda z, x, y, t: (
            asc.compare(t, x, y, asc.CMPMODE.GT, N),
            asc.select(z, t, x, y, asc.SelMode.VSEL_TENSOR_TENSOR_MODE, N),
        ),
        np.where(A > B, A, B),
    ),
    "compare_scalar, select": (
        lambda z, x, y, t: (
            asc.compare_scalar(t, x, 2.0, asc.CMPMODE.LE, N),
            asc.select(z, t, x, -1.0, asc.SelMode.VSEL_TENSOR_SCALAR_MODE, N),
        ),
        np.where(A <= 2, A, -1),
    ),
    "get_value": (
        lambda z, x, y, t: asc.duplicate(z, x.get_value(7) + 1, N),
        np.full(N, A[7] + np.float32(1)),
    ),
    "set_value": (
        lambda z, x, y, t: (asc.duplicate(z, 0, N), z.set_value(3, 1.5)),
        np.where(np.arange(N) == 3, 1.5, 0),
    ),
}


@pytest.mark.parametrize("name", FLOATS)
def test_floats(name: str) -> None:
    compute, expected = FLOATS[name]
    z, result = run(compute, A, B, np.dtype(np.float32))
    assert list(result.findings) == []
    np.testing.assert_allclose(z, expected, rtol=1e-6)


def workspace(tmp: asc.LocalTensor) -> asc.LocalTensor:
    """The uint8 scratch buffer as float."""
    return tmp.reinterpret_cast(asc.float32)


REDUCED: dict[str, tuple[Callable[..., None], Any]] = {
    "reduce_sum": (lambda z, x, y, t: asc.reduce_sum(z, x, workspace(t), N), [A.sum()]),
    "reduce_max": (lambda z, x, y, t: asc.reduce_max(z, y, workspace(t), N), [B.max()]),
    "reduce_min": (lambda z, x, y, t: asc.reduce_min(z, y, workspace(t), N), [B.min()]),
    "whole_reduce_sum": (
        lambda z, x, y, t: asc.whole_reduce_sum(z, x, 64, 4, 1, 1, 8),
        A.reshape(4, 64).sum(1),
    ),
    "whole_reduce_max": (
        lambda z, x, y, t: asc.whole_reduce_max(
            z, y, 64, 4, 1, 1, 8, asc.ReduceOrder.ORDER_ONLY_VALUE
        ),
        B.reshape(4, 64).max(1),
    ),
    "block_reduce_sum": (
        lambda z, x, y, t: asc.block_reduce_sum(z, x, 4, 64, 1, 1, 8),
        A.reshape(32, 8).sum(1),
    ),
    "block_reduce_min": (
        lambda z, x, y, t: asc.block_reduce_min(z, y, 4, 64, 1, 1, 8),
        B.reshape(32, 8).min(1),
    ),
    "pair_reduce_sum": (
        lambda z, x, y, t: asc.pair_reduce_sum(z, x, 4, 64, 1, 1, 8),
        A.reshape(128, 2).sum(1),
    ),
    "repeat_reduce_sum": (
        lambda z, x, y, t: asc.repeat_reduce_sum(z, x, 4, 64, 0, 1, 1, 8),
        A.reshape(4, 64).sum(1),
    ),
}


@pytest.mark.parametrize("name", REDUCED)
def test_reductions(name: str) -> None:
    compute, expected = REDUCED[name]
    z, result = run(compute, A, B, np.dtype(np.float32), len(expected))
    assert list(result.findings) == []
    np.testing.assert_allclose(z, expected, rtol=1e-5)


def test_bits_and_shifts() -> None:
    a = np.arange(N, dtype=np.uint16) * 257
    b = np.full(N, 0x0FF0, np.uint16)

    def compute(z: Any, x: Any, y: Any, tmp: Any) -> None:
        asc.bitwise_and(z, x, y, N)
        asc.bitwise_or(z, z, x, N)
        asc.bitwise_not(z, z, N)
        asc.shift_right(z, z, 3, N)
        asc.shift_left(z, z, 1, N)

    z, result = run(compute, a, b, np.dtype(np.uint16))
    assert list(result.findings) == []
    np.testing.assert_array_equal(z, (~((a & b) | a) >> 3 << 1).astype(np.uint16))


def test_casts() -> None:
    def compute(z: Any, x: Any, y: Any, tmp: Any) -> None:
        asc.cast(z, x, asc.RoundMode.CAST_RINT, N)

    z, result = run(compute, B, A, np.dtype(np.int32))
    assert list(result.findings) == []
    np.testing.assert_array_equal(z, np.rint(B).astype(np.int32))


def test_atomic_add_of_all_blocks() -> None:
    @asc.jit
    def kernel(z: asc.GlobalAddress) -> None:
        gm = asc.GlobalTensor()
        gm.set_global_buffer(z)
        local = asc.LocalTensor(z.dtype, UB, 0, 8)
        asc.duplicate(local, asc.get_block_idx() + 1, 8)
        asc.set_flag(asc.HardEvent.V_MTE3, 0)
        asc.wait_flag(asc.HardEvent.V_MTE3, 0)
        asc.set_atomic_add(z.dtype)
        asc.data_copy(gm, local, 8)
        asc.set_atomic_none()
        asc.pipe_barrier(asc.PipeID.PIPE_ALL)

    z = np.zeros(8, np.float32)
    result = Device().launch(kernel, 4, z)
    assert list(result.findings) == []
    np.testing.assert_array_equal(z, np.full(8, 10))
