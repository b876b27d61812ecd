"""What a kernel is bound by, and which change is worth trying first: found by running it again.

Each unit is made twice as fast in turn, and so is what comes once for every instruction ("latency": start of a
copy, start-up of V, issue by S); the one that shortens the run most is the bound. Then each change
that a student could make is tried the same way, and the one that gains most comes first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ascend_lab.engine.details import Array
from ascend_lab.engine.instruction import Pipe
from ascend_lab.engine.trace import SPACE_IDS, Trace
from ascend_lab.profile import whatif
from ascend_lab.profile.advising import Gain, say
from ascend_lab.profile.counters import BlockCounters, counters
from ascend_lab.profile.figures import metrics
from ascend_lab.profile.indicators import length, spans
from ascend_lab.profile.roofline import roofline
from ascend_lab.profile.rows import WAYS, row_runs
from ascend_lab.profile.spreading import Spread
from ascend_lab.profile.whatif import Change

if TYPE_CHECKING:
    from ascend_lab.chips import ChipSpec

UNITS = ("MTE2", "MTE3", "V", "S", "latency")
#: A change that saves less than this is not worth naming.
WORTH = 0.02
_LARGEST_FACTOR = 64

#: Runs the kernel with a change; gives the time of the task in us.
Again = Callable[[Change], float]


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """The bound ("MTE2", "MTE3", "V", "S", "latency", "imbalance", "bank conflict", "launch") and what would help.

    ``halved``: share of the time that is saved when a unit is twice as fast. ``gains`` are worth trying, the best
    first; empty when nothing saves more than 2 %. ``share`` is the part of the roofline that is reached.
    """

    kernel: str
    chip: str
    calibrated: bool
    time_us: float
    bound: str
    halved: Mapping[str, float]
    gains: tuple[Gain, ...]
    share: float

    @property
    def first(self) -> Gain | None:
        """The change to try first."""
        return self.gains[0] if self.gains else None

    def lines(self, lang: str = "en") -> list[str]:
        """The diagnosis as lines of text."""
        mark = "" if self.calibrated else say("uncalibrated", lang)
        found = [
            say("head", lang, kernel=self.kernel, chip=self.chip, us=f"{self.time_us:.2f}") + mark,
            say("bound", lang, bound=say(f"bound_{self.bound}", lang)),
            say("halved", lang, units=", ".join(self._units())),
            say("share", lang, share=f"{self.share:.0%}"),
        ]
        if self.first is None:
            return [*found, say("nothing", lang, worth=f"{WORTH:.0%}")]
        found.append(say("first", lang, what=self.first.text(lang)))
        found.append(self._gain(self.first, lang))
        for other in self.gains[1:]:
            found.append(say("then", lang, what=other.text(lang), gain=f"{other.gain:.0%}"))
        return found

    def _units(self) -> Iterator[str]:
        for unit, gain in sorted(self.halved.items(), key=lambda item: -item[1]):
            yield f"{unit} −{max(gain, 0.0):.0%}"

    def _gain(self, best: Gain, lang: str) -> str:
        times = {"old": f"{self.time_us:.2f}", "new": f"{best.time_us:.2f}"}
        return say("gain", lang, gain=f"{best.gain:.0%}", **times)

    def as_dict(self) -> dict[str, Any]:
        """Everything, ready for JSON."""
        return {
            "kernel": self.kernel,
            "chip": self.chip,
            "calibrated": self.calibrated,
            "time_us": self.time_us,
            "bound": self.bound,
            "twice_as_fast": dict(self.halved),
            "roofline_share": self.share,
            "changes": [
                {
                    "change": found.change,
                    "time_us": found.time_us,
                    "gain": found.gain,
                    "numbers": dict(found.numbers),
                }
                for found in self.gains
            ],
        }


def diagnose(trace: Trace, spec: ChipSpec, again: Again) -> Diagnosis:
    """What bounds the run of ``trace`` on ``spec``; ``again`` runs it with a change."""
    figures = metrics(trace, spec)
    now = figures.task_duration_us
    blocks = counters(trace, spec)
    halved = {unit: 1.0 - again(Change(unit, whatif.faster(unit))) / now for unit in UNITS}
    tried = [*_rerun(trace, spec, blocks, again, now), *Spread(trace, spec, blocks, now).gains()]
    gains = sorted((gain for gain in tried if gain.gain >= WORTH), key=lambda g: -g.gain)
    return Diagnosis(
        kernel=figures.op_name,
        chip=spec.name,
        calibrated=spec.calibrated,
        time_us=now,
        bound=_bound(halved, gains, figures.launch_us / now),
        halved=halved,
        gains=tuple(gains),
        share=roofline(trace, spec).share,
    )


def _bound(halved: Mapping[str, float], gains: list[Gain], launch: float) -> str:
    """The unit that matters most; a cause that is not a unit when it explains more than any unit."""
    unit = max((u for u in halved if u != "latency"), key=lambda name: halved[name])
    by_name = {gain.change: gain.gain for gain in gains}
    if halved["latency"] > 1.2 * halved[unit]:  # S has its share of what comes once an instruction
        unit = "latency"
    if launch >= 0.5:
        return "launch"
    if gains and gains[0].change in ("balance", "cores", "fewer") and gains[0].gain > halved[unit]:
        return "imbalance"
    banks = by_name.get("banks", 0.0)
    if banks >= halved[unit] / 2 and (unit == "V" or gains[0].change == "banks"):
        return "bank conflict"
    return unit


# --- changes that are run again -----------------------------------------------------------------------


def _rerun(
    trace: Trace, spec: ChipSpec, blocks: tuple[BlockCounters, ...], again: Again, now: float
) -> Iterator[Gain]:
    for change in _changes(trace, spec, blocks):
        time = again(change)
        if change.name == "tile":
            time += _less_overlap(trace, spec, (change.numbers or {})["factor"])
        yield Gain(change.name, time, 1.0 - time / now, change.numbers or {})


def _less_overlap(trace: Trace, spec: ChipSpec, factor: int) -> float:
    """What ``factor`` times larger tiles lose, in us: with fewer tiles less lies on top of each other.

    Of T tiles T - 1 overlap with the next; only what bytes take counts, the rest is what larger tiles save.
    """
    core = max(
        np.unique(trace.core).tolist(), key=lambda c: float(trace.end[trace.core == c].max())
    )
    moving = (trace.core == core) & (trace.read_bytes + trace.write_bytes > 0)
    on = {pipe: moving & (trace.pipe == pipe) for pipe in (Pipe.MTE2, Pipe.V, Pipe.MTE3)}
    busy = sum(length(spans(trace, rows)) for rows in on.values())
    dma, mhz = spec.cost.dma, spec.clock_mhz
    needed = float(trace.read_bytes[on[Pipe.MTE2]].sum()) / dma.mte2_rate * mhz / 1e3
    needed += float(trace.write_bytes[on[Pipe.MTE3]].sum()) / dma.mte3_rate * mhz / 1e3
    vector = length(spans(trace, on[Pipe.V]))
    needed += max(vector - int(on[Pipe.V].sum()) * spec.cost.vector.startup, 0.0)
    together = busy - length(spans(trace, on[Pipe.MTE2] | on[Pipe.V] | on[Pipe.MTE3]))
    tiles = max(_tiles(trace) * int(np.unique(trace.block[moving]).size), 2)
    share = min(needed / busy, 1.0) if busy else 0.0
    return together * share * (factor - 1) / (tiles - 1) / mhz


def _changes(trace: Trace, spec: ChipSpec, blocks: tuple[BlockCounters, ...]) -> Iterator[Change]:
    used, usable = ub_used(trace), spec.memory.ub_usable_bytes
    tiles = _tiles(trace)
    if tiles > 1:
        factor = _factor(used, usable, tiles)
        if factor > 1:
            numbers = {"factor": factor, "used": used, "usable": usable, "tiles": tiles}
            yield Change("tile", whatif.larger_tiles(factor), numbers=numbers)
        halves = 2 * used > usable
        smaller = whatif.larger_tiles(0.5) if halves else Change("").spec
        name = "half_buffers" if halves else "buffers"
        yield Change(name, smaller, more_buffers=True, numbers={"used": used, "usable": usable})
    if any(b.bank_group_cycles + b.bank_cycles for b in blocks):
        yield Change("banks", whatif.without_conflicts)
    names = set(trace.ops)
    if names & {"GetValue", "SetValue"}:
        count = int(np.isin(trace.op, _ids(trace, ("GetValue", "SetValue"))).sum())
        yield Change("scalar", whatif.vectorised, numbers={"count": count})
    if "PipeBarrier" in names:
        count = int(np.isin(trace.op, _ids(trace, ("PipeBarrier",))).sum())
        yield Change("barriers", no_barriers=True, numbers={"count": count})
    yield Change("align", whatif.aligned)
    if _meet(trace, spec):
        yield Change("addresses", whatif.own_addresses)
    rows = _rows(trace)
    if rows > 1:
        yield Change("rows", whatif.merged_rows(rows), numbers={"rows": rows})
    times = _short(trace, spec)
    if times > 1:
        yield Change("merge", whatif.longer_instructions(times), numbers={"times": times})
    once = read_once(trace, spec)
    if once:
        past = tuple((a.addr, a.addr + a.nbytes) for a in once)
        arrays = ", ".join(a.name for a in once)
        yield Change("hint", past=past, numbers={"arrays": arrays})


def _first_block(trace: Trace, pipe: Pipe) -> NDArray[np.intp]:
    """The rows of one block on a pipe, in order of issue."""
    on = np.flatnonzero(trace.pipe == pipe)
    on = on[trace.block[on] == trace.block[on].min()] if len(on) else on
    return on[np.argsort(trace.serial[on], kind="stable")]


def _meet(trace: Trace, spec: ChipSpec) -> bool:
    """Whether several cores begin loads in the same request."""
    loads = (trace.pipe == Pipe.MTE2) & (trace.src_space == SPACE_IDS["GM"])
    places = trace.src_addr[loads] // spec.cost.dma.request_bytes
    apart = np.unique(np.stack((places, trace.core[loads])), axis=1)
    return bool(apart.shape[1] > len(np.unique(places)))


def _rows(trace: Trace) -> int:
    """How many rows in a row one copy could move; 0 when most copies are no such rows."""
    for way in WAYS:
        on = _first_block(trace, way.pipe)
        found = [len(run) for run in row_runs(trace, on, way)]
        if found and 2 * sum(found) > len(on):
            return max(found)
    return 0


def _short(trace: Trace, spec: ChipSpec) -> int:
    """How many vector instructions of one or two repeats a line issues one behind the other."""
    on = _first_block(trace, Pipe.V)
    on = on[np.maximum(trace.read_bytes[on], trace.write_bytes[on]) > 0]
    where = trace.where[on]
    if not len(on):
        return 0
    starts = np.flatnonzero(np.concatenate(([True], where[1:] != where[:-1])))
    runs = np.diff(np.concatenate((starts, [len(on)])))
    longest = int(runs.argmax())
    rows = on[starts[longest] : starts[longest] + runs[longest]]
    nbytes = np.maximum(trace.read_bytes[rows], trace.write_bytes[rows])
    few = float(nbytes.mean()) <= 2 * spec.limits.lanes_bytes
    return int(runs[longest]) if few and 2 * int(runs[longest]) > len(on) // len(starts) else 0


def read_once(trace: Trace, spec: ChipSpec) -> list[Array]:
    """Arrays that are loaded once and never stored to, when all that is moved does not fit into L2."""
    operands = trace.details.operands
    operands = operands[operands["space"] == SPACE_IDS["GM"]]
    room = spec.memory.l2_bytes * spec.cost.dma.l2_usable
    if not spec.apis["SetL2CacheHint"].supported or operands["nbytes"].sum() <= room:
        return []
    found = []
    for array in trace.details.arrays:
        mine = operands[
            (operands["low"] >= array.addr) & (operands["low"] < array.addr + array.nbytes)
        ]
        if len(mine) and not mine["writes"].any() and mine["nbytes"].sum() <= array.nbytes:
            found.append(array)
    return found


def _ids(trace: Trace, names: tuple[str, ...]) -> list[int]:
    return [number for number, name in enumerate(trace.ops) if name in names]


def ub_used(trace: Trace) -> int:
    """Bytes of UB that the buffers of one block take."""
    places = trace.details.places
    block = places[0].block if places else -1
    ends = [p.addr + p.num * p.length for p in places if p.block == block]
    return max(ends, default=0)


def _tiles(trace: Trace) -> int:
    """How often a core loads by the line that loads most often."""
    loads = (trace.pipe == Pipe.MTE2) & (trace.src_space == SPACE_IDS["GM"])
    if not loads.any():
        return 0
    keys = np.stack((trace.block[loads], trace.where[loads]))
    return int(np.unique(keys, axis=1, return_counts=True)[1].max())


def _factor(used: int, usable: int, tiles: int) -> int:
    """The largest power of two by which the tile can grow."""
    factor = 1
    while factor < _LARGEST_FACTOR and 2 * factor * used <= usable and 2 * factor <= tiles:
        factor *= 2
    return factor if used else 1
