"""What the columns of a trace have no room for: every operand, flags, queue markers, buffers, what never ended.

Metrics and verdicts need none of it; the views do. A trace without it (hand-made, or an older file) has
empty tables, and a view says what it cannot show.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ascend_lab.engine.instruction import DTYPES, ITEMSIZE, Instr, Pipe
from ascend_lab.engine.lanes import BLOCK, REPEAT, mask_bits, params_of
from ascend_lab.engine.memory import Access, Allocation
from ascend_lab.engine.semantics import SEMANTICS
from ascend_lab.engine.semantics.form import FIELD, Form, complete, widest
from ascend_lab.engine.semantics.lanewise import Lanewise

if TYPE_CHECKING:
    from ascend_lab.engine.issued import Issued

Table = NDArray[np.void]

#: Bytes [low, high) that instruction ``serial`` reads or writes, ``nbytes`` of them (less: with gaps).
#: A lane-wise vector instruction also has the pattern of its repeats: repeat r touches the DataBlocks j
#: (32 B) of ``blocks`` (a bit each; ``last`` in the last repeat) at ``addr + 32 * (r * rep + j * blk)``.
OPERANDS = np.dtype(
    [
        ("serial", "<i4"),
        ("writes", "<i4"),
        ("space", "<i4"),
        ("low", "<i8"),
        ("high", "<i8"),
        ("nbytes", "<i8"),
        ("addr", "<i8"),
        ("blk", "<i4"),
        ("rep", "<i4"),
        ("repeats", "<i4"),
        ("blocks", "<i4"),
        ("last", "<i4"),
    ]
)
#: SetFlag and WaitFlag: the pipes, the id, and the buffer when a queue made the flag (else -1).
FLAGS = np.dtype([(name, "<i4") for name in ("serial", "src", "dst", "id", "buf")])
#: AllocTensor, EnQue, DeQue, FreeTensor: the buffer (-1: there was none) and its queue.
MARKS = np.dtype([(name, "<i4") for name in ("serial", "buf", "queue")])
#: Vector instructions: the type of the first source (of dst where there is none) as an index into DTYPES,
#: and how many of its elements were worked on.
TYPES = np.dtype([(name, "<i4") for name in ("serial", "dtype", "elements")])
MARKERS = ("AllocTensor", "EnQue", "DeQue", "FreeTensor")
_FLAG_OPS = ("SetFlag", "WaitFlag")
TABLES = {"operands": OPERANDS, "flags": FLAGS, "marks": MARKS, "types": TYPES}
_LISTS = ("places", "arrays", "pending")
_NO_PATTERN = (0, 0, 0, 0, 0, 0)
_TYPE_IDS = {name: number for number, name in enumerate(DTYPES)}


class Place(NamedTuple):
    """Local memory with a name: ``num`` buffers of ``length`` bytes from ``addr`` on.

    ``buf`` is the id of the first, -1 for a tensor placed by address. ``kind``: "que", "buf", "static".
    """

    serial: int
    core: int
    block: int
    buf: int
    num: int
    addr: int
    length: int
    asked: int
    kind: str
    queue: int
    name: str
    pos: str
    depth: int


class Array(NamedTuple):
    """An array of the launch in GM."""

    name: str
    addr: int
    nbytes: int
    dtype: str


class Pending(NamedTuple):
    """An instruction that was issued and never ended. ``kind``: what its unit waited for, "" if it ran."""

    serial: int
    core: int
    block: int
    pipe: int
    op: str
    issue: float
    where: int
    kind: str


@dataclass(frozen=True, slots=True, eq=False)
class Details:
    """The further tables of a trace: see :data:`TABLES` for what their columns mean."""

    operands: Table = field(default_factory=lambda: np.empty(0, OPERANDS))
    flags: Table = field(default_factory=lambda: np.empty(0, FLAGS))
    marks: Table = field(default_factory=lambda: np.empty(0, MARKS))
    places: tuple[Place, ...] = ()
    arrays: tuple[Array, ...] = ()
    pending: tuple[Pending, ...] = ()
    types: Table = field(default_factory=lambda: np.empty(0, TYPES))

    @property
    def columns(self) -> dict[str, Table]:
        """The tables of numbers, by name."""
        return {name: getattr(self, name) for name in TABLES}

    @property
    def lists(self) -> dict[str, list[list[Any]]]:
        """The other tables, ready for JSON."""
        return {name: [list(row) for row in getattr(self, name)] for name in _LISTS}

    @classmethod
    def read(cls, columns: Mapping[str, Table], lists: Mapping[str, Any]) -> Details:
        """From what :attr:`columns` and :attr:`lists` gave; what is missing stays empty."""
        tables = {name: columns.get(name, np.empty(0, kind)) for name, kind in TABLES.items()}
        return cls(
            tables["operands"],
            tables["flags"],
            tables["marks"],
            tuple(Place(*row) for row in lists.get("places", ())),
            tuple(Array(*row) for row in lists.get("arrays", ())),
            tuple(Pending(*row) for row in lists.get("pending", ())),
            tables["types"],
        )


def collect(
    executed: Sequence[Issued],
    arrays: Iterable[Allocation],
    pending: Sequence[tuple[Issued, str]],
    spaces: Mapping[str, int],
) -> Details:
    """The tables of a run: of the instructions that ended, in order, and of those that did not."""
    flagged = [x for x in executed if x.instr.op in _FLAG_OPS]
    flagged += [x for x, _ in pending if x.instr.op in _FLAG_OPS]
    return Details(
        _table(OPERANDS, _operands(executed, spaces)),
        _table(FLAGS, map(_flag, flagged)),
        _table(MARKS, [_mark(x) for x in executed if x.instr.op in MARKERS]),
        tuple(_places(executed)),
        tuple(Array(a.name, a.addr, a.nbytes, a.dtype) for a in arrays),
        tuple(_pending(x, kind) for x, kind in pending),
        _table(TYPES, [_type(x) for x in executed if x.pipe == Pipe.V and x.writes]),
    )


def _table(kind: np.dtype[Any], rows: Iterable[tuple[int, ...]]) -> Table:
    pack = struct.Struct(_codes(kind)).pack  # twice as fast as np.array of tuples
    return np.frombuffer(b"".join([pack(*row) for row in rows]), kind)


def _codes(kind: np.dtype[Any]) -> str:
    assert kind.names is not None
    return "<" + "".join({4: "i", 8: "q"}[kind[name].itemsize] for name in kind.names)


def _flag(x: Issued) -> tuple[int, ...]:
    params = x.instr.params
    return x.serial, params["src"], params["dst"], params["id"], params.get("queue", -1)


def _mark(x: Issued) -> tuple[int, ...]:
    ref = x.instr.dst
    return x.serial, -1 if ref is None else ref.buf, x.instr.params.get("queue", -1)


def _type(x: Issued) -> tuple[int, ...]:
    instr = x.instr
    ref = instr.srcs[0] if instr.srcs else instr.dst
    assert ref is not None
    side = x.reads if instr.srcs else x.writes
    nbytes = side[0].region.nbytes if side else 0
    return x.serial, _TYPE_IDS[ref.dtype], nbytes // ITEMSIZE[ref.dtype]


def _pending(x: Issued, kind: str) -> Pending:
    return Pending(x.serial, x.core, x.block, int(x.pipe), x.instr.op, x.issue, x.instr.where, kind)


def _places(executed: Sequence[Issued]) -> Iterator[Place]:
    """InitBuffer as it comes; a tensor placed by address once for each block, address, length and name."""
    seen: set[tuple[Any, ...]] = set()
    for x in executed:
        instr = x.instr
        if instr.op == "InitBuffer":
            p = instr.params
            yield Place(
                x.serial, x.core, x.block, p["buf"], p["num"], p["addr"], p["len"],
                p.get("asked", p["len"]), p.get("kind", "que"), p.get("queue", -1),
                p.get("name", ""), p.get("pos", ""), p.get("depth", 0),
            )  # fmt: skip
        elif instr.op == "Static" and instr.dst is not None:
            ref, name = instr.dst, str(instr.params.get("name", ""))
            length = max(ref.size, 0) * ITEMSIZE[ref.dtype]
            key = (x.block, ref.space, ref.addr, length, name)
            if key not in seen:
                seen.add(key)
                yield Place(
                    x.serial, x.core, x.block, -1, 1, ref.addr, length, length, "static", -1,
                    name, ref.pos, 0,
                )  # fmt: skip


# --- operands -------------------------------------------------------------------------------


def _operands(executed: Sequence[Issued], spaces: Mapping[str, int]) -> Iterator[tuple[int, ...]]:
    kept: dict[Any, tuple[int, ...]] = {}
    vector = int(Pipe.V)
    for x in executed:
        if not (x.reads or x.writes):
            continue
        lanewise = x.pipe == vector and isinstance(SEMANTICS.get(x.instr.op), Lanewise)
        for writes, side in ((0, x.reads), (1, x.writes)):
            for position, access in enumerate(side):
                pattern = _pattern(x, position, writes, kept) if lanewise else _NO_PATTERN
                yield x.serial, writes, spaces[access.space], *_hull(access), *pattern


def _hull(access: Access) -> tuple[int, int, int]:
    region = access.region
    parts = region.parts
    low, high = region.low, region.high
    return low, high, high - low if len(parts) == 1 else region.nbytes


def _pattern(
    x: Issued, position: int, writes: int, kept: dict[Any, tuple[int, ...]]
) -> tuple[int, ...]:
    """(addr, blk, rep, repeats, blocks, last) of an operand; the strides are those of its form."""
    instr = x.instr
    # Sources are numbered from 1; behind them comes dst, when the instruction also reads it.
    operand = 0 if writes or position >= len(instr.srcs) else position + 1
    ref = instr.dst if operand == 0 else instr.srcs[position]
    assert ref is not None
    width, wide = ITEMSIZE[ref.dtype], widest(instr)
    key = (x.form, params_of(instr, operand), width, wide)
    strides = kept.get(key)
    if strides is None:
        strides = kept[key] = _strides(instr, x.form, operand, width)
    return (ref.addr, *strides)


def _strides(instr: Instr, form: Form, operand: int, width: int) -> tuple[int, ...]:
    lanes = REPEAT // widest(instr)
    if form.count >= 0:
        full, rest = divmod(form.count, lanes)
        whole = _blocks(lanes, lanes, width)
        last = _blocks(rest, lanes, width) if rest else whole
        return 1, lanes * width // BLOCK, full + bool(rest), whole, last
    form = complete(instr, form)
    blk, rep = params_of(instr, operand)
    whole = _blocks(form.mask, form.lanes, width)
    last = _blocks(form.tail, form.lanes, width) if form.tail else whole
    return blk & FIELD, rep & FIELD, form.repeat + bool(form.tail), whole, last


def _blocks(mask: int | tuple[int, int], lanes: int, width: int) -> int:
    """The DataBlocks of a repeat that the mask enables, as bits."""
    active = np.flatnonzero(mask_bits(mask, lanes)) * width // BLOCK
    return sum(1 << int(block) for block in np.unique(active))
