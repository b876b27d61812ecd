"""A host program without fault: two streams, an event, pinned memory, two launches."""

import numpy as np

import ascend_lab.acl as acl
import ascend_lab.asc as asc

N, SIZE = 1024, 4096
ONES = np.ones(N, dtype=np.float32)


@asc.jit
def add(x: asc.GlobalAddress, y: asc.GlobalAddress, z: asc.GlobalAddress):
    x_gm, y_gm, z_gm = asc.GlobalTensor(), asc.GlobalTensor(), asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    y_gm.set_global_buffer(y)
    z_gm.set_global_buffer(z)
    x_local = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, 0, N)
    y_local = asc.LocalTensor(y.dtype, asc.TPosition.VECIN, SIZE, N)
    z_local = asc.LocalTensor(z.dtype, asc.TPosition.VECOUT, 2 * SIZE, N)
    asc.data_copy(x_local, x_gm, N)
    asc.data_copy(y_local, y_gm, N)
    asc.set_flag(asc.HardEvent.MTE2_V, 0)
    asc.wait_flag(asc.HardEvent.MTE2_V, 0)
    asc.add(z_local, x_local, y_local, N)
    asc.set_flag(asc.HardEvent.V_MTE3, 0)
    asc.wait_flag(asc.HardEvent.V_MTE3, 0)
    asc.data_copy(z_gm, z_local, N)


def main() -> None:
    acl.init()
    acl.rt.set_device(0)
    stream, _ = acl.rt.create_stream()
    copies, _ = acl.rt.create_stream()
    event, _ = acl.rt.create_event()
    x_host, _ = acl.rt.malloc_host(SIZE)
    z_host, _ = acl.rt.malloc_host(SIZE)
    x = acl.util.ptr_to_numpy(x_host, (N,), 11)
    x[:] = np.arange(N)
    x_dev, _ = acl.rt.malloc(SIZE, 0)
    y_dev, _ = acl.rt.malloc(SIZE, 0)
    z_dev, _ = acl.rt.malloc(SIZE, 0)
    acl.rt.memcpy(y_dev, SIZE, acl.util.numpy_to_ptr(ONES), SIZE, 1)
    acl.rt.memcpy_async(x_dev, SIZE, x_host, SIZE, 1, copies)
    acl.rt.record_event(event, copies)
    acl.rt.stream_wait_event(stream, event)
    add[1, stream](x_dev, y_dev, z_dev)
    acl.rt.memcpy_async(z_host, SIZE, z_dev, SIZE, 2, stream)
    acl.rt.synchronize_stream(stream)  # the result
    result = np.frombuffer(acl.util.ptr_to_bytes(z_host, SIZE), dtype=np.float32)
    print("right" if np.array_equal(result, np.arange(N) + 1) else "wrong")
    x[:] = 0
    add[1, stream](x_dev, z_dev, y_dev)
    acl.rt.synchronize_stream(stream)  # before the end
    acl.rt.free(x_dev)
    acl.rt.free(y_dev)
    acl.rt.free(z_dev)
    acl.rt.free_host(x_host)
    acl.rt.free_host(z_host)
    acl.rt.destroy_event(event)
    acl.rt.destroy_stream(copies)
    acl.rt.destroy_stream(stream)
    acl.rt.reset_device(0)
    acl.finalize()
