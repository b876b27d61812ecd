"""One program of the student in its own process, and the wire to it.

Frames: a length (8 bytes), a kind (1 byte), a body. The program asks (calls of the host runtime); while it waits
for the reply it does what this side wants: run a block on, read or write its memory, call a function.
"""

from __future__ import annotations

import os
import resource
import select
import signal
import struct
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from ascend_lab.ascendc import transfer
from ascend_lab.ascendc.lines import Lines
from ascend_lab.ascendc.records import Tables
from ascend_lab.chips import ChipSpec
from ascend_lab.engine.errors import InternalError
from ascend_lab.engine.instruction import Where

_LENGTH = struct.Struct("<Q")
_RESUME = struct.Struct("<IIcqd")
_MASK = (1 << 64) - 1
CPU_SECONDS = 120
SILENCE_SECONDS = 150.0
MEMORY_MB = 4096


class Link(Protocol):
    """The way to a program: bytes to and from it, and its end. `Pipes` is the one to a process of this user."""

    pid: int  # 0: its memory is not to be had from outside

    def line_of(self, code: int) -> Where | None:
        """The line of the source that an address of the program belongs to."""
        ...

    def write(self, data: bytes) -> None:
        """Send all of ``data``. Raises OSError when it has gone."""
        ...

    def read(self, most: int, timeout: float) -> bytes:
        """What has come, b"" when it has gone. Raises TimeoutError."""
        ...

    def close(self) -> int:
        """Hang up and wait for its end: its exit code, -signal when one killed it."""
        ...

    def kill(self) -> None:
        """End it now."""
        ...


class ProcessDied(Exception):
    """The program has ended or been ended; `Process.death` says how."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What a program may use: CPU seconds, megabytes of address space, seconds between two frames.

    A frame of it may have ``frame_bytes``.
    """

    cpu_s: int = CPU_SECONDS
    memory_mb: int = MEMORY_MB
    silence_s: float = SILENCE_SECONDS
    frame_bytes: int = 1 << 32


@dataclass(frozen=True, slots=True)
class Call:
    """A call of the host program: integers, strings and None."""

    name: str
    values: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Said:
    """What a program said when it could not go on: kind of frame and its texts."""

    kind: str
    texts: tuple[str, ...]
    number: int = 0


class Described(NamedTuple):
    """A kernel as its program has registered it; a template cannot be called from outside."""

    name: str
    parameters: str
    qualifiers: str
    file: str
    line: int
    end: int
    is_callable: bool


@dataclass(frozen=True, slots=True)
class Ran:
    """What a block did: state ("m", "a", "d", "c"), records, and how it crashed."""

    state: str
    records: bytes
    crash: tuple[str, ...] = ()
    crash_site: int = -1


class Process:
    """A running program. Close it, or use it as a context manager."""

    def __init__(
        self,
        program: Path,
        args: Sequence[str] = (),
        *,
        folder: Path | None = None,
        limits: Limits | None = None,
        environment: Mapping[str, str] | None = None,
        stdout: int | IO[bytes] | None = None,
        link: Link | None = None,
    ) -> None:
        self.limits = limits or Limits()
        self.last_said: Said | None = None
        self.timed_out = False
        self._heard = bytearray()
        self._link: Link = link or Pipes(
            [str(program), *args], self.limits, folder, environment, stdout
        )
        self.tables = Tables(self._link.line_of)

    def __enter__(self) -> Process:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- frames --------------------------------------------------------------------------------------

    def _send(self, kind: str, body: bytes = b"") -> None:
        try:
            self._link.write(_LENGTH.pack(len(body) + 1) + kind.encode() + body)
        except OSError:
            raise ProcessDied from None

    def _exactly(self, size: int) -> bytes:
        heard = self._heard
        while len(heard) < size:
            try:
                more = self._link.read(max(size - len(heard), 1 << 16), self.limits.silence_s)
            except TimeoutError:
                self.timed_out = True
                self.kill()
                raise ProcessDied from None
            if not more:
                raise ProcessDied
            heard += more
        data = bytes(heard[:size])
        del heard[:size]
        return data

    def _receive(self) -> tuple[str, bytes]:
        (length,) = _LENGTH.unpack(self._exactly(8))
        if not 0 < length < self.limits.frame_bytes:
            raise InternalError("the program of the C++ door sent a frame of no sensible length")
        kind = self._exactly(1).decode("latin-1")
        body = self._exactly(length - 1)
        if kind in "XNO":
            self.last_said = _said(kind, body)
            raise ProcessDied
        return kind, body

    def _expect(self, kinds: str) -> tuple[str, bytes]:
        kind, body = self._receive()
        if kind not in kinds:
            raise InternalError(f"the program of the C++ door answered {kind!r}, not {kinds!r}")
        return kind, body

    # --- what it asks ----------------------------------------------------------------------------------

    def call(self) -> Call:
        """Its next call. Raises ProcessDied when there is none any more."""
        _, body = self._expect("H")
        return _call(body)

    def reply(self, *values: int | str) -> None:
        """Answer its call: the first value is the status."""
        body = bytearray()
        for value in values:
            if isinstance(value, str):
                data = value.encode()
                body += b"s" + struct.pack("<I", len(data)) + data
            else:
                body += b"i" + struct.pack("<Q", value & _MASK)
        self._send("A", bytes(body))

    # --- what it does meanwhile ----------------------------------------------------------------------

    def set_chip(self, spec: ChipSpec) -> None:
        """Tell it what kernels may ask about the chip."""
        memory = spec.memory
        sizes = (
            *(memory.ub_bytes, memory.ub_usable_bytes, spec.limits.block_bytes),
            *(memory.l1_bytes, memory.l0a_bytes, memory.l0b_bytes, memory.l0c_bytes),
            *(memory.l2_bytes, memory.gm_bytes),
            *(spec.vector_cores, spec.cube_cores, int(spec.fused)),
        )
        self._send("H", struct.pack("<12Q", *sizes))

    def set_tiling_key(self, key: int) -> None:
        """The key that TILING_KEY_IS compares with in later launches."""
        self._send("Y", struct.pack("<Q", key & _MASK))

    def kernels(self) -> list[Described]:
        """Each kernel it has registered, in its order."""
        self._send("K")
        _, body = self._expect("K")
        found: list[Described] = []
        at = 0
        while at < len(body):
            texts = []
            for _ in range(4):
                (size,) = struct.unpack_from("<I", body, at)
                texts.append(body[at + 4 : at + 4 + size].decode())
                at += 4 + size
            line, end, callable_ = struct.unpack_from("<ii?", body, at)
            at += 9
            name, parameters, qualifiers, file = texts
            found.append(Described(name, parameters, qualifiers, file, line, end, callable_))
        return found

    def open(self, which: int, blocks: int, words: bytes) -> int:
        """Prepare a launch of kernel ``which`` with its arguments as words; its number."""
        self._send("O", struct.pack("<III", which, blocks, len(words) // 8) + words)
        _, body = self._expect("D")
        (number,) = struct.unpack("<I", body)
        return int(number)

    def resume(self, launch: int, block: int, answer: Any) -> Ran:
        """Run a block on until it stops."""
        kind, whole, real = b"n", 0, 0.0
        if isinstance(answer, tuple):  # GetMrgSortResult: four counts of 16 bits
            answer = sum((int(count) & 0xFFFF) << 16 * k for k, count in enumerate(answer))
        if isinstance(answer, float):
            kind, real = b"f", answer
        elif answer is not None:
            whole = int(answer) & _MASK
            kind, whole = b"i", whole - (1 << 64) if whole >> 63 else whole
        self._send("R", _RESUME.pack(launch, block, kind, whole, real))
        _, body = self._expect("B")
        state = chr(body[0])
        (size,) = struct.unpack_from("<I", body, 1)
        if size:
            self.tables.define(body[5 : 5 + size])
        at = 5 + size
        site, length = struct.unpack_from("<II", body, at)
        at += 8
        crash = tuple(_texts(body[at : at + length])) if length else ()
        return Ran(state, body[at + length :], crash, site)

    def drop(self, launch: int) -> None:
        """Drop the blocks of a launch; it may be opened again."""
        self._send("Q", struct.pack("<I", launch))

    def forget(self, launch: int) -> None:
        """A launch will not be opened again."""
        self._send("F", struct.pack("<I", launch))

    def peek(self, address: int, size: int) -> bytes | None:
        """``size`` bytes of its memory, None where it has none."""
        self._send("P", struct.pack("<QQ", address & _MASK, size))
        kind, body = self._expect("DE")
        return body if kind == "D" else None

    def poke(self, address: int, data: bytes) -> bool:
        """Write into its memory; False where it has none."""
        self._send("W", struct.pack("<Q", address & _MASK) + data)
        kind, _ = self._expect("DE")
        return kind == "D"

    def read_into(self, address: int, view: NDArray[np.uint8]) -> bool:
        """Fill ``view`` from its memory; False where it has none."""
        if self._link.pid and transfer.read_into(self._link.pid, address, view):
            return True
        data = self.peek(address, view.size)
        if data is not None:
            view[:] = np.frombuffer(data, dtype=np.uint8)
        return data is not None

    def write_from(self, address: int, view: NDArray[np.uint8]) -> bool:
        """Write ``view`` into its memory; False where it has none."""
        if self._link.pid and transfer.write_from(self._link.pid, address, view):
            return True
        return self.poke(address, view.tobytes())

    def invoke(self, function: int, argument: int) -> None:
        """Call ``void (*)(void*)`` in it."""
        self._send("C", struct.pack("<QQ", function & _MASK, argument & _MASK))
        self._expect("D")

    def say(self, text: str) -> None:
        """Print on its standard output, in order with what it prints itself."""
        self._send("T", text.encode())

    # --- the end ---------------------------------------------------------------------------------------

    def close(self) -> int:
        """End it if it still runs; its exit code, -signal when one killed it."""
        return self._link.close()

    def kill(self) -> None:
        """End it now."""
        self._link.kill()


class Pipes:
    """A `Link` to a process of this user, over two pipes."""

    def __init__(
        self,
        command: Sequence[str],
        limits: Limits,
        folder: Path | None,
        environment: Mapping[str, str] | None,
        stdout: int | IO[bytes] | None,
    ) -> None:
        self._closed = False
        self._line_of = Lines(Path(command[0]))
        mine_in, its_out = os.pipe()
        its_in, mine_out = os.pipe()
        env = dict(os.environ if environment is None else environment)
        env["ASCEND_LAB_WIRE"] = f"{its_in},{its_out}"
        env.setdefault("GLIBC_TUNABLES", "glibc.malloc.hugetlb=1")  # large arrays in large pages
        try:
            self._popen = subprocess.Popen(
                command,
                cwd=folder,
                env=env,
                pass_fds=(its_in, its_out),
                stdin=subprocess.DEVNULL,
                stdout=stdout,
                stderr=stdout if stdout is not None else None,
            )
        finally:
            os.close(its_in)
            os.close(its_out)
        self.pid = self._popen.pid
        _limit(self.pid, limits)
        self._in = mine_in
        self._out = os.fdopen(mine_out, "wb", buffering=0)

    def line_of(self, code: int) -> Where | None:
        """The line that an address of the program belongs to."""
        return self._line_of(code)

    def write(self, data: bytes) -> None:
        """Send all of ``data``. Raises OSError when it has gone."""
        view = memoryview(data)
        while view:
            view = view[self._out.write(view) or 0 :]

    def read(self, most: int, timeout: float) -> bytes:
        """What has come, b"" when it has gone. Raises TimeoutError."""
        if not select.select([self._in], [], [], timeout)[0]:
            raise TimeoutError
        return os.read(self._in, most)

    def close(self) -> int:
        """Hang up and wait for its end."""
        if not self._closed:
            self._closed = True
            os.close(self._in)
            with suppress(OSError):
                self._out.close()
        try:
            return self._popen.wait(timeout=5)
        except subprocess.TimeoutExpired:
            self._popen.kill()
            return self._popen.wait()

    def kill(self) -> None:
        """End it now."""
        self._popen.kill()


def _limit(pid: int, limits: Limits) -> None:
    """It waits for this side before any line of the student's ``main`` runs."""
    if not hasattr(resource, "prlimit"):
        return
    nbytes = limits.memory_mb << 20
    for name, soft, hard in (
        (resource.RLIMIT_CPU, limits.cpu_s, limits.cpu_s + 1),
        (resource.RLIMIT_AS, nbytes, nbytes),
        (resource.RLIMIT_CORE, 0, 0),
    ):
        try:
            resource.prlimit(pid, name, (soft, hard))
        except (OSError, ValueError):  # a lower limit is in force, or it has ended
            continue


def signal_name(code: int) -> str:
    """ "SIGSEGV" of -11, "" of an exit code."""
    if code >= 0:
        return ""
    try:
        return signal.Signals(-code).name
    except ValueError:
        return f"signal {-code}"


def _texts(body: bytes) -> list[str]:
    found, at = [], 0
    while at + 4 <= len(body):
        (size,) = struct.unpack_from("<I", body, at)
        found.append(body[at + 4 : at + 4 + size].decode("utf-8", "replace"))
        at += 4 + size
    return found


def _said(kind: str, body: bytes) -> Said:
    if kind == "X":
        (size,) = struct.unpack_from("<I", body)
        (address,) = struct.unpack_from("<Q", body, 4 + size)
        return Said(kind, (body[4 : 4 + size].decode(),), address)
    return Said(kind, tuple(_texts(body)))


def _call(body: bytes) -> Call:
    (size,) = struct.unpack_from("<I", body)
    name, at = body[4 : 4 + size].decode(), 4 + size
    values: list[Any] = []
    while at < len(body):
        kind = body[at : at + 1]
        at += 1
        if kind == b"i":
            (value,) = struct.unpack_from("<q", body, at)
            values.append(value)
            at += 8
        elif kind == b"s":
            (size,) = struct.unpack_from("<I", body, at)
            values.append(body[at + 4 : at + 4 + size].decode("utf-8", "replace"))
            at += 4 + size
        else:
            values.append(None)
    return Call(name, tuple(values))


assert sys.byteorder == "little", "the wire is little-endian"
