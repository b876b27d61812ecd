"""A kernel in a child, as a device sees it: `RemoteKernel` has what a ``@asc.jit`` function has.

The device runs in this process, on data the child never holds. Each launch gets a child of its own.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import msgspec
import numpy as np

from ascend_lab.chips import ChipSpec
from ascend_lab.engine.instruction import Argument, Batch, Crash, Where
from ascend_lab.exercise import wire
from ascend_lab.exercise.admission import Gate, Refused
from ascend_lab.exercise.faults import ChildFault, ended, not_loaded, told
from ascend_lab.exercise.launcher import Child, Launcher
from ascend_lab.exercise.task import Limits
from ascend_lab.exercise.watching import Watchman

_LAST_WORDS = re.compile(
    r"^(Fatal Python error: .*|Current thread 0x.*|Stack \(most recent call first\):)$",
    re.MULTILINE,
)
_FRAME = re.compile(r'^  File "(?P<file>[^"]*)", line (?P<line>\d+) in ', re.MULTILINE)
_PLACE = 200
_MESSAGE = 4000
_PRINTED = 64 << 10


@dataclass(frozen=True, slots=True)
class Answer:
    """A student's source: cells by name. ``live``: a session's inputs in order of execution.

    ``form``: "python"; "cpp", one Ascend C source; "project", the files of op_host and op_kernel by path.
    ``besides``: cells that define the kernel too and do not count.
    """

    cells: tuple[wire.Cell, ...]
    live: bool = False
    form: Literal["python", "cpp", "project"] = "python"
    besides: tuple[str, ...] = ()


@dataclass(slots=True)
class Record:
    """What the children of one kernel did: used by requirements and shown in reports."""

    layers: tuple[str, ...] = ()
    printed: list[str] = field(default_factory=list)
    launches: list[Counter[str]] = field(default_factory=list)  # instructions by name


class Session:
    """One child with the answer loaded. Raises ChildFault when it does not do what it should."""

    def __init__(
        self, launcher: Launcher, answer: Answer, kernel: str, given: str | None, limits: Limits
    ) -> None:
        self.kernel = kernel
        self.limits = limits
        self._cells = tuple(cell.name for cell in answer.cells)
        self.child: Child = launcher.start()
        self._watchman = Watchman(self.child.folder, limits.wall_s)
        job = wire.Job(
            answer.cells,
            kernel,
            answer.live,
            given,
            self.child.folder,
            limits.cpu_s,
            limits.memory_mb,
        )
        try:
            self._send(job)
            self.layers = self._ready()
            self.loaded = self._loaded()
        except BaseException:
            self.child.end()
            raise

    def _ready(self) -> tuple[str, ...]:
        found = self.receive()
        if not isinstance(found, wire.Ready):
            raise self._wrong(found)
        return found.layers

    def _loaded(self) -> wire.Loaded:
        found = self.receive()
        if isinstance(found, wire.NotLoaded):
            self.child.end()
            raise not_loaded(found, self.kernel)
        if not isinstance(found, wire.Loaded):
            raise self._wrong(found)
        return found

    def ask(self, message: wire.ToChild) -> wire.FromChild:
        """Send a message and receive the answer."""
        self._send(message)
        return self.receive()

    def _send(self, message: wire.ToChild) -> None:
        try:
            self.child.channel.send(wire.pack(message))
        except (wire.Closed, wire.TimedOut):
            raise self._ended() from None

    def receive(self) -> wire.FromChild:
        """The child's next message."""
        try:
            return wire.Parent.decode(self._watchman.wait(self.child.channel.receive))
        except wire.Closed:
            raise self._ended() from None
        except wire.TimedOut:
            self.child.end()
            raise ChildFault("wall", kernel=self.kernel, detail=self.limits.wall_s) from None
        except ChildFault:
            self.child.end()
            raise
        except wire.Flood:
            self.child.end()
            raise ChildFault("flood", detail=wire.TOTAL_LIMIT >> 20) from None
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            self.child.end()
            raise ChildFault("protocol") from None

    def _wrong(self, found: wire.FromChild) -> ChildFault:
        """A message that was not expected now."""
        self.child.end()
        if isinstance(found, wire.Failed):
            return failed(found, self.kernel)
        return ChildFault("protocol")

    def _ended(self) -> ChildFault:
        """Why a child is gone that should have answered."""
        death = self.child.end(kill=False)
        return ended(death, self.limits.cpu_s, *self._last_line())

    def _last_line(self) -> tuple[str, int]:
        """Where in the answer the interpreter says that it was."""
        for frame in _FRAME.finditer(self.child.printed()):
            if frame["file"] in self._cells:
                return frame["file"], int(frame["line"])
        return "", 0

    def printed(self) -> str:
        """What the answer has printed, without what the interpreter says of a crash."""
        text = self.child.printed()
        last = _LAST_WORDS.search(text)
        return text[: last.start() if last else None][:_PRINTED]


def failed(found: wire.Failed, kernel: str) -> ChildFault:
    """The fault for an exception outside any block."""
    message = told(found.kind, found.message, found.about)
    if found.kind == "NotModelled":
        return ChildFault("not_modelled", message=message)
    if found.kind == "InternalError":
        return ChildFault("internal", message=message)
    if found.kind == "unsayable":
        return ChildFault("unsayable", detail=message)
    file, line = _short(found.file), max(found.line, 0)
    return ChildFault("launch", file, line, kernel=kernel, detail=found.kind[:80], message=message)


class RemoteKernel:
    """A kernel of an answer, ready for `Device.launch`. Raises ChildFault when it cannot be loaded.

    ``names`` are the parameters as the task calls them (`host_names`); the kernel's own names are used when
    there are as many of them.
    """

    def __init__(
        self,
        launcher: Launcher,
        answer: Answer,
        kernel: str,
        names: Sequence[str],
        *,
        given: str | None = None,
        limits: Limits | None = None,
    ) -> None:
        self._launcher = launcher
        self._answer = answer
        self._limits = limits or Limits()
        self._given = given
        self.name = kernel
        self.host_names = tuple(names)
        self.record = Record()
        self._waiting: Session | None = self._session()
        loaded = self._waiting.loaded
        self.record.layers = self._waiting.layers
        self.insert_sync = loaded.insert_sync
        self.auto_sync = loaded.auto_sync
        self.file = _short(loaded.file)
        self.line = loaded.line
        self.defined_in = tuple(_short(name) for name in loaded.cells)
        self.parameters = self._checked(loaded.parameters, names)

    def _checked(self, own: tuple[str, ...], names: Sequence[str]) -> tuple[str, ...]:
        if len(own) != len(names):
            self.close()
            raise ChildFault(
                "signature",
                kernel=self.name,
                got=len(own),
                want=len(names),
                got_names=", ".join(_short(name) for name in own[:20]),
                want_names=", ".join(names),
            )
        usable = len(set(own)) == len(own) and all(n.isidentifier() and len(n) < 64 for n in own)
        return own if usable else tuple(names)

    def read_source(self, file: str) -> Sequence[str]:
        """The lines of a cell or file of the answer: the checks name operands by them."""
        for cell in self._answer.cells:
            if _short(cell.name) == file:
                return cell.text.splitlines(keepends=True)
        return ()

    def _session(self) -> Session:
        return Session(self._launcher, self._answer, self.name, self._given, self._limits)

    def open(
        self, arguments: list[Any], blocks: int, chip: ChipSpec, batch_limit: int = 256
    ) -> RemoteDoor:
        """Start the kernel in a child of its own."""
        session, self._waiting = self._waiting or self._session(), None
        values = tuple(_on_wire(value) for value in arguments)
        reply = session.ask(wire.Open(values, blocks, chip.name, batch_limit))
        if isinstance(reply, wire.Failed):
            session.child.end()
            raise failed(reply, self.name)
        if not isinstance(reply, wire.Opened):
            session.child.end()
            raise ChildFault("protocol")
        return RemoteDoor(session, blocks, self.record)

    def close(self) -> None:
        """End the child that waits for a launch, if there is one."""
        if self._waiting is not None:
            self._waiting.child.end()
            self._waiting = None


def _on_wire(value: Any) -> Any:
    if isinstance(value, Argument):
        return wire.Array(*value)
    return value.item() if isinstance(value, np.generic) else value


def _short(name: str) -> str:
    return name[:_PLACE]


class RemoteDoor:
    """A launch in a child: satisfies `ascend_lab.engine.instruction.Door`. Raises ChildFault."""

    def __init__(self, session: Session, blocks: int, record: Record) -> None:
        self.sources: list[Where] = []
        self._session = session
        self._blocks = blocks
        self._record = record
        self._ops: Counter[str] = Counter()
        record.launches.append(self._ops)
        self._gate = Gate()
        self._closed = False

    def resume(self, block: int, answer: Any = None) -> Batch:
        """Run block ``block`` in the child until it stops."""
        plain = answer.item() if isinstance(answer, np.generic) else answer
        reply = self._session.ask(wire.Resume(block, plain))
        if isinstance(reply, wire.Failed):
            raise failed(reply, self._session.kernel)
        if not isinstance(reply, wire.Ran):
            raise ChildFault("protocol")
        for file, line, function in reply.sources:
            self.sources.append(Where(_short(file), max(line, 0), _short(function)))
        self._gate.sources = len(self.sources)
        return Batch(self._admitted(reply), reply.state, self._crash(reply))

    def _admitted(self, reply: wire.Ran) -> list[Any]:
        admit = self._gate.admit
        instrs = []
        for row in reply.instrs:
            try:
                instr = admit(row)
            except Refused as refused:
                raise self._refusal(row, refused) from None
            instrs.append(instr)
            self._count(instr)
        return instrs

    def _count(self, instr: Any) -> None:
        ops = self._ops
        ops[instr.op] += 1
        if instr.op == "InitBuffer":
            ops["TBuf" if instr.params["kind"] == "buf" else "TQue"] += 1

    def _refusal(self, row: wire.WireInstr, refused: Refused) -> ChildFault:
        where = row[5]
        place = self.sources[where] if 0 <= where < len(self.sources) else Where("", 0)
        return ChildFault("instruction", place.file, place.line, detail=str(refused))

    def _crash(self, reply: wire.Ran) -> Crash | None:
        if reply.state != "crash":
            return None
        if reply.crash is None or not 0 <= reply.crash[2] < len(self.sources):
            raise ChildFault("protocol")
        kind, message, where, about = reply.crash
        if kind in ("NotModelled", "InternalError"):
            ours = "not_modelled" if kind == "NotModelled" else "internal"
            raise ChildFault(ours, message=told(kind, message, about))
        known = tuple(part[:_MESSAGE] for part in about) if len(about) == 2 else ()
        return Crash(kind[:80], message[:_MESSAGE], where, known)

    def close(self) -> None:
        """End the child and keep what it printed."""
        if not self._closed:
            self._closed = True
            self._session.child.end()
            self._record.printed.append(self._session.printed())
