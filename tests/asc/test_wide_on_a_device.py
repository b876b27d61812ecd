"""The wide part of the door on a device: results against NumPy, and not one finding."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import ascend_lab.asc as asc
from ascend_lab.device import Device
from tests.asc.test_on_a_device import A, B, N, run

UB = asc.TPosition.VECCALC
FLOAT = np.dtype(np.float32)
INDEX = np.random.default_rng(7).permutation(N).astype(np.uint32)


def softmax(z: Any, x: Any, y: Any, tmp: Any) -> None:
    x.set_shape_info(asc.ShapeInfo((4, 64)))
    spare = tmp.reinterpret_cast(asc.float32)
    asc.adv.softmax(z, spare, spare[64], x, asc.adv.SoftmaxTiling(), tmp[1024])


def rmsnorm(z: Any, x: Any, y: Any, tmp: Any) -> None:
    tiling = asc.adv.RmsNormTiling(b_length=1, s_length=4, h_length=64)
    asc.adv.rmsnorm(z, x, y, 1e-5, tiling, tmp)


def register_select(z: Any, x: Any, y: Any, tmp: Any) -> None:
    strides = asc.BinaryRepeatParams()
    asc.duplicate(z, 0, N)
    asc.compare(x, y, asc.CMPMODE.GT, 64, strides)
    asc.select(z, x, y, 4, strides, asc.SelMode.VSEL_CMPMASK_SPR)


def _softmax(a: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    rows = np.exp(a.reshape(4, 64) - a.reshape(4, 64).max(axis=1, keepdims=True))
    return (rows / rows.sum(axis=1, keepdims=True)).reshape(-1)


def _rmsnorm(a: np.ndarray[Any, Any], gamma: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    rows = a.reshape(4, 64)
    mean = (rows * rows).mean(axis=1, keepdims=True)
    return (rows / np.sqrt(mean + 1e-5) * gamma[:64]).reshape(-1)


FLOATS: dict[str, tuple[Callable[..., Any], Any]] = {
    "add_relu": (lambda z, x, y, t: asc.add_relu(z, x, y, N), np.maximum(A + B, 0)),
    "sub_relu": (lambda z, x, y, t: asc.sub_relu(z, x, y, N), np.maximum(A - B, 0)),
    "fused_mul_add": (
        lambda z, x, y, t: (asc.duplicate(z, 2, N), asc.fused_mul_add(z, x, y, N)),
        A * 2 + B,
    ),
    "fused_mul_add_relu": (
        lambda z, x, y, t: (asc.duplicate(z, -1, N), asc.fused_mul_add_relu(z, x, y, N)),
        np.maximum(B - A, 0),
    ),
    "mul_add_dst": (
        lambda z, x, y, t: (asc.duplicate(z, 2, N), asc.mul_add_dst(z, x, y, N)),
        A * B + 2,
    ),
    "create_vec_index": (lambda z, x, y, t: asc.create_vec_index(z, 3, N), 3 + np.arange(N)),
    "register select": (
        register_select,
        np.where(np.tile((A > B)[:64], 4), A, B),
    ),
    "sinh": (lambda z, x, y, t: asc.adv.sinh(z, x, N, t), np.sinh(A)),
    "tanh": (lambda z, x, y, t: asc.adv.tanh(z, x, N, t), np.tanh(A)),
    "power": (lambda z, x, y, t: asc.adv.power(z, x, y, N, t), A**B),
    "sigmoid": (lambda z, x, y, t: asc.adv.sigmoid(z, y, N, t), 1 / (1 + np.exp(-B))),
    "ceil": (lambda z, x, y, t: asc.adv.ceil(z, y, N, t), np.ceil(B)),
    "softmax": (softmax, _softmax(A)),
    "rmsnorm": (rmsnorm, _rmsnorm(A, B)),
}


@pytest.mark.parametrize("name", FLOATS)
def test_floats(name: str) -> None:
    compute, expected = FLOATS[name]
    z, result = run(compute, A, B, FLOAT)
    assert list(result.findings) == []
    np.testing.assert_allclose(z, expected, rtol=2e-6, atol=1e-6)


def test_gather() -> None:
    z, result = run(lambda z, x, y, t: asc.gather(z, x, y, 0, N), A, INDEX * np.uint32(4), FLOAT)
    assert list(result.findings) == []
    np.testing.assert_array_equal(z, A[INDEX])


def test_sort_and_merge() -> None:
    """Two times 128 scores, sorted in 32s, merged by four, then by two."""

    def compute(z: Any, x: Any, y: Any, tmp: Any) -> None:
        space = tmp.reinterpret_cast(asc.float32)
        runs, fours = space, space[512]
        asc.sort32(runs, x, y, 8)
        lists = [runs[64 * k] for k in range(4)]
        four = asc.MrgSortSrcList(asc.float32, *lists)
        asc.mrg_sort(fours, four, asc.MrgSort4Info([32] * 4, False, 15, 2))
        two = asc.MrgSortSrcList(asc.float32, fours, fours[256])
        asc.mrg_sort(runs, two, asc.MrgSort4Info([128, 128, 0, 0], False, 3, 1))
        asc.gather_mask(z, runs, 1, False, 0, asc.GatherMaskParams(1, 8, 8, 0))

    scores = np.random.default_rng(3).standard_normal(N).astype(np.float32)
    z, result = run(compute, scores, np.arange(N, dtype=np.uint32), FLOAT)
    assert list(result.findings) == []
    np.testing.assert_array_equal(z, np.sort(scores)[::-1])


def test_gather_mask_tells_how_many() -> None:
    def compute(z: Any, x: Any, y: Any, tmp: Any) -> None:
        asc.duplicate(z, 0, N)
        asc.compare_scalar(tmp, x, 2.0, asc.CMPMODE.GT, N)
        bits = tmp.reinterpret_cast(asc.uint32)
        kept = asc.gather_mask(z, x, bits, True, N, asc.GatherMaskParams(1, 1, 8, 0))
        asc.printf("kept %d\n", kept)

    z, result = run(compute, A, B, FLOAT)
    wanted = A[A > 2]
    assert list(result.findings) == []
    assert result.stdout == f"kept {wanted.size}\n"
    np.testing.assert_array_equal(z, np.pad(wanted, (0, N - wanted.size)))


def test_transpose() -> None:
    a = np.arange(N, dtype=np.float16)
    z, result = run(lambda z, x, y, t: asc.transpose(z, x), a, a, np.dtype(np.float16))
    assert list(result.findings) == []
    np.testing.assert_array_equal(z.reshape(16, 16), a.reshape(16, 16).T)


def test_brcb() -> None:
    def compute(z: Any, x: Any, y: Any, tmp: Any) -> None:
        asc.brcb(z, x, 4, asc.BrcbRepeatParams())

    z, result = run(compute, A, B, FLOAT)
    assert list(result.findings) == []
    np.testing.assert_array_equal(z, np.repeat(A[:32], 8))


def test_integers_to_half_with_a_scale() -> None:
    def compute(z: Any, x: Any, y: Any, tmp: Any) -> None:
        asc.set_deq_scale(0.5)
        asc.cast(z, x, asc.RoundMode.CAST_NONE, N)

    a = np.arange(N, dtype=np.int32) - 100
    z, result = run(compute, a, a, np.dtype(np.float16))
    assert list(result.findings) == []
    np.testing.assert_array_equal(z, (a * 0.5).astype(np.float16))


def test_quant() -> None:
    z, result = run(
        lambda z, x, y, t: asc.adv.quant(z, x, 10.0, 3.0, N, t), A, B, np.dtype(np.int8)
    )
    assert list(result.findings) == []
    half = A.astype(np.float16) * np.float16(10) + np.float16(3)
    np.testing.assert_array_equal(z, np.rint(half).astype(np.int8))


def test_dump_tensor_is_printed() -> None:
    def compute(z: Any, x: Any, y: Any, tmp: Any) -> None:
        asc.adds(z, x, 1, N)
        asc.dump_tensor(z, 5, 2)

    _, result = run(compute, A, B, FLOAT)
    assert list(result.findings) == []
    assert result.stdout == (
        "DumpTensor: desc=5, addr=0x2000, data_type=float32, position=UB, dump_size=2\n"
        f"[{A[0] + 1:.6f}, {A[1] + 1:.6f}]\n"
    )


# --- several blocks -----------------------------------------------------------------------------------------


@asc.jit
def chain(z: asc.GlobalAddress, work: asc.GlobalAddress) -> None:
    """Every block adds one to all of z, each after the one before it."""
    gm, workspace = asc.GlobalTensor(), asc.GlobalTensor()
    gm.set_global_buffer(z)
    workspace.set_global_buffer(work)
    local = asc.LocalTensor(asc.float32, UB, 0, 64)
    spare = asc.LocalTensor(asc.int32, UB, 1024, 8)
    block = asc.get_block_idx()
    if block > 0:
        asc.ib_wait(workspace, spare, block - 1, 0)
    asc.data_copy(local, gm, 64)
    asc.set_flag(asc.HardEvent.MTE2_V, 0)
    asc.wait_flag(asc.HardEvent.MTE2_V, 0)
    asc.adds(local, local, 1, 64)
    asc.set_flag(asc.HardEvent.V_MTE3, 0)
    asc.wait_flag(asc.HardEvent.V_MTE3, 0)
    asc.data_copy(gm, local, 64)
    if block < asc.get_block_num() - 1:
        asc.ib_set(workspace, spare, block, 0)
    asc.pipe_barrier(asc.PipeID.PIPE_ALL)


def test_blocks_wait_for_each_other() -> None:
    z, work = np.zeros(64, np.float32), np.zeros(64, np.int32)
    result = Device().launch(chain, 4, z, work)
    assert list(result.findings) == []
    np.testing.assert_array_equal(z, np.full(64, 4))
    assert not work.any()


def test_a_workspace_that_is_not_zero_is_told() -> None:
    z, work = np.zeros(64, np.float32), np.full(64, 7, np.int32)
    findings = Device().launch(chain, 2, z, work).findings
    assert findings[0].id == "C9"
    assert "IBSet" in findings[0].message("en")


@asc.jit
def gathered(x: asc.GlobalAddress, z: asc.GlobalAddress) -> None:
    """Blocks store their part, and read everybody's once all have."""
    source, target = asc.GlobalTensor(), asc.GlobalTensor()
    source.set_global_buffer(x)
    target.set_global_buffer(z)
    block, blocks = asc.get_block_idx(), asc.get_block_num()
    local = asc.LocalTensor(asc.float32, UB, 0, 64)
    asc.duplicate(local, block + 1, 8)
    asc.set_flag(asc.HardEvent.V_MTE3, 0)
    asc.wait_flag(asc.HardEvent.V_MTE3, 0)
    asc.data_copy(source[block * 8], local, 8)
    asc.cross_core_set_flag(0, 0, asc.PipeID.PIPE_MTE3)
    asc.cross_core_wait_flag(0, 0, asc.PipeID.PIPE_S)
    asc.data_copy(local, source, blocks * 8)
    asc.set_flag(asc.HardEvent.MTE2_MTE3, 0)
    asc.wait_flag(asc.HardEvent.MTE2_MTE3, 0)
    asc.data_copy(target[block * blocks * 8], local, blocks * 8)
    asc.pipe_barrier(asc.PipeID.PIPE_ALL)


def test_cross_core_flags() -> None:
    x, z = np.zeros(32, np.float32), np.zeros(128, np.float32)
    result = Device().launch(gathered, 4, x, z)
    assert list(result.findings) == []
    np.testing.assert_array_equal(z, np.tile(np.repeat([1, 2, 3, 4], 8), 4))


def test_stages_of_a_pool_use_the_same_bytes() -> None:
    @asc.jit
    def kernel(x: asc.GlobalAddress, z: asc.GlobalAddress) -> None:
        gm = [asc.GlobalTensor(), asc.GlobalTensor()]
        for tensor, address in zip(gm, (x, z), strict=True):
            tensor.set_global_buffer(address)
        pipe = asc.TPipe()
        first, second = asc.TBufPool(UB), asc.TBufPool(UB)
        pipe.init_buf_pool(first, 120_000)
        pipe.init_buf_pool(second, 120_000, first)
        for pool in (first, second):
            inside = asc.TQue(asc.TPosition.VECIN, 1)
            outside = asc.TQue(asc.TPosition.VECOUT, 1)
            pool.init_buffer(inside, 1, 60_000)
            pool.init_buffer(outside, 1, 60_000)
            local = inside.alloc_tensor(asc.float32)
            asc.data_copy(local, gm[0], N)
            inside.enque(local)
            local, result = inside.deque(asc.float32), outside.alloc_tensor(asc.float32)
            asc.adds(result, local, 1, N)
            outside.enque(result)
            inside.free_tensor(local)
            result = outside.deque(asc.float32)
            asc.data_copy(gm[1], result, N)
            outside.free_tensor(result)
            pool.reset()

    z = np.zeros(N, np.float32)
    result = Device().launch(kernel, 1, A, z)
    assert list(result.findings) == []
    np.testing.assert_array_equal(z, A + 1)
