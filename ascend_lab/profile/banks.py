"""Which bank groups of UB each repeat of a vector instruction read and wrote, and what collided, from the trace.

The rules are those of `engine.banks`, which the clock follows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ascend_lab.engine.banks import ROW, Banks, judged
from ascend_lab.engine.trace import SPACE_IDS, Row, Trace

if TYPE_CHECKING:
    from ascend_lab.chips import ChipSpec

_UB = SPACE_IDS["UB"]


@dataclass(frozen=True, slots=True)
class Geometry:
    """``groups`` bank groups of ``banks`` banks, each of ``rows`` rows of 32 B."""

    groups: int
    banks: int
    rows: int

    def group(self, address: int) -> int:
        return address // ROW % self.groups

    def bank(self, address: int) -> int:
        """The bank within its group."""
        return address // (ROW * self.groups * self.rows)

    def row(self, address: int) -> int:
        return address // (ROW * self.groups) % self.rows

    def cell(self, address: int) -> tuple[int, int]:
        """(group, bank)."""
        return self.group(address), self.bank(address)


def geometry(spec: ChipSpec) -> Geometry:
    """The banks of a chip's UB."""
    memory = spec.memory
    groups = memory.ub_bank_groups
    return Geometry(groups, memory.ub_banks // groups, memory.ub_bank_bytes // ROW)


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
        base = self.addr + repeat * self.rep * ROW
        return tuple(dict.fromkeys(base + j * self.blk * ROW for j in range(8) if bits >> j & 1))

    def rows(self, repeats: int) -> NDArray[np.int64]:
        """Row numbers, shape (repeats, 8); -1 for no access. With a repeat stride of 0 a source is read once."""
        found = np.full((repeats, 8), -1, dtype=np.int64)
        once = self.rep == 0 and not self.writes
        for repeat in range(1 if once else self.repeats):
            rows = [address // ROW for address in self.addresses(repeat)]
            found[repeat, : len(rows)] = rows
        return found


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
    banks = Banks.of(spec)
    operands = _operands(trace, core)
    found: dict[tuple[object, ...], list[Row]] = {}
    others: Counter[str] = Counter()
    for row in trace.rows(core=core, pipe=1):
        walked = operands.get(row.serial, ())
        if walked:
            found.setdefault((row.where, row.op, walked), []).append(row)
        elif row.read_bytes or row.write_bytes:
            others[trace.ops[row.op]] += 1
    made = [
        Access(trace.ops[op], where, walked, tuple(rows), judge(walked, banks))
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


# --- what collides -------------------------------------------------------------------------------


def judge(operands: Sequence[Operand], banks: Banks) -> Conflicts:
    """What collides in each repeat, by the rules that the clock follows."""
    repeats = max((operand.repeats for operand in operands), default=0)
    walked: dict[tuple[object, ...], NDArray[np.int64]] = {}
    for operand in operands:  # one place read twice is read once
        key = (operand.writes, operand.addr, operand.blk, operand.rep, operand.blocks, operand.last)
        walked[key] = operand.rows(repeats)
    reads = [rows for key, rows in walked.items() if not key[0]]
    writes = [rows for key, rows in walked.items() if key[0]]
    seen = judged(banks, reads, writes, repeats)
    read, written = seen.read > 1, seen.written > 1
    conflict = read | written | seen.met
    first = int(conflict.argmax()) if conflict.any() else -1
    return Conflicts(
        repeats,
        int(read.sum()),
        int(written.sum()),
        int(seen.met.sum()),
        float(seen.taken(banks, 1.0).mean()) if repeats else 1.0,
        first,
        _groups(banks, reads, writes, first) if first >= 0 else (),
    )


def _groups(
    banks: Banks,
    reads: Sequence[NDArray[np.int64]],
    writes: Sequence[NDArray[np.int64]],
    repeat: int,
) -> tuple[int, ...]:
    """The bank groups that collide in one repeat."""
    read = [[int(row) for row in rows[repeat] if row >= 0] for rows in reads]
    written = [[int(row) for row in rows[repeat] if row >= 0] for rows in writes]
    found: set[int] = set()
    for side in (read, written):
        counts = Counter(row % banks.groups for rows in side for row in rows)
        found |= {group for group, count in counts.items() if count > 1}
    for target in written:
        for source in read:
            mine, theirs = _cells(banks, source), _cells(banks, target)
            if mine != theirs:
                found |= {group for group, _ in set(mine) & set(theirs)}
    return tuple(sorted(found))


def _cells(banks: Banks, rows: Sequence[int]) -> list[tuple[int, int]]:
    return [(row % banks.groups, row * ROW // banks.bank_bytes) for row in rows]
