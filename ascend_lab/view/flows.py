"""The way of one tile: the store to GM and everything it depends on, back to the loads."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ascend_lab.engine.details import MARKERS
from ascend_lab.engine.instruction import ITEMSIZE, Pipe
from ascend_lab.engine.trace import SPACE_IDS, Row, Trace
from ascend_lab.profile.figures import covered
from ascend_lab.view.origin import Origin
from ascend_lab.view.uses import Buffer, at, buffers

_GM, _UB = SPACE_IDS["GM"], SPACE_IDS["UB"]


@dataclass(frozen=True, slots=True)
class Access:
    """Bytes [low, high) of a memory."""

    space: int
    low: int
    high: int


@dataclass(frozen=True, slots=True)
class Node:
    """An instruction of the tile and what it touches."""

    row: Row
    reads: tuple[Access, ...]
    writes: tuple[Access, ...]


@dataclass(frozen=True, slots=True)
class Edge:
    """``giver`` wrote UB bytes [low, high) that ``taker`` reads.

    ``sync`` says what orders the two: "flag" (then ``flag`` has pipes and id), "same" pipe, "auto",
    "barrier", or "none".
    """

    giver: int
    taker: int
    low: int
    high: int
    owner: Buffer | None
    sync: str
    flag: tuple[int, int, int] | None


@dataclass(frozen=True, slots=True)
class Flow:
    """The nodes of one tile in order of issue, and the edges between them; serials name the nodes."""

    source: Origin
    core: int
    tile: int
    tiles: int
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]

    @property
    def begin(self) -> float:
        """When the first load of the tile starts; what was done before is not of this tile alone."""
        loads = self.of(Pipe.MTE2) or self.nodes
        return min((node.row.start for node in loads), default=0.0)

    @property
    def end(self) -> float:
        return max((node.row.end for node in self.nodes), default=0.0)

    def of(self, pipe: Pipe) -> tuple[Node, ...]:
        return tuple(node for node in self.nodes if node.row.pipe == pipe)

    def busy(self, pipe: Pipe | None = None) -> float:
        """Cycles in which a pipe, or any, works for the tile from :attr:`begin` on."""
        wanted = self.nodes if pipe is None else self.of(pipe)
        rows = [node.row for node in wanted if node.row.end > self.begin]
        return covered(np.array([r.start for r in rows]), np.array([r.end for r in rows]))


def stores(trace: Trace, core: int) -> tuple[Row, ...]:
    """The stores to GM of a core, in order of issue: one for each tile."""
    found = [
        row
        for row in trace.rows(core=core)
        if row.dst_space == _GM and row.write_bytes and row.pipe == Pipe.MTE3
    ]
    return tuple(sorted(found, key=lambda row: row.serial))


def flow(source: Origin, core: int, tile: int) -> Flow:
    """The tile number ``tile`` of a core; it must exist, unless the core stored nothing at all."""
    trace = source.trace
    ends = stores(trace, core)
    if not ends:
        return Flow(source, core, tile, 0, (), ())
    nodes = _nodes(trace, core)
    found, links = _back(nodes, ends[tile].serial)
    rows = {serial: node.row for serial, node in nodes.items()}
    sync, known = _Sync(trace, core), buffers(trace, core)
    edges = []
    for giver, taker, low, high in links:
        owner = at(known, low, high, rows[taker].start)
        number = owner.id if owner is not None else -1
        how = sync.between(rows[giver], rows[taker], number)
        edges.append(Edge(giver, taker, low, high, owner, *how))
    return Flow(source, core, tile, len(ends), tuple(nodes[s] for s in sorted(found)), tuple(edges))


def _nodes(trace: Trace, core: int) -> dict[int, Node]:
    """Serial -> node, for every instruction of the core that touches memory; in order of issue."""
    rows = {row.serial: row for row in trace.rows(core=core)}
    sides: dict[int, tuple[list[Access], list[Access]]] = {}
    table = trace.details.operands
    if len(table):
        columns = (table[n].tolist() for n in ("serial", "writes", "space", "low", "high"))
        for serial, writes, space, low, high in zip(*columns, strict=True):
            if serial in rows:
                sides.setdefault(serial, ([], []))[writes].append(Access(space, low, high))
    else:
        for row in rows.values():
            if trace.ops[row.op] in MARKERS:
                continue
            sides[row.serial] = ([*_first(row, "src")], [*_first(row, "dst")])
    touched = (serial for serial in sorted(sides) if rows[serial].end > rows[serial].start)
    return {s: Node(rows[s], tuple(sides[s][0]), tuple(sides[s][1])) for s in touched}


def _first(row: Row, side: str) -> Iterator[Access]:
    space, low = getattr(row, f"{side}_space"), getattr(row, f"{side}_addr")
    if space >= 0 and row.read_bytes + row.write_bytes:
        yield Access(space, low, low + getattr(row, f"{side}_len"))


def _back(nodes: dict[int, Node], last: int) -> tuple[set[int], list[tuple[int, int, int, int]]]:
    """What ``last`` depends on through UB: the serials, and (giver, taker, low, high)."""
    order = list(nodes)
    found, waiting = {last}, [last]
    links: list[tuple[int, int, int, int]] = []
    while waiting:
        taker = waiting.pop()
        earlier = order[: order.index(taker)]
        for access in nodes[taker].reads:
            if access.space != _UB:
                continue
            for giver, low, high in _givers(nodes, earlier, access):
                links.append((giver, taker, low, high))
                if giver not in found:
                    found.add(giver)
                    waiting.append(giver)
    return found, sorted(set(links))


def _givers(
    nodes: dict[int, Node], earlier: Sequence[int], access: Access
) -> Iterator[tuple[int, int, int]]:
    """Who wrote the bytes of ``access`` last, in program order."""
    missing = [(access.low, access.high)]
    for serial in reversed(earlier):
        for write in nodes[serial].writes:
            if write.space != _UB:
                continue
            left = []
            for low, high in missing:
                a, b = max(low, write.low), min(high, write.high)
                if a >= b:
                    left.append((low, high))
                    continue
                yield serial, a, b
                left += [span for span in ((low, a), (b, high)) if span[0] < span[1]]
            missing = left
        if not missing:
            return


class _Sync:
    """The flags and barriers of one core."""

    def __init__(self, trace: Trace, core: int) -> None:
        self.trace = trace
        rows = {row.serial: row for row in trace.rows(core=core)}
        ids = {row[0]: (row[1], row[2], row[3]) for row in trace.details.flags.tolist()}
        self.queues = {row[0]: row[4] for row in trace.details.flags.tolist()}
        self.waits = [
            (rows[row.cause], row, ids.get(row.serial))
            for row in rows.values()
            if trace.ops[row.op] == "WaitFlag" and row.cause in rows
        ]
        self.bars = [
            row for row in rows.values() if trace.ops[row.op] in ("PipeBarrier", "SyncAll")
        ]

    def between(self, giver: Row, taker: Row, buf: int) -> tuple[str, tuple[int, int, int] | None]:
        """What orders ``giver`` before ``taker``; of several flags that of buffer ``buf``."""
        if giver.pipe == taker.pipe:
            return "same", None
        found = [
            (set_, wait, flag)
            for set_, wait, flag in self.waits
            if set_.pipe == giver.pipe
            and wait.pipe == taker.pipe
            and giver.serial < set_.serial
            and wait.serial < taker.serial
        ]
        if found:
            set_, wait, flag = min(
                found, key=lambda pair: (self.queues.get(pair[1].serial) != buf, pair[0].serial)
            )
            return "flag", flag or (set_.pipe, wait.pipe, -1)
        if any(
            giver.serial < bar.serial < taker.serial and bar.pipe == Pipe.S for bar in self.bars
        ):
            return "barrier", None
        by_s = self.trace.meta.get("auto_sync") and Pipe.S in (giver.pipe, taker.pipe)
        waited = taker.auto and taker.cause == giver.serial
        return ("auto" if by_s or waited else "none"), None


def array_of(trace: Trace, access: Access) -> tuple[str, int, int] | None:
    """Name, first and last element of GM bytes; None when the trace does not name them."""
    for array in trace.details.arrays:
        if array.addr <= access.low < array.addr + max(array.nbytes, 1):
            size = ITEMSIZE[array.dtype]
            low, high = access.low - array.addr, access.high - array.addr
            return array.name, low // size, max(high - 1, low) // size
    return None
