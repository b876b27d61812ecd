"""What other numbers of cores, and evenly loaded ones, would gain: computed from the times of the cores.

A core takes what it takes however little it has to do (its first load, its last store), and for the rest a share:
whole tiles, of which large ones can be divided. What every core loads for itself is not shared. No spread is
faster than GM can deliver.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ascend_lab.engine.instruction import Pipe
from ascend_lab.engine.trace import SPACE_IDS, Trace
from ascend_lab.profile.advising import Gain
from ascend_lab.profile.counters import BlockCounters
from ascend_lab.profile.indicators import length, merged
from ascend_lab.profile.roofline import memory_us

if TYPE_CHECKING:
    from ascend_lab.chips import ChipSpec

#: From this ratio of the slowest core to the mean on, the cores are out of balance.
UNEVEN = 1.1
#: A tile of less is not worth dividing: asc-devkit asks for 16 KB a copy.
_TILE = 16384
#: From this share of loads that every core makes for itself on, fewer cores would have more to do, not the same.
_MINE = 0.5
_GM = SPACE_IDS["GM"]
Rows = NDArray[np.intp]


class Spread:
    """The cores of a run and what they do."""

    def __init__(
        self, trace: Trace, spec: ChipSpec, blocks: tuple[BlockCounters, ...], now: float
    ) -> None:
        self.trace = trace
        self.spec = spec
        self.now = now
        self.blocks = int(trace.meta.get("blocks", len(blocks)))
        self.start = spec.cost.launch.prologue_us * spec.clock_mhz
        self.floor = memory_us(
            sum(b.gm_read for b in blocks), sum(b.gm_write for b in blocks), spec
        )
        self.busy = [b.block for b in blocks if any(b.instructions[p] for p in _WORK)]

    def gains(self) -> Iterator[Gain]:
        """Fewer blocks, the same cores evenly loaded, more cores."""
        used, every = len(self.times), self.spec.vector_cores
        if not used:
            return
        mean = sum(self.times) / used
        ratio = max(self.times) / mean
        uneven = used > 1 and ratio > UNEVEN
        if uneven:
            yield self._gain("balance", self.time(used, used), ratio=f"{ratio:.2f}", cores=used)
        idle = self.blocks - len(self.busy)
        best = min(range(1, every + 1), key=lambda cores: self.time(cores, cores))
        then = self.time(best, best)
        if best > used:
            then = then if not uneven else self.time(best, best, ratio)
            yield self._gain("cores", then, used=used, all=every, best=best)
        elif idle or (best < used and self.repeated < _MINE):
            saved = idle * self.spec.cost.launch.per_block_us
            alone = self.now - saved if idle else self.now
            fewer = len(self.busy) if alone <= then else best
            yield self._gain("fewer", min(alone, then), used=self.blocks, best=fewer)

    def _gain(self, change: str, time: float, **numbers: object) -> Gain:
        return Gain(change, time, 1 - time / self.now, numbers)

    def time(self, cores: int, blocks: int, ratio: float = 1.0) -> float:
        """The task on ``cores``, the slowest of which takes ``ratio`` times its share, in us."""
        used, launch = len(self.times), self.spec.cost.launch
        mean = sum(self.times) / used
        alone = min(self.once + self.repeated * max(mean - self.once, 0.0), mean)
        work = used * (mean - alone)
        share = -(-self.tiles // cores) / self.tiles
        core = max((alone + work * share * ratio) / self.spec.clock_mhz, self.floor)
        return launch.head_us + launch.per_block_us * blocks + launch.prologue_us + core

    @cached_property
    def times(self) -> list[float]:
        """Cycles of each core that has work, without the prologue."""
        trace = self.trace
        cores = np.unique(trace.core[np.isin(trace.block, self.busy)]).tolist()
        return [max(float(trace.end[trace.core == c].max()) - self.start, 1.0) for c in cores]

    @cached_property
    def once(self) -> float:
        """Cycles of a core's first load and last store: the mean over the cores."""
        trace, found = self.trace, []
        for core in np.unique(trace.core[np.isin(trace.block, self.busy)]).tolist():
            mine = trace.core == core
            cycles = 0.0
            for pipe, pick in ((Pipe.MTE2, np.argmin), (Pipe.MTE3, np.argmax)):
                rows = np.flatnonzero(mine & (trace.pipe == pipe) & self._moving)
                if len(rows):
                    row = rows[int(pick(trace.start[rows]))]
                    cycles += float(trace.end[row] - trace.start[row])
            found.append(cycles)
        return sum(found) / max(len(found), 1)

    @cached_property
    def _moving(self) -> NDArray[np.bool_]:
        moving: NDArray[np.bool_] = self.trace.read_bytes + self.trace.write_bytes > 0
        return moving

    @cached_property
    def tiles(self) -> int:
        """Into how many parts the work can be divided."""
        trace = self.trace
        for pipe, nbytes in ((Pipe.MTE2, trace.read_bytes), (Pipe.MTE3, trace.write_bytes)):
            rows = np.flatnonzero((trace.pipe == pipe) & self._moving)
            if len(rows):
                lines, counts = np.unique(trace.where[rows], return_counts=True)
                rows = rows[trace.where[rows] == lines[int(counts.argmax())]]
                return int(np.maximum(nbytes[rows] // _TILE, 1).sum())
        return max(len(self.busy), 1)

    @cached_property
    def repeated(self) -> float:
        """Share of the loaded bytes that more cores would load more often."""
        trace = self.trace
        loads = (trace.pipe == Pipe.MTE2) & (trace.src_space == _GM)
        apart = sum(
            self._bytes(np.flatnonzero(loads & (trace.core == core)))
            for core in np.unique(trace.core[loads]).tolist()
        )
        return 1 - self._bytes(np.flatnonzero(loads)) / apart if apart else 0.0

    def _bytes(self, rows: Rows) -> float:
        """Bytes of GM that these loads cover."""
        trace = self.trace
        return length(merged(trace.src_addr[rows], trace.src_addr[rows] + trace.src_len[rows]))


_WORK = (Pipe.V, Pipe.MTE2, Pipe.MTE3)
