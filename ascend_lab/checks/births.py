"""Where NaN and infinity come from, and what a run leaves behind that only a wrong output makes suspicious.

Watched only when somebody says what the outputs must hold: a kernel may make infinity on purpose.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ascend_lab.checks.reports import Check, Reports
from ascend_lab.engine.instruction import DTYPES, ITEMSIZE, Pipe
from ascend_lab.engine.memory import Access, Region

if TYPE_CHECKING:
    from ascend_lab.engine.core import Core
    from ascend_lab.engine.issued import Issued

_FLOATS = frozenset(("float16", "bfloat16", "float32"))
_V, _LOADS = int(Pipe.V), int(Pipe.MTE2)
_PARTIAL = frozenset(
    f"{kind}Reduce{what}" for kind in ("Whole", "Block") for what in ("Sum", "Max", "Min")
) | {"PairReduceSum", "RepeatReduceSum"}
#: Ops that may be wrong in a way that another form of the same instruction would mend.
_SUSPECT = frozenset(("Sub", "Div", "Subs", "Divs", "ShiftLeft", "Cast", "DataCopy"))


class Birth(NamedTuple):
    """``kind``: "loaded" (it was in GM), "born" (of finite operands), "kept" (0 times NaN or infinity), "lost" (infinity
    minus infinity). ``value``: the operand to blame; ``x`` the instruction."""

    kind: str
    x: Issued
    value: float


class Partial(NamedTuple):
    """A reduction that leaves ``results`` results, one for each repeat, of which a single one was used."""

    x: Issued
    results: int


class Overlaid(NamedTuple):
    """``writer`` wrote into a tensor that lies over another; ``reader`` then read ``shared`` bytes of that one."""

    writer: Issued
    reader: Issued
    shared: int


class Operand(NamedTuple):
    """What an operand held when the instruction began."""

    values: NDArray[Any]
    odd: bool


class Births(Check):
    """Follows V and the loads."""

    def __init__(self, reports: Reports) -> None:
        super().__init__(reports)
        self.first: dict[str, Birth] = {}
        self.ops: set[str] = set()
        self.suspects: dict[tuple[int, str], Issued] = {}
        self._sources: dict[int, list[Operand]] = {}
        self._partials: list[tuple[Issued, Region, set[int]]] = []
        self._done: dict[int, Partial] = {}  # by line
        self._static: dict[
            int, list[tuple[int, int]]
        ] = {}  # of each block: tensors placed by address
        self._over: dict[tuple[int, int, int], Issued] = {}  # (block, tensor) -> who wrote over it
        self.overlaid: Overlaid | None = None

    def wants(self, op: str) -> bool:
        return op == "Static"

    def issued(self, core: Core, x: Issued) -> None:
        ref = x.instr.dst
        if ref is not None and ref.space != "GM" and ref.size > 0:
            span = (ref.addr, ref.addr + ref.size * ITEMSIZE[ref.dtype])
            self._static.setdefault(x.block, []).append(span)

    def started(self, core: Core, x: Issued) -> None:
        op = x.instr.op
        self.ops.add(op)
        if op in _SUSPECT and x.reads:
            self.suspects.setdefault((x.instr.where, op), x)
        if self._partials:
            self._use(x)
        if self._static and self.overlaid is None:
            self._overlay(x)
        if x.pipe == _V:
            self._sources[x.serial] = [
                _operand(core, access, _type_at(x, access)) for access in x.reads
            ]

    def committed(self, core: Core, x: Issued) -> None:
        if x.instr.op in _PARTIAL and x.writes:
            self._partials.append((x, x.writes[0].region, set()))
        sources = self._sources.pop(x.serial, None)
        if x.pipe not in (_V, _LOADS) or x.instr.dst is None or x.instr.dst.dtype not in _FLOATS:
            return
        for access in x.writes:
            if access.space == "GM":
                continue
            result = _operand(core, access, x.instr.dst.dtype)
            if result.odd:
                self._found(x, sources or [], result)
                return

    def _found(self, x: Issued, sources: list[Operand], result: Operand) -> None:
        if x.pipe == _LOADS:
            self._note("loaded", x, _odd_value(result.values))
        elif not any(source.odd for source in sources):
            if sources and np.isfinite(float(x.instr.params.get("scalar", 0.0) or 0.0)):
                self._note("born", x, _blamed(x.instr.op, sources))
        elif "Mul" in x.instr.op and _times_zero(x, sources):
            self._note("kept", x, 0.0)
        elif x.instr.op in ("Sub", "Add", "Adds") and _infinities(sources, result):
            self._note("lost", x, np.inf)

    def _note(self, kind: str, x: Issued, value: float) -> None:
        self.first.setdefault(kind, Birth(kind, x, value))

    # --- tensors that lie over each other --------------------------------------------------------------

    def _overlay(self, x: Issued) -> None:
        """Tensors of different address and length that share bytes, one written between write and read of the other."""
        spans = self._static.get(x.block, ())
        for ref in x.instr.srcs:
            mine = next((span for span in spans if span[0] == ref.addr), None)
            writer = self._over.get((x.block, *mine)) if mine is not None else None
            if writer is not None and mine is not None:
                other = writer.writes[0].region
                shared = min(mine[1], other.high) - max(mine[0], other.low)
                self.overlaid = Overlaid(writer, x, shared)
                return
        for access in x.writes:
            if access.space == "GM" or x.instr.dst is None:
                continue
            low, high = access.region.low, access.region.high
            for span in spans:
                if (span[0] >= low and span[1] <= high) or span[0] == x.instr.dst.addr:
                    self._over.pop((x.block, *span), None)
                elif span[0] < low < span[1]:
                    self._over[(x.block, *span)] = x

    # --- results of reductions -------------------------------------------------------------------------

    def _use(self, x: Issued) -> None:
        for mine, region, used in self._partials:
            if mine.block != x.block:
                continue
            for access in x.reads:
                if access.space != "GM" and access.region.overlaps(region):
                    used.update(_elements(mine, region, access.region))
        if x.writes:
            self._overwritten(x)

    def _overwritten(self, x: Issued) -> None:
        kept = []
        for mine, region, used in self._partials:
            over = mine.block == x.block and any(
                access.space != "GM" and access.region.overlaps(region) for access in x.writes
            )
            if over:
                self._end(mine, region, used)
            else:
                kept.append((mine, region, used))
        self._partials = kept

    def _end(self, x: Issued, region: Region, used: set[int]) -> None:
        assert x.instr.dst is not None
        count = region.nbytes // ITEMSIZE[x.instr.dst.dtype]
        if len(used) == 1 < count:
            self._done.setdefault(x.instr.where, Partial(x, count))

    def partial(self) -> Partial | None:
        """A reduction of which a single result was used."""
        for found in self._partials:
            self._end(*found)
        self._partials.clear()
        return next(iter(self._done.values()), None)


def _operand(core: Core, access: Access, dtype: str) -> Operand:
    if dtype not in _FLOATS or access.space == "GM":
        return Operand(np.zeros(0), False)
    memory = core.local(access.space)
    itemsize = ITEMSIZE[dtype]
    parts = [
        memory.data[low : low + (high - low) // itemsize * itemsize].view(DTYPES[dtype])
        for low, high in access.region.parts
        if 0 <= low and high <= memory.nbytes and low % itemsize == 0
    ]
    values = np.concatenate(parts) if parts else np.zeros(0, DTYPES[dtype])
    odd = bool(values.size) and not np.isfinite(values.astype(np.float32)).all()
    return Operand(values, odd)


def _type_at(x: Issued, access: Access) -> str:
    """The type of the source that begins where ``access`` does."""
    for ref in x.instr.srcs:
        if ref.addr == access.region.low:
            return ref.dtype
    return x.instr.srcs[0].dtype if x.instr.srcs else ""


def _odd_value(values: NDArray[Any]) -> float:
    return float(values[~np.isfinite(values.astype(np.float32))][0])


def _blamed(op: str, sources: list[Operand]) -> float:
    """The operand that made the result infinite or NaN."""
    values = sources[-1 if op == "Div" else 0].values.astype(np.float64)
    if not values.size:
        return 0.0
    if op in ("Div", "Reciprocal", "Rsqrt"):
        return float(values[np.abs(values).argmin()])
    if op in ("Ln", "Log", "Log2", "Log10", "Sqrt"):
        return float(values.min())
    return float(values[np.abs(values).argmax()])


def _times_zero(x: Issued, sources: list[Operand]) -> bool:
    if len(sources) == 1 or x.instr.op == "Muls":
        return x.instr.params.get("scalar") == 0
    one, other = sources[0].values, sources[1].values
    if one.size != other.size:
        return False
    odd = [~np.isfinite(v.astype(np.float32)) for v in (one, other)]
    return bool((((one == 0) & odd[1]) | ((other == 0) & odd[0])).any())


def _infinities(sources: list[Operand], result: Operand) -> bool:
    """NaN of infinities, where no source held NaN."""
    nan = bool(np.isnan(result.values.astype(np.float32)).any())
    return nan and not any(np.isnan(s.values.astype(np.float32)).any() for s in sources)


def _elements(x: Issued, region: Region, read: Region) -> set[int]:
    """Which results of the reduction lie in what is read."""
    assert x.instr.dst is not None
    itemsize = ITEMSIZE[x.instr.dst.dtype]
    found: set[int] = set()
    for low, high in region.parts:
        for a, b in read.parts:
            first, last = max(low, a), min(high, b)
            found.update(range(first // itemsize, -(-last // itemsize)) if first < last else ())
    return found
