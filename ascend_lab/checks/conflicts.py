"""Two accesses to the same bytes of GM that nothing orders, within a core and between cores.

Per allocation, records of 4 KB buckets. Between blocks SyncAll orders (an epoch) and what they tell each
other (`between`); within a block the clocks of `order` do. Stores that overlap are compared by value: equal ones do no harm.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from ascend_lab.checks.between import Between
from ascend_lab.checks.order import Order
from ascend_lab.checks.reports import Check, Reports
from ascend_lab.engine.instruction import Pipe
from ascend_lab.engine.lanes import Interval
from ascend_lab.engine.memory import Allocation, Region

if TYPE_CHECKING:
    from ascend_lab.engine.core import Core
    from ascend_lab.engine.issued import Issued
    from ascend_lab.engine.run import Run

_S = int(Pipe.S)
_SHIFT = 12
_LINE_SHIFT = 6
_PAIRS = 20_000
Key = tuple[int, int, bool, str, int, int, tuple[Interval, ...]]
_NONE: dict[Any, Any] = {}


class Touch(NamedTuple):
    """One access to GM. ``epoch``: how many SyncAll its block had passed."""

    x: Issued
    region: Region
    epoch: int
    writes: bool


class Pair(NamedTuple):
    """Two unordered accesses, ``first`` started first. ``low``..``high``: bytes they share."""

    allocation: Allocation
    first: Touch
    second: Touch
    low: int
    high: int


class Tensor:
    """What was done to one allocation.

    A bucket keeps the last of equal touches: whoever is ordered after it is ordered after the others too.
    What lies in one line of 64 B is kept by line: loops over elements make a thousand of them in a bucket.
    """

    __slots__ = ("allocation", "buckets", "lines", "read_back", "reads", "written")

    def __init__(self, allocation: Allocation) -> None:
        self.allocation = allocation
        self.reads: list[Touch] = []  # only until the first store
        self.written = False
        self.read_back = False  # the kernel reads what it has written
        self.buckets: dict[int, dict[Key, Touch]] = {}
        self.lines: dict[int, dict[int, dict[Key, Touch]]] = {}  # of a bucket

    def _buckets(self, region: Region) -> Sequence[int]:
        """The buckets of its bytes. Strides may lead gigabytes past the end: nothing of that is this tensor's."""
        end = max(self.allocation.end, region.low + 1)
        if len(region.parts) == 1:
            return range(region.low >> _SHIFT, ((min(region.high, end) - 1) >> _SHIFT) + 1)
        found: dict[int, None] = {}
        for low, high in region.parts:
            if low < end:
                found.update(
                    dict.fromkeys(range(low >> _SHIFT, ((min(high, end) - 1) >> _SHIFT) + 1))
                )
        return tuple(found)

    def put(self, touch: Touch) -> None:
        """Add a record to every bucket it touches."""
        x, region = touch.x, touch.region
        key = (x.block, x.pipe, touch.writes, x.atomic, touch.epoch, x.instr.where, region.parts)
        if region.low >> _LINE_SHIFT == (region.high - 1) >> _LINE_SHIFT:
            lines = self.lines.setdefault(region.low >> _SHIFT, {})
            _keep(lines, region.low >> _LINE_SHIFT, key, touch)
            return
        for bucket in self._buckets(region):
            _keep(self.buckets, bucket, key, touch)

    def near(self, region: Region) -> Iterator[Touch]:
        """The touches that may share bytes with ``region``, the newest of a bucket first, each once."""
        seen: set[int] = set()
        for bucket in self._buckets(region):
            found: Iterable[Touch] = reversed(self.buckets.get(bucket, _NONE).values())
            if bucket in self.lines:
                found = sorted((*found, *self._in_lines(bucket, region)), key=_age)
            for touch in found:
                if id(touch) not in seen:
                    seen.add(id(touch))
                    yield touch

    def last_writer(self, addr: int) -> Issued | None:
        """Who stored the byte at ``addr`` last; a stride over it stores nothing there."""
        byte = Region(((addr, addr + 1),))
        stores = (t.x for t in self.near(byte) if t.writes and t.region.overlaps(byte))
        return next(stores, None)

    def _in_lines(self, bucket: int, region: Region) -> Iterator[Touch]:
        lines = self.lines[bucket]
        first, last = region.low >> _LINE_SHIFT, (region.high - 1) >> _LINE_SHIFT
        if last - first < len(lines):
            for line in range(first, last + 1):
                yield from lines.get(line, _NONE).values()
        else:
            for line, found in lines.items():
                if first <= line <= last:
                    yield from found.values()

    def touches(self) -> list[Touch]:
        """All touches that are kept, in the order they were issued."""
        kept = [
            *self.buckets.values(),
            *(f for lines in self.lines.values() for f in lines.values()),
        ]
        found = {t.x.serial: t for bucket in kept for t in bucket.values()}
        return [found[serial] for serial in sorted(found)]


def _keep(places: dict[int, dict[Key, Touch]], place: int, key: Key, touch: Touch) -> None:
    found = places.get(place)
    if found is None:
        places[place] = {key: touch}
    else:
        found.pop(key, None)  # the newest stands last
        found[key] = touch


def _age(touch: Touch) -> int:
    return -touch.x.serial


class Conflicts(Check):
    """Collects pairs; `cores` and `coverage` make findings of them at the end."""

    watches_flags = False

    def __init__(self, reports: Reports, order: Order, between: Between) -> None:
        super().__init__(reports)
        self._order = order
        self._between = between
        self.tensors: dict[int, Tensor] = {}
        self._kinds: set[tuple[int, int, bool, bool, bool]] = set()
        self._watched: dict[int, list[tuple[Pair, int]]] = {}
        self._values: dict[tuple[int, int], bytes] = {}
        self.pairs: list[Pair] = []

    def launched(self, run: Run) -> None:
        self.gm = run.gm
        self.cores = run.cores
        self.inserted = run.insert_sync
        self.auto_sync = run.auto_sync

    def started(self, core: Core, x: Issued) -> None:
        for access in x.reads:
            if access.space == "GM":
                self._touch(core, Touch(x, access.region, core.epoch, False))
        for access in x.writes:
            if access.space == "GM":
                self._touch(core, Touch(x, access.region, core.epoch, True))

    def _touch(self, core: Core, touch: Touch) -> None:
        allocation = self.gm.locate(touch.region.low)
        if allocation is None:
            return
        tensor = self.tensors.get(allocation.addr)
        if tensor is None:
            tensor = self.tensors[allocation.addr] = Tensor(allocation)
        if not tensor.written:
            if not touch.writes:
                tensor.reads.append(touch)
                return
            tensor.written = True
            for read in tensor.reads:
                tensor.put(read)
            tensor.reads.clear()
        self._compare(tensor, touch)
        tensor.put(touch)

    def _compare(self, tensor: Tensor, touch: Touch) -> None:
        region = touch.region
        low, high, writes, block = region.low, region.high, touch.writes, touch.x.block
        known: list[int] | None = None
        paired: set[tuple[int, bool]] = set()
        for other in tensor.near(region):
            seen = other.region
            if not (writes or other.writes) or seen.low >= high or low >= seen.high:
                continue
            y = other.x
            if not writes:
                tensor.read_back = True
            if y.block != block:
                if other.epoch != touch.epoch or (y.atomic and touch.x.atomic):
                    continue
                if self._between.ordered(touch.x, y) or self._between.signals(touch.x, y):
                    continue
            else:
                if known is None:
                    known = self._order.of(block).before(touch.x.pipe, touch.x.serial)
                if self._ordered(touch.x, y, known):
                    continue
                if y.pipe == touch.x.pipe and not other.writes:
                    continue  # a pipe reads in the order it starts
            if (y.block, other.writes) not in paired and self._pair(
                tensor.allocation, other, touch
            ):
                paired.add((y.block, other.writes))

    def _ordered(self, x: Issued, y: Issued, known: list[int]) -> bool:
        """Whether ``y`` is complete before ``x`` starts; S and automatic sync order themselves."""
        if self.inserted or y.serial <= known[y.pipe]:
            return True
        scalar = _S in (x.pipe, y.pipe)
        return scalar and (self.auto_sync or x.pipe == y.pipe)

    def _pair(self, allocation: Allocation, first: Touch, second: Touch) -> bool:
        """Keep the pair; False when the two share no byte."""
        common = first.region.first_common(second.region)
        if common is None:
            return False
        if first.x.block == second.x.block and first.x.serial > second.x.serial:
            first, second = second, first  # a core's own program tells which is the later
        pair = Pair(allocation, first, second, *common)
        x, y = second.x, first.x
        # Each kind of pair is told once, but pairs of stores are kept: their values decide.
        both = first.writes and second.writes
        if not both:
            key = (x.instr.where, y.instr.where, first.writes, second.writes, x.block == y.block)
            if key in self._kinds:
                return True
            self._kinds.add(key)
        elif len(self.pairs) > _PAIRS:
            return True
        self.pairs.append(pair)
        if both and not (x.atomic or y.atomic):
            self._watch(pair)
        return True

    # --- values ------------------------------------------------------------------------------------------

    def _watch(self, pair: Pair) -> None:
        """Remember what each of the two stores leaves in the bytes they share."""
        number = len(self.pairs) - 1
        for side, touch in enumerate((pair.first, pair.second)):
            if touch.x.done:
                self._values[number, side] = self._bytes(pair, touch.x)
            else:
                self._watched.setdefault(touch.x.serial, []).append((pair, number * 2 + side))

    def committed(self, core: Core, x: Issued) -> None:
        if self._watched:
            for pair, code in self._watched.pop(x.serial, ()):
                self._values[code >> 1, code & 1] = self._bytes(pair, x)

    def _bytes(self, pair: Pair, x: Issued) -> bytes:
        low, nbytes = pair.low, pair.high - pair.low
        if x.pipe == _S and not x.instr.params.get("bypass"):  # it may be in its core's cache only
            return bytes(self.cores[x.core].dcache.peek(low, nbytes))
        return bytes(self.gm.read(low, nbytes))

    def equal(self, number: int) -> bool:
        """Whether the two stores of pair ``number`` left equal bytes."""
        first = self._values.get((number, 0))
        return first is not None and first == self._values.get((number, 1))

    def added(self) -> set[str]:
        """Names of the allocations that atomic stores of floats added to."""
        return {
            tensor.allocation.name
            for tensor in self.tensors.values()
            for touch in tensor.touches()
            if touch.writes and touch.x.atomic and "float" in touch.x.atomic_dtype
        }
