"""What a door hands to the engine: instructions, and nothing else.

An instruction is data. Its cost and its effect are looked up by ``op`` in the chip file and in
:mod:`ascend_lab.engine.semantics`; it carries no code and no cycles.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from typing import Any, NamedTuple, Protocol

import ml_dtypes
import numpy as np


class Pipe(IntEnum):
    """The units of an AI core, in the numbering of `HardEvent` and the trace."""

    S = 0
    V = 1
    M = 2
    MTE1 = 3
    MTE2 = 4
    MTE3 = 5
    FIX = 6
    ALL = 7  # only as the operand of PipeBarrier


#: Names as the official Python door spells them -> NumPy types.
DTYPES: dict[str, np.dtype[Any]] = {
    "int8": np.dtype(np.int8),
    "uint8": np.dtype(np.uint8),
    "int16": np.dtype(np.int16),
    "uint16": np.dtype(np.uint16),
    "float16": np.dtype(np.float16),
    "bfloat16": np.dtype(ml_dtypes.bfloat16),
    "int32": np.dtype(np.int32),
    "uint32": np.dtype(np.uint32),
    "float32": np.dtype(np.float32),
    "int64": np.dtype(np.int64),
    "uint64": np.dtype(np.uint64),
    "float64": np.dtype(np.float64),
}
ITEMSIZE: dict[str, int] = {name: dtype.itemsize for name, dtype in DTYPES.items()}


class Ref(NamedTuple):
    """One operand: where a tensor starts and how much of it there is.

    ``space`` is "GM" or a local memory ("UB", ...); ``addr`` is in bytes (absolute for GM, offset in
    the core's memory otherwise); ``size`` is the number of elements from ``addr`` to the end of
    the tensor (-1: not declared); ``buf`` is the id that InitBuffer gave the buffer (-1: none, as in
    the static-tensor style); ``pos`` is the TPosition name.
    """

    space: str
    addr: int
    dtype: str
    size: int = -1
    buf: int = -1
    pos: str = ""


class Where(NamedTuple):
    """A place in the student's source."""

    file: str
    line: int
    function: str = ""


class Instr:
    """One instruction as the scalar unit issues it: ``Instr(op, pipe, dst, srcs, params, where)``.

    ``where`` is an index into the door's ``sources`` table. See docs/architecture.md for the
    vocabulary of ``op`` and the ``params`` of each. A door may hand over the same object again and again;
    ``decoded`` is what the engine has worked out about it.
    """

    __slots__ = ("decoded", "dst", "op", "params", "pipe", "srcs", "where")

    def __init__(
        self,
        op: str,
        pipe: int,
        dst: Ref | None = None,
        srcs: tuple[Ref, ...] = (),
        params: Mapping[str, Any] | None = None,
        where: int = 0,
    ) -> None:
        self.op = op
        self.pipe = pipe
        self.dst = dst
        self.srcs = srcs
        self.params = params if params is not None else {}
        self.where = where
        self.decoded: Any = None

    def __repr__(self) -> str:
        operands = [ref for ref in (self.dst, *self.srcs) if ref is not None]
        return f"Instr({self.op}, {Pipe(self.pipe).name}, {operands}, {dict(self.params)})"


class Crash(NamedTuple):
    """The kernel itself raised: type name, message, and where in the student's file.

    ``about`` is (api, argument) of a `NotModelled` and (zh, en) of a `LabError`, else empty.
    """

    kind: str
    message: str
    where: int
    about: tuple[str, ...] = ()


class Batch(NamedTuple):
    """What a core's scalar unit did until it had to stop.

    ``state``: "more" (resume when these are consumed), "ask" (the last instruction asks for a
    scalar value; resume with the answer), "done", or "crash".
    """

    instrs: list[Instr]
    state: str
    crash: Crash | None = None


class Argument(NamedTuple):
    """A kernel argument as a door sees it: GM address, type and length in elements - never the data."""

    name: str
    addr: int
    dtype: str
    size: int


class Door(Protocol):
    """A running kernel, seen by the engine. Block ``b`` is one logical core's program."""

    sources: list[Where]

    def resume(self, block: int, answer: Any = None) -> Batch:
        """Run block ``block`` until it stops. The first call starts it."""
        ...

    def close(self) -> None:
        """Drop all blocks that have not finished."""
        ...
