"""The host runtime in simulated time: what streams do and when, what the host sees, codes, logs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import ascend_lab.acl as acl
import ascend_lab.asc as asc
from ascend_lab.acl.codes import Code, Kind
from ascend_lab.acl.pace import Pace
from ascend_lab.engine.errors import LabError, NotModelled

MB = 1 << 20
H2D, D2H, D2D = int(Kind.HOST_TO_DEVICE), int(Kind.DEVICE_TO_HOST), int(Kind.DEVICE_TO_DEVICE)


@asc.jit
def double(x: asc.GlobalAddress, z: asc.GlobalAddress, count: int, tiles: int):
    x_gm, z_gm = asc.GlobalTensor(), asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    z_gm.set_global_buffer(z)
    local = asc.LocalTensor(x.dtype, asc.TPosition.VECCALC, 0, count)
    for tile in range(tiles):
        asc.data_copy(local, x_gm[tile * count :], count)
        asc.set_flag(asc.HardEvent.MTE2_V, 0)
        asc.wait_flag(asc.HardEvent.MTE2_V, 0)
        asc.adds(local, local, 1.0, count)
        asc.set_flag(asc.HardEvent.V_MTE3, 0)
        asc.wait_flag(asc.HardEvent.V_MTE3, 0)
        asc.data_copy(z_gm[tile * count :], local, count)
        asc.set_flag(asc.HardEvent.MTE3_MTE2, 0)
        asc.wait_flag(asc.HardEvent.MTE3_MTE2, 0)


@pytest.fixture
def runtime() -> Iterator[acl.Runtime]:
    with acl.using(acl.Runtime(environment={})) as made:
        yield made


@pytest.fixture
def ready(runtime: acl.Runtime) -> acl.Runtime:
    assert acl.init() == 0
    assert acl.rt.set_device(0) == 0
    return runtime


def pinned(size: int) -> int:
    pointer, ret = acl.rt.malloc_host(size)
    assert ret == 0
    return pointer


def device(size: int) -> int:
    pointer, ret = acl.rt.malloc(size, 0)
    assert ret == 0
    return pointer


def test_a_stream_does_one_thing_after_another(ready: acl.Runtime) -> None:
    """Two copies and their times, to the microsecond."""
    stream, _ = acl.rt.create_stream()
    host, there = pinned(MB), device(MB)
    queued = ready.now_us
    acl.rt.memcpy_async(there, MB, host, MB, H2D, stream)
    acl.rt.memcpy_async(host, MB, there, MB, D2H, stream)
    acl.rt.synchronize_stream(stream)
    pace = Pace()
    took = pace.setup_us + MB / 26e3
    start = queued + pace.call_us + pace.submit_us
    assert ready.tasks() == [
        ("h2d", 0, start, pytest.approx(start + took)),
        ("d2h", 0, pytest.approx(start + took), pytest.approx(start + 2 * took)),
    ]
    assert ready.now_us == pytest.approx(start + 2 * took)


def test_the_host_sees_old_bytes_until_it_has_waited(ready: acl.Runtime) -> None:
    stream, _ = acl.rt.create_stream()
    host, there = pinned(4096), device(4096)
    view = acl.util.ptr_to_numpy(host, (1024,), 5)
    acl.rt.memset(there, 4096, 1, 4096)
    acl.rt.memcpy_async(host, 4096, there, 4096, D2H, stream)
    assert view[0] == 0
    assert acl.rt.stream_query(stream) == (1, 0)
    assert view[0] == 0
    acl.rt.synchronize_stream(stream)
    assert acl.rt.stream_query(stream) == (0, 0)
    assert view[0] == 0x01010101


def test_a_copy_beside_a_kernel_sees_what_was_there_before(ready: acl.Runtime) -> None:
    """Another stream without an event reads the old result, though the kernel began earlier."""
    stream, _ = acl.rt.create_stream()
    other, _ = acl.rt.create_stream()
    x, host = np.ones(64 * 2048, dtype=np.float32), pinned(x_bytes := 64 * 2048 * 4)
    there, result = device(x_bytes), device(x_bytes)
    acl.rt.memcpy(there, x_bytes, acl.util.numpy_to_ptr(x), x_bytes, H2D)
    acl.rt.memset(result, x_bytes, 0, x_bytes)
    double[1, stream](there, acl.typed(result, np.float32), 2048, 64)
    acl.rt.memcpy_async(host, x_bytes, result, x_bytes, D2H, other)
    acl.rt.synchronize_device()
    assert not acl.util.ptr_to_numpy(host, (64 * 2048,), 11).any()
    kernel, copy = ready.tasks()
    assert kernel[0] == "kernel"
    assert kernel[2] < copy[2] < kernel[3]
    assert ready.findings.ids == ("J5",)
    acl.rt.memcpy(host, x_bytes, result, x_bytes, D2H)
    assert (acl.util.ptr_to_numpy(host, (64 * 2048,), 11) == 2).all()


@pytest.mark.parametrize("streams", [1, 2])
def test_copies_and_kernels_overlap_between_streams(ready: acl.Runtime, streams: int) -> None:
    """Four parts of an input: with two streams the copies of one hide behind the kernel of the other."""
    made = [acl.rt.create_stream()[0] for _ in range(streams)]
    size = 64 * 2048 * 4
    hosts = [pinned(size) for _ in range(4)]
    for host in hosts:
        acl.util.ptr_to_numpy(host, (64 * 2048,), 11)[:] = 1
    theres = [device(size) for _ in range(4)]
    begin = ready.now_us
    for part, (host, there) in enumerate(zip(hosts, theres, strict=True)):
        stream = made[part % streams]
        acl.rt.memcpy_async(there, size, host, size, H2D, stream)
        double[1, stream](there, there, 2048, 64)
        acl.rt.memcpy_async(host, size, there, size, D2H, stream)
    acl.rt.synchronize_device()
    took = ready.now_us - begin
    busy = sum(end - start for _, _, start, end in ready.tasks())
    for host in hosts:
        assert (acl.util.ptr_to_numpy(host, (64 * 2048,), 11) == 2).all()
    assert ready.findings.all == ()
    assert took > busy if streams == 1 else took < 0.8 * busy


def test_an_event_orders_two_streams(ready: acl.Runtime) -> None:
    first, _ = acl.rt.create_stream()
    second, _ = acl.rt.create_stream()
    event, _ = acl.rt.create_event()
    host, there = pinned(MB), device(MB)
    acl.rt.memcpy_async(there, MB, host, MB, H2D, first)
    acl.rt.record_event(event, first)
    acl.rt.stream_wait_event(second, event)
    acl.rt.memcpy_async(host, MB, there, MB, D2H, second)
    assert acl.rt.query_event_status(event) == (0, 0)
    acl.rt.synchronize_stream(second)
    assert acl.rt.query_event_status(event) == (1, 0)
    (_, _, _, end), (_, _, start, _) = ready.tasks()
    assert start == end
    assert ready.findings.all == ()


def test_events_measure_simulated_time(ready: acl.Runtime) -> None:
    stream, _ = acl.rt.create_stream()
    start, _ = acl.rt.create_event()
    end, _ = acl.rt.create_event_with_flag(0x8)
    plain, _ = acl.rt.create_event_with_flag(0x1)
    host, there = pinned(26 * MB), device(26 * MB)
    acl.rt.record_event(start, stream)
    acl.rt.memcpy_async(there, 26 * MB, host, 26 * MB, H2D, stream)
    acl.rt.record_event(end, stream)
    acl.rt.record_event(plain, stream)
    assert acl.rt.event_elapsed_time(start, end)[1] == Code.RT_EVENT_TIMESTAMP_INVALID
    acl.rt.synchronize_event(end)
    acl.rt.synchronize_stream(stream)
    ms, ret = acl.rt.event_elapsed_time(start, end)
    assert ret == 0
    assert ms == pytest.approx(26 * MB / 26e6, rel=0.02)
    assert acl.rt.event_elapsed_time(end, start)[1] == Code.RT_EVENT_TIMESTAMP_REVERSAL
    assert acl.rt.event_elapsed_time(start, plain)[1] == Code.RT_EVENT_TIMESTAMP_INVALID


def test_callbacks_run_in_the_order_of_the_stream(ready: acl.Runtime) -> None:
    stream, _ = acl.rt.create_stream()
    host, there, seen = pinned(32), device(32), []
    view = acl.util.ptr_to_numpy(host, (8,), 5)
    acl.rt.memset(there, 32, 1, 32)
    assert acl.rt.launch_callback(seen.append, 1, 1, stream) == Code.RT_STREAM_NO_CB_REG
    assert acl.rt.subscribe_report(0, stream) == 0
    acl.rt.launch_callback(lambda _: seen.append(int(view[0])), None, 1, stream)
    acl.rt.memcpy_async(host, 32, there, 32, D2H, stream)
    acl.rt.launch_callback(lambda _: seen.append(int(view[0])), None, 1, stream)
    assert seen == []
    assert acl.rt.process_report(-1) == 0
    acl.rt.synchronize_stream(stream)
    assert seen == [0, 0x01010101]
    assert acl.rt.process_report(1) == Code.RT_WAIT_TIMEOUT


def test_a_timeout_is_simulated_time(ready: acl.Runtime) -> None:
    stream, _ = acl.rt.create_stream()
    host, there = pinned(64 * MB), device(64 * MB)
    acl.rt.memcpy_async(there, 64 * MB, host, 64 * MB, H2D, stream)
    assert acl.rt.synchronize_stream_with_timeout(stream, 1) == Code.RT_STREAM_SYNC_TIMEOUT
    assert acl.rt.synchronize_stream_with_timeout(stream, 10) == 0


def test_copies_of_rows_and_within_the_device(ready: acl.Runtime) -> None:
    matrix = np.arange(64, dtype=np.uint8).reshape(8, 8)
    part, there, copy = np.zeros((8, 4), dtype=np.uint8), device(32), device(32)
    to_ptr = acl.util.numpy_to_ptr
    assert acl.rt.memcpy2d(there, 4, to_ptr(matrix) + 2, 8, 4, 8, H2D) == 0
    assert acl.rt.memcpy(copy, 32, there, 32, D2D) == 0
    assert acl.rt.memcpy(to_ptr(part), 32, copy, 32, int(Kind.DEFAULT)) == 0
    assert (part == matrix[:, 2:6]).all()
    assert acl.rt.memcpy2d(there, 4, to_ptr(matrix), 8, 6, 8, H2D) == Code.INVALID_PARAM


def test_memory_is_counted_by_pages(ready: acl.Runtime) -> None:
    free, total, ret = acl.rt.get_mem_info(1)
    assert (free, ret) == (total, 0)
    assert total == ready.device.spec.memory.gm_bytes
    small, big = device(100), device(MB + 1)
    assert acl.rt.get_mem_info(1)[0] == total - 4096 - 2 * MB
    acl.rt.free(small)
    acl.rt.free(big)
    assert acl.rt.get_mem_info(1)[0] == total
    assert acl.rt.malloc(total + 1, 0) == (0, Code.RT_MEMORY_ALLOCATION)
    assert f"{total} B of {total} B are free" in acl.get_recent_err_msg()
    assert acl.rt.malloc(0, 0)[1] == Code.INVALID_PARAM
    assert acl.rt.malloc(32, 77)[1] == Code.INVALID_PARAM
    with pytest.raises(NotModelled, match="aclrtMalloc"):
        acl.rt.malloc(16 << 30, 0)


def test_codes_of_what_does_not_exist(runtime: acl.Runtime) -> None:
    assert acl.rt.malloc(32, 0) == (0, Code.RT_CONTEXT_NULL)
    assert acl.rt.set_device(7) == Code.RT_INVALID_DEVICEID
    assert acl.init() == 0
    assert acl.init() == Code.REPEAT_INITIALIZE
    assert acl.rt.set_device(0) == 0
    assert acl.rt.synchronize_stream(99) == Code.RT_PARAM_INVALID
    assert acl.rt.get_last_error() == Code.RT_PARAM_INVALID
    assert acl.rt.get_last_error() == 0
    assert acl.rt.destroy_event(99) == Code.RT_PARAM_INVALID
    assert acl.rt.get_run_mode() == (1, 0)
    assert acl.rt.get_device_count() == (1, 0)
    assert acl.get_recent_err_msg().startswith("EE1001: ")
    assert acl.get_recent_err_msg() == ""


def test_a_stream_belongs_to_its_context(ready: acl.Runtime) -> None:
    mine, _ = acl.rt.get_context()
    stream, _ = acl.rt.create_stream()
    other, ret = acl.rt.create_context(0)
    assert ret == 0
    assert acl.rt.synchronize_stream(stream) == Code.RT_STREAM_CONTEXT
    assert acl.rt.set_context(mine) == 0
    assert acl.rt.synchronize_stream(stream) == 0
    assert acl.rt.destroy_context(other) == 0


def test_a_kernel_that_traps_is_told_by_the_stream(ready: acl.Runtime) -> None:
    stream, _ = acl.rt.create_stream()
    there = acl.typed(device(4096), np.float32)
    double[1, stream](there, there, 1 << 20, 1)  # a tile larger than UB
    assert acl.rt.synchronize_stream(stream) != 0
    assert ready.results[0][1].findings.errors


def test_pointers_of_python_are_guarded(ready: acl.Runtime) -> None:
    array, there = np.zeros(8, dtype=np.int32), device(64)
    to_ptr = acl.util.numpy_to_ptr
    assert acl.rt.memcpy(there, 64, to_ptr(array), 64, H2D) == Code.RT_PARAM_INVALID
    assert acl.rt.memcpy(there, 64, 0x7000_0000_0000, 64, H2D) == Code.RT_PARAM_INVALID
    with pytest.raises(LabError, match="32 B of host memory"):
        acl.util.ptr_to_bytes(to_ptr(array), 33)
    with pytest.raises(LabError, match="contiguous"):
        to_ptr(np.zeros((4, 4))[:, 1])
    data = bytes(range(32))
    acl.rt.memcpy(there, 64, acl.util.bytes_to_ptr(data), 32, H2D)
    acl.rt.memcpy(to_ptr(array), 32, there, 32, D2H)
    assert array.tobytes() == data == acl.util.ptr_to_bytes(to_ptr(array), 32)


def test_a_pointer_needs_a_type_somewhere(ready: acl.Runtime) -> None:
    there = device(64)
    with pytest.raises(LabError, match=r"acl\.typed"):
        double[1, 0](there, there, 8, 1)
    with pytest.raises(TypeError, match="complex"):
        acl.typed(there, np.complex64)


@pytest.mark.parametrize(("level", "lines"), [("1", 4), ("3", 1), ("4", 0)])
def test_the_log_has_what_the_level_asks_for(level: str, lines: int, tmp_path: Path) -> None:
    environment = {"ASCEND_PROCESS_LOG_PATH": str(tmp_path), "ASCEND_GLOBAL_LOG_LEVEL": level}
    for _ in range(2):  # the same program writes the same log
        with acl.using(acl.Runtime(environment=environment)):
            acl.rt.set_device(0)
            acl.rt.malloc(0, 0)
            acl.rt.reset_device(0)
        path = tmp_path / "debug" / "plog" / "plog-1.log"
        text = path.read_text("utf-8") if path.exists() else ""
        assert len(text.splitlines()) == lines
        assert ("aclrtMalloc: size is 0, code 100000 (EE1003)" in text) == bool(lines)
        assert str(tmp_path) not in text


@pytest.mark.parametrize(
    ("written", "said"),
    [(4096, []), (8192, ["J12"]), (1024, ["J12"]), (4000, [])],
    ids=["fits", "float for half", "a quarter", "padded"],
)
def test_an_input_file_of_another_size(written: int, said: list[str], tmp_path: Path) -> None:
    data = np.random.default_rng(1).integers(0, 256, 8192, dtype=np.uint8)
    (tmp_path / "input").mkdir()
    (tmp_path / "input" / "input_x.bin").write_bytes(data[:written].tobytes())
    read = np.zeros(4096, dtype=np.uint8)
    read[: min(written, 4096)] = data[: min(written, 4096)]
    with acl.using(acl.Runtime(environment={}, folder=tmp_path)) as runtime:
        acl.init()
        acl.rt.set_device(0)
        there = device(4096)
        acl.rt.memcpy(there, 4096, acl.util.numpy_to_ptr(read), 4096, H2D)
        acl.rt.free(there)
        acl.rt.reset_device(0)
        acl.finalize()
    assert [f.id for f in runtime.findings] == said
    if said:
        assert f"input_x.bin has {written} B" in runtime.findings[0].message("en")


def test_a_file_of_two_tensors_is_no_fault(tmp_path: Path) -> None:
    data = np.random.default_rng(1).integers(0, 256, 8192, dtype=np.uint8)
    (tmp_path / "input").mkdir()
    (tmp_path / "input" / "both.bin").write_bytes(data.tobytes())
    with acl.using(acl.Runtime(environment={}, folder=tmp_path)) as runtime:
        acl.init()
        acl.rt.set_device(0)
        there = device(4096)
        for part in (data[:4096].copy(), data[4096:].copy()):
            acl.rt.memcpy(there, 4096, acl.util.numpy_to_ptr(part), 4096, H2D)
    assert "J12" not in runtime.findings.ids
