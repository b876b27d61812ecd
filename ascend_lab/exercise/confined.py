"""C++ of an answer is compiled and run in children: a `Site` for the C++ door."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import msgspec

from ascend_lab.ascendc.lines import Lines
from ascend_lab.ascendc.process import Limits as ProcessLimits
from ascend_lab.engine.instruction import Where
from ascend_lab.exercise import toolchain, wire
from ascend_lab.exercise.clearing import clear
from ascend_lab.exercise.faults import ChildFault, ended
from ascend_lab.exercise.launcher import Child, Launcher, SocketChannel
from ascend_lab.exercise.sandbox import Bounds
from ascend_lab.exercise.task import Limits
from ascend_lab.exercise.watching import Watchman

#: What a compiler may take: CPU seconds of each of its programs, seconds in all, megabytes.
#: The seconds in all end one that waits; they are many, as a busy machine is not the student's fault.
COMPILE_CPU_S, COMPILE_WALL_S, COMPILE_MB, COMPILE_FILE_MB = 40, 300.0, 2048, 256
#: Largest frame and largest sum of frames of one program.
FRAME_LIMIT, TOTAL_LIMIT = 32 << 20, 512 << 20
_PRINTED = 64 << 10
_STARTS_S = 20.0
#: What finding the line of an address may take, and for how many addresses of an answer it is done.
_LINES_CPU_S, _LINES_WALL_S, _LINES_MB, _LINES = 5, 60.0, 1024, 100
#: What a compiler says when one of its programs was ended by a limit.
_OUT_OF_BOUNDS = re.compile(
    r"signal terminated program|memory exhausted|out of memory|(?i:cpu time limit exceeded)"
)
_CHUNK = 1 << 16


class ConfinedSite:
    """Compiles and runs the sources of one answer. Raises ChildFault when a child does not do its part."""

    def __init__(self, launcher: Launcher, kernel: str, limits: Limits) -> None:
        self.layers: tuple[str, ...] = ()
        self.links: list[ConfinedLink] = []
        self._launcher = launcher
        self._kernel = kernel
        self._limits = limits
        self._folders: list[str] = []
        self._lines: dict[tuple[Path, int], Where | None] = {}

    def folder(self) -> Path:
        """A new folder, that a compiler may write."""
        made = tempfile.mkdtemp(prefix="build-", dir=self._launcher.scratch)
        self._folders.append(made)
        return Path(made)

    def place(self, files: dict[str, str]) -> Path:
        """A new folder with the answer's own files, that children may read."""
        root = Path(tempfile.mkdtemp(prefix="answer-", dir=self._launcher.scratch))
        self._folders.append(str(root))
        for name, text in files.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        for folder, _, names in os.walk(root):
            os.chmod(folder, 0o755)
            for name in names:
                os.chmod(os.path.join(folder, name), 0o644)
        return root

    def compile(
        self, arguments: Sequence[str], folder: Path, readable: Sequence[Path]
    ) -> tuple[int, str]:
        """Run a compiler in ``folder``; its exit code and what it said."""
        names = (*toolchain.readable(), *map(str, readable))
        bounds = Bounds(
            *(str(folder), COMPILE_CPU_S, COMPILE_MB, COMPILE_FILE_MB, names),
            may_fork=True,
            may_exec=True,
        )
        path = os.pathsep.join(name for name in names if name.endswith("/bin"))
        # The folder it is in: the way to it may lead through folders that are not the child's.
        environment = {"PATH": path, "TMPDIR": ".", "LC_ALL": "C"}
        child = self._become(tuple(arguments), environment, bounds)
        try:
            _until_closed(child, self._kernel, COMPILE_WALL_S)
        finally:
            death = child.end(kill=False)
        said = child.printed()
        if death.code and _OUT_OF_BOUNDS.search(said):
            raise _bomb(self._kernel)
        if death.code and "prelude.h: Permission denied" in said:  # root's, and no Landlock
            raise ChildFault("internal", message=said.splitlines()[-1])
        return death.code or -death.signal, said

    def start(self, program: Path, limits: ProcessLimits | None) -> ConfinedLink:
        """Start a program in a child; the line becomes its wire."""
        child = self._launcher.start()
        copy = os.path.join(child.folder, "program")
        shutil.copyfile(program, copy, follow_symlinks=False)
        os.chmod(copy, 0o755)
        bounds = Bounds(child.folder, self._limits.cpu_s, self._limits.memory_mb, may_exec=True)
        self._become(("./program",), {"ASCEND_LAB_WIRE": "3,3"}, bounds, child)
        link = ConfinedLink(child, self._kernel, self._limits, partial(self._line_of, program))
        self.links.append(link)
        return link

    def _line_of(self, program: Path, code: int) -> Where | None:
        """The line that an address belongs to, found once for all launches of a program."""
        known = self._lines
        if (program, code) not in known and len(known) < _LINES:
            known[program, code] = Lines(program, partial(self._tool, program.parent))(code)
        return known.get((program, code))

    def _tool(self, folder: Path, command: list[str]) -> str:
        """What a program that reads files of ``folder`` prints; "" when it cannot be had."""
        layers = self.layers  # those of the answer
        child = self._launcher.start()
        names = (*toolchain.readable(), str(folder))
        bounds = Bounds(child.folder, _LINES_CPU_S, _LINES_MB, readable=names, may_exec=True)
        try:
            self._become(tuple(command), {"LC_ALL": "C"}, bounds, child)
            try:
                _until_closed(child, self._kernel, _LINES_WALL_S)
            finally:
                child.end(kill=False)
        except ChildFault:
            return ""
        finally:
            self.layers = layers
        lines = child.printed().splitlines()
        return "\n".join(line for line in lines if not line.startswith(f"{command[0]}:"))

    def _become(
        self,
        arguments: tuple[str, ...],
        environment: dict[str, str],
        bounds: Bounds,
        child: Child | None = None,
    ) -> Child:
        child = child or self._launcher.start()
        try:
            child.channel.send(wire.pack(wire.Execute(arguments, environment, bounds)))
            ready = wire.Parent.decode(child.channel.receive(_STARTS_S))
        except (wire.Closed, wire.TimedOut, wire.Flood, msgspec.MsgspecError):
            child.end()
            raise ChildFault("internal", message="a child did not start") from None
        if not isinstance(ready, wire.Ready) or not isinstance(child.channel, SocketChannel):
            child.end()
            raise ChildFault("no_cpp")
        self.layers = ready.layers
        return child

    def close(self) -> None:
        """End what still runs and remove all folders."""
        for link in self.links:
            link.close()
        while self._folders:
            clear(self._folders.pop())


def _bomb(kernel: str) -> ChildFault:
    return ChildFault("compile_time", kernel=kernel, detail=COMPILE_CPU_S, memory=COMPILE_MB)


def _until_closed(child: Child, kernel: str, seconds: float) -> None:
    """Wait until all that holds the line has gone. A compiler says nothing on it."""
    assert isinstance(child.channel, SocketChannel)
    try:
        if child.channel.some(1, seconds):
            raise ChildFault("protocol")
    except wire.TimedOut:
        child.end()
        raise _bomb(kernel) from None
    except wire.Closed:
        return


class ConfinedLink:
    """The way to a program in a child: a `Link` of the C++ door. Raises ChildFault."""

    pid = 0  # its memory is its own

    def __init__(
        self,
        child: Child,
        kernel: str,
        limits: Limits,
        line_of: Callable[[int], Where | None],
    ) -> None:
        assert isinstance(child.channel, SocketChannel)
        self.is_gone = False
        self._line_of = line_of
        self._child = child
        self._channel = child.channel
        self._kernel = kernel
        self._limits = limits
        self._watchman = Watchman(child.folder, limits.wall_s)
        self._left = TOTAL_LIMIT

    def line_of(self, code: int) -> Where | None:
        """The line that an address of the program belongs to."""
        return self._line_of(code)

    def write(self, data: bytes) -> None:
        """Send all of ``data``. Raises OSError when it has gone."""
        try:
            self._channel.send_plain(data)
        except (wire.Closed, wire.TimedOut):
            self.is_gone = True
            raise BrokenPipeError from None

    def read(self, most: int, timeout: float) -> bytes:
        """What has come, b"" when it has gone."""
        try:
            data = self._watchman.wait(
                lambda seconds: self._channel.some(min(most, _CHUNK), seconds)
            )
        except wire.Closed:
            data = b""
        except wire.TimedOut:
            self._child.end()
            raise ChildFault("wall", kernel=self._kernel, detail=self._limits.wall_s) from None
        except ChildFault:
            self._child.end()
            raise
        self.is_gone = not data
        self._left -= len(data)
        if self._left < 0:
            self._child.end()
            raise ChildFault("flood", detail=TOTAL_LIMIT >> 20)
        return data

    def fault(self) -> ChildFault:
        """Why it is gone."""
        return ended(self._child.end(kill=False), self._limits.cpu_s)

    def close(self) -> int:
        """End it."""
        death = self._child.end()
        return -death.signal if death.signal else death.code

    def kill(self) -> None:
        """End it."""
        self._child.end()

    def printed(self) -> str:
        """What it has printed; known when it has ended."""
        return self._child.printed()[:_PRINTED]
