"""What has been judged already: a file that only grows, one line a judgement.

A judgement is found again by what it depends on: the answer, the task, the lab, the seed. So an
interrupted run goes on where it stopped, and an unchanged answer is not judged twice. A half-written last
line, as a power cut leaves it, is passed over.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Self

import msgspec

from ascend_lab.exercise import Answer, Task, TaskResult, answer_digest, digest, package_digest
from grader.marks import Picture

_VERSION = 1


class Head(msgspec.Struct, frozen=True, tag="head"):
    """The first line. ``seed`` decides the inputs: without ``--seed`` a run goes on with this one."""

    version: int
    seed: str


class Entry(msgspec.Struct, frozen=True, tag="entry"):
    """One judgement, under the hash of all it depends on."""

    key: str
    result: TaskResult
    pictures: tuple[Picture, ...] = ()


_Line = Head | Entry


class Journal:
    """The journal in ``path``; created when it is not there. Use as a context manager."""

    def __init__(self, path: Path, seed: str | None, fresh: bool = False) -> None:
        self._path = path
        if fresh:
            path.unlink(missing_ok=True)
        head, self._entries = _read(path)
        self.seed = seed or (head.seed if head is not None else os.urandom(16).hex())
        self._lab = package_digest()
        path.parent.mkdir(parents=True, exist_ok=True)
        _end_last_line(path)
        self._file = path.open("ab")
        if head is None or head.seed != self.seed:
            self._append(Head(_VERSION, self.seed))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._file.close()

    def key(self, task: Task, answer: Answer) -> str:
        """Hash of everything that a judgement of ``answer`` depends on."""
        names = "\0".join(cell.name for cell in answer.cells)
        parts = (self._lab, digest(task), answer_digest(answer), names, self.seed)
        return hashlib.sha256("\n".join(parts).encode("utf-8", "surrogatepass")).hexdigest()

    def find(self, key: str) -> Entry | None:
        """The judgement under ``key``; one that was left undecided is made again."""
        found = self._entries.get(key)
        return found if found is not None and not found.result.undecided else None

    def add(self, entry: Entry) -> None:
        """Keep a judgement; it is on disk when this returns."""
        self._entries[entry.key] = entry
        self._append(entry)

    def _append(self, line: _Line) -> None:
        self._file.write(msgspec.json.encode(line) + b"\n")
        self._file.flush()


def _read(path: Path) -> tuple[Head | None, dict[str, Entry]]:
    head: Head | None = None
    entries: dict[str, Entry] = {}
    for line in _lines(path):
        if isinstance(line, Head):
            head = line
        else:
            entries[line.key] = line
    return head, entries


def _lines(path: Path) -> Iterator[_Line]:
    if not path.is_file():
        return
    decoder = msgspec.json.Decoder(_Line)
    with path.open("rb") as file:
        for line in file:
            try:
                yield decoder.decode(line)
            except (msgspec.MsgspecError, UnicodeDecodeError):
                continue


def _end_last_line(path: Path) -> None:
    """A line that was cut off must not swallow the next one."""
    if not path.is_file() or path.stat().st_size == 0:
        return
    with path.open("rb+") as file:
        file.seek(-1, os.SEEK_END)
        if file.read(1) != b"\n":
            file.write(b"\n")
