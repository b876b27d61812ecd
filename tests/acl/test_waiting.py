"""K16 and K17: a device that stands still for its host; silent where copies and kernels overlap, or nothing is lost."""

from __future__ import annotations

import importlib.util
import itertools
from pathlib import Path

import ascend_lab.acl as acl
from ascend_lab.acl.host_device import HostDevice
from ascend_lab.checks import Finding

HEAD = """
import numpy as np
import ascend_lab.acl as acl
import ascend_lab.asc as asc

N, STEPS = 1 << 15, 4
SIZE = 4 * N


@asc.jit
def work(x: asc.GlobalAddress, z: asc.GlobalAddress):
    x_gm, z_gm = asc.GlobalTensor(), asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    z_gm.set_global_buffer(z)
    local = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, 0, N)
    asc.data_copy(local, x_gm, N)
    asc.set_flag(asc.HardEvent.MTE2_V, 0)
    asc.wait_flag(asc.HardEvent.MTE2_V, 0)
    for _ in range(20):
        asc.sqrt(local, local, N)
    asc.set_flag(asc.HardEvent.V_MTE3, 0)
    asc.wait_flag(asc.HardEvent.V_MTE3, 0)
    asc.data_copy(z_gm, local, N)


@asc.jit
def tiles(x: asc.GlobalAddress, z: asc.GlobalAddress, steps: asc.ConstExpr[int], whole: asc.ConstExpr[int]):
    # exp (1), abs (2) or both, tile by tile; with whole, all is loaded before anything is stored
    own, part = N // asc.get_block_num(), 2048
    x_gm, z_gm = asc.GlobalTensor(), asc.GlobalTensor()
    x_gm.set_global_buffer(x + own * asc.get_block_idx(), own)
    z_gm.set_global_buffer(z + own * asc.get_block_idx(), own)
    pipe = asc.TPipe()
    queue = asc.TQueBind(asc.TPosition.VECIN, asc.TPosition.VECOUT, 1)
    keep = own // part if whole else 2
    pipe.init_buffer(queue, keep, part * 4)
    for first in range(0, own // part, keep if whole else 1):
        for at in range(first, first + (keep if whole else 1)):
            local = queue.alloc_tensor(x.dtype)
            asc.data_copy(local, x_gm[at * part :], part)
            queue.enque(local)
            if not whole:
                one(queue, z_gm, at, part, steps)
        if whole:
            for at in range(first, first + keep):
                one(queue, z_gm, at, part, steps)


@asc.jit
def one(queue: asc.TQueBind, z_gm: asc.GlobalTensor, at: int, part: int, steps: int):
    local = queue.deque(asc.float32)
    asc.set_flag(asc.HardEvent.MTE2_V, 4)
    asc.wait_flag(asc.HardEvent.MTE2_V, 4)
    if steps % 2:
        asc.exp(local, local, part)
    if steps > 1:
        asc.abs(local, local, part)
    asc.set_flag(asc.HardEvent.V_MTE3, 4)
    asc.wait_flag(asc.HardEvent.V_MTE3, 4)
    asc.data_copy(z_gm[at * part :], local, part)
    queue.free_tensor(local)


def main():
    acl.init()
    acl.rt.set_device(0)
    streams = [acl.rt.create_stream()[0] for _ in range(2)]
    host, _ = acl.rt.malloc_host(STEPS * SIZE)
    array = acl.util.ptr_to_numpy(host, (STEPS * N,), 11)
    array[:] = 1.0
    blocks = [acl.rt.malloc(SIZE, 0)[0] for _ in range(2 * STEPS)]
BODY
    acl.rt.synchronize_device()
    for block in blocks:
        acl.rt.free(block)
    acl.rt.free_host(host)
    for stream in streams:
        acl.rt.destroy_stream(stream)
    acl.rt.reset_device(0)
    acl.finalize()
"""
STEPS = """
    for i in range(STEPS):
        x, z, stream = blocks[2 * i], blocks[2 * i + 1], streams[i % 2]
        acl.rt.memcpy(x, SIZE, host + i * SIZE, SIZE, 1)  # here
        work[1, stream](acl.typed(x, np.float32), acl.typed(z, np.float32))
        acl.rt.synchronize_stream(stream)
"""
DETOUR = """
    x, y, z, w = blocks[:4]
    acl.rt.memcpy(x, SIZE, host, SIZE, 1)
    work[1, streams[0]](acl.typed(x, np.float32), acl.typed(y, np.float32))
    acl.rt.synchronize_stream(streams[0])
    acl.rt.memcpy(host, SIZE, y, SIZE, 2)
    array[:N] = np.abs(array[:N]) + 1
    acl.rt.memcpy(z, SIZE, host, SIZE, 1)  # here
    work[1, streams[0]](acl.typed(z, np.float32), acl.typed(w, np.float32))
"""
ASYNC = (
    "memcpy(x, SIZE, host + i * SIZE, SIZE, 1)",
    "memcpy_async(x, SIZE, host + i * SIZE, SIZE, 1, stream)",
)
WAIT = ("        acl.rt.synchronize_stream(stream)\n", "")
COUNT = itertools.count()


def ran(
    body: str, folder: Path, *changes: tuple[str, str], performance: bool = True
) -> tuple[float, list[Finding]]:
    """How long a program with ``body`` takes, and what is said about it."""
    for old, new in changes:
        assert old in body
        body = body.replace(old, new)
    path = folder / "host_program.py"
    path.write_text(HEAD.replace("BODY", body.strip("\n")))
    spec = importlib.util.spec_from_file_location(f"host_program_{next(COUNT)}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    device = HostDevice(performance=performance)
    with acl.using(acl.Runtime(device, environment={}, strict=True)) as runtime:
        module.main()
    for finding in runtime.findings:
        text = path.read_text().splitlines()[finding.line - 1]
        assert text.endswith("# here"), text
        assert finding.severity == "performance"
        assert "{" not in finding.message("zh") + finding.message("en")
    TIMES[:] = [result.time_us for _, result in runtime.results]
    return runtime.now_us, list(runtime.findings)


TIMES: list[float] = []


def times(body: str, folder: Path, *changes: tuple[str, str]) -> list[float]:
    """How long each launch of a program takes."""
    ran(body, folder, *changes)
    return list(TIMES)


def told(
    body: str, folder: Path, *changes: tuple[str, str], performance: bool = True
) -> list[Finding]:
    return ran(body, folder, *changes, performance=performance)[1]


def test_steps_that_copy_and_wait(tmp_path: Path) -> None:
    (found,) = told(STEPS, tmp_path)
    assert (found.id, found.variant) == ("K17", "")
    assert "in each of 4 steps" in found.message("en")
    assert told(STEPS, tmp_path, performance=False) == []


def test_the_fix_is_silent(tmp_path: Path) -> None:
    """Behind the loop the host waits once: the next copy runs beside the kernel."""
    assert told(STEPS, tmp_path, WAIT) == []
    assert told(STEPS, tmp_path, WAIT, ASYNC) == []


def test_one_stream_makes_them_take_turns_too(tmp_path: Path) -> None:
    alone = ("streams[i % 2]", "streams[0]")
    (found,) = told(STEPS, tmp_path, WAIT, ASYNC, alone)
    assert (found.id, found.variant) == ("K17", "stream")


def test_the_promised_gain(tmp_path: Path) -> None:
    """What the finding promises is what the program gains, within a third or 5 points."""
    now, (found,) = ran(STEPS, tmp_path)
    then, _ = ran(STEPS, tmp_path, WAIT, ASYNC)
    whole = float(found.numbers["whole"])
    promised = float(found.numbers["gain"].rstrip("%")) / 100
    gained = (now - then) / whole
    assert abs(promised - gained) <= max(gained / 3, 0.05), (promised, gained)


def test_a_step_on_the_host(tmp_path: Path) -> None:
    (found,) = told(DETOUR, tmp_path)
    assert (found.id, found.variant) == ("K16", "")
    (found,) = told(DETOUR, tmp_path, ("    array[:N] = np.abs(array[:N]) + 1\n", ""))
    assert (found.id, found.variant) == ("K16", "same")
    assert told(DETOUR, tmp_path, ("(acl.typed(z, np.float32)", "(acl.typed(y, np.float32)")) == []


def test_the_next_batch_is_no_detour(tmp_path: Path) -> None:
    """The same launch again, through the same host memory: new data, not a result on its way."""
    batches = """
    for i in range(2):
        acl.rt.memcpy(blocks[0], SIZE, host, SIZE, 1)
        work[1, streams[0]](acl.typed(blocks[0], np.float32), acl.typed(blocks[1], np.float32))
        acl.rt.synchronize_stream(streams[0])
        acl.rt.memcpy(host, SIZE, blocks[1], SIZE, 2)
        array[:N] = i
"""
    assert told(batches, tmp_path) == []
