"""K6, K11, K12: traffic with GM that costs more than its bytes. Told as `checks.costs` tells.

Source: asc-devkit: docs/zh/guide/算子实践参考/SIMD算子性能优化/内存访问 (避免同地址访问, 设置合理的L2-CacheMode, L2-Cache切分)
and 矢量计算/通过Unified-Buffer融合实现连续vector计算.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ascend_lab.checks.pace import merged_times
from ascend_lab.engine.dma import READ, WRITE
from ascend_lab.engine.instruction import Pipe
from ascend_lab.engine.l2 import L2
from ascend_lab.engine.lanes import Interval
from ascend_lab.engine.trace import SPACE_IDS

if TYPE_CHECKING:
    from ascend_lab.checks.costs import Ledger
    from ascend_lab.engine.issued import Issued
    from ascend_lab.engine.run import Run

Told = tuple[str, int | None, dict[str, Any], str]
#: So many transfers, and so many cores at one place, before anything is said.
_TIMES, _CORES = 4, 4
#: So large a part of the longest block's time HBM has to be at work, or to save bytes there saves nothing.
_FULL = 0.6
MB = 1e6


# --- K6: many cores at one address ------------------------------------------------------------------


def same_address(ledger: Ledger) -> Iterator[Told]:
    """Loads that begin in 512 B that another core is loading: GM serves them one after the other."""
    trace, dma, mhz = ledger.trace, ledger.spec.cost.dma, ledger.spec.clock_mhz
    meetings = _meetings(ledger)
    rows = [row for row in ledger.on(Pipe.MTE2).tolist() if meetings.get(row, 0) > 1]
    if len(rows) < _TIMES:
        return
    line, here = ledger.line_of(np.array(rows))
    cores = max(meetings[row] for row in here.tolist())
    lost = 0.0
    for row in rows:
        time = float(trace.end[row] - trace.start[row])
        alone = (dma.mte2_loaded_us + trace.read_bytes[row] / dma.mte2_burst_rate / 1e3) * mhz
        lost += max(time - max(time / dma.same_address, float(alone)), 0.0)
    lost = min(lost, ledger.spent(np.array(rows)))
    if cores < _CORES or len(here) < _TIMES or not ledger.matters(lost):
        return
    numbers = {
        "count": len(here),
        "cores": cores,
        "factor": f"{dma.same_address:g}",
        "cycles": round(lost),
        "gain": ledger.share(lost),
    }
    yield "K6", line, numbers, ""


def _meetings(ledger: Ledger) -> dict[int, int]:
    """Row of a load -> how many cores load from its first request while it is on its way, when there are several."""
    trace, request = ledger.trace, ledger.spec.cost.dma.request_bytes
    loads = np.flatnonzero((trace.pipe == Pipe.MTE2) & (trace.src_space == SPACE_IDS["GM"]))
    places = trace.src_addr[loads] // request
    order = np.lexsort((trace.start[loads], places))
    found: dict[int, int] = {}
    flying: list[tuple[float, int]] = []
    place = -1
    for at in order.tolist():
        row = int(loads[at])
        if places[at] != place:
            place, flying = int(places[at]), []
        start = float(trace.start[row])
        flying = [(end, other) for end, other in flying if end > start]
        flying.append((float(trace.end[row]), row))
        for _, other in flying if len(flying) > 1 else ():
            found[other] = max(found.get(other, 0), len(flying))
    return found


# --- K11: what L2 is filled with --------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Transfer:
    """A transfer with GM: its bytes, and the name of the array and the line they belong to."""

    start: float
    serial: int
    parts: Sequence[Interval]
    writes: bool
    past: bool
    array: str
    where: int


@dataclass(slots=True)
class Replayed:
    """What L2 did: bytes that came from HBM, those of them that L2 had held before (of how many loads), dirty bytes it
    had to drop."""

    missed: int = 0
    again: int = 0
    reloads: int = 0
    dropped: int = 0
    written: int = 0  # bytes of stores that pass L2 by


def l2_policy(ledger: Ledger) -> Iterator[Told]:
    """Data that is read once drives out of L2 what was written or will be read again; or all of it is too much."""
    run, spec, dma = ledger.run, ledger.spec, ledger.spec.cost.dma
    room = int(spec.memory.l2_bytes * dma.l2_usable)
    traffic = int(np.maximum(ledger.trace.read_bytes, ledger.trace.write_bytes).sum())
    if traffic <= room:  # GM sees no more than that
        return
    transfers = _transfers(run)
    now = _replay(transfers, room, dma.line_bytes)
    rate = dma.hbm_rate * 1e3 / spec.clock_mhz  # bytes a cycle
    hbm = now.missed + (now.dropped + now.written) * dma.write_back
    if hbm / rate < _FULL * ledger.longest.time:
        return
    once = _read_once(transfers)
    if once and spec.apis["SetL2CacheHint"].supported:
        then = _replay(transfers, room, dma.line_bytes, past=once)
        saved = now.missed - then.missed + (now.dropped - then.dropped) * dma.write_back
        if ledger.matters(saved / rate):
            streamed = sum(_size(x) for x in transfers if x.array in once and not x.writes)
            numbers: dict[str, Any] = {
                "arrays": ", ".join(sorted(once)),
                "streamed": _mb(streamed),
                "room": _mb(room),
                "dropped": _mb(now.dropped - then.dropped),
                "again": _mb(now.again - then.again),
                "gain": ledger.share(saved / rate),
            }
            yield "K11", _line(transfers, once), numbers, ""
            return
    saved = now.again / rate - _from_l2(ledger, now)
    if ledger.matters(saved):
        arrays = {x.array for x in transfers if not x.writes and x.array not in once}
        numbers = {
            "arrays": ", ".join(sorted(arrays)),
            "traffic": _mb(sum(map(_size, transfers))),
            "room": _mb(room),
            "again": _mb(now.again),
            "parts": -(-_covered([part for x in transfers for part in x.parts]) // room),
            "gain": ledger.share(saved),
        }
        yield "K11", _line(transfers, arrays), numbers, "split"


def _from_l2(ledger: Ledger, seen: Replayed) -> float:
    """Cycles a core would need to load from L2 what it has to load from HBM again."""
    dma, mhz, cores = ledger.spec.cost.dma, ledger.spec.clock_mhz, len(ledger.ends)
    latency = dma.l2_latency_us + dma.mte2_loaded_us - dma.mte2_latency_us
    rate = min(dma.l2_core_rate, dma.l2_read_rate / cores)
    return (seen.reloads * latency + seen.again / rate / 1e3) * mhz / cores


def _transfers(run: Run) -> list[Transfer]:
    """All transfers with GM in the order in which they started."""
    hints = {core.block: core.hints for core in run.cores}
    hinted = {hint for of_core in hints.values() for hint in of_core}
    found = []
    for x in run.executed:
        side = x.reads if x.pipe == Pipe.MTE2 else x.writes if x.pipe == Pipe.MTE3 else ()
        if not side or side[0].space != "GM":
            continue
        region, way = side[0].region, READ if x.pipe == Pipe.MTE2 else WRITE
        past = any(h.low <= region.low < h.high and h.ways & way for h in hinted)
        array = run.gm.locate(region.low)
        name = "" if array is None else _name(run, array.addr, array.name)
        writes = x.pipe == Pipe.MTE3
        found.append(Transfer(x.start, x.serial, region.parts, writes, past, name, x.instr.where))
    return sorted(found, key=lambda t: (t.start, t.serial))


def _name(run: Run, addr: int, name: str) -> str:
    return next((a.name for a in run.arguments if a.addr == addr), name)


def _replay(
    transfers: Sequence[Transfer], room: int, line: int, past: Collection[str] = ()
) -> Replayed:
    """The same transfers through an empty L2; loads of the arrays ``past`` do not enter it."""
    cache, ever, found = L2(room, line), L2(1 << 62, line), Replayed()
    for x in transfers:
        if x.writes and x.past:
            found.written += _size(x)
            continue
        if x.past or (x.array in past and not x.writes):
            found.missed += cache.look(x.parts).missed
            continue
        seen = ever.touch(x.parts, False)
        out = cache.touch(x.parts, x.writes)
        found.dropped += out.dropped
        if not x.writes:
            found.missed += out.missed
            found.again += max(out.missed - seen.missed, 0)
            found.reloads += out.missed > seen.missed
    return found


def _read_once(transfers: Sequence[Transfer]) -> set[str]:
    """Arrays that are only read, and no byte of them twice."""
    read: dict[str, int] = {}
    spans: dict[str, list[Interval]] = {}
    other: set[str] = set()
    for x in transfers:
        if x.writes or x.past or not x.array:
            other.add(x.array)
            continue
        read[x.array] = read.get(x.array, 0) + _size(x)
        spans.setdefault(x.array, []).extend(x.parts)
    return {name for name in read if name not in other and _covered(spans[name]) == read[name]}


def _covered(parts: Sequence[Interval]) -> int:
    return round(sum(high - low for low, high in merged_times(parts)))


def _size(x: Transfer) -> int:
    return sum(high - low for low, high in x.parts)


def _line(transfers: Sequence[Transfer], arrays: Collection[str]) -> int:
    """The line that loads most of these arrays."""
    count: dict[int, int] = {}
    for x in transfers:
        if not x.writes and x.array in arrays:
            count[x.where] = count.get(x.where, 0) + _size(x)
    return max(count, key=lambda where: (count[where], -where))


def _mb(nbytes: float) -> str:
    return f"{nbytes / MB:.3g} MB"


# --- K12: out to GM and back ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Trip:
    """A store, and the load that fetches the same bytes back."""

    store: Issued
    load: Issued


def round_trips(ledger: Ledger) -> Iterator[Told]:
    """A block that stores a result and loads it again, though all of that would have had room in the UB."""
    run, trace = ledger.run, ledger.trace
    block = int(trace.block[ledger.longest.rows[0]])
    trips = _trips(run, block, ledger.spec.memory.ub_usable_bytes - ledger.used)
    if len(trips) < 2:
        return
    way = merged_times((trip.store.start, trip.load.end) for trip in trips)
    mine = {id(x) for trip in trips for x in (trip.store, trip.load)}
    work = merged_times(
        (x.start, x.end)
        for x in run.executed
        if x.block == block and (x.reads or x.writes) and id(x) not in mine and x.pipe != Pipe.S
    )
    both = merged_times([*way, *work])
    lost = sum(high - low for low, high in both) - sum(high - low for low, high in work)
    if not ledger.matters(lost):
        return
    nbytes = sum(trip.load.reads[0].region.nbytes for trip in trips)
    rows = np.flatnonzero(np.isin(trace.serial, [trip.load.serial for trip in trips]))
    line, here = ledger.line_of(rows)
    numbers = {
        "count": len(here),
        "bytes": nbytes,
        "stored": trace.sources[trips[0].store.instr.where][1],
        "cycles": round(lost),
        "gain": ledger.share(lost),
    }
    yield "K12", line, numbers, ""


def _trips(run: Run, block: int, room: int) -> list[Trip]:
    """Loads of exactly what the block itself has stored, nobody else and no atomic store, with room for all between."""
    mine = sorted(
        (x for x in run.executed if x.block == block and _of_gm(x)), key=lambda x: x.serial
    )
    stored: dict[tuple[int, int], tuple[Issued, int]] = {}
    wrote = 0
    found = []
    for x in mine:
        side = x.reads if x.pipe == Pipe.MTE2 else x.writes
        region = side[0].region
        if len(region.parts) != 1:
            continue
        key = (region.low, region.high)
        if x.pipe == Pipe.MTE3:
            stored[key] = (x, wrote)
            wrote += region.nbytes
        elif key in stored:
            store, before = stored.pop(key)
            if wrote - before <= max(room, region.nbytes) and not store.atomic:
                found.append(Trip(store, x))
    if not found:
        return []
    others = [x.writes[0].region for x in run.executed if x.block != block and _stores(x)]
    return [t for t in found if not any(o.overlaps(t.load.reads[0].region) for o in others)]


def _of_gm(x: Issued) -> bool:
    return _stores(x) or (x.pipe == Pipe.MTE2 and bool(x.reads) and x.reads[0].space == "GM")


def _stores(x: Issued) -> bool:
    return x.pipe == Pipe.MTE3 and bool(x.writes) and x.writes[0].space == "GM"
