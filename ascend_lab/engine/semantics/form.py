"""The resolved form of an instruction, and the contract every family of semantics meets."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from ascend_lab.engine.instruction import ITEMSIZE, Instr, Ref
from ascend_lab.engine.lanes import (
    BLOCK,
    REPEAT,
    Interval,
    active_offsets,
    intervals,
    params_of,
    shifted,
)
from ascend_lab.engine.memory import Access, LocalMemory, Region, Write
from ascend_lab.engine.semantics.flow import AnyFlow, Flow, Pad, Span

if TYPE_CHECKING:
    from ascend_lab.engine.core import Core
    from ascend_lab.engine.issued import Issued

__all__ = [
    "FIELD",
    "FULL",
    "MOST",
    "AnyFlow",
    "Dynamic",
    "Flow",
    "Footprint",
    "Form",
    "Layout",
    "Mask",
    "MaskState",
    "Pad",
    "Semantic",
    "Span",
    "accesses",
    "complete",
    "contiguous_access",
    "fetch",
    "lanes_of",
    "layout",
    "layout_of",
    "load",
    "operand_access",
    "operand_offsets",
    "operand_parts",
    "peek",
    "put",
    "resolve",
    "run_access",
    "store",
    "widest",
]

Mask = int | tuple[int, int]


class MaskState(NamedTuple):
    """The mask register: Normal mode takes (low, high) as lane bits, Counter mode low as a count."""

    counter: bool = False
    low: int = (1 << 64) - 1
    high: int = (1 << 64) - 1


FULL = MaskState()
#: More elements, and more repeats of a reduction, than any local memory has room for: a count beyond is
#: as good as this one, and cannot exhaust the host.
MOST = 1 << 20
_MOST_REPEATS = 1 << 13
FIELD = 0xFFFF  # no stride is kept in more than 16 bits
#: Their sources are not all data: dst alone decides the lanes.
_BY_DST = frozenset(("Select", "Gather", "Scatter"))


class Form(NamedTuple):
    """Which elements an instruction works on, once the mask register is known.

    ``count`` >= 0: that many contiguous elements. Otherwise ``repeat`` iterations of ``lanes`` elements
    under ``mask``, then (Counter mode) one more with the ``tail`` leading lanes.
    """

    count: int = -1  # type: ignore[assignment]  # hides tuple.count, which nobody needs
    mask: Mask = 0
    repeat: int = 0
    tail: int = 0
    lanes: int = 0


class Footprint(NamedTuple):
    """The exact bytes an instruction reads and writes."""

    reads: tuple[Access, ...]
    writes: tuple[Access, ...]


class Semantic(Protocol):
    """One family of instructions."""

    def footprint(self, instr: Instr, form: Form) -> Footprint:
        """The exact bytes read and written."""
        ...

    def evaluate(self, x: Issued, core: Core) -> list[Write]:
        """Read the operands now; return what is written when the instruction completes."""
        ...

    def flow(self, instr: Instr, form: Form) -> tuple[AnyFlow, ...]:
        """Which destination elements depend on which source elements."""
        ...

    def repeats(self, instr: Instr, form: Form) -> float:
        """How many 256 B iterations the vector unit spends."""
        ...


class Dynamic(Semantic, Protocol):
    """A family whose bytes depend on values: `footprint` names all that may be touched."""

    def touched(self, instr: Instr, form: Form, core: Core) -> Footprint:
        """The exact bytes, found from what memory holds now."""
        ...


# --- from an instruction to its form ------------------------------------------------------------


def widest(instr: Instr) -> int:
    """The element size that decides the lanes per iteration: the larger of the operands'.

    Bit masks, offsets, tables of scales and the 4-byte indices of a reduction do not count.
    """
    op, dst = instr.op, instr.dst
    if "Reduce" in op or op == "CastDequant":
        return ITEMSIZE[instr.srcs[0].dtype]
    size = 0 if dst is None else ITEMSIZE[dst.dtype]
    if op not in _BY_DST:
        for ref in instr.srcs:
            size = max(size, ITEMSIZE[ref.dtype])
    return size


def lanes_of(instr: Instr) -> int:
    """Elements of one 256 B iteration."""
    return REPEAT // widest(instr)


def resolve(instr: Instr, mask: MaskState) -> Form:
    """The form of a vector instruction under the mask register's state at issue.

    Source: asc-devkit: docs/zh/api/SIMD-API/基础API/Memory矢量计算/SIMD计算说明/掩码.md.
    """
    params = instr.params
    if instr.op in ("Compare", "CompareScalar") and instr.dst is not None:
        return _whole_iterations(instr)
    if "count" in params:
        return Form(count=_bounded(params["count"]))
    repeat = _repeat(instr)
    given = params.get("mask")
    if mask.counter:
        return _counted(instr, mask if given is None else given, repeat)
    if given is None:
        bits: Mask = (mask.low, mask.high)
    else:
        bits = given if isinstance(given, int) else (given[0], given[1])
    return Form(-1, bits, repeat, 0, lanes_of(instr))


def _bounded(count: Any) -> int:
    return min(max(int(count), 0), MOST)


def _repeat(instr: Instr) -> int:
    """repeatTime as the instruction keeps it: 8 bits, but for ReduceSum/Max/Min, which loop."""
    repeat = int(instr.params.get("repeat", 1))
    if instr.op in ("ReduceSum", "ReduceMax", "ReduceMin"):
        return min(max(repeat, 0), _MOST_REPEATS)
    return repeat & 0xFF


def _whole_iterations(instr: Instr) -> Form:
    """Compare works on whole 256 B whatever the mask (asc-devkit: 比较与选择/Compare.md)."""
    lanes = lanes_of(instr)
    if "count" in instr.params:
        count = _bounded(instr.params["count"])
        return Form(count=count - count % lanes)
    return Form(mask=lanes, repeat=_repeat(instr), lanes=lanes)


def _counted(instr: Instr, mask: Any, repeat: int) -> Form:
    """Counter mode: the mask counts elements; Copy counts them per iteration and keeps repeat."""
    if isinstance(mask, MaskState):
        count = _bounded(mask.low)
    else:
        count = _bounded(mask if isinstance(mask, int) else mask[0])
    lanes = lanes_of(instr)
    if instr.op == "Copy":  # one iteration goes on by the block stride for as long as it counts
        return Form(mask=count, repeat=repeat, lanes=max(-(-count // lanes) * lanes, lanes))
    full, tail = divmod(count, lanes)
    return Form(mask=lanes, repeat=full, tail=tail, lanes=lanes)


# --- where the active elements of an operand lie ------------------------------------------------


class Layout(NamedTuple):
    """The active elements of one operand, relative to its address.

    ``indices`` are element indices in lane order, None when they are the ``size`` contiguous elements
    from the start on. ``parts`` are the bytes they cover, ``high`` the end of the last one.
    """

    size: int
    high: int
    indices: NDArray[np.int64] | None
    parts: tuple[Interval, ...]

    def offsets(self, itemsize: int) -> NDArray[np.int64]:
        """Byte offsets from the operand's address, in lane order."""
        indices = np.arange(self.size, dtype=np.int64) if self.indices is None else self.indices
        return indices * itemsize


NOTHING = Layout(0, 0, None, ())


@lru_cache(maxsize=4096)
def layout(itemsize: int, blk: int, rep: int, form: Form) -> Layout:
    """Where the elements of a mask form lie, for block and repeat strides in 32 B units."""
    lanes = form.lanes
    body = active_offsets(itemsize, lanes, form.repeat, blk, rep, form.mask)
    if form.tail:
        last = active_offsets(itemsize, lanes, 1, blk, rep, form.tail)
        body = np.concatenate((body, last + form.repeat * rep * BLOCK))
    if body.size == 0:
        return NOTHING
    parts = intervals(body, itemsize)
    index = body // itemsize
    if np.array_equal(index, np.arange(body.size)):
        return Layout(body.size, body.size * itemsize, None, parts)
    index.flags.writeable = False
    return Layout(body.size, parts[-1][1], index, parts)


def complete(instr: Instr, form: Form) -> Form:
    """``form`` with its lanes, also when it was not `resolve` that made it."""
    return form if form.lanes else form._replace(lanes=lanes_of(instr))


def _pairs(form: Form) -> Form:
    """``form`` for an operand whose elements come two to a byte."""
    count = form.count // 2 if form.count >= 0 else form.count
    return Form(count, _every_second(form.mask), form.repeat, form.tail // 2, form.lanes // 2)


def _every_second(mask: Mask) -> Mask:
    if isinstance(mask, int):
        return mask // 2
    bits = mask[1] << 64 | mask[0]
    return sum((bits >> 2 * k & 1) << k for k in range(64)), 0


def layout_of(instr: Instr, form: Form, operand: int, ref: Ref) -> Layout:
    """The layout of operand 0 = dst, 1.. = sources as the strides of the instruction number them."""
    itemsize = ITEMSIZE[ref.dtype]
    if "int4" in instr.params and (instr.params["int4"] == "dst") == (operand == 0):
        form = _pairs(complete(instr, form))
    if form.count >= 0:
        if form.count == 0:
            return NOTHING
        high = form.count * itemsize
        return Layout(form.count, high, None, ((0, high),))
    blk, rep = params_of(instr, operand)
    return layout(itemsize, blk & FIELD, rep & FIELD, complete(instr, form))


def operand_offsets(instr: Instr, form: Form, operand: int, ref: Ref) -> NDArray[np.int64]:
    """Byte offsets from ``ref.addr`` of the active elements, in lane order."""
    return layout_of(instr, form, operand, ref).offsets(ITEMSIZE[ref.dtype])


def operand_parts(instr: Instr, form: Form, operand: int, ref: Ref) -> tuple[Interval, ...]:
    """Absolute byte intervals of the active elements of one operand."""
    return shifted(layout_of(instr, form, operand, ref).parts, ref.addr)


def operand_access(instr: Instr, form: Form, operand: int, ref: Ref) -> tuple[Access, ...]:
    """The bytes of the active elements of one operand, as `accesses` gives them."""
    return accesses(ref.space, operand_parts(instr, form, operand, ref))


def contiguous_access(ref: Ref, count: int) -> tuple[Access, ...]:
    """The bytes of ``count`` contiguous elements, as `accesses` gives them."""
    return (run_access(ref, count),) if count > 0 else ()


def run_access(ref: Ref, count: int) -> Access:
    """The bytes of ``count`` (> 0) contiguous elements."""
    addr = ref.addr
    return Access(ref.space, Region(((addr, addr + count * ITEMSIZE[ref.dtype]),)))


def accesses(space: str, parts: tuple[Interval, ...]) -> tuple[Access, ...]:
    """One access, or none when there are no bytes."""
    return (Access(space, Region(parts)),) if parts else ()


# --- reading and writing operands ------------------------------------------------------------------


def peek(memory: LocalMemory, ref: Ref, count: int) -> NDArray[Any]:
    """``count`` contiguous elements from ``ref`` on; a view where possible, so do not keep it."""
    itemsize = ITEMSIZE[ref.dtype]
    first, rest = divmod(ref.addr, itemsize)
    if rest == 0 and first >= 0 and ref.addr + count * itemsize <= memory.nbytes:
        return memory.view(ref.dtype)[first : first + count]
    return memory.contiguous(ref, count)


def fetch(memory: LocalMemory, ref: Ref, place: Layout) -> NDArray[Any]:
    """The elements of ``place`` in lane order; maybe a view of memory, so do not keep it."""
    if place.indices is None:
        return peek(memory, ref, place.size)
    itemsize = ITEMSIZE[ref.dtype]
    first, rest = divmod(ref.addr, itemsize)
    if rest == 0 and first >= 0 and ref.addr + place.high <= memory.nbytes:
        window = memory.view(ref.dtype)[first : first + place.high // itemsize]
        return np.asarray(window.take(place.indices))
    return memory.gather(ref, place.offsets(itemsize))


def load(core: Core, instr: Instr, form: Form, operand: int, ref: Ref) -> NDArray[Any]:
    """The active elements of one operand in lane order; maybe a view of memory, so do not keep it."""
    memory = core.local(ref.space)
    if form.count >= 0:
        return peek(memory, ref, form.count)
    return fetch(memory, ref, layout_of(instr, form, operand, ref))


def store(core: Core, instr: Instr, form: Form, values: NDArray[Any]) -> list[Write]:
    """The pending write of the active destination elements; ``values`` has the type of dst."""
    ref = instr.dst
    assert ref is not None
    memory = core.local(ref.space)
    if form.count <= 0:
        return put(memory, ref, layout_of(instr, form, 0, ref), values)
    first, rest = divmod(ref.addr, values.itemsize)
    if rest or first < 0 or ref.addr + values.nbytes > memory.nbytes:
        return put(memory, ref, layout_of(instr, form, 0, ref), values)
    return [Write(memory.view(ref.dtype), slice(first, first + form.count), values)]


def put(memory: LocalMemory, ref: Ref, place: Layout, values: NDArray[Any]) -> list[Write]:
    """The pending write of ``values`` at the elements of ``place``."""
    if place.size == 0:
        return []
    itemsize = ITEMSIZE[ref.dtype]
    first, rest = divmod(ref.addr, itemsize)
    if rest or first < 0 or ref.addr + place.high > memory.nbytes:
        return [memory.scatter(ref, place.offsets(itemsize), values)]
    window = slice(first, first + place.high // itemsize)
    if place.indices is None:
        return [Write(memory.view(ref.dtype), window, values)]
    return [Write(memory.view(ref.dtype)[window], place.indices, values)]
