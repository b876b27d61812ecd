"""Messages between the grader and its workers: msgpack with a length before it, over pipes."""

from __future__ import annotations

import struct
from typing import IO, TypeVar

import msgspec

from ascend_lab.exercise import Answer, TaskResult
from grader.marks import Picture

_LENGTH = struct.Struct("<I")
T = TypeVar("T")


class Secret(msgspec.Struct, frozen=True):
    """For a worker, first of all: what decides the inputs. On a command line others could read it."""

    seed: str


class Work(msgspec.Struct, frozen=True):
    """For a worker: judge this answer to that task."""

    task: str
    answer: Answer


class Done(msgspec.Struct, frozen=True):
    """From a worker: the judgement, or what went wrong in the worker itself."""

    result: TaskResult | None
    pictures: tuple[Picture, ...] = ()
    problem: str = ""


def write(stream: IO[bytes], message: msgspec.Struct) -> None:
    """Send one message."""
    data = msgspec.msgpack.encode(message)
    stream.write(_LENGTH.pack(len(data)) + data)
    stream.flush()


def read(stream: IO[bytes], kind: type[T]) -> T | None:
    """The next message; None when the other side has gone."""
    head = stream.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        return None
    size = _LENGTH.unpack(head)[0]
    data = stream.read(size)
    return msgspec.msgpack.decode(data, type=kind) if len(data) == size else None
