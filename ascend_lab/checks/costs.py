"""K2, K4 to K15, K18: what is right and costs more than it has to. Watched only when asked for.

All costs are read from the trace at the end of the run, on the block that took longest. A class is reported when
what it costs is a good part of that block's time; nothing is said of kernels too short to matter.
Source: asc-devkit: docs/zh/guide/算子实践参考/SIMD算子性能优化.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ascend_lab.checks.copying import row_copies
from ascend_lab.checks.pace import merged_times
from ascend_lab.checks.reports import Check
from ascend_lab.checks.sizes import idle_blocks, needless_buffers
from ascend_lab.checks.traffic import l2_policy, round_trips, same_address
from ascend_lab.engine.banks import RULES_OF
from ascend_lab.engine.instruction import Pipe
from ascend_lab.engine.trace import SPACE_IDS, Trace
from ascend_lab.profile.banks import Access, accesses

if TYPE_CHECKING:
    from ascend_lab.chips import ChipSpec
    from ascend_lab.engine.run import Run

_GM = SPACE_IDS["GM"]
_PRINTS = ("Printf", "DumpTensor")
#: So large a part of the whole task, launch included, has to be lost before anything is said; and of a block.
_WORTH, _MUCH = 0.1, 0.5
_COPIES, _SMALL = 8, 16384
_BARRIERS, _TINY = 16, 64
_UNEVEN = 1.25

Rows = NDArray[np.intp]
Told = tuple[str, int | None, dict[str, Any], str]


@dataclass(frozen=True, slots=True)
class Longest:
    """The block that took longest: its rows in order of issue, and its time in cycles without the prologue."""

    rows: Rows
    time: float
    core: int


class Cost(Check):
    """Looks at the trace when all is over."""

    def finished(self, run: Run) -> None:
        if run.delayed is not None or run.traps or run.crash is not None or not run.executed:
            return
        ledger = Ledger(run)
        for class_id, where, numbers, variant in ledger.found():
            time = (
                run.ended if where is None else 0.0
            )  # what a line does comes before what cores do
            self.reports.add(class_id, None, numbers, where=where, variant=variant, time=time)


class Ledger:
    """What a run spent its time on."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.trace: Trace = run.trace({})
        self.spec: ChipSpec = run.spec
        self.blocks = run.blocks
        self.start = run.spec.cost.launch.prologue_us * run.spec.clock_mhz

    def found(self) -> Iterator[Told]:
        """(class, line, numbers, variant) of everything that is worth saying."""
        for tell in (
            self.row_copies,
            self.small_copies,
            self.banks,
            self.bursts,
            self.imbalance,
            self.barriers,
            self.core_count,
            self.short_instructions,
            self.debugging,
        ):
            yield from tell()
        for look in (same_address, l2_policy, round_trips, idle_blocks, needless_buffers):
            yield from look(self)

    # --- the block that took longest --------------------------------------------------------------

    @cached_property
    def longest(self) -> Longest:
        trace = self.trace
        ends = {int(b): float(trace.end[trace.block == b].max()) for b in np.unique(trace.block)}
        block = max(ends, key=lambda b: (ends[b], -b))
        rows = np.flatnonzero(trace.block == block)
        rows = rows[np.argsort(trace.serial[rows], kind="stable")]
        begin = max(float(trace.issue[rows].min()), self.start)
        return Longest(rows, max(ends[block] - begin, 1.0), int(trace.core[rows[0]]))

    def on(self, pipe: Pipe) -> Rows:
        """The rows of the longest block on a pipe that touch bytes."""
        trace, rows = self.trace, self.longest.rows
        touched = trace.read_bytes[rows] + trace.write_bytes[rows] > 0
        chosen: Rows = rows[(trace.pipe[rows] == pipe) & touched]
        return chosen

    def spent(self, rows: Rows) -> float:
        """Cycles that ``rows`` cover."""
        trace = self.trace
        times = zip(trace.start[rows].tolist(), trace.end[rows].tolist(), strict=True)
        return sum(high - low for low, high in merged_times(times))

    def named(self, *ops: str) -> Rows:
        """The rows of the longest block with one of these instructions."""
        ids = [number for number, name in enumerate(self.trace.ops) if name in ops]
        rows = self.longest.rows
        chosen: Rows = rows[np.isin(self.trace.op[rows], ids)]
        return chosen

    def line_of(self, rows: Rows) -> tuple[int, Rows]:
        """The line that has most of ``rows``, and its rows."""
        lines, counts = np.unique(self.trace.where[rows], return_counts=True)
        line = int(lines[int(counts.argmax())])
        return line, rows[self.trace.where[rows] == line]

    # --- K2: copies that are too small ---------------------------------------------------------

    def small_copies(self) -> Iterator[Told]:
        """Many small copies, and a block that could do the same in half its time with larger ones."""
        trace = self.trace
        copies = self.on(Pipe.MTE2)
        copies = copies[trace.src_space[copies] == _GM]
        if len(copies) < _COPIES:
            return
        line, here = self.line_of(copies)
        each = float(trace.read_bytes[here].mean())
        if len(here) < _COPIES or each >= _SMALL or self._ideal() > _MUCH * self.longest.time:
            return
        if not self.matters((self.longest.time - self._ideal()) / 2):  # half of it could be saved
            return
        numbers = {
            "count": len(here),
            "bytes": round(each),
            "share": f"{1 - self._ideal() / self.longest.time:.0%}",
        }
        factor = self._room(len(here))
        if factor >= 2:
            yield "K2", line, {**numbers, "factor": factor, "used": self.used}, ""

    def row_copies(self) -> Iterator[Told]:
        return row_copies(self.trace, self.spec, self.longest.rows, self.matters)

    def matters(self, cycles: float) -> bool:
        """Whether so many cycles of the longest block are worth a word."""
        return cycles >= _WORTH * self.task()

    def share(self, cycles: float) -> str:
        """So many cycles as a part of the whole task, launch included."""
        return f"{cycles / self.task():.0%}"

    def _ideal(self) -> float:
        """Cycles of the longest block if only bytes counted, at the rate of one core."""
        trace, dma, mhz = self.trace, self.spec.cost.dma, self.spec.clock_mhz
        read = int(trace.read_bytes[self.on(Pipe.MTE2)].sum())
        wrote = int(trace.write_bytes[self.on(Pipe.MTE3)].sum())
        moving = max(read / dma.mte2_rate, wrote / dma.mte3_rate) * mhz / 1e3
        vector = self.on(Pipe.V)
        working = self.spent(vector) - len(vector) * self.spec.cost.vector.startup
        return max(moving, working)

    @cached_property
    def used(self) -> int:
        """Bytes of UB that the longest block has taken."""
        places = [p for p in self.trace.details.places if p.core == self.longest.core]
        return max((p.addr + p.num * p.length for p in places), default=0)

    def _room(self, tiles: int) -> int:
        """By which power of two the tile could grow."""
        used, factor = self.used, 1
        while (
            used and 2 * factor * used <= self.spec.memory.ub_usable_bytes and 2 * factor <= tiles
        ):
            factor *= 2
        return factor

    # --- K4: banks ------------------------------------------------------------------------------------

    def banks(self) -> Iterator[Told]:
        """Vector instructions whose operands collide in the banks of the UB."""
        if self.spec.npu_arch != RULES_OF:
            return
        cost = self.spec.cost.vector
        lost: dict[int, float] = {}
        worst: dict[int, Access] = {}
        for way in accesses(self.trace, self.spec, self.longest.core)[0]:
            found = way.conflicts
            if not found.any:
                continue
            cycles = (found.factor - 1.0) * found.repeats * cost.per_repeat(way.op, "*")
            lost[way.where] = lost.get(way.where, 0.0) + cycles * len(way.rows)
            worst.setdefault(way.where, way)
        vector = self.spent(self.on(Pipe.V))
        if not lost or not self.matters(sum(lost.values())):
            return
        where = max(lost, key=lambda line: (lost[line], -line))
        way = worst[where]
        kind = "rw" if not way.conflicts.read_read + way.conflicts.write_write else ""
        numbers = {
            "op": way.op,
            "cycles": round(lost[where]),
            "vector": round(vector),
            "factor": f"{way.conflicts.factor:.2g}",
            "operands": ", ".join(f"{o.name} 0x{o.addr:x}" for o in way.operands),
        }
        yield "K4", where, numbers, kind

    # --- K5: bursts off the grid ------------------------------------------------------------------------

    def bursts(self) -> Iterator[Told]:
        """Copies whose rows do not start on 32 B, which GM serves at a lower rate."""
        trace, dma = self.trace, self.spec.cost.dma
        for pipe, side in ((Pipe.MTE2, "src"), (Pipe.MTE3, "dst")):
            rows = self.on(pipe)
            rows = rows[getattr(trace, f"{side}_space")[rows] == _GM]
            if not len(rows):
                continue
            address = getattr(trace, f"{side}_addr")[rows]
            off = rows[address % 32 != 0]
            busy = self.spent(off)
            lost = (1 - dma.off_grid_share) * busy
            if len(off) < _COPIES or not self.matters(lost):
                continue
            line, here = self.line_of(off)
            first = int(getattr(trace, f"{side}_addr")[here[0]])
            yield "K5", line, {
                "count": len(off),
                "offset": first % 32,
                "cycles": round(lost),
                "rate": f"{dma.off_grid_share:.0%}",
            }, ""  # fmt: skip

    # --- K7, K9: cores --------------------------------------------------------------------------------

    @cached_property
    def ends(self) -> Mapping[int, float]:
        """Core -> cycles it worked."""
        trace = self.trace
        return {
            int(core): max(float(trace.end[trace.core == core].max()) - self.start, 1.0)
            for core in np.unique(trace.core)
        }

    def imbalance(self) -> Iterator[Told]:
        """One core that takes much longer than the others."""
        ends = self.ends
        mean = sum(ends.values()) / len(ends)
        slowest = max(ends, key=lambda core: (ends[core], -core))
        late = ends[slowest] - mean
        if len(ends) < 2 or ends[slowest] < _UNEVEN * mean or not self.matters(late):
            return
        moved = self._moved()
        numbers = {
            "core": slowest,
            "ratio": f"{ends[slowest] / mean:.2f}",
            "cores": len(ends),
            "bytes": moved[slowest],
            "mean": round(sum(moved.values()) / len(moved)),
        }
        yield "K7", None, numbers, ""

    def _moved(self) -> Mapping[int, int]:
        trace = self.trace
        gm = (trace.src_space == _GM) | (trace.dst_space == _GM)
        nbytes = np.where(gm, np.maximum(trace.read_bytes, trace.write_bytes), 0)
        return {core: int(nbytes[trace.core == core].sum()) for core in self.ends}

    def task(self, cores: int = 0) -> float:
        """Cycles of the whole task, launch included; on another number of cores when given."""
        launch, mhz = self.spec.cost.launch, self.spec.clock_mhz
        if not cores:
            core = max(self.ends.values())
            return core + self.start + (launch.head_us + launch.per_block_us * self.blocks) * mhz
        dma = self.spec.cost.dma
        floor = sum(self._moved().values()) / dma.hbm_rate * mhz / 1e3
        core = max(sum(self.ends.values()) / cores, floor) + self.start
        return core + (launch.head_us + launch.per_block_us * cores) * mhz

    def core_count(self) -> Iterator[Told]:
        """Far fewer cores than would help, or so many that starting them is most of the time."""
        used, now = len(self.ends), self.task()
        best = min(range(1, self.spec.vector_cores + 1), key=self.task)
        then = self.task(best)
        numbers = {
            "used": used,
            "all": self.spec.vector_cores,
            "best": best,
            "now": f"{now / self.spec.clock_mhz:.1f}",
            "then": f"{then / self.spec.clock_mhz:.1f}",
        }
        if best >= 4 * used and then < _MUCH * now:
            yield "K9", None, numbers, ""
        elif self.blocks >= 4 * best and then < 0.7 * now:
            yield "K9", None, {**numbers, "used": self.blocks}, "many"

    # --- K8, K14, K18: instructions that need not be ---------------------------------------------------

    def barriers(self) -> Iterator[Told]:
        """PipeBarrier<PIPE_ALL> in a loop: all pipes stand still until the last is done."""
        trace = self.trace
        rows = self.named("PipeBarrier")
        rows = rows[trace.pipe[rows] == Pipe.S]  # of all pipes; others stand in their own
        if len(rows) < _BARRIERS:
            return
        spent = self.spent(rows)
        if not self.matters(spent):
            return
        line, here = self.line_of(rows)
        share = f"{spent / self.longest.time:.0%}"
        yield "K8", line, {"count": len(here), "share": share, "cycles": round(spent)}, ""

    def short_instructions(self) -> Iterator[Told]:
        """A line that issues many vector instructions of one repeat each: start-up is nearly all of V's time."""
        vector = self.on(Pipe.V)
        if len(vector) < _TINY:
            return
        line, here = self.line_of(vector)
        nbytes = np.maximum(self.trace.read_bytes[here], self.trace.write_bytes[here])
        each = float(nbytes.mean())
        spent = self.spent(here)
        lanes = self.spec.limits.lanes_bytes
        lost = spent - float(nbytes.sum()) / lanes  # a simple instruction does a repeat in a cycle
        if len(here) < _TINY or each > 2 * lanes or lost < _MUCH * spent or not self.matters(lost):
            return
        if len(np.unique(nbytes)) > 2:
            return
        numbers = {
            "op": self.trace.ops[int(self.trace.op[here[0]])],
            "count": len(here),
            "bytes": round(each),
            "cycles": round(spent),
            "lost": round(lost),
        }
        yield "K14", line, numbers, ""

    def debugging(self) -> Iterator[Told]:
        """Printing that was left in."""
        rows = self.named(*_PRINTS)
        cost = self.spec.cost.scalar.printf
        if not len(rows) or not self.matters(len(rows) * cost):
            return
        line, here = self.line_of(rows)
        share = min(len(rows) * cost / self.longest.time, 1.0)
        numbers = {
            "op": self.trace.ops[int(self.trace.op[here[0]])],
            "count": len(rows),
            "share": f"{share:.0%}",
            "cores": len(self.ends),
        }
        yield "K18", line, numbers, ""
