"""acl.rt: devices, contexts, streams, events, memory. Names and order of results are pyACL's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ascend_lab.acl.current import current


def _last(found: Any) -> Any:
    """(code, values...) of the runtime as pyACL gives it: the code last."""
    return (*found[1:], found[0])


def set_device(device_id: int) -> int:
    """Use a device; there is number 0."""
    return int(current().lifetime.set_device(device_id))


def reset_device(device_id: int) -> int:
    """Leave the device: the counterpart of set_device."""
    return int(current().lifetime.reset_device(device_id))


def get_device() -> tuple[int, int]:
    """(device, ret)."""
    return _pair(current().lifetime.get_device())


def get_device_count() -> tuple[int, int]:
    """(count, ret)."""
    return _pair(current().lifetime.get_device_count())


def get_run_mode() -> tuple[int, int]:
    """(1 for host, ret)."""
    return _pair(current().lifetime.get_run_mode())


def create_context(device_id: int) -> tuple[int, int]:
    """(context, ret)."""
    return _pair(current().lifetime.create_context(device_id))


def destroy_context(context: int) -> int:
    """Destroy a context of create_context."""
    return int(current().lifetime.destroy_context(context))


def set_context(context: int) -> int:
    """Make a context the current one."""
    return int(current().lifetime.set_context(context))


def get_context() -> tuple[int, int]:
    """(context, ret)."""
    return _pair(current().lifetime.get_context())


def create_stream() -> tuple[int, int]:
    """(stream, ret)."""
    return _pair(current().streams.create())


def destroy_stream(stream: int) -> int:
    """Destroy a stream; its tasks end before."""
    return int(current().streams.destroy(stream))


def synchronize_stream(stream: int) -> int:
    """The host waits until the stream has nothing to do. 0 is the default stream."""
    return int(current().streams.synchronize(stream))


def synchronize_stream_with_timeout(stream: int, timeout: int) -> int:
    """As synchronize_stream, for at most ``timeout`` simulated milliseconds (-1: for ever)."""
    return int(current().streams.synchronize_with_timeout(stream, timeout))


def synchronize_device() -> int:
    """The host waits for every stream."""
    return int(current().streams.synchronize_device())


def stream_query(stream: int) -> tuple[int, int]:
    """(0 complete or 1 not yet, ret)."""
    return _pair(current().streams.query(stream))


def create_event() -> tuple[int, int]:
    """(event, ret)."""
    return _pair(current().streams.create_event())


def create_event_with_flag(flag: int) -> tuple[int, int]:
    """(event, ret). ``flag`` 0x8 (ACL_EVENT_TIME_LINE) keeps a time."""
    return _pair(current().streams.create_event_with_flag(flag))


def destroy_event(event: int) -> int:
    """Destroy an event."""
    return int(current().streams.destroy_event(event))


def record_event(event: int, stream: int) -> int:
    """The event is complete when the stream has come to it."""
    return int(current().streams.record_event(event, stream))


def reset_event(event: int, stream: int) -> int:
    """Forget the record."""
    return int(current().streams.reset_event(event, stream))


def query_event_status(event: int) -> tuple[int, int]:
    """(1 complete or 0 not yet, ret)."""
    return _pair(current().streams.query_event(event))


def synchronize_event(event: int) -> int:
    """The host waits for the event."""
    return int(current().streams.synchronize_event(event))


def stream_wait_event(stream: int, event: int) -> int:
    """Later tasks of the stream wait for the event."""
    return int(current().streams.wait_event(stream, event))


def event_elapsed_time(start: int, end: int) -> tuple[float, int]:
    """(simulated milliseconds between two complete events, ret)."""
    found: tuple[float, int] = _last(current().streams.elapsed(start, end))
    return found


def subscribe_report(thread_id: int, stream: int) -> int:
    """The stream may have callbacks."""
    return int(current().streams.subscribe(thread_id, stream))


def unsubscribe_report(thread_id: int, stream: int) -> int:
    """The stream has no callbacks any more."""
    return int(current().streams.unsubscribe(thread_id, stream))


def launch_callback(
    function: Callable[[Any], Any], user_data: Any, block_type: int, stream: int
) -> int:
    """Call ``function(user_data)`` when the stream has come to it."""
    return int(current().streams.launch_callback(function, user_data, block_type, stream))


def process_report(timeout: int) -> int:
    """Wait for a callback, for at most ``timeout`` simulated milliseconds (-1: for ever)."""
    return int(current().streams.process_report(timeout))


def malloc(size: int, policy: int) -> tuple[int, int]:
    """(device pointer, ret). ``policy``: 0 huge pages first, 1 huge pages only, 2 normal pages."""
    return _pair(current().memory.malloc(size, policy))


def free(dev_ptr: int) -> int:
    """Free device memory."""
    return int(current().memory.free(dev_ptr))


def malloc_host(size: int) -> tuple[int, int]:
    """(host pointer, ret): memory that asynchronous copies may use."""
    runtime = current()
    made = runtime.arrays.allocate(size)
    found = runtime.memory.malloc_host(size, made)
    return _pair(found)


def free_host(host_ptr: int) -> int:
    """Free memory of malloc_host."""
    runtime = current()
    code = int(runtime.memory.free_host(host_ptr))
    if code == 0:
        runtime.arrays.forget(host_ptr)
    return code


def memset(dev_ptr: int, max_count: int, value: int, count: int) -> int:
    """Set ``count`` bytes."""
    return int(current().memory.memset(dev_ptr, max_count, value, count))


def memset_async(dev_ptr: int, max_count: int, value: int, count: int, stream: int) -> int:
    """As memset, as a task of the stream."""
    return int(current().memory.memset_async(dev_ptr, max_count, value, count, stream))


def memcpy(dst: int, dest_max: int, src: int, count: int, kind: int) -> int:
    """Copy ``count`` bytes. ``kind``: 0 host to host, 1 host to device, 2 device to host, 3 in the device."""
    return int(current().copies.memcpy(dst, dest_max, src, count, kind))


def memcpy_async(dst: int, dest_max: int, src: int, count: int, kind: int, stream: int) -> int:
    """As memcpy, as a task of the stream."""
    return int(current().copies.memcpy_async(dst, dest_max, src, count, kind, stream))


def memcpy2d(
    dst: int, dpitch: int, src: int, spitch: int, width: int, height: int, kind: int
) -> int:
    """Copy ``height`` rows of ``width`` bytes."""
    return int(current().copies.memcpy2d(dst, dpitch, src, spitch, width, height, kind))


def memcpy2d_async(
    dst: int, dpitch: int, src: int, spitch: int, width: int, height: int, kind: int, stream: int
) -> int:
    """As memcpy2d, as tasks of the stream."""
    copies = current().copies
    return int(copies.memcpy2d_async(dst, dpitch, src, spitch, width, height, kind, stream))


def get_mem_info(attr: int) -> tuple[int, int, int]:
    """(free, total, ret) in bytes."""
    found: tuple[int, int, int] = _last(current().memory.get_mem_info(attr))
    return found


def get_last_error(level: int = 0) -> int:
    """The latest error; it is forgotten then."""
    return int(current().lifetime.get_last_error(level))


def peek_at_last_error(level: int = 0) -> int:
    """The latest error."""
    return int(current().lifetime.peek_at_last_error(level))


def _pair(found: Any) -> tuple[int, int]:
    value, code = _last(found)
    return int(value), int(code)
