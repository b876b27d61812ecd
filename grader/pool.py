"""Workers and who drives them: a thread each, that hands out work and waits."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Generic, Self, TypeVar

from grader.frames import Done, Secret, Work, read, write

#: A worker whose process ends over a job is replaced, and the job tried once more.
_ATTEMPTS = 2
K = TypeVar("K")


class Pool(Generic[K]):
    """``size`` judges at work. Use as a context manager; leaving it ends them all."""

    def __init__(self, size: int, bank: Path, seed: str) -> None:
        self._bank = bank
        self._seed = seed
        self._jobs: queue.SimpleQueue[tuple[K, Work] | None] = queue.SimpleQueue()
        self._done: queue.SimpleQueue[tuple[K, Done]] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._processes: set[subprocess.Popen[bytes]] = set()
        self._closing = False
        self._scratch = tempfile.mkdtemp(
            prefix="ascend-lab-grader-"
        )  # a killed worker leaves files
        self._threads = [threading.Thread(target=self._drive, daemon=True) for _ in range(size)]

    def __enter__(self) -> Self:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with self._lock:
            self._closing = True
            for process in self._processes:
                if kind is not None:
                    process.kill()  # its zygote hears it, and ends the children
        for _ in self._threads:
            self._jobs.put(None)
        for thread in self._threads:
            thread.join(10.0)
        shutil.rmtree(self._scratch, ignore_errors=True)

    def run(self, jobs: Sequence[tuple[K, Work]]) -> Iterator[tuple[K, Done]]:
        """Do all jobs; yields each as it is done, in no particular order."""
        for job in jobs:
            self._jobs.put(job)
        for _ in jobs:
            while True:
                try:
                    # With a time limit the main thread still hears Ctrl-C, on Windows too.
                    yield self._done.get(timeout=0.2)
                    break
                except queue.Empty:
                    continue

    # --- in the threads --------------------------------------------------------------------

    def _drive(self) -> None:
        process: subprocess.Popen[bytes] | None = None
        while (job := self._jobs.get()) is not None and not self._closing:
            key, work = job
            done: Done | None = None
            for _ in range(_ATTEMPTS):
                process = process or self._start()
                done = _exchange(process, work)
                if done is not None or self._closing:
                    break
                self._stop(process)
                process = None
            lost = Done(None, problem="the worker's process ended")
            self._done.put((key, done or lost))
        if process is not None:
            self._stop(process)

    def _start(self) -> subprocess.Popen[bytes]:
        """A new worker. In its own session, so that Ctrl-C reaches the grader alone."""
        process = subprocess.Popen(
            _command(self._bank),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=sys.platform != "win32",
            env={**os.environ, **dict.fromkeys(("TMPDIR", "TEMP", "TMP"), self._scratch)},
        )
        with self._lock:
            self._processes.add(process)
        _tell(process, self._seed)
        return process

    def _stop(self, process: subprocess.Popen[bytes]) -> None:
        with self._lock:
            self._processes.discard(process)
        if process.stdin is not None:
            with contextlib.suppress(OSError):
                process.stdin.close()
        try:
            process.wait(5.0)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        if process.stdout is not None:
            process.stdout.close()


def _command(bank: Path) -> list[str]:
    """A Python that finds the packages this one finds."""
    paths = json.dumps([path or os.getcwd() for path in sys.path])
    code = (
        f"import sys, json; sys.path[:] = json.loads({paths!r}); "
        "from grader.worker import main; main()"
    )
    return [sys.executable, "-c", code, str(bank)]


def _tell(process: subprocess.Popen[bytes], seed: str) -> None:
    assert process.stdin is not None
    try:
        write(process.stdin, Secret(seed))
    except OSError:
        return  # it has ended; the first job will find out


def _exchange(process: subprocess.Popen[bytes], work: Work) -> Done | None:
    """Hand out one job and wait for it; None when the worker has ended."""
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        write(process.stdin, work)
        return read(process.stdout, Done)
    except (OSError, ValueError):
        return None
