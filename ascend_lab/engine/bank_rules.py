"""UB banks: which bank group each repeat of a vector instruction reads and writes, and what collides.

Address bits of 2201: [4:0] byte of a row, [8:5] bank group, [15:9] row, [17:16] bank. In one cycle a group
serves one read, a bank one read or one write; a write to the banks of a source comes one repeat later.
Source: asc-devkit: examples/01_simd_cpp_api/05_best_practices/04_memory_access/bank_conflict_ub (README).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ascend_lab.engine.trace import SPACE_IDS, Row, Trace

if TYPE_CHECKING:
    from ascend_lab.chips import ChipSpec

#: The architecture whose rules are published.
RULES_OF = 2201
_ROW = 32
_NONE: tuple[int, ...] = ()
_UB = SPACE_IDS["UB"]


@dataclass(frozen=True, slots=True)
class Geometry:
    """``groups`` bank groups of ``banks`` banks, each of ``rows`` rows of 32 B."""

    groups: int
    banks: int
    rows: int

    def group(self, address: int) -> int:
        return address // _ROW % self.groups

    def bank(self, address: int) -> int:
        """The bank within its group."""
        return address // (_ROW * self.groups * self.rows)

    def row(self, address: int) -> int:
        return address // (_ROW * self.groups) % self.rows

    def cell(self, address: int) -> tuple[int, int]:
        """(group, bank)."""
        return self.group(address), self.bank(address)


def geometry(spec: ChipSpec) -> Geometry:
    """The banks of a chip's UB."""
    memory = spec.memory
    groups = memory.ub_bank_groups
    return Geometry(groups, memory.ub_banks // groups, memory.ub_bank_bytes // _ROW)


@dataclass(frozen=True, slots=True)
class Operand:
    """How one operand walks: the DataBlocks of ``blocks`` (bits) at addr + 32 * (repeat * rep + j * blk)."""

    name: str
    writes: bool
    addr: int
    blk: int
    rep: int
    repeats: int
    blocks: int
    last: int

    def addresses(self, repeat: int) -> tuple[int, ...]:
        """The rows of 32 B one repeat touches, in the order of its DataBlocks; a row twice counts once."""
        bits = self.last if repeat == self.repeats - 1 else self.blocks
        base = self.addr + repeat * self.rep * _ROW
        return tuple(dict.fromkeys(base + j * self.blk * _ROW for j in range(8) if bits >> j & 1))


@dataclass(frozen=True, slots=True)
class Conflicts:
    """Of ``repeats``: how many have two reads in a group, k writes in one, a read and a write in one bank.

    ``factor`` is how much longer the repeats take on the chip; ``groups`` are those that collide in the first
    repeat that has a conflict, ``first`` its number (-1: none).
    """

    repeats: int
    read_read: int
    write_write: int
    read_write: int
    factor: float
    first: int
    groups: tuple[int, ...]

    @property
    def any(self) -> bool:
        return self.first >= 0


@dataclass(frozen=True, slots=True)
class Access:
    """One way in which a line's vector instruction uses the banks; ``rows`` are its executions."""

    op: str
    where: int
    operands: tuple[Operand, ...]
    rows: tuple[Row, ...]
    conflicts: Conflicts


def accesses(trace: Trace, spec: ChipSpec, core: int) -> tuple[tuple[Access, ...], Counter[str]]:
    """The lane-wise vector instructions of a core, one entry per line and set of addresses.

    Also how often other vector instructions ran, whose banks are not judged. Conflicts come first.
    """
    shape = geometry(spec)
    operands = _operands(trace, core)
    found: dict[tuple[object, ...], list[Row]] = {}
    others: Counter[str] = Counter()
    for row in trace.rows(core=core, pipe=1):
        walked = operands.get(row.serial, ())
        if walked:
            found.setdefault((row.where, row.op, walked), []).append(row)
        elif row.read_bytes or row.write_bytes:
            others[trace.ops[row.op]] += 1
    cost = spec.cost.vector
    made = [
        Access(
            trace.ops[op],
            where,
            walked,
            tuple(rows),
            judge(walked, shape, cost.conflict_read_write),
        )
        for (where, op, walked), rows in _typed(found)
    ]
    order = sorted(made, key=lambda a: (not a.conflicts.any, a.rows[0].serial))
    return tuple(order), others


def _typed(
    found: dict[tuple[object, ...], list[Row]],
) -> Iterator[tuple[tuple[int, int, tuple[Operand, ...]], list[Row]]]:
    for key, rows in found.items():
        where, op, walked = key
        assert isinstance(where, int)
        assert isinstance(op, int)
        assert isinstance(walked, tuple)
        yield (where, op, walked), rows


def _operands(trace: Trace, core: int) -> dict[int, tuple[Operand, ...]]:
    """Serial -> its operands with a known pattern, sources first."""
    table = trace.details.operands
    table = table[(table["space"] == _UB) & (table["repeats"] > 0)]
    mine = {row.serial for row in trace.rows(core=core, pipe=1)}
    names = ("serial", "writes", "addr", "blk", "rep", "repeats", "blocks", "last")
    found: dict[int, list[Operand]] = {}
    for serial, writes, *rest in zip(*(table[name].tolist() for name in names), strict=True):
        if serial in mine:
            known = found.setdefault(serial, [])
            name = "dst" if writes else f"src{len(known)}"
            known.append(Operand(name, bool(writes), *rest))
    return {serial: _one_source(operands) for serial, operands in found.items()}


def _one_source(operands: Sequence[Operand]) -> tuple[Operand, ...]:
    """A single source is called src, as in the documentation."""
    sources = [operand for operand in operands if not operand.writes]
    if len(sources) != 1:
        return tuple(operands)
    only = sources[0]
    renamed = Operand("src", False, *[getattr(only, n) for n in Operand.__slots__[2:]])
    return tuple(renamed if operand is only else operand for operand in operands)


# --- the rules -------------------------------------------------------------------------------


def judge(operands: Sequence[Operand], shape: Geometry, read_write: float) -> Conflicts:
    """What collides in each repeat; ``read_write`` is the factor of a read and a write in one bank."""
    repeats = max((operand.repeats for operand in operands), default=0)
    reads = [operand for operand in operands if not operand.writes]
    writes = [operand for operand in operands if operand.writes]
    rr = ww = rw = 0
    factors = []
    first, groups = -1, _NONE
    kept: dict[
        tuple[tuple[tuple[int, int], ...], ...], tuple[float, list[bool], tuple[int, ...]]
    ] = {}
    for repeat in range(repeats):
        cells = tuple(_cells(operand, repeat, shape) for operand in (*reads, *writes))
        known = kept.get(cells)
        if known is None:
            known = _repeat(cells[: len(reads)], cells[len(reads) :], read_write)
            kept[cells] = known
        factor, kinds, hit = known
        factors.append(factor)
        rr, ww, rw = rr + kinds[0], ww + kinds[1], rw + kinds[2]
        if first < 0 and any(kinds):
            first, groups = repeat, hit
    mean = float(np.mean(factors)) if factors else 1.0
    return Conflicts(repeats, rr, ww, rw, mean, first, groups)


def _cells(operand: Operand, repeat: int, shape: Geometry) -> tuple[tuple[int, int], ...]:
    if repeat >= operand.repeats or (repeat and operand.rep == 0 and not operand.writes):
        return ()  # with a repeat stride of 0 a source is read once
    return tuple(shape.cell(address) for address in operand.addresses(repeat))


def _repeat(
    reads: Sequence[tuple[tuple[int, int], ...]],
    writes: Sequence[tuple[tuple[int, int], ...]],
    read_write: float,
) -> tuple[float, list[bool], tuple[int, ...]]:
    """Factor, (read-read, write-write, read-write), and the groups where it happens, of one repeat."""
    read = Counter(group for cells in reads for group, _ in cells)
    written = Counter(group for cells in writes for group, _ in cells)
    most_read = max(read.values(), default=1)
    most_written = max(written.values(), default=1)
    shared = _shared(reads, writes)
    hit = {g for g, n in read.items() if n > 1} | {g for g, n in written.items() if n > 1}
    hit |= {group for group, _ in shared}
    factor = max(float(most_read), float(most_written), read_write if shared else 1.0)
    return factor, [most_read > 1, most_written > 1, bool(shared)], tuple(sorted(hit))


def _shared(
    reads: Sequence[tuple[tuple[int, int], ...]], writes: Sequence[tuple[tuple[int, int], ...]]
) -> set[tuple[int, int]]:
    """Banks that are read and written; not those of a source that lies as the destination does."""
    found: set[tuple[int, int]] = set()
    for target in writes:
        for cells in reads:
            if cells != target:
                found |= set(cells) & set(target)
    return found
