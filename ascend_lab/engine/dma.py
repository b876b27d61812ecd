"""The DMA units: how long a transfer takes alone, and what the cores share while they transfer.

Bytes that L2 does not hold come through the pool of HBM, those it holds through that of L2; stores go into L2,
and dirty lines that are dropped for new ones must be in HBM first. Every figure comes from the chip file (`DmaCost`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ascend_lab.engine.clock import Pool
from ascend_lab.engine.instruction import Pipe
from ascend_lab.engine.issued import Issued, Unit, Work
from ascend_lab.engine.l2 import L2
from ascend_lab.engine.lanes import Interval

if TYPE_CHECKING:
    from ascend_lab.chips import ChipSpec
    from ascend_lab.engine.core import Core
    from ascend_lab.engine.run import Run

READ, WRITE = 1, 2  # what a hint is for


class Hint(NamedTuple):
    """[low, high) of GM that reads (bit 1) or writes (bit 2) are to pass L2 by."""

    low: int
    high: int
    ways: int


class Path(NamedTuple):
    """One way of a core's bytes: n of them alone take max(latency + n / burst, n / rate) cycles."""

    latency: float
    burst: float
    rate: float

    def alone(self, size: float) -> float:
        return max(self.latency + size / self.burst, size / self.rate)


class Dma:
    """The transfers of one launch."""

    def __init__(self, run: Run) -> None:
        spec, clock = run.spec, run.clock
        dma = spec.cost.dma
        self._clock = clock
        self._line, self._request = dma.line_bytes, dma.request_bytes
        self._write_back, self._same = dma.write_back, dma.same_address
        self._interval, self._window = dma.issue_interval_cycles, dma.window_bytes
        self._from_hbm, self._from_l2, self._to_l2 = _paths(spec, min(run.blocks, len(run.cores)))
        self.latency = self._from_hbm.latency
        self._restart = dma.restart_us * spec.clock_mhz

        def pool(rate: float, cap: float) -> Pool:
            return Pool(clock, rate * 1e3 / spec.clock_mhz, cap)

        self._hbm = pool(dma.hbm_rate, self._from_hbm.burst)
        self._l2_read = pool(dma.l2_read_rate, self._from_l2.burst)
        self._l2_write = pool(dma.l2_write_rate, self._to_l2.burst)
        self._l2 = L2(int(spec.memory.l2_bytes * dma.l2_usable), dma.line_bytes)
        self._reading: dict[int, int] = {}  # first request of a read on its way -> how many

    def room(self, unit: Unit, x: Issued) -> bool:
        """Whether ``x`` may start while others of its pipe are on their way."""
        return unit.moving + _size(x) <= self._window

    def start(self, core: Core, unit: Unit, x: Work) -> None:
        """Move the bytes of ``x``; the core hears of it when all have arrived."""
        now = self._clock.now
        size = _size(x)
        paused = not unit.moving and unit.ended < now
        unit.moving += size
        reads = unit.pipe == Pipe.MTE2
        rate = (self._from_hbm if reads else self._to_l2).rate
        unit.free_at = now + max(self._interval, size / rate)
        side = x.reads if reads else x.writes
        if not side or side[0].space != "GM":
            self._clock.at(now + self._to_l2.alone(size), core.arrived, (unit, x))
            return
        region = side[0].region
        asked = self._asked(region.parts)
        past = core.hints and _passes(core.hints, region.low, READ if reads else WRITE)
        if reads:
            self._read(Load(core, unit, x), asked, bool(past), paused)
        else:
            self._write(Load(core, unit, x), asked, bool(past))

    def _read(self, load: Load, asked: float, past: bool, paused: bool) -> None:
        """Ask for the bytes. After a pause of the pipe they begin to flow a while later; else they follow."""
        parts = load.x.reads[0].region.parts
        hit, missed, dropped = self._l2.look(parts) if past else self._l2.touch(parts, False)
        if missed and hit <= 2 * self._line * len(parts):
            # Lines at the ends of bursts come with what is around them.
            hit, missed = 0, hit + missed
        load.place = parts[0][0] // self._request
        others = self._reading.get(load.place, 0)
        self._reading[load.place] = others + 1
        now = self._clock.now
        share = hit / (hit + missed)
        slower = self._same if others else 1.0
        if missed:
            size = asked * (1 - share)
            load.due = now + self._from_hbm.alone(size)
            load.ask(self._hbm, size * slower)
        else:  # L2 is faster than HBM
            load.unit.free_at = now + max(self._interval, asked / self._from_l2.rate)
        if hit:
            size = asked * share
            load.due = max(load.due, now + self._from_l2.alone(size))
            load.ask(self._l2_read, size * slower)
        if dropped:  # to make room
            load.ask(self._hbm, dropped * self._write_back)
        if paused and self._restart:
            self._clock.at(now + self._restart, self._flow, load)
        else:
            self._flow(load)

    def _flow(self, load: Load) -> None:
        for pool, size in load.asked:
            pool.join(size, self._arrived, load)

    def _write(self, load: Load, asked: float, past: bool) -> None:
        load.due = self._clock.now + self._to_l2.alone(asked)
        if past:
            load.ask(self._hbm, asked * self._write_back)
        else:
            dropped = self._l2.touch(load.x.writes[0].region.parts, True).dropped
            load.ask(self._l2_write, asked)
            if dropped:
                load.ask(self._hbm, dropped * self._write_back)
        self._flow(load)

    def _asked(self, parts: tuple[Interval, ...]) -> float:
        """The bytes that are asked for: whole lines, or whole requests where a burst is off the lines."""
        line, request = self._line, self._request
        total = 0
        for low, high in parts:
            if not (low % line or high % line):
                total += high - low
            elif low // line == (high - 1) // line:
                total += line
            else:
                total += (-(-high // request) - low // request) * request
        return float(total)

    def _arrived(self, load: Load) -> None:
        load.parts -= 1
        if load.parts:
            return
        if load.place >= 0:
            left = self._reading[load.place] - 1
            if left:
                self._reading[load.place] = left
            else:
                del self._reading[load.place]
        done = load.core.arrived
        if self._clock.now < load.due:
            self._clock.at(load.due, done, (load.unit, load.x))
        else:
            done((load.unit, load.x))


class Load:
    """A transfer on its way: ``asked`` of each pool, it is there when all of that is, and not before ``due``."""

    __slots__ = ("asked", "core", "due", "parts", "place", "unit", "x")

    def __init__(self, core: Core, unit: Unit, x: Work) -> None:
        self.core = core
        self.unit = unit
        self.x = x
        self.place = -1  # of a read
        self.asked: list[tuple[Pool, float]] = []
        self.parts = 0
        self.due = 0.0

    def ask(self, pool: Pool, size: float) -> None:
        """``size`` bytes of ``pool`` are a part of it."""
        self.asked.append((pool, size))
        self.parts += 1


def _paths(spec: ChipSpec, cores: int) -> tuple[Path, Path, Path]:
    """HBM to UB, L2 to UB, UB to L2, with ``cores`` cores at work."""
    dma, clock = spec.cost.dma, spec.clock_mhz
    busy = (cores - 1) / max(spec.vector_cores - 1, 1)
    more = busy * (dma.mte2_loaded_us - dma.mte2_latency_us)

    def path(latency: float, burst: float, rate: float) -> Path:
        return Path(latency * clock, burst * 1e3 / clock, rate * 1e3 / clock)

    return (
        path(dma.mte2_latency_us + more, max(dma.mte2_burst_rate, dma.mte2_rate), dma.mte2_rate),
        path(dma.l2_latency_us + more, dma.l2_core_rate, dma.l2_core_rate),
        path(dma.mte3_latency_us, max(dma.mte3_burst_rate, dma.mte3_rate), dma.mte3_rate),
    )


def _size(x: Issued) -> int:
    return x.reads[0].region.nbytes if x.reads else 0


def _passes(hints: tuple[Hint, ...], addr: int, way: int) -> bool:
    return any(hint.low <= addr < hint.high and hint.ways & way for hint in hints)
