"""Python twins of the kernels in sources/rows.asc: the same calls in the same order."""

# ruff: noqa: N806  # the names are those of the C++ twins

from __future__ import annotations

import ascend_lab.asc as asc

BUFFERS = 2
EPSILON = 1e-5
P = asc.TPosition


def copied(columns, pitch):
    """What moves a row of ``columns`` elements, and what fills it up to ``pitch``."""
    pads = asc.DataCopyPadExtParams(asc.float32, True, 0, pitch - columns, 0.0)
    return asc.DataCopyExtParams(1, columns * 4, 0, 0, 0), pads


def bind(x, z, rows, columns):
    """Both matrices as one block sees them, and how many rows it has."""
    mine = rows / asc.get_block_num()
    first = mine * asc.get_block_idx()
    xGm, zGm = asc.GlobalTensor(), asc.GlobalTensor()
    xGm.set_global_buffer(x + first * columns, mine * columns)
    zGm.set_global_buffer(z + first * columns, mine * columns)
    return xGm, zGm, mine


@asc.jit
def softmax(x: asc.GlobalAddress, z: asc.GlobalAddress, rows: int, columns: int):
    pipe = asc.TPipe()
    inQueue, outQueue = asc.TQue(P.VECIN, BUFFERS), asc.TQue(P.VECOUT, BUFFERS)
    workBuffer, resultBuffer = asc.TBuf(P.VECCALC), asc.TBuf(P.VECCALC)
    pitch = (columns + 7) / 8 * 8
    xGm, zGm, mine = bind(x, z, rows, columns)
    pipe.init_buffer(inQueue, BUFFERS, pitch * 4)
    pipe.init_buffer(outQueue, BUFFERS, pitch * 4)
    pipe.init_buffer(workBuffer, pitch * 4)
    pipe.init_buffer(resultBuffer, 32)
    work, result = workBuffer.get(asc.float32), resultBuffer.get(asc.float32)
    for row in range(mine):
        copy, pads = copied(columns, pitch)
        xIn = inQueue.alloc_tensor(asc.float32)
        asc.data_copy_pad(xIn, xGm[row * columns], copy, pads)
        inQueue.enque(xIn)
        xLocal = inQueue.deque(asc.float32)
        zLocal = outQueue.alloc_tensor(asc.float32)
        asc.reduce_max(result, xLocal, work, columns)
        largest = result.get_value(0)
        asc.adds(zLocal, xLocal, -largest, columns)
        asc.exp(zLocal, zLocal, columns)
        asc.reduce_sum(result, zLocal, work, columns)
        total = result.get_value(0)
        asc.muls(zLocal, zLocal, 1.0 / total, columns)
        inQueue.free_tensor(xLocal)
        outQueue.enque(zLocal)
        zOut = outQueue.deque(asc.float32)
        asc.data_copy_pad(zGm[row * columns], zOut, copy)
        outQueue.free_tensor(zOut)


@asc.jit
def layer_norm(
    x: asc.GlobalAddress,
    gamma: asc.GlobalAddress,
    beta: asc.GlobalAddress,
    z: asc.GlobalAddress,
    rows: int,
    columns: int,
):
    pipe = asc.TPipe()
    inQueue, outQueue = asc.TQue(P.VECIN, BUFFERS), asc.TQue(P.VECOUT, BUFFERS)
    workBuffer, resultBuffer = asc.TBuf(P.VECCALC), asc.TBuf(P.VECCALC)
    gammaBuffer, betaBuffer = asc.TBuf(P.VECCALC), asc.TBuf(P.VECCALC)
    pitch = (columns + 7) / 8 * 8
    xGm, zGm, mine = bind(x, z, rows, columns)
    pipe.init_buffer(inQueue, BUFFERS, pitch * 4)
    pipe.init_buffer(outQueue, BUFFERS, pitch * 4)
    pipe.init_buffer(workBuffer, pitch * 4)
    pipe.init_buffer(resultBuffer, 32)
    gammaGm, betaGm = asc.GlobalTensor(), asc.GlobalTensor()
    gammaGm.set_global_buffer(gamma, columns)
    betaGm.set_global_buffer(beta, columns)
    pipe.init_buffer(gammaBuffer, pitch * 4)
    pipe.init_buffer(betaBuffer, pitch * 4)
    gammaLocal, betaLocal = gammaBuffer.get(asc.float32), betaBuffer.get(asc.float32)
    copy, pads = copied(columns, pitch)
    asc.data_copy_pad(gammaLocal, gammaGm, copy, pads)
    asc.data_copy_pad(betaLocal, betaGm, copy, pads)
    loaded = pipe.fetch_event_id(asc.HardEvent.MTE2_V)
    asc.set_flag(asc.HardEvent.MTE2_V, loaded)
    asc.wait_flag(asc.HardEvent.MTE2_V, loaded)
    work, result = workBuffer.get(asc.float32), resultBuffer.get(asc.float32)
    for row in range(mine):
        xIn = inQueue.alloc_tensor(asc.float32)
        asc.data_copy_pad(xIn, xGm[row * columns], copy, pads)
        inQueue.enque(xIn)
        xLocal = inQueue.deque(asc.float32)
        zLocal = outQueue.alloc_tensor(asc.float32)
        asc.reduce_sum(result, xLocal, work, columns)
        mean = result.get_value(0) / columns
        asc.adds(xLocal, xLocal, -mean, columns)
        asc.mul(zLocal, xLocal, xLocal, columns)
        asc.reduce_sum(result, zLocal, work, columns)
        asc.muls(result, result, 1.0 / columns, 1)
        asc.adds(result, result, EPSILON, 1)
        asc.sqrt(result, result, 1)
        deviation = result.get_value(0)
        asc.muls(xLocal, xLocal, 1.0 / deviation, columns)
        asc.mul(xLocal, xLocal, gammaLocal, columns)
        asc.add(zLocal, xLocal, betaLocal, columns)
        inQueue.free_tensor(xLocal)
        outQueue.enque(zLocal)
        zOut = outQueue.deque(asc.float32)
        asc.data_copy_pad(zGm[row * columns], zOut, copy)
        outQueue.free_tensor(zOut)


@asc.jit
def softmax_by_library(x: asc.GlobalAddress, z: asc.GlobalAddress, rows: int, columns: int):
    pipe = asc.TPipe()
    inQueue, outQueue = asc.TQue(P.VECIN, 1), asc.TQue(P.VECOUT, 1)
    sumBuffer, maxBuffer = asc.TBuf(P.VECCALC), asc.TBuf(P.VECCALC)
    xGm, zGm, mine = bind(x, z, rows, columns)
    count = mine * columns
    pipe.init_buffer(inQueue, 1, count * 2)
    pipe.init_buffer(outQueue, 1, count * 2)
    pipe.init_buffer(sumBuffer, mine * 32)
    pipe.init_buffer(maxBuffer, mine * 32)
    xIn = inQueue.alloc_tensor(asc.half)
    asc.data_copy(xIn, xGm, count)
    inQueue.enque(xIn)
    xLocal = inQueue.deque(asc.half)
    zLocal = outQueue.alloc_tensor(asc.half)
    xLocal.set_shape_info(asc.ShapeInfo((mine, columns)))
    sums, largest = sumBuffer.get(asc.half), maxBuffer.get(asc.half)
    asc.adv.softmax(zLocal, sums, largest, xLocal, asc.adv.SoftmaxTiling())
    inQueue.free_tensor(xLocal)
    outQueue.enque(zLocal)
    zOut = outQueue.deque(asc.half)
    asc.data_copy(zGm, zOut, count)
    outQueue.free_tensor(zOut)


@asc.jit
def layer_norm_by_library(
    x: asc.GlobalAddress,
    gamma: asc.GlobalAddress,
    beta: asc.GlobalAddress,
    z: asc.GlobalAddress,
    rows: int,
    columns: int,
):
    pipe = asc.TPipe()
    inQueue, weightQueue = asc.TQue(P.VECIN, 1), asc.TQue(P.VECIN, 1)
    outQueue = asc.TQue(P.VECOUT, 1)
    meanBuffer, varianceBuffer = asc.TBuf(P.VECCALC), asc.TBuf(P.VECCALC)
    xGm, zGm, mine = bind(x, z, rows, columns)
    gammaGm, betaGm = asc.GlobalTensor(), asc.GlobalTensor()
    gammaGm.set_global_buffer(gamma, columns)
    betaGm.set_global_buffer(beta, columns)
    count = mine * columns
    pipe.init_buffer(inQueue, 1, count * 4)
    pipe.init_buffer(weightQueue, 1, 2 * columns * 4)
    pipe.init_buffer(outQueue, 1, count * 4)
    pipe.init_buffer(meanBuffer, mine * 4)
    pipe.init_buffer(varianceBuffer, mine * 4)
    xIn = inQueue.alloc_tensor(asc.float32)
    asc.data_copy(xIn, xGm, count)
    inQueue.enque(xIn)
    weights = weightQueue.alloc_tensor(asc.float32)
    asc.data_copy(weights, gammaGm, columns)
    asc.data_copy(weights[columns], betaGm, columns)
    weightQueue.enque(weights)
    xLocal, both = inQueue.deque(asc.float32), weightQueue.deque(asc.float32)
    zLocal = outQueue.alloc_tensor(asc.float32)
    mean, variance = meanBuffer.get(asc.float32), varianceBuffer.get(asc.float32)
    beta = both[columns]
    asc.adv.layernorm(zLocal, mean, variance, xLocal, both, beta, EPSILON, mine, columns)
    inQueue.free_tensor(xLocal)
    weightQueue.free_tensor(both)
    outQueue.enque(zLocal)
    zOut = outQueue.deque(asc.float32)
    asc.data_copy(zGm, zOut, count)
    outQueue.free_tensor(zOut)
