"""A door for tests: each block is a generator that yields instructions and gets scalar answers."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any

from ascend_lab import chips
from ascend_lab.engine.chip import Chip
from ascend_lab.engine.instruction import Batch, Instr, Pipe, Ref, Where
from ascend_lab.engine.memory import GlobalMemory
from ascend_lab.engine.observer import Observer
from ascend_lab.engine.run import Run

Program = Callable[[int], Generator[Instr, Any, None]]
ASKS = {"GetValue", "GetSystemCycle", "GetRsvdCnt", "GetMrgSortResult"}


class ScriptDoor:
    """Runs ``program(block)``; the yielded GetValue receives its answer."""

    def __init__(self, program: Program) -> None:
        self.sources = [Where("test.py", line) for line in range(1000)]
        self._program = program
        self._blocks: dict[int, Generator[Instr, Any, None]] = {}

    def resume(self, block: int, answer: Any = None) -> Batch:
        instrs: list[Instr] = []
        try:
            if block not in self._blocks:
                self._blocks[block] = self._program(block)
                instr = next(self._blocks[block])
            else:
                instr = self._blocks[block].send(answer)
            while True:
                instrs.append(instr)
                if instr.op in ASKS:
                    return Batch(instrs, "ask")
                if len(instrs) == 16:
                    return Batch(instrs, "more")
                instr = next(self._blocks[block])
        except StopIteration:
            return Batch(instrs, "done")

    def close(self) -> None:
        self._blocks.clear()


class Log(Observer):
    """The whole history: (event, block, op) with times."""

    def __init__(self) -> None:
        self.spans: list[tuple[float, float, str, str]] = []
        self.stuck_at: list[Any] = []

    def committed(self, core: Any, x: Any) -> None:
        self.spans.append((x.start, x.end, Pipe(x.pipe).name, x.instr.op))

    def synced(self, core: Any, x: Any) -> None:
        self.spans.append((x.start, x.end, Pipe(x.pipe).name, x.instr.op))

    def stuck(self, run: Any, waits: list[Any]) -> None:
        self.stuck_at = waits


def gm_ref(allocation: Any, offset: int = 0, dtype: str = "float32") -> Ref:
    return Ref("GM", allocation.addr + offset, dtype)


def ub(addr: int, dtype: str = "float32") -> Ref:
    return Ref("UB", addr, dtype)


def load(dst: Ref, src: Ref, count: int, where: int = 1) -> Instr:
    return Instr("DataCopy", Pipe.MTE2, dst, (src,), {"count": count}, where)


def store(dst: Ref, src: Ref, count: int, where: int = 2) -> Instr:
    return Instr("DataCopy", Pipe.MTE3, dst, (src,), {"count": count}, where)


def add(dst: Ref, a: Ref, b: Ref, count: int, where: int = 3) -> Instr:
    return Instr("Add", Pipe.V, dst, (a, b), {"count": count}, where)


def adds(dst: Ref, a: Ref, scalar: float, count: int, where: int = 3) -> Instr:
    return Instr("Adds", Pipe.V, dst, (a,), {"count": count, "scalar": scalar}, where)


def fill(dst: Ref, scalar: float, count: int, where: int = 4) -> Instr:
    return Instr("Duplicate", Pipe.V, dst, (), {"count": count, "scalar": scalar}, where)


def set_flag(src: Pipe, dst: Pipe, ident: int = 0, where: int = 5) -> Instr:
    params = {"src": int(src), "dst": int(dst), "id": ident}
    return Instr("SetFlag", src, params=params, where=where)


def wait_flag(src: Pipe, dst: Pipe, ident: int = 0, where: int = 6) -> Instr:
    params = {"src": int(src), "dst": int(dst), "id": ident}
    return Instr("WaitFlag", dst, params=params, where=where)


def barrier(pipe: Pipe, where: int = 7) -> Instr:
    return Instr("PipeBarrier", Pipe.S, params={"pipe": int(pipe)}, where=where)


def get_value(ref: Ref, where: int = 8) -> Instr:
    return Instr("GetValue", Pipe.S, None, (ref,), {}, where)


def set_value(ref: Ref, value: float, where: int = 9) -> Instr:
    return Instr("SetValue", Pipe.S, ref, (), {"value": value}, where)


def sync_all(where: int = 10) -> Instr:
    return Instr("SyncAll", Pipe.S, params={"soft": False, "used": 0}, where=where)


def marker(op: str, dst: Ref | None = None, **params: Any) -> Instr:
    return Instr(op, Pipe.S, dst, (), params, 11)


def new_gm() -> GlobalMemory:
    return GlobalMemory(1 << 30)


def run(
    program: Program,
    blocks: int = 1,
    gm: GlobalMemory | None = None,
    chip: Chip | None = None,
    **options: Any,
) -> tuple[Run, Log]:
    """Execute ``program`` and return the run and its history."""
    chip = chip or Chip(chips.load("Ascend910B1"))
    log = Log()
    made = Run(
        chip.spec,
        chip.cores,
        gm or new_gm(),
        ScriptDoor(program),
        blocks,
        observers=[log, *options.pop("observers", ())],
        **options,
    )
    made.execute()
    return made, log
