"""Starts children: forked from a zygote where the system can, as fresh interpreters where it cannot."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
import weakref
from pathlib import Path
from typing import IO, Any, Protocol

from ascend_lab.exercise import bubblewrap, sandbox
from ascend_lab.exercise.clearing import clear
from ascend_lab.exercise.death import Death
from ascend_lab.exercise.wire import TOTAL_LIMIT, Channel, Closed, Flood, TimedOut, frame, length

_HEAD = 4
_RECORD = struct.Struct(
    "<cqq"
)  # as zygote.RECORD and zygote.DEATH; importing it would load the door
_HELLO_S = 60.0
_PRINTED_LIMIT = 8 << 20


class Child(Protocol):
    """One child, for one launch. ``folder`` is its working folder."""

    channel: Channel
    folder: str

    def end(self, kill: bool = True) -> Death:
        """Let it end (or make it), remove its folder, and say how it ended."""
        ...

    def printed(self) -> str:
        """What it has printed; what the interpreter says of a crash comes last."""
        ...


class Launcher(Protocol):
    """Starts children until it is closed. ``scratch`` is the folder of their folders."""

    scratch: str

    def start(self) -> Child:
        """A child that waits for its job."""
        ...

    def close(self) -> None:
        """End what still runs."""
        ...


def launcher(kind: str = "auto") -> Launcher:
    """A "fork" or "spawn" launcher; "auto" forks where the system can."""
    if kind == "auto":
        kind = "fork" if hasattr(os, "fork") and hasattr(socket, "send_fds") else "spawn"
    return ForkLauncher() if kind == "fork" else SpawnLauncher()


def _command(code: str) -> list[str]:
    """A Python that sees the packages this one sees, whatever its environment and folder."""
    paths = json.dumps([path for path in sys.path if path])
    root = str(Path(__file__).resolve().parents[2])
    start = f"import sys, json; sys.path[:] = [{root!r}, *json.loads({paths!r})]; {code}"
    return [sys.executable, "-s", "-P", "-B", "-X", "utf8", "-c", start]


def _environment(boxed: bool = False) -> dict[str, str]:
    """As empty as the system allows. One thread for linear algebra: threads do not survive a fork.

    The child forgets all of it before a line of the answer runs.
    """
    own = {"PYTHONHASHSEED": "0", "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    kept = ("SYSTEMROOT", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", sandbox.WITHOUT)
    if boxed:
        own[sandbox.IN_A_BOX] = "1"
    return own | {name: os.environ[name] for name in kept if name in os.environ}


def _scratch() -> str:
    """A folder for what children write. Others may pass through it, but not look what is there."""
    made = tempfile.mkdtemp(prefix="ascend-lab-")
    if os.name == "posix" and os.geteuid() == 0:  # children are nobody then
        os.chmod(made, 0o711)
    return made


class _Prints:
    """The file a child prints into; read once, when the child is gone."""

    def __init__(self) -> None:
        self.file: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115  # lives as long as the child
        self.text = ""

    def collect(self) -> None:
        """Keep the text, close the file."""
        if not self.file.closed:
            self.file.seek(0)
            self.text = self.file.read(_PRINTED_LIMIT).decode("utf-8", "replace")
            self.file.close()


# --- forked ------------------------------------------------------------------------------------------


class SocketChannel:
    """A frame channel over a socket; a `Channel`."""

    def __init__(self, sock: socket.socket) -> None:
        self._socket = sock
        self._left = TOTAL_LIMIT
        self._data = bytearray()

    def send(self, payload: bytes) -> None:
        """Send one frame."""
        self.send_plain(frame(payload))

    def receive(self, timeout: float) -> bytes:
        """The next frame. After TimedOut it may be asked for again."""
        end = time.monotonic() + timeout
        while (found := self._frame()) is None:
            more = self._some(1 << 20, end - time.monotonic())
            if not more:
                raise Closed
            self._data += more
        return found

    def _frame(self) -> bytes | None:
        """The first frame of what has come, when all of it has."""
        if len(self._data) < _HEAD:
            return None
        end = _HEAD + length(self._data[:_HEAD])
        if end > self._left:
            raise Flood
        if len(self._data) < end:
            return None
        found = bytes(self._data[_HEAD:end])
        del self._data[:end]
        self._left -= end
        return found

    def some(self, most: int, timeout: float) -> bytes:
        """What has come, without frames; b"" when nothing will come any more. Raises TimedOut, Closed."""
        if not self._data:
            return self._some(most, timeout)
        found = bytes(self._data)
        self._data.clear()
        return found

    def _some(self, most: int, timeout: float) -> bytes:
        self._socket.settimeout(max(timeout, 1e-4))
        try:
            return self._socket.recv(most)
        except TimeoutError:
            raise TimedOut from None
        except OSError:
            raise Closed from None

    def send_plain(self, data: bytes) -> None:
        """Send bytes without a frame. Raises Closed, TimedOut."""
        self._socket.settimeout(10.0)
        try:
            self._socket.sendall(data)
        except TimeoutError:
            raise TimedOut from None
        except OSError:
            raise Closed from None

    def close(self) -> None:
        """Hang up."""
        self._socket.close()


class ForkLauncher:
    """Children forked from one zygote (`ascend_lab.exercise.zygote`). Safe to use from several threads."""

    def __init__(self) -> None:
        self.scratch = _scratch()
        self._clear = weakref.finalize(self, clear, self.scratch)
        self._boxed = not sandbox.why_not("bubblewrap")
        self._lock = threading.Lock()
        self._process, self._control = self._begin()
        self._greeted = False

    def _begin(self) -> tuple[subprocess.Popen[bytes], socket.socket]:
        ours, theirs = socket.socketpair()
        code = f"from ascend_lab.exercise.zygote import main; main({theirs.fileno()}, {self.scratch!r})"
        words = _box(self.scratch) if self._boxed else []
        with theirs:
            process = subprocess.Popen(
                [*words, *_command(code)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=None,
                env=_environment(self._boxed),
                cwd="/",
                pass_fds=[theirs.fileno()],
                start_new_session=True,
            )
        return process, ours

    def start(self) -> ForkedChild:
        """A child that waits for its job. Raises OSError when the zygote cannot be had."""
        with self._lock:
            try:
                return self._fork()
            except OSError:
                self._end_zygote()
                self._boxed = self._boxed and self._greeted  # a box that never came up
                os.makedirs(self.scratch, exist_ok=True)  # the zygote clears it when it ends
                self._process, self._control = self._begin()
                self._greeted = False
                return self._fork()

    def _fork(self) -> ForkedChild:
        if not self._greeted:
            self._record(_HELLO_S)
            self._greeted = True
        ours, theirs = socket.socketpair()
        prints = _Prints()
        try:
            with theirs:
                request = _RECORD.pack(b"F", 0, 0)
                socket.send_fds(self._control, [request], [theirs.fileno(), prints.file.fileno()])
            _, pid, _ = self._record(_HELLO_S)
        except OSError:
            ours.close()
            prints.file.close()
            raise
        return ForkedChild(self, pid, SocketChannel(ours), prints)

    def reap(self, pid: int, kill: bool) -> Death:
        """Wait for a child to end."""
        with self._lock:
            try:
                self._control.sendall(_RECORD.pack(b"R", pid, int(kill)))
                kind, code, cpu = self._record(_HELLO_S)
            except OSError:
                return Death(signal.SIGKILL, 0, 0.0)
        by_signal = kind == b"s"
        return Death(code if by_signal else 0, 0 if by_signal else code, cpu / 1e6)

    def _record(self, timeout: float) -> tuple[bytes, int, int]:
        self._control.settimeout(timeout)
        data = b""
        while len(data) < _RECORD.size:
            more = self._control.recv(_RECORD.size - len(data))
            if not more:
                raise ConnectionError("the zygote has ended")
            data += more
        kind, first, second = _RECORD.unpack(data)
        return kind, first, second

    def _end_zygote(self) -> None:
        self._control.close()
        try:
            self._process.wait(5.0)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def close(self) -> None:
        """End the zygote and all its children."""
        with self._lock:
            self._end_zygote()
        self._clear()


def _box(scratch: str) -> list[str]:
    from ascend_lab.exercise import toolchain  # it knows the C++ door, which not everybody needs

    return bubblewrap.prefix(sandbox.in_a_box(toolchain.readable()), scratch)


class ForkedChild:
    """A `Child` of a `ForkLauncher`."""

    def __init__(
        self, owner: ForkLauncher, pid: int, channel: SocketChannel, prints: _Prints
    ) -> None:
        self.channel: Channel = channel
        self.folder = tempfile.mkdtemp(prefix="ascend-lab-", dir=owner.scratch)
        self._owner = owner
        self._pid = pid
        self._prints = prints
        self._death: Death | None = None

    def end(self, kill: bool = True) -> Death:
        """Let it end (or make it) and say how it ended."""
        if self._death is None:
            if not kill:
                # It hung up, or is about to: what it is doing now decides how it ended.
                self._death = self._owner.reap(self._pid, False)
                self.channel.close()
            else:
                self.channel.close()
                self._death = self._owner.reap(self._pid, True)
            self._prints.collect()
            clear(self.folder)
        return self._death

    def printed(self) -> str:
        """What it has printed."""
        return self._prints.text


# --- spawned -----------------------------------------------------------------------------------------


class PipeChannel:
    """A frame channel over two pipes; a thread reads, since not every system can wait for a pipe."""

    def __init__(self, writer: IO[bytes], reader: IO[bytes]) -> None:
        self._writer = writer
        self._reader = reader
        self._left = TOTAL_LIMIT
        self._frames: queue.Queue[bytes | Exception] = queue.Queue(maxsize=4)
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        try:
            while True:
                head = self._reader.read(_HEAD)
                if len(head) < _HEAD:
                    raise Closed
                size = length(head)
                body = self._reader.read(size)
                if len(body) < size:
                    raise Closed
                self._frames.put(body)
        except (Flood, Closed) as error:
            self._frames.put(error)
        except (OSError, ValueError):
            self._frames.put(Closed())

    def send(self, payload: bytes) -> None:
        """Send one frame."""
        try:
            self._writer.write(frame(payload))
            self._writer.flush()
        except (OSError, ValueError):
            raise Closed from None

    def receive(self, timeout: float) -> bytes:
        """The next frame."""
        try:
            found = self._frames.get(timeout=max(timeout, 1e-4))
        except queue.Empty:
            raise TimedOut from None
        if isinstance(found, Exception):
            raise found
        self._left -= len(found)
        if self._left < 0:
            raise Flood
        return found

    def close(self) -> None:
        """Hang up."""
        with contextlib.suppress(OSError, ValueError):
            self._writer.close()


class SpawnLauncher:
    """Each child is a fresh interpreter: slower by some tenths of a second, and works on Windows."""

    def __init__(self) -> None:
        self.scratch = _scratch()
        self._clear = weakref.finalize(self, clear, self.scratch)

    def start(self) -> SpawnedChild:
        """A child that waits for its job."""
        return SpawnedChild(self.scratch)

    def close(self) -> None:
        """Remove the folder of their folders."""
        self._clear()


class SpawnedChild:
    """A `Child` of a `SpawnLauncher`."""

    def __init__(self, scratch: str) -> None:
        self._prints = _Prints()
        self.folder = tempfile.mkdtemp(prefix="ascend-lab-", dir=scratch)
        options: dict[str, Any] = {} if sys.platform == "win32" else {"start_new_session": True}
        self._process = subprocess.Popen(
            _command("from ascend_lab.exercise.child import spawned; spawned()"),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._prints.file,
            env=_environment(),
            cwd=self.folder,
            **options,
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._reader = self._process.stdout
        self.channel: Channel = PipeChannel(self._process.stdin, self._process.stdout)
        self._ended: Death | None = None

    def end(self, kill: bool = True) -> Death:
        """Let it end (or make it) and say how it ended."""
        if self._ended is None:
            if kill:
                self._kill()
            try:
                code = self._process.wait(2.0)
            except subprocess.TimeoutExpired:
                self._kill()
                code = self._process.wait()
            self.channel.close()
            self._reader.close()
            self._prints.collect()
            clear(self.folder)
            self._ended = _death(code)
        return self._ended

    def _kill(self) -> None:
        self._process.kill()
        if sys.platform != "win32":
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)

    def printed(self) -> str:
        """What it has printed."""
        return self._prints.text


def _death(code: int) -> Death:
    if code < 0:
        return Death(-code, 0, 0.0)
    if code >= 0xC0000000:  # Windows: an exception nobody handled, such as an access violation
        return Death(signal.SIGSEGV, 0, 0.0)
    return Death(0, code, 0.0)
