"""A Python kernel as the engine sees it: each block a greenlet that hands over instructions.

A kernel is plain Python. Its calls into ``asc`` end in `emit`, which puts an `Instr` with the student's
line into the block's batch and gives way to the engine when the batch is full, when a scalar value is
asked for, or when the block has nothing more to do. There is no data on this side.
"""

from __future__ import annotations

import sysconfig
from collections.abc import Callable, Mapping
from pathlib import Path
from sys import _getframe
from types import CodeType, FrameType, FunctionType, TracebackType
from typing import Any

from greenlet import (  # type: ignore[import-untyped, unused-ignore]
    GreenletExit,
    getcurrent,
    greenlet,
)

from ascend_lab.asc.errors import outside_kernel
from ascend_lab.asc.naming import Names
from ascend_lab.chips import ChipSpec
from ascend_lab.engine.errors import InternalError, LabError, NotModelled
from ascend_lab.engine.instruction import Batch, Crash, Instr, Pipe, Ref, Where

_PACKAGE = str(Path(__file__).resolve().parent.parent)
_LIBRARIES = (
    _PACKAGE,
    sysconfig.get_paths()["stdlib"],
    sysconfig.get_paths()["purelib"],
    sysconfig.get_paths()["platlib"],
    "<frozen",
)

Program = Callable[..., Any]
_V = Pipe.V


class Places:
    """The door's table of source places: (code, offset of the instruction) -> index."""

    def __init__(self) -> None:
        self.sources: list[Where] = []
        self._index: dict[Where, int] = {}
        self._ours: dict[int, int] = {}  # stands for every code object of ours
        self._by_code: dict[int, dict[int, int]] = {}
        self._codes: list[CodeType] = []  # keeps the ids above valid

    def of(self, frame: FrameType | None) -> int:
        """The index of the innermost place at or above ``frame`` that is not ours."""
        by_code, ours = self._by_code, self._ours
        while frame is not None:
            known = by_code.get(id(frame.f_code))
            if known is None:
                known = self._classify(frame.f_code)
            if known is not ours:
                index = known.get(frame.f_lasti)
                if index is None:
                    index = known[frame.f_lasti] = self.add(frame.f_code, frame.f_lineno)
                return index
            frame = frame.f_back
        raise InternalError("an instruction was issued by nobody")

    def _classify(self, code: CodeType) -> dict[int, int]:
        self._codes.append(code)
        known = self._ours if code.co_filename.startswith(_PACKAGE) else {}
        self._by_code[id(code)] = known
        return known

    def add(self, code: CodeType, line: int | None) -> int:
        """The index of a line of ``code``."""
        where = Where(code.co_filename, line or code.co_firstlineno, code.co_name)
        index = self._index.get(where)
        if index is None:
            index = self._index[where] = len(self.sources)
            self.sources.append(where)
        return index

    def of_traceback(self, traceback: TracebackType | None, kernel: CodeType) -> int:
        """The innermost place of a traceback that is the student's; else the kernel itself."""
        found = self.add(kernel, kernel.co_firstlineno)
        while traceback is not None:
            code = traceback.tb_frame.f_code
            if not code.co_filename.startswith(_LIBRARIES):
                found = self.add(code, traceback.tb_lineno)
            traceback = traceback.tb_next
        return found


def _about(error: BaseException) -> tuple[str, ...]:
    """What the lab's own errors say, in parts."""
    if isinstance(error, NotModelled):
        return error.api, error.argument
    if isinstance(error, LabError):
        return error.zh, error.en
    return ()


class Block:
    """One logical core's program: its greenlet, its batch, and what the framework keeps per core."""

    def __init__(self, door: PyDoor, index: int) -> None:
        self.door = door
        self.index = index
        self.chip = door.chip
        self.limit = door.batch_limit
        self.place = door.places.of
        self.instrs: list[Instr] = []
        self.crash: Crash | None = None
        self.pipes: list[Any] = []  # the TPipe objects, in order of construction
        self.buffers = 0  # ids handed out by InitBuffer
        self.queues = 0  # ids handed out to TQue, TQueBind, TBuf
        self.automatic: dict[Any, int] = {}  # LocalTensorAuto: place -> address
        self.automatic_top: dict[str, int] = {}
        self.atomic = "none"
        self.deq_scale: Any = None  # what set_deq_scale has set
        self.told: dict[int, str] = {}  # addresses that get_phy_addr has told -> type of the tensor
        self.strand: Any = greenlet(self._run)
        self.strand.block = self

    def _run(self, _: Any = None) -> str:
        door = self.door
        try:
            door.kernel(*door.arguments_of(self.index))
            for pipe in reversed(self.pipes):
                pipe.close()
        except (Exception, SystemExit) as error:
            where = door.places.of_traceback(error.__traceback__, door.code)
            self.crash = Crash(type(error).__name__, str(error), where, _about(error))
            return "crash"
        return "done"

    def pause(self, state: str) -> Any:
        """Give way to the engine; returns its answer."""
        return self.strand.parent.switch(state)

    def end(self) -> None:
        """It has run to its end: nothing is to hold on to it."""
        self.pipes.clear()
        del self.strand.block, self.strand

    def stop_forever(self) -> None:
        """The core stands still here, as the chip's would: the engine never resumes it."""
        while True:
            self.pause("ask")

    def resume(self, answer: Any) -> Batch:
        """Run until the block has to stop."""
        strand = self.strand
        here = getcurrent()
        if strand.parent is not here:
            strand.parent = here
        state: str = strand.switch(answer)
        instrs, self.instrs = self.instrs, []
        return Batch(instrs, state, self.crash)


class PyDoor:
    """A launch of one kernel: satisfies `ascend_lab.engine.instruction.Door`."""

    def __init__(
        self,
        program: FunctionType,
        arguments_of: Callable[[int], tuple[Any, ...]],
        blocks: int,
        chip: ChipSpec,
        batch_limit: int,
        overlay: Callable[[FunctionType], Program],
    ) -> None:
        self.places = Places()
        self.sources = self.places.sources
        self.names = Names()
        self.chip = chip
        self.blocks = blocks
        self.batch_limit = batch_limit
        self.code = program.__code__
        self.arguments_of = arguments_of
        self._overlay = overlay
        self._programs: dict[int, Program] = {}
        self.kernel = self.program(program)
        self.end = self.places.add(self.code, last_line(self.code))
        #: Instructions that come again: (place, what they are made of) -> the instructions.
        self.kept: dict[tuple[int, tuple[Any, ...]], list[Instr]] = {}
        self._running: dict[int, Block] = {}
        self._ended: set[int] = set()

    def program(self, function: FunctionType) -> Program:
        """``function`` as it runs in a kernel: its own code under a kernel's ``range``."""
        found = self._programs.get(id(function))
        if found is None:
            found = self._programs[id(function)] = self._overlay(function)
        return found

    def resume(self, block: int, answer: Any = None) -> Batch:
        """Run block ``block`` until it stops. The first call starts it."""
        running = self._running.get(block)
        if running is None:
            if block in self._ended:
                return Batch([], "done")
            running = self._running[block] = Block(self, block)
        batch = running.resume(answer)
        if batch.state in ("done", "crash"):
            del self._running[block]
            self._ended.add(block)
            running.end()
        return batch

    def close(self) -> None:
        """Drop all blocks that have not finished."""
        running, self._running = self._running, {}
        for index, block in running.items():
            self._ended.add(index)
            block.strand.parent = getcurrent()
            block.strand.throw(GreenletExit)


def last_line(code: CodeType) -> int:
    """The last line of a function."""
    return max((line for _, _, line in code.co_lines() if line), default=code.co_firstlineno)


def current() -> Block:
    """The block whose kernel is running. Raises LabError outside a kernel."""
    try:
        block: Block = getcurrent().block
    except AttributeError:
        raise outside_kernel() from None
    return block


def inside_kernel() -> bool:
    """Whether a kernel is running."""
    return hasattr(getcurrent(), "block")


def emit(
    op: str,
    pipe: int,
    dst: Ref | None = None,
    srcs: tuple[Ref, ...] = (),
    params: Mapping[str, Any] | None = None,
) -> None:
    """Issue one instruction from the student's line that is running. For functions of ours to call."""
    try:
        block: Block = getcurrent().block
    except AttributeError:
        raise outside_kernel() from None
    instrs = block.instrs
    where = block.place(_getframe(2))
    if pipe is _V and params is not None and len(params) == 1:  # a count: the operands are all
        kept = block.door.kept
        key = (where, (op, dst, srcs, *params.items()))
        found = kept.get(key)
        if found is None:
            found = kept[key] = [Instr(op, pipe, dst, srcs, params, where)]
        instrs += found
    else:
        instrs.append(Instr(op, pipe, dst, srcs, params, where))
    if len(instrs) >= block.limit:
        block.pause("more")


def emit_at_end(block: Block, op: str, pipe: int, params: Mapping[str, Any] | None = None) -> None:
    """Issue one instruction of the framework after the kernel's last line."""
    block.instrs.append(Instr(op, pipe, None, (), params, block.door.end))
    if len(block.instrs) >= block.limit:
        block.pause("more")


def ask(op: str, srcs: tuple[Ref, ...], params: Mapping[str, Any]) -> Any:
    """Issue a scalar instruction and wait for the value it reads."""
    block = current()
    where = block.place(_getframe(2))
    block.instrs.append(Instr(op, Pipe.S, None, srcs, params, where))
    return block.pause("ask")
