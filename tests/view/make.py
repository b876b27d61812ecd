"""Hand-made runs for the tests of profile and view: a double-buffered Add on two cores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from ascend_lab import chips
from ascend_lab.checks.finding import Finding, Findings, Place
from ascend_lab.device import Result
from ascend_lab.engine.instruction import Pipe, Where
from ascend_lab.engine.trace import SPACE_IDS, Trace
from ascend_lab.engine.written import Coverage

OPS = ("AllocTensor", "DataCopy", "SetFlag", "WaitFlag", "Add", "EnQue")
CAUSES = ("", "flag", "auto")
SOURCES = (
    Where("add.py", 31, "add_kernel"),
    Where("add.py", 34, "add_kernel"),
    Where("add.py", 35, "add_kernel"),
    Where("add.py", 36, "add_kernel"),
    Where("add.py", 40, "add_kernel"),
    Where("add.py", 44, "add_kernel"),
)
ALLOC, COPY_X, COPY_Y, SYNC, ADD, COPY_Z = range(6)
META = {
    "kernel": "add_kernel",
    "chip": "Ascend910B1",
    "clock_mhz": 1850.0,
    "schedule": "realistic",
    "seed": 0,
    "blocks": 2,
}
TILE = 8192
GM_X, GM_Y, GM_Z = 0x1000_0000, 0x2000_0000, 0x3000_0000


@dataclass(slots=True)
class Core:
    """One core's pipes: an instruction starts when issued, its pipe is free and its flag is set."""

    block: int
    rows: list[tuple[Any, ...]]
    clock: float = 0.0
    free: dict[int, float] = field(default_factory=dict)
    ends: dict[int, float] = field(default_factory=dict)

    def run(
        self,
        op: str,
        pipe: Pipe,
        cycles: float,
        where: int,
        dst: tuple[str, int, int] | None = None,
        src: tuple[str, int, int] | None = None,
        cause: int = -1,
        reads: int = 0,
    ) -> int:
        serial = len(self.rows)
        issue = self.clock
        self.clock += 4.0 if pipe == Pipe.S else 2.0
        ready = max(issue, self.free.get(pipe, 0.0))
        start = ready if op == "WaitFlag" else max(ready, self.ends.get(cause, 0.0))
        end = max(ready, self.ends[cause]) if op == "WaitFlag" else start + cycles
        self.free[pipe] = self.ends[serial] = end
        self.rows.append(
            (serial, self.block, self.block, int(pipe), OPS.index(op), issue, start, end, where)
            + (reads or (src[2] if src else 0), dst[2] if dst else 0, cause, int(cause >= 0), 0)
            + _operand(dst)
            + _operand(src)
        )
        return serial


def _operand(operand: tuple[str, int, int] | None) -> tuple[int, int, int]:
    if operand is None:
        return (-1, 0, 0)
    return (SPACE_IDS[operand[0]], operand[1], operand[2])


def rows(tiles: int = 8, blocks: int = 2, buffers: int = 2) -> list[tuple[Any, ...]]:
    """The rows of an Add of ``tiles`` tiles of 8 KB a core, with ``buffers`` buffers a tensor."""
    out: list[tuple[Any, ...]] = []
    for block in range(blocks):
        core = Core(block, out)
        stored: list[int] = []
        added: list[int] = []
        for tile in range(tiles):
            _tile(core, tile, tiles, buffers, added, stored)
    return out


def _tile(
    core: Core, tile: int, tiles: int, buffers: int, added: list[int], stored: list[int]
) -> None:
    slot = tile % buffers
    at = (core.block * tiles + tile) * TILE
    x, y, z = (("UB", (3 * slot + n) * TILE, TILE) for n in range(3))
    core.run("AllocTensor", Pipe.S, 4, ALLOC, dst=x)
    if tile >= buffers:
        core.run("WaitFlag", Pipe.MTE2, 0, SYNC, cause=added[tile - buffers])
    core.run("DataCopy", Pipe.MTE2, 342 if not tile else 180, COPY_X, x, ("GM", GM_X + at, TILE))
    core.run("DataCopy", Pipe.MTE2, 180, COPY_Y, y, ("GM", GM_Y + at, TILE))
    loaded = core.run("SetFlag", Pipe.MTE2, 0, SYNC)
    core.run("WaitFlag", Pipe.V, 0, SYNC, cause=loaded)
    if tile >= buffers:
        core.run("WaitFlag", Pipe.V, 0, SYNC, cause=stored[tile - buffers])
    core.run("Add", Pipe.V, 54.5, ADD, z, x, reads=2 * TILE)
    added.append(core.run("SetFlag", Pipe.V, 0, SYNC))
    core.run("WaitFlag", Pipe.MTE3, 0, SYNC, cause=added[-1])
    core.run("EnQue", Pipe.S, 4, SYNC, dst=z)
    core.run("DataCopy", Pipe.MTE3, 202, COPY_Z, ("GM", GM_Z + at, TILE), z)
    stored.append(core.run("SetFlag", Pipe.MTE3, 0, SYNC))


def trace(tiles: int = 8, blocks: int = 2, buffers: int = 2) -> Trace:
    """The trace of :func:`rows`."""
    return Trace.from_rows(
        rows(tiles, blocks, buffers), OPS, SOURCES, CAUSES, {**META, "blocks": blocks}
    )


def finding(**change: Any) -> Finding:
    """The Add of core 1 reads too early; with other values for single fields."""
    numbers = {
        "op": "Add",
        "operand": "x_local",
        "op1": "DataCopy",
        "line1": 34,
        "start": 900.0,
        "end1": 1066.0,
    }
    usual: dict[str, Any] = {
        "id": "D1",
        "severity": "error",
        "file": "add.py",
        "line": 40,
        "block": 1,
        "core": 1,
        "pipe": "V",
        "time": 900.0,
        "numbers": numbers,
        "related": (Place("add.py", 34, "writes"),),
    }
    return Finding(**(usual | change))


def coverage(gap: bool = False, overlap: bool = False) -> Coverage:
    """Two cores write half of z each; with ``gap`` a tail stays unwritten, with ``overlap`` a seam is double."""
    writes = [(tile * TILE, (tile + 1) * TILE, tile // 8) for tile in range(16)]
    if gap:
        writes[15] = (15 * TILE, 16 * TILE - 532, 1)
    if overlap:
        writes[8] = (8 * TILE - 64, 9 * TILE, 1)
    return Coverage("z", 16 * TILE, 4, writes)


def result(
    trace_: Trace | None = None,
    findings: Sequence[Finding] = (),
    outputs: Sequence[Coverage] | None = None,
    chip: str = "Ascend910B1",
) -> Result:
    """A good run, or one with the given trace, findings or outputs."""
    run = trace() if trace_ is None else trace_
    cycles = float(run.end.max()) if len(run) else 0.0
    return Result(
        spec=chips.load(chip),
        findings=Findings(findings),
        time_us=cycles / 1850.0,
        cycles=cycles,
        record=lambda: run,
        stdout="",
        coverage=[coverage()] if outputs is None else list(outputs),
    )
