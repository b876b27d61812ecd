"""What judge and child say to each other: frames of msgpack, typed on both sides.

A frame is a little-endian 32-bit length and that many bytes. Nothing else crosses: no pickle, no code. What
a child sends is checked twice: by type when it is decoded (here), by meaning before the engine sees it
(`ascend_lab.exercise.admission`).
"""

from __future__ import annotations

import os
import struct
from collections.abc import Mapping
from typing import Any, Literal, Protocol

import msgspec

from ascend_lab.engine.instruction import Batch, Instr, Ref
from ascend_lab.exercise.sandbox import Bounds

#: Largest frame and largest sum of frames that a child may send in one launch, in bytes.
FRAME_LIMIT = 4 << 20
TOTAL_LIMIT = 256 << 20

Plain = int | float | bool | str | None
Parameter = int | float | bool | str | None | tuple[Plain, ...]
#: op, pipe, dst, srcs, params, where
WireInstr = tuple[str, int, Ref | None, tuple[Ref, ...], dict[str, Parameter], int]
_LENGTH = struct.Struct("<I")


class Cell(msgspec.Struct, frozen=True, array_like=True):
    """A piece of the answer's source: ``name`` is what messages call it ("s01.py", "s01.ipynb [3]")."""

    name: str
    text: str


class Job(msgspec.Struct, frozen=True, array_like=True, tag="job"):
    """Judge: the answer, the kernel to take from it, and the child's limits.

    ``live``: the cells are a session's inputs in order of execution, so the latest of all definitions
    counts; otherwise a notebook or file read from top to bottom. ``given``: the source handed out.
    """

    cells: tuple[Cell, ...]
    kernel: str
    live: bool
    given: str | None
    folder: str
    cpu_s: int
    memory_mb: int


class Execute(msgspec.Struct, frozen=True, array_like=True, tag="execute"):
    """Judge: become another program, within ``bounds``; the line stays open for it under the same numbers.

    The child answers Ready, and Failed when the program cannot be started; else it has become the program.
    """

    arguments: tuple[str, ...]
    environment: dict[str, str]
    bounds: Bounds


class Array(msgspec.Struct, frozen=True, array_like=True, tag="array"):
    """An array argument as the child knows it: a place in GM, never the data."""

    name: str
    addr: int
    dtype: str
    size: int


class Fields(msgspec.Struct, frozen=True, array_like=True, tag="fields"):
    """A struct argument (tiling): the child makes the kernel's own Struct of it."""

    values: dict[str, int | float]


class Open(msgspec.Struct, frozen=True, array_like=True, tag="open"):
    """Judge: launch the kernel."""

    arguments: tuple[Array | Fields | int | float | bool | None, ...]
    blocks: int
    chip: str
    batch_limit: int


class Resume(msgspec.Struct, frozen=True, array_like=True, tag="resume"):
    """Judge: run one block on, with the scalar it asked for."""

    block: int
    answer: int | float | bool | None


class Ready(msgspec.Struct, frozen=True, array_like=True, tag="ready"):
    """Child: its limits are in place; sent before any line of the answer runs."""

    layers: tuple[str, ...]


class Loaded(msgspec.Struct, frozen=True, array_like=True, tag="loaded"):
    """Child: the kernel is there. ``cells`` names every cell that defines it (more than one: a note)."""

    name: str
    parameters: tuple[str, ...]
    insert_sync: bool
    auto_sync: bool
    file: str
    line: int
    cells: tuple[str, ...]


class NotLoaded(msgspec.Struct, frozen=True, array_like=True, tag="not loaded"):
    """Child: no kernel, and what is in its way.

    ``names`` are near names; ``about`` as in `Crash`.
    """

    kind: Literal[
        "syntax", "missing", "empty", "import", "exception", "exit", "not a kernel", "broken"
    ]
    detail: str = ""
    message: str = ""
    file: str = ""
    line: int = 0
    names: tuple[str, ...] = ()
    about: tuple[str, ...] = ()


class Opened(msgspec.Struct, frozen=True, array_like=True, tag="opened"):
    """Child: the launch has begun."""


class Ran(msgspec.Struct, frozen=True, array_like=True, tag="ran"):
    """Child: a batch of one block. ``sources`` are the places that are new since the last message."""

    instrs: list[WireInstr]
    state: Literal["more", "ask", "done", "crash"]
    crash: tuple[str, str, int, tuple[str, ...]] | None
    sources: list[tuple[str, int, str]]


class Failed(msgspec.Struct, frozen=True, array_like=True, tag="failed"):
    """Child: the launch or a step of it raised outside any block; ``about`` as in `Crash`."""

    kind: str
    message: str
    file: str = ""
    line: int = 0
    about: tuple[str, ...] = ()


ToChild = Job | Execute | Open | Resume
FromChild = Ready | Loaded | NotLoaded | Opened | Ran | Failed
Parent = msgspec.msgpack.Decoder(FromChild)
Offspring = msgspec.msgpack.Decoder(ToChild)


def plain(value: Any) -> Any:
    """What a door's own number and tuple types are on the wire. Raises TypeError for anything else."""
    match value:
        case int():
            return int(value)
        case float():
            return float(value)
        case str():
            return str(value)
        case tuple():
            return tuple(value)
    if isinstance(value, Mapping):
        return dict(value)
    item = getattr(value, "item", None)
    if callable(item) and isinstance(number := item(), int | float):
        return number
    raise TypeError(f"{type(value).__name__} cannot leave the child")


def pack(message: ToChild | FromChild) -> bytes:
    """One message as bytes, without the length. Raises TypeError, OverflowError."""
    return msgspec.msgpack.encode(message, enc_hook=plain)


def ran(batch: Batch, sources: list[tuple[str, int, str]]) -> Ran:
    """A door's batch as the child sends it."""
    instrs = [_row(instr) for instr in batch.instrs]
    crash = None if batch.crash is None else tuple(batch.crash)
    return Ran(instrs, batch.state, crash, sources)  # type: ignore[arg-type]


def _row(instr: Instr) -> WireInstr:
    return (instr.op, instr.pipe, instr.dst, instr.srcs, instr.params, instr.where)  # type: ignore[return-value]


def frame(payload: bytes) -> bytes:
    """``payload`` with its length before it."""
    return _LENGTH.pack(len(payload)) + payload


class Closed(Exception):
    """The other side has gone."""


class TimedOut(Exception):
    """The other side has not spoken in time."""


class Flood(Exception):
    """The other side said more than it may."""


class Channel(Protocol):
    """The judge's end of the line to one child."""

    def send(self, payload: bytes) -> None:
        """Send one frame. Raises Closed, TimedOut."""
        ...

    def receive(self, timeout: float) -> bytes:
        """The next frame. Raises Closed, TimedOut, Flood."""
        ...

    def close(self) -> None:
        """Hang up."""
        ...


def length(head: bytes | bytearray) -> int:
    """Length of the frame that ``head`` begins. Raises Flood."""
    size: int = _LENGTH.unpack(head)[0]
    if size > FRAME_LIMIT:
        raise Flood
    return size


class Line:
    """The child's end: blocking, over plain file descriptors."""

    def __init__(self, read_fd: int, write_fd: int) -> None:
        self._read = read_fd
        self._write = write_fd

    def send(self, message: FromChild) -> None:
        """Send one message. Raises TypeError, OverflowError when it cannot be said."""
        data = memoryview(frame(pack(message)))
        while data:
            data = data[os.write(self._write, data) :]

    def receive(self) -> ToChild | None:
        """The next message; None when the judge has hung up."""
        head = self._exactly(_LENGTH.size)
        if head is None:
            return None
        body = self._exactly(_LENGTH.unpack(head)[0])
        return None if body is None else Offspring.decode(body)

    def _exactly(self, size: int) -> bytes | None:
        chunks = []
        while size:
            chunk = os.read(self._read, min(size, 1 << 20))
            if not chunk:
                return None
            chunks.append(chunk)
            size -= len(chunk)
        return b"".join(chunks)
