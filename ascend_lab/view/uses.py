"""Who has which bytes of a core's UB, and who reads and writes them when. Read from the trace alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ascend_lab.engine.details import MARKERS
from ascend_lab.engine.trace import SPACE_IDS, SPACES, Row, Trace

if TYPE_CHECKING:
    from ascend_lab.engine.details import Place

_UB = SPACE_IDS["UB"]


@dataclass(frozen=True, slots=True)
class Buffer:
    """Bytes [low, high) of UB with a name, from cycle ``born`` to ``gone``. ``index`` of ``num``.

    ``id`` is InitBuffer's, -1 for a tensor placed by address; ``kind``: "que", "buf", "static".
    """

    name: str
    index: int
    num: int
    low: int
    high: int
    kind: str
    pos: str
    id: int
    block: int
    born: float
    gone: float

    @property
    def label(self) -> str:
        """ "in_x [0]" when there are several, else "in_x"."""
        name = self.name or (f"0x{self.low:x}" if self.kind == "static" else "buffer")
        return f"{name} [{self.index}]" if self.num > 1 else name

    @property
    def nbytes(self) -> int:
        return self.high - self.low

    def holds(self, low: int, high: int) -> bool:
        """Whether any byte of [low, high) is its own."""
        return self.low < high and low < self.high


@dataclass(frozen=True, slots=True)
class Use:
    """``row`` reads or writes ``nbytes`` of the UB bytes [low, high), the others being gaps."""

    row: Row
    low: int
    high: int
    writes: bool
    nbytes: int

    @property
    def sparse(self) -> bool:
        return self.nbytes < self.high - self.low


def buffers(trace: Trace, core: int) -> tuple[Buffer, ...]:
    """The buffers of a core in the order they were made; () when the trace does not name them."""
    ends = _ends(trace, core)
    found: list[Buffer] = []
    for place in trace.details.places:
        if place.core == core and (place.pos.startswith("VEC") or not place.pos):
            found += _buffers(place, *ends[place.serial])
    return tuple(found)


def _buffers(place: Place, born: float, gone: float) -> Iterator[Buffer]:
    for k in range(max(place.num, 0)):
        low = place.addr + k * place.length
        number = place.buf + k if place.buf >= 0 else -1
        yield Buffer(
            place.name, k, place.num, low, low + place.length, place.kind, place.pos, number,
            place.block, born, gone,
        )  # fmt: skip


def _ends(trace: Trace, core: int) -> dict[int, tuple[float, float]]:
    """Serial of an InitBuffer or Static -> when it was done, and when its memory was given back."""
    makes = {place.serial for place in trace.details.places if place.core == core}
    open_: dict[int, list[int]] = {}
    found: dict[int, tuple[float, float]] = {}
    last: dict[int, float] = {}
    for row in sorted(trace.rows(core=core), key=lambda row: row.serial):
        last[row.block] = max(last.get(row.block, 0.0), row.end)
        if row.serial in makes:
            found[row.serial] = (row.end, -1.0)
            open_.setdefault(row.block, []).append(row.serial)
        elif trace.ops[row.op] in ("TPipe", "TPipeDestroy"):
            for serial in open_.pop(row.block, ()):
                found[serial] = (found[serial][0], row.start)
    for block, serials in open_.items():
        for serial in serials:
            found[serial] = (found[serial][0], last[block])
    return found


def uses(trace: Trace, core: int) -> tuple[Use, ...]:
    """Every access to UB of one core, in the order of its rows, reads before writes."""
    rows = {row.serial: row for row in trace.rows(core=core)}
    table = trace.details.operands
    if len(table):
        mine = table[table["space"] == _UB]
        columns = (mine[name].tolist() for name in ("serial", "low", "high", "writes", "nbytes"))
        return tuple(
            Use(rows[serial], low, high, bool(writes), nbytes)
            for serial, low, high, writes, nbytes in zip(*columns, strict=True)
            if serial in rows
        )
    busy = (row for row in rows.values() if trace.ops[row.op] not in MARKERS)
    return tuple(use for row in busy for use in _first_operands(row))


def _first_operands(row: Row) -> Iterator[Use]:
    """What the columns alone say of an instruction."""
    for space, low, length, writes in (
        (row.src_space, row.src_addr, row.src_len, False),
        (row.dst_space, row.dst_addr, row.dst_len, True),
    ):
        if space >= 0 and SPACES[space] == "UB":
            yield Use(row, low, low + length, writes, length)


def at(known: Sequence[Buffer], low: int, high: int, time: float) -> Buffer | None:
    """The buffer that holds most of [low, high) at ``time``; None for memory without a name."""
    best, most = None, 0
    for buffer in known:
        if buffer.born <= time <= buffer.gone and buffer.holds(low, high):
            common = min(high, buffer.high) - max(low, buffer.low)
            if common > most:
                best, most = buffer, common
    return best
