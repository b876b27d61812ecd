"""The host runtime behind acl/acl.h: each call of the program's process becomes a call of `ascend_lab.acl`.

`Program` hands every call to `Host.call(name, values) -> values`. A table says which method of the runtime a name
means and where its results go; pointers to write through are of the program's memory.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from ascend_lab.acl import HostDevice, Runtime, Spot, races
from ascend_lab.acl.codes import Code
from ascend_lab.acl.host_device import GM_HIGH, GM_LOW, is_device
from ascend_lab.acl.kernels import Pointer
from ascend_lab.acl.session import OWN
from ascend_lab.ascendc.process import Process
from ascend_lab.checks import Findings
from ascend_lab.device import Result
from ascend_lab.engine.shown import shown

_RUNTIME = str(Path(__file__).resolve().parent / "runtime")
_MASK = (1 << 64) - 1
Value = int | str
Answer = tuple[Value, ...]

__all__ = ["GM_HIGH", "GM_LOW", "Host", "Launches"]


class Launches(Protocol):
    """What runs a kernel when the stream has come to it."""

    def launch(
        self, number: int, name: str, blocks: int, passed: Sequence[Any], place: Any
    ) -> Result:
        """Run launch ``number`` of the process to its end."""
        ...

    def parameters(self, name: str, count: int) -> tuple[str, ...]:
        """The names of the kernel's parameters."""
        ...


class _Memory:
    """The memory of the program's process, as the runtime takes it."""

    def __init__(self, process: Process) -> None:
        self._process = process

    def read_into(self, address: int, view: NDArray[np.uint8]) -> bool:
        return self._process.read_into(address, view)

    def write_from(self, address: int, view: NDArray[np.uint8]) -> bool:
        return self._process.write_from(address, np.ascontiguousarray(view))

    def extent(self, address: int) -> int | None:
        return None

    def dtype(self, address: int) -> str:
        return ""

    def call(self, function: Any, data: Any) -> None:
        self._process.invoke(function, data)


class _Call(NamedTuple):
    """A method of the runtime, and the results: (which argument is the pointer, format; "" is not written)."""

    method: Callable[..., Any]
    results: tuple[tuple[int, str], ...] = ()


class Host:
    """One program on one device. ``launches`` runs its kernels."""

    def __init__(
        self,
        process: Process,
        device: HostDevice,
        launches: Launches,
        folder: Path | None = None,
    ) -> None:
        self._process = process
        self._launches = launches
        self._place = OWN
        self.runtime = Runtime(device, _Memory(process), lambda: self._place, folder=folder)
        self._calls = _calls(self.runtime)
        self._over = False

    def call(self, name: str, values: tuple[Any, ...]) -> Answer:
        """Do what ``name`` asks; the first value of the answer is the status."""
        if name == "launch":
            return self._launch(*values)
        if name == "bye":
            self.end(alive=True)
            return (0,)
        if name == "aclGetRecentErrMsg":
            return (self.runtime.lifetime.recent_message(),)
        if name == "aclrtGetSocName":
            return (self.runtime.lifetime.soc_name(),)
        *arguments, file, line = values
        self._place = _spot(file, line)
        found = self._calls.get(name)
        if found is None:
            return (self._fail(name, Code.API_NOT_SUPPORT, f"{name} is not modelled"),)
        return (self._answer(name, found, arguments),)

    def _answer(self, name: str, found: _Call, arguments: list[Any]) -> int:
        targets = [(arguments[at], form) for at, form in found.results]
        if any(not target for target, _ in targets):
            return self._fail(name, Code.INVALID_PARAM, "a pointer for a result is null")
        skipped = {at for at, _ in found.results}
        kept = [_plain(value) for at, value in enumerate(arguments) if at not in skipped]
        answer = found.method(*kept)
        code, *results = answer if isinstance(answer, tuple) else (answer,)
        if code:
            return int(code)
        for (target, form), value in zip(targets, results, strict=False):
            if form and not self._process.poke(target, struct.pack(form, value)):
                return self._fail(name, Code.INVALID_PARAM, "a pointer for a result is not valid")
        return 0

    def _fail(self, name: str, code: Code, reason: str) -> int:
        return int(self.runtime.session.fail(name, code, reason))

    def _launch(
        self, number: int, name: str, blocks: int, stream: int, file: str, line: int, *rest: Any
    ) -> Answer:
        passed = [(rest[k], rest[k + 1]) for k in range(0, len(rest), 2)]
        self._place = spot = _spot(file, line)
        names = self._launches.parameters(name, len(passed))
        pointers = [
            Pointer(parameter, bits & _MASK)
            for parameter, (kind, bits) in zip(names, passed, strict=True)
            if kind == "p"
        ]

        def run() -> Result:
            return self._launches.launch(number, name, blocks, passed, (file, line))

        plain = name.split("<", maxsplit=1)[0].rsplit("::", maxsplit=1)[-1].strip()
        self._place = spot
        return (self.runtime.kernels.launch(plain, blocks, _plain(stream), pointers, run),)

    def died_at(self, address: int) -> None:
        """The program's process has touched ``address``, where it has no memory: J9 when the device has."""
        if is_device(address):
            session = self.runtime.session
            numbers = {"name": races.name_of(session, address), "address": f"{address:#x}"}
            session.report("J9", numbers, variant="touched", spot=self._place)

    def end(self, *, alive: bool) -> Findings:
        """The program has ended. When its process is gone, what was queued can run no more."""
        if not self._over:
            self._over = True
            self._place = OWN
            timeline = self.runtime.session.timeline
            if not alive:
                for stream in timeline.streams:
                    timeline.drop(stream)
            self.runtime.close()
        return self.runtime.findings


def _spot(file: str | None, line: int) -> Spot:
    if not file or file.startswith(_RUNTIME):
        return OWN
    return Spot(shown(file), line)


def _plain(value: Any) -> Any:
    """Addresses have 64 bits; what is negative and small is a number."""
    if isinstance(value, int) and value < -(1 << 40):
        return value & _MASK
    return value


def _calls(runtime: Runtime) -> dict[str, _Call]:
    life, memory, copies = runtime.lifetime, runtime.memory, runtime.copies
    streams = runtime.streams
    first_int, first_pointer = ((0, "<i"),), ((0, "<Q"),)
    return {
        "aclInit": _Call(life.init),
        "aclFinalize": _Call(life.finalize),
        "aclrtSetDevice": _Call(life.set_device),
        "aclrtResetDevice": _Call(life.reset_device),
        "aclrtGetDevice": _Call(life.get_device, first_int),
        "aclrtGetDeviceCount": _Call(life.get_device_count, ((0, "<I"),)),
        "aclrtGetRunMode": _Call(life.get_run_mode, first_int),
        "aclrtGetDeviceInfo": _Call(life.get_device_info, ((2, "<q"),)),
        "aclrtCreateContext": _Call(life.create_context, first_pointer),
        "aclrtDestroyContext": _Call(life.destroy_context),
        "aclrtSetCurrentContext": _Call(life.set_context),
        "aclrtGetCurrentContext": _Call(life.get_context, first_pointer),
        "aclrtGetLastError": _Call(life.get_last_error),
        "aclrtPeekAtLastError": _Call(life.peek_at_last_error),
        "aclrtCreateStream": _Call(streams.create, first_pointer),
        "aclrtCreateStreamWithConfig": _Call(streams.create_with_config, first_pointer),
        "aclrtDestroyStream": _Call(streams.destroy),
        "aclrtDestroyStreamForce": _Call(streams.destroy_force),
        "aclrtSynchronizeStream": _Call(streams.synchronize),
        "aclrtSynchronizeStreamWithTimeout": _Call(streams.synchronize_with_timeout),
        "aclrtSynchronizeDevice": _Call(streams.synchronize_device),
        "aclrtSynchronizeDeviceWithTimeout": _Call(streams.synchronize_device_with_timeout),
        "aclrtStreamQuery": _Call(streams.query, ((1, "<i"),)),
        "aclrtStreamWaitEvent": _Call(streams.wait_event),
        "aclrtCreateEvent": _Call(streams.create_event, first_pointer),
        "aclrtCreateEventWithFlag": _Call(streams.create_event_with_flag, first_pointer),
        "aclrtCreateEventExWithFlag": _Call(streams.create_event_with_flag, first_pointer),
        "aclrtDestroyEvent": _Call(streams.destroy_event),
        "aclrtRecordEvent": _Call(streams.record_event),
        "aclrtResetEvent": _Call(streams.reset_event),
        "aclrtQueryEventStatus": _Call(streams.query_event, ((1, "<i"),)),
        "aclrtSynchronizeEvent": _Call(streams.synchronize_event),
        "aclrtEventElapsedTime": _Call(streams.elapsed, ((0, "<f"),)),
        "aclrtLaunchCallback": _Call(streams.launch_callback),
        "aclrtSubscribeReport": _Call(streams.subscribe),
        "aclrtUnSubscribeReport": _Call(streams.unsubscribe),
        "aclrtProcessReport": _Call(streams.process_report),
        "aclrtMalloc": _Call(memory.malloc, first_pointer),
        "aclrtMallocAlign32": _Call(memory.malloc_align32, first_pointer),
        "aclrtFree": _Call(memory.free),
        "aclrtMallocHost": _Call(memory.malloc_host, ((0, ""),)),  # the process writes it itself
        "aclrtFreeHost": _Call(memory.free_host),
        "aclrtMemset": _Call(memory.memset),
        "aclrtMemsetAsync": _Call(memory.memset_async),
        "aclrtMemcpy": _Call(copies.memcpy),
        "aclrtMemcpyAsync": _Call(copies.memcpy_async),
        "aclrtMemcpy2d": _Call(copies.memcpy2d),
        "aclrtMemcpy2dAsync": _Call(copies.memcpy2d_async),
        "aclrtGetMemInfo": _Call(memory.get_mem_info, ((1, "<Q"), (2, "<Q"))),
    }
