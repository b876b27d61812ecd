"""The host runtime behind acl/acl.h: what each call means.

`Program` hands every call to an object with ``call(name, values) -> values``; this is the plainest one: one device,
everything done at once and in order. It reads and writes the program's memory through `Process.peek` and `poke`.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ascend_lab.ascendc.process import Process
from ascend_lab.engine.device_memory import DeviceMemory

OK = 0
INVALID_PARAM = 100000
BAD_ALLOC = 200000
RT_PARAM_INVALID = 107000
VECTOR_CORE_EXCEPTION = 507035
GM_LOW, GM_HIGH = 1 << 32, 1 << 40
Bytes = NDArray[np.uint8]
Value = int | str
Answer = tuple[Value, ...]


def is_device(address: int) -> bool:
    """Whether an address is one of the model's GM."""
    return GM_LOW <= address < GM_HIGH


class Launches(Protocol):
    """What runs a kernel when the stream has come to it."""

    def launch(self, number: int, name: str, blocks: int, passed: Sequence[Any], place: Any) -> int:
        """Run launch ``number`` of the process to its end; an error code."""
        ...


class Host:
    """One device, one order. ``launches`` runs kernels, ``memory`` is the device's."""

    def __init__(
        self, process: Process, memory: DeviceMemory, launches: Launches, soc: str
    ) -> None:
        self._process = process
        self._memory = memory
        self._launches = launches
        self._soc = soc
        self._handles = 0x10000
        self._error = OK
        self._message = ""

    def call(self, name: str, values: tuple[Any, ...]) -> Answer:
        """Do what ``name`` asks; the first value of the answer is the status."""
        method: Callable[..., Any] | None = getattr(self, f"_{name}", None)
        if method is None:
            return (OK,) if name in _NOTHING else (self._fail(200001, f"{name} is not modelled"),)
        found = method(*values)
        return found if isinstance(found, tuple) else (found,)

    def _fail(self, code: int, message: str) -> int:
        self._error, self._message = code, message
        return code

    def _store(self, address: int, data: bytes) -> int:
        if address == 0 or not self._process.poke(address, data):
            return self._fail(
                INVALID_PARAM, "a pointer to write through is null or not this program's"
            )
        return OK

    def _handle(self, address: int) -> int:
        self._handles += 16
        return self._store(address, struct.pack("<Q", self._handles))

    # --- devices, contexts, streams, events ------------------------------------------------------------

    def _aclrtGetDeviceCount(self, to: int) -> int:  # noqa: N802  # the names of acl
        return self._store(to, struct.pack("<I", 1))

    def _aclrtGetDevice(self, to: int) -> int:  # noqa: N802
        return self._store(to, struct.pack("<i", 0))

    def _aclrtGetRunMode(self, to: int) -> int:  # noqa: N802
        return self._store(to, struct.pack("<i", 1))  # ACL_HOST

    def _aclrtGetSocName(self) -> Answer:  # noqa: N802
        return (self._soc,)

    def _aclrtCreateContext(self, to: int, _: int) -> int:  # noqa: N802
        return self._handle(to)

    def _aclrtGetCurrentContext(self, to: int) -> int:  # noqa: N802
        return self._handle(to)

    def _aclrtCreateStream(self, to: int) -> int:  # noqa: N802
        return self._handle(to)

    def _aclrtCreateStreamWithConfig(self, to: int, *_: int) -> int:  # noqa: N802
        return self._handle(to)

    def _aclrtCreateEvent(self, to: int) -> int:  # noqa: N802
        return self._handle(to)

    def _aclrtCreateEventWithFlag(self, to: int, _: int) -> int:  # noqa: N802
        return self._handle(to)

    _aclrtCreateEventExWithFlag = _aclrtCreateEventWithFlag  # noqa: N815

    def _aclrtEventElapsedTime(self, to: int, *_: int) -> int:  # noqa: N802
        return self._store(to, struct.pack("<f", 0.0))

    def _aclrtQueryEventStatus(self, _: int, to: int) -> int:  # noqa: N802
        return self._store(to, struct.pack("<i", 1))

    def _aclrtStreamQuery(self, _: int, to: int) -> int:  # noqa: N802
        return self._store(to, struct.pack("<i", 0))

    def _aclrtLaunchCallback(self, function: int, data: int, *_: int) -> int:  # noqa: N802
        self._process.invoke(function, data)
        return OK

    def _aclrtSynchronizeStream(self, *_: int) -> int:  # noqa: N802
        return self._error

    _aclrtSynchronizeDevice = _aclrtSynchronizeStream  # noqa: N815
    _aclrtSynchronizeStreamWithTimeout = _aclrtSynchronizeStream  # noqa: N815
    _aclrtSynchronizeDeviceWithTimeout = _aclrtSynchronizeStream  # noqa: N815

    def _aclrtGetLastError(self, _: int) -> int:  # noqa: N802
        found, self._error = self._error, OK
        return found

    def _aclrtPeekAtLastError(self, _: int) -> int:  # noqa: N802
        return self._error

    def _aclGetRecentErrMsg(self) -> Answer:  # noqa: N802
        return (self._message,)

    # --- memory ----------------------------------------------------------------------------------------

    def _aclrtMalloc(self, to: int, size: int, _: int) -> int:  # noqa: N802
        if size <= 0:
            return self._fail(RT_PARAM_INVALID, "aclrtMalloc: size is 0")
        try:
            made = self._memory.alloc(f"gm{len(self._memory.allocations)}", size)
        except MemoryError as error:
            return self._fail(BAD_ALLOC, str(error))
        return self._store(to, struct.pack("<Q", made.addr))

    _aclrtMallocAlign32 = _aclrtMalloc  # noqa: N815

    def _aclrtFree(self, address: int) -> int:  # noqa: N802
        if self._memory.free(address) is None:
            return self._fail(RT_PARAM_INVALID, "aclrtFree: not an address of aclrtMalloc")
        return OK

    def _aclrtMallocHost(self, to: int, size: int, made: int) -> int:  # noqa: N802
        if not to or size <= 0 or not made:
            return self._fail(INVALID_PARAM, "aclrtMallocHost: no pointer, no size or no memory")
        return OK

    def _aclrtFreeHost(self, address: int) -> int:  # noqa: N802
        return OK if address else self._fail(INVALID_PARAM, "aclrtFreeHost: null")

    def _aclrtMemset(self, to: int, most: int, value: int, size: int, *_: int) -> int:  # noqa: N802
        if size > most:
            return self._fail(RT_PARAM_INVALID, f"aclrtMemset: {size} B do not fit {most} B")
        view = self._memory.span(to, size)
        if view is None:
            return self._fail(RT_PARAM_INVALID, "aclrtMemset: no memory of the device")
        view[:] = value & 0xFF
        return OK

    _aclrtMemsetAsync = _aclrtMemset  # noqa: N815

    def _aclrtMemcpy(self, to: int, most: int, source: int, size: int, *_: int) -> int:  # noqa: N802
        if size > most:
            return self._fail(RT_PARAM_INVALID, f"aclrtMemcpy: {size} B do not fit {most} B")
        target, origin = self._on_device(to, size), self._on_device(source, size)
        if (target is None and is_device(to)) or (origin is None and is_device(source)):
            return self._fail(RT_PARAM_INVALID, "aclrtMemcpy: no memory of the device")
        return self._copy(to, source, size, target, origin)

    def _copy(
        self, to: int, source: int, size: int, target: Bytes | None, origin: Bytes | None
    ) -> int:
        if origin is None:
            origin = np.empty(size, dtype=np.uint8) if target is None else target
            if not self._process.read_into(source, origin):
                return self._fail(RT_PARAM_INVALID, "aclrtMemcpy: the source is not readable")
        if target is None:
            if not self._process.write_from(to, np.ascontiguousarray(origin)):
                return self._fail(RT_PARAM_INVALID, "aclrtMemcpy: the destination is not writable")
        elif target is not origin:
            target[:] = origin
        return OK

    def _on_device(self, address: int, size: int) -> Bytes | None:
        return self._memory.span(address, size) if is_device(address) else None

    _aclrtMemcpyAsync = _aclrtMemcpy  # noqa: N815

    def _aclrtMemcpy2d(  # noqa: N802
        self, to: int, dpitch: int, source: int, spitch: int, width: int, height: int, *_: int
    ) -> int:
        for row in range(height):
            code = self._aclrtMemcpy(to + row * dpitch, width, source + row * spitch, width)
            if code:
                return code
        return OK

    _aclrtMemcpy2dAsync = _aclrtMemcpy2d  # noqa: N815

    # --- kernels ---------------------------------------------------------------------------------------

    def _launch(self, number: int, name: str, blocks: int, _: int, *rest: Any) -> int:
        file, line, *pairs = rest
        passed = [(pairs[k], pairs[k + 1]) for k in range(0, len(pairs), 2)]
        code = self._launches.launch(number, name, blocks, passed, (file, line))
        if code:
            self._fail(code, f"kernel {name} ended with an error")
        return OK


_NOTHING = frozenset(
    {
        *("aclInit", "aclFinalize", "aclrtSetDevice", "aclrtResetDevice", "aclrtDestroyContext"),
        *("aclrtSetCurrentContext", "aclrtDestroyStream", "aclrtDestroyStreamForce"),
        *("aclrtStreamWaitEvent", "aclrtDestroyEvent", "aclrtRecordEvent", "aclrtResetEvent"),
        *("aclrtSynchronizeEvent", "aclrtSubscribeReport", "aclrtUnSubscribeReport"),
        *("aclrtProcessReport", "hello", "bye"),
    }
)
