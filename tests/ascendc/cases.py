"""Python twins of the kernels in sources/cases.asc, by name."""

# ruff: noqa: N806  # the names are those of the C++ twins

from __future__ import annotations

import ascend_lab.asc as asc

P = asc.TPosition
E = asc.HardEvent
ALL, V = asc.PipeID.PIPE_ALL, asc.PipeID.PIPE_V


def bind(x, z):
    xGm, zGm = asc.GlobalTensor(), asc.GlobalTensor()
    xGm.set_global_buffer(x, 64)
    zGm.set_global_buffer(z, 64)
    return xGm, zGm


@asc.jit
def in_and_out(x: asc.GlobalAddress, z: asc.GlobalAddress):
    pipe = asc.TPipe()
    inQueue = asc.TQue(P.VECIN, 1)
    outQueue = asc.TQue(P.VECOUT, 1)
    xGm, zGm = bind(x, z)
    pipe.init_buffer(inQueue, 2, 128)
    pipe.init_buffer(outQueue, 1, 128)
    for i in range(2):
        a = inQueue.alloc_tensor(asc.float32)
        asc.data_copy(a, xGm[i * 32], 32)
        inQueue.enque(a)
        b = inQueue.deque(asc.float32)
        c = outQueue.alloc_tensor(asc.float32)
        asc.adds(c, b, 1.0, 32)
        outQueue.enque(c)
        inQueue.free_tensor(b)
        d = outQueue.deque(asc.float32)
        asc.data_copy(zGm[i * 32], d, 32)
        outQueue.free_tensor(d)


@asc.jit
def in_place(x: asc.GlobalAddress, z: asc.GlobalAddress):
    pipe = asc.TPipe()
    inQueue = asc.TQue(P.VECIN, 0)
    outQueue = asc.TQue(P.VECOUT, 0)
    xGm, zGm = bind(x, z)
    pipe.init_buffer(inQueue, 1, 128)
    pipe.init_buffer(outQueue, 1, 128)
    for i in range(2):
        a, c = asc.LocalTensor(asc.float32), asc.LocalTensor(asc.float32)
        inQueue.alloc_tensor(a)
        asc.data_copy(a, xGm[i * 32], 32)
        inQueue.enque(a)
        inQueue.deque(a)
        outQueue.alloc_tensor(c)
        asc.adds(c, a, 1.0, 32)
        outQueue.enque(c)
        inQueue.free_tensor(a)
        outQueue.deque(c)
        asc.data_copy(zGm[i * 32], c, 32)
        outQueue.free_tensor(c)


@asc.jit
def bound(x: asc.GlobalAddress, z: asc.GlobalAddress):
    pipe = asc.TPipe()
    queue = asc.TQueBind(P.VECIN, P.VECOUT, 1)
    xGm, zGm = bind(x, z)
    pipe.init_buffer(queue, 2, 128)
    for i in range(2):
        a = queue.alloc_tensor(asc.float32)
        asc.data_copy(a, xGm[i * 32], 32)
        queue.enque(a)
        b = queue.deque(asc.float32)
        asc.data_copy(zGm[i * 32], b, 32)
        queue.free_tensor(b)


@asc.jit
def buffer(x: asc.GlobalAddress, z: asc.GlobalAddress):
    pipe = asc.TPipe()
    buf = asc.TBuf(P.VECCALC)
    xGm, zGm = bind(x, z)
    pipe.init_buffer(buf, 300)
    a = buf.get(asc.float32, 32)
    b = buf.get_with_offset(32, 128, asc.float32)
    first = pipe.alloc_event_id(E.MTE2_V)
    asc.data_copy(a, xGm, 32)
    asc.set_flag(E.MTE2_V, first)
    asc.wait_flag(E.MTE2_V, first)
    asc.adds(b, a, 1.0, 32)
    second = pipe.fetch_event_id(E.V_MTE3)
    asc.set_flag(E.V_MTE3, second)
    asc.wait_flag(E.V_MTE3, second)
    asc.data_copy(zGm, b, 32)
    pipe.release_event_id(first, E.MTE2_V)


@asc.jit
def pools(x: asc.GlobalAddress, z: asc.GlobalAddress):
    pipe = asc.TPipe()
    whole, part, again = asc.TBufPool(P.VECCALC), asc.TBufPool(P.VECCALC), asc.TBufPool(P.VECCALC)
    inQueue = asc.TQue(P.VECIN, 1)
    buf = asc.TBuf(P.VECCALC)
    xGm, zGm = bind(x, z)
    pipe.init_buf_pool(whole, 1024)
    whole.init_buf_pool(part, 512)
    whole.init_buf_pool(again, 512, part)
    part.init_buffer(inQueue, 1, 128)
    a = inQueue.alloc_tensor(asc.float32)
    asc.data_copy(a, xGm, 32)
    inQueue.enque(a)
    b = inQueue.deque(asc.float32)
    asc.data_copy(zGm, b, 32)
    inQueue.free_tensor(b)
    part.reset()
    again.init_buffer(buf, 128)
    c = buf.get(asc.float32)
    asc.duplicate(c, 0.0, 32)


@asc.jit
def renewed(x: asc.GlobalAddress, z: asc.GlobalAddress):
    xGm, _ = bind(x, z)
    pipe = asc.TPipe()
    inQueue = asc.TQue(P.VECIN, 1)
    pipe.init_buffer(inQueue, 1, 128)
    a = inQueue.alloc_tensor(asc.float32)
    asc.data_copy(a, xGm, 32)
    inQueue.enque(a)
    b = inQueue.deque(asc.float32)
    inQueue.free_tensor(b)
    pipe.reset()
    pipe.init_buffer(inQueue, 2, 64)
    pipe.destroy()
    pipe.init()
    pipe.init_buffer(inQueue, 1, 32)


@asc.jit
def no_buffer_left(x: asc.GlobalAddress, z: asc.GlobalAddress):
    pipe = asc.TPipe()
    inQueue = asc.TQue(P.VECIN, 1)
    pipe.init_buffer(inQueue, 1, 128)
    inQueue.alloc_tensor(asc.float32)
    inQueue.alloc_tensor(asc.float32)


@asc.jit
def nothing_in_it(x: asc.GlobalAddress, z: asc.GlobalAddress):
    pipe = asc.TPipe()
    inQueue = asc.TQue(P.VECIN, 1)
    pipe.init_buffer(inQueue, 1, 128)
    inQueue.deque(asc.float32)


@asc.jit
def too_much_in_it(x: asc.GlobalAddress, z: asc.GlobalAddress):
    pipe = asc.TPipe()
    inQueue = asc.TQue(P.VECIN, 1)
    xGm, _ = bind(x, z)
    pipe.init_buffer(inQueue, 2, 128)
    a = inQueue.alloc_tensor(asc.float32)
    asc.data_copy(a, xGm, 32)
    inQueue.enque(a)
    b = inQueue.alloc_tensor(asc.float32)
    asc.data_copy(b, xGm, 32)
    inQueue.enque(b)


@asc.jit
def placed(x: asc.GlobalAddress, z: asc.GlobalAddress):
    asc.init_soc_state()
    xGm, zGm = bind(x, z)
    memory = asc.LocalMemAllocator()
    a = memory.alloc(P.VECIN, asc.float32, 32)
    b = asc.LocalTensor(asc.float32, P.VECOUT, 512, 32)
    asc.data_copy(a, xGm, 32)
    asc.set_flag(E.MTE2_V, 0)
    asc.wait_flag(E.MTE2_V, 0)
    asc.muls(b, a, 2.0, 32)
    asc.pipe_barrier(V)
    asc.pipe_barrier(ALL)
    asc.data_copy(zGm, b, 32)


@asc.jit
def asked(x: asc.GlobalAddress, z: asc.GlobalAddress):
    pipe = asc.TPipe()
    buf = asc.TBuf(P.VECCALC)
    xGm, zGm = bind(x, z)
    pipe.init_buffer(buf, 128)
    a = buf.get(asc.float32)
    seen = xGm.get_value(3)
    a.set_value(1, seen)
    if seen < 2.0:
        asc.duplicate(a, seen + a.get_value(1), 32)
    asc.pipe_barrier(ALL)
    asc.data_copy(zGm, a, 32)


@asc.jit
def masked(x: asc.GlobalAddress, z: asc.GlobalAddress):
    pipe = asc.TPipe()
    buf = asc.TBuf(P.VECCALC)
    _, zGm = bind(x, z)
    pipe.init_buffer(buf, 1024)
    a = buf.get(asc.float32)
    asc.duplicate(a, 0.0, 256)
    asc.adds(a, a, 1.0, 64, 2, asc.UnaryRepeatParams(1, 1, 8, 8))
    asc.add(a[128:], a, a, [0x5555, 0], 1, asc.BinaryRepeatParams(1, 1, 1, 8, 8, 8))
    asc.set_mask_count()
    asc.set_vector_mask(100, dtype=asc.float32, mode=asc.MaskMode.COUNTER)
    asc.exp(a, a, 0, 1, asc.UnaryRepeatParams(1, 1, 8, 8), is_set_mask=False)
    asc.set_mask_norm()
    asc.reset_mask()
    asc.set_atomic_add(asc.float32)
    asc.pipe_barrier(ALL)
    asc.data_copy(zGm, a, 64)
    asc.set_atomic_none()
