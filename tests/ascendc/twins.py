"""Python twins of the C++ kernels in sources/: the same calls in the same order."""

# ruff: noqa: N806  # the names are those of the C++ twins

from __future__ import annotations

import ascend_lab.asc as asc

BUFFERS = 2


@asc.jit
def add(x: asc.GlobalAddress, y: asc.GlobalAddress, z: asc.GlobalAddress, length: int, tile: int):
    pipe = asc.TPipe()
    inQueueX = asc.TQue(asc.TPosition.VECIN, BUFFERS)
    inQueueY = asc.TQue(asc.TPosition.VECIN, BUFFERS)
    outQueueZ = asc.TQue(asc.TPosition.VECOUT, BUFFERS)
    xGm, yGm, zGm = asc.GlobalTensor(), asc.GlobalTensor(), asc.GlobalTensor()
    part = length / asc.get_block_num()
    start = part * asc.get_block_idx()
    xGm.set_global_buffer(x + start, part)
    yGm.set_global_buffer(y + start, part)
    zGm.set_global_buffer(z + start, part)
    pipe.init_buffer(inQueueX, BUFFERS, tile * 2)
    pipe.init_buffer(inQueueY, BUFFERS, tile * 2)
    pipe.init_buffer(outQueueZ, BUFFERS, tile * 2)
    for i in range(part / tile):
        xLocal = inQueueX.alloc_tensor(asc.half)
        yLocal = inQueueY.alloc_tensor(asc.half)
        asc.data_copy(xLocal, xGm[i * tile], tile)
        asc.data_copy(yLocal, yGm[i * tile], tile)
        inQueueX.enque(xLocal)
        inQueueY.enque(yLocal)
        xIn = inQueueX.deque(asc.half)
        yIn = inQueueY.deque(asc.half)
        zLocal = outQueueZ.alloc_tensor(asc.half)
        asc.add(zLocal, xIn, yIn, tile)
        outQueueZ.enque(zLocal)
        inQueueX.free_tensor(xIn)
        inQueueY.free_tensor(yIn)
        zOut = outQueueZ.deque(asc.half)
        asc.data_copy(zGm[i * tile], zOut, tile)
        outQueueZ.free_tensor(zOut)
