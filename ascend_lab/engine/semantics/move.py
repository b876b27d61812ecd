"""Moves: DataCopy, DataCopyPad, and the scalar unit's GetValue and SetValue.

Source: asc-devkit: docs/zh/api/SIMD-API/基础API/Memory矢量计算/数据搬运/*.md and
docs/zh/api/SIMD-API/基础API/数据结构/{LocalTensor,GlobalTensor}/{GetValue,SetValue}.md.
A count that is not a multiple of 32 B is rounded down; a gap runs from the end of one block to the start
of the next. What the pages call random (isPad false with pads) is poison here.

Two readings of the DataCopyPad page had to be chosen: without pads the dummy data repeat the block's first
element whatever isPad says, and SetPadValue gives the pads their value when isPad is false.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ascend_lab.engine.instruction import DTYPES, ITEMSIZE, Instr, Ref
from ascend_lab.engine.lanes import BLOCK, REPEAT, Interval, shifted
from ascend_lab.engine.memory import POISON, Access, Bytes, Region, Write
from ascend_lab.engine.semantics.arithmetic import as_scalar
from ascend_lab.engine.semantics.flow import AnyFlow, Flow, Pad, Span
from ascend_lab.engine.semantics.form import Footprint, Form, Semantic, accesses

if TYPE_CHECKING:
    from ascend_lab.engine.core import Core
    from ascend_lab.engine.issued import Issued

_tuple: Any = tuple.__new__  # makes a named tuple in half the time, where it counts
_MOST_BYTES = 1 << 22  # of one transfer; local memories are far smaller
_FEW_BLOCKS = 16  # up to so many, a flow is a slice a block; beyond, arrays of addresses


class Plan(NamedTuple):
    """``blocks`` blocks of ``length`` bytes; starts ``src_pitch`` and ``dst_pitch`` bytes apart.

    At the destination a block fills a ``slot``: ``left`` pad bytes, the data, then the rest.
    """

    blocks: int
    length: int
    src_pitch: int
    dst_pitch: int
    slot: int
    left: int = 0


_ALL = slice(None)
NOTHING = Plan(0, 0, 0, 0, 0)


def _plain(blocks: int, length: int, src_pitch: int, dst_pitch: int) -> Plan:
    if not blocks or not length:
        return NOTHING
    if src_pitch == length == dst_pitch:
        blocks, length = 1, blocks * length
    return Plan(blocks, length, src_pitch, dst_pitch, length)


def _copy_plan(instr: Instr) -> Plan:
    params = instr.params
    if "count" in params:
        nbytes = (int(params["count"]) & 0xFFFFFFFF) * ITEMSIZE[instr.srcs[0].dtype]
        return _whole(nbytes - nbytes % BLOCK)
    length = _field(instr, "block_len", 16) * BLOCK
    src_pitch = length + _field(instr, "src_gap", 16) * BLOCK
    dst_pitch = length + _field(instr, "dst_gap", 16) * BLOCK
    return _plain(_field(instr, "block_count", 16), length, src_pitch, dst_pitch)


@lru_cache(maxsize=1024)
def _whole(nbytes: int) -> Plan:
    """One run of bytes."""
    return Plan(1, nbytes, nbytes, nbytes, nbytes) if nbytes else NOTHING


def _field(instr: Instr, name: str, bits: int) -> int:
    """A parameter as its field keeps it."""
    return int(instr.params.get(name, 0)) & ((1 << bits) - 1)


def _pad_plan(instr: Instr) -> Plan:
    """Strides count bytes on the GM side and 32 B on the UB side."""
    blocks, length = _field(instr, "block_count", 16), _field(instr, "block_len", 32)
    src_gap, dst_gap = _field(instr, "src_stride", 32), _field(instr, "dst_stride", 32)
    if instr.srcs[0].space != "GM":
        occupied = -(-length // BLOCK) * BLOCK
        return _plain(blocks, length, occupied + src_gap * BLOCK, length + dst_gap)
    if not blocks or not length:
        return NOTHING
    itemsize = ITEMSIZE[instr.srcs[0].dtype]
    left, right = _field(instr, "left", 8) * itemsize, _field(instr, "right", 8) * itemsize
    slot = -(-(left + length + right) // BLOCK) * BLOCK
    if slot == length:
        return _plain(blocks, length, length + src_gap, slot + dst_gap * BLOCK)
    return Plan(blocks, length, length + src_gap, slot + dst_gap * BLOCK, slot, left)


def _executable(plan: Plan) -> Plan:
    """The plan without the part no memory has room for, so that it cannot exhaust the host."""
    if plan.blocks * plan.slot <= _MOST_BYTES:
        return plan
    if plan.slot > _MOST_BYTES:
        return Plan(1, _MOST_BYTES, _MOST_BYTES, _MOST_BYTES, _MOST_BYTES)
    return plan._replace(blocks=max(_MOST_BYTES // plan.slot, 1))


@lru_cache(maxsize=1024)
def _block_parts(blocks: int, length: int, pitch: int) -> tuple[Interval, ...]:
    if pitch == length:
        return ((0, blocks * length),)
    return tuple((start, start + length) for start in range(0, blocks * pitch, pitch))


def _parts(base: int, blocks: int, length: int, pitch: int) -> tuple[Interval, ...]:
    if blocks == 1:
        return ((base, base + length),)
    return shifted(_block_parts(blocks, length, pitch), base)


class Transfer:
    """Common to both copies."""

    def plan(self, instr: Instr) -> Plan:
        raise NotImplementedError

    def footprint(self, instr: Instr, form: Form) -> Footprint:
        dst, src = instr.dst, instr.srcs[0]
        assert dst is not None
        plan = self.plan(instr)
        if plan.blocks == 0:
            return Footprint((), ())
        if plan.blocks == 1:
            low, to = src.addr, dst.addr
            read = _tuple(Access, (src.space, Region(((low, low + plan.length),))))
            written = _tuple(Access, (dst.space, Region(((to, to + plan.slot),))))
            return Footprint((read,), (written,))
        reads = _parts(src.addr, plan.blocks, plan.length, plan.src_pitch)
        writes = _parts(dst.addr, plan.blocks, plan.slot, plan.dst_pitch)
        return Footprint((Access(src.space, Region(reads)),), (Access(dst.space, Region(writes)),))

    def evaluate(self, x: Issued, core: Core) -> list[Write]:
        instr = x.instr
        dst, src = instr.dst, instr.srcs[0]
        assert dst is not None
        if not x.reads:
            return []
        read, written = x.reads[0].region, x.writes[0].region
        if len(read.parts) == 1 and read.nbytes == written.nbytes == written.high - written.low:
            return _deliver_run(core, dst, _read(core, src, min(read.nbytes, _MOST_BYTES)), x)
        plan = _executable(self.plan(instr))
        rows = _read_rows(core, src, plan)
        if plan.slot != plan.length:
            rows = _slots(rows, plan, self.filler(x, rows, plan))
        return _deliver(core, dst, rows, plan.dst_pitch, x)

    def filler(self, x: Issued, rows: Bytes, plan: Plan) -> Bytes:
        """The element that fills pads and dummy data of each block, (blocks or 1, itemsize)."""
        raise NotImplementedError

    def flow(self, instr: Instr, form: Form) -> tuple[AnyFlow, ...]:
        dst, src = instr.dst, instr.srcs[0]
        assert dst is not None
        plan = _executable(self.plan(instr))
        if plan.blocks == 0:
            return ()
        flows = _pad_flows(dst, plan)
        low = dst.addr + plan.left
        if plan.blocks > _FEW_BLOCKS:
            return (*flows, _address_flow(dst, src, plan))
        for block in range(plan.blocks):
            origin = ((src.space, 1, src.addr + block * plan.src_pitch),)
            flows.append(Span(dst.space, 1, low + block * plan.dst_pitch, plan.length, origin))
        return tuple(flows)

    def repeats(self, instr: Instr, form: Form) -> float:
        """256 B iterations of a UB to UB copy; transfers of the DMA units have none."""
        dst, src = instr.dst, instr.srcs[0]
        if dst is None or "GM" in (dst.space, src.space):
            return 0
        plan = self.plan(instr)
        return -(-plan.blocks * plan.length // REPEAT)


class Copy(Transfer):
    """DataCopy: whole 32 B blocks."""

    def plan(self, instr: Instr) -> Plan:
        return _copy_plan(instr)


class CopyPad(Transfer):
    """DataCopyPad: any number of bytes a block; in UB every block starts on 32 B."""

    def plan(self, instr: Instr) -> Plan:
        return _pad_plan(instr)

    def filler(self, x: Issued, rows: Bytes, plan: Plan) -> Bytes:
        params = x.instr.params
        dtype = DTYPES[x.instr.srcs[0].dtype]
        if not params.get("left", 0) and not params.get("right", 0):
            return rows[:, : dtype.itemsize]
        value = params.get("pad_value", 0) if params.get("is_pad", False) else x.pad_value
        if value is None:
            return np.full((1, 1), POISON, dtype=np.uint8)
        return np.frombuffer(as_scalar(value, dtype).tobytes(), dtype=np.uint8)[None, :]


def _read(core: Core, ref: Ref, extent: int) -> Bytes:
    """``extent`` bytes as they are now, a copy; poison where there is no memory."""
    view = _window(core, ref, extent)
    if view is not None:
        return view.copy()
    if ref.space == "GM":
        return core.gm.read(ref.addr, extent)
    return core.local(ref.space).contiguous(ref._replace(dtype="uint8"), extent)


def _read_rows(core: Core, ref: Ref, plan: Plan) -> Bytes:
    """The bytes of the blocks, (blocks, length), a copy."""
    extent = (plan.blocks - 1) * plan.src_pitch + plan.length
    view = _window(core, ref, extent)
    if view is None:
        starts = range(ref.addr, ref.addr + plan.blocks * plan.src_pitch, plan.src_pitch)
        return np.stack([_read(core, ref._replace(addr=at), plan.length) for at in starts])
    shape = (plan.blocks, plan.length)
    return np.ndarray(shape, np.uint8, view, strides=(plan.src_pitch, 1)).copy()


def _window(core: Core, ref: Ref, extent: int) -> Bytes | None:
    """A live view of ``extent`` bytes when one memory holds them all, else None."""
    if ref.space == "GM":
        return core.gm.span(ref.addr, extent)
    memory = core.local(ref.space)
    if 0 <= ref.addr and ref.addr + extent <= memory.nbytes:
        return memory.data[ref.addr : ref.addr + extent]
    return None


def _slots(rows: Bytes, plan: Plan, filler: Bytes) -> Bytes:
    """Each block in its slot; pads and dummy data repeat the filler."""
    result = np.empty((plan.blocks, plan.slot), dtype=np.uint8)
    after = plan.left + plan.length
    for low, high in ((0, plan.left), (after, plan.slot)):
        if low == high:
            continue
        times = -(-(high - low) // filler.shape[1])
        result[:, low:high] = np.tile(filler, (1, times))[:, : high - low]
    result[:, plan.left : after] = rows
    return result


def _deliver(core: Core, ref: Ref, rows: Bytes, pitch: int, x: Issued) -> list[Write]:
    """Pending writes of the blocks, their starts ``pitch`` bytes apart."""
    blocks, length = rows.shape
    if blocks == 1 or pitch == length:
        return _deliver_run(core, ref, rows.reshape(-1), x)
    atomic, kind = "", np.dtype(np.uint8)
    if x.atomic and ref.space == "GM":
        atomic, kind = x.atomic, DTYPES[x.atomic_dtype]
    view = _window(core, ref, (blocks - 1) * pitch + length)
    if view is None or length % kind.itemsize:
        runs = (
            _deliver_run(core, ref._replace(addr=ref.addr + block * pitch), rows[block], x)
            for block in range(blocks)
        )
        return [write for run in runs for write in run]
    shape = (blocks, length // kind.itemsize)
    target = np.ndarray(shape, kind, view, strides=(pitch, kind.itemsize))
    return [Write(target, slice(None), rows.view(kind), atomic)]


def _deliver_run(core: Core, ref: Ref, values: Bytes, x: Issued) -> list[Write]:
    """Pending writes of contiguous bytes; an atomic one combines with GM at commit."""
    view = _window(core, ref, values.size)
    if ref.space == "GM" and (view is None or x.atomic):
        return core.gm.writes(ref.addr, values, x.atomic, x.atomic_dtype)
    if view is None:
        return [core.local(ref.space).store_contiguous(ref._replace(dtype="uint8"), values)]
    return [_tuple(Write, (view, _ALL, values, ""))]


def _pad_flows(dst: Ref, plan: Plan) -> list[AnyFlow]:
    if plan.slot == plan.length:
        return []
    parts = []
    for block in range(plan.blocks):
        low = dst.addr + block * plan.dst_pitch
        after = low + plan.left + plan.length
        if plan.left:
            parts.append((low, low + plan.left))
        if after < low + plan.slot:
            parts.append((after, low + plan.slot))
    return [Pad(dst.space, tuple(parts))]


def _address_flow(dst: Ref, src: Ref, plan: Plan) -> Flow:
    size = ITEMSIZE[src.dtype] if plan.length % ITEMSIZE[src.dtype] == 0 else 1
    within = np.arange(0, plan.length, size, dtype=np.int64)
    block = np.arange(plan.blocks, dtype=np.int64)[:, None]
    to = (dst.addr + plan.left + block * plan.dst_pitch + within).reshape(-1)
    origin = (src.addr + block * plan.src_pitch + within).reshape(-1)
    return Flow("lanes", dst.space, size, to, ((src.space, size, origin),))


# --- the scalar unit -----------------------------------------------------------------------------


def _element(ref: Ref) -> tuple[Interval, ...]:
    return ((ref.addr, ref.addr + ITEMSIZE[ref.dtype]),)


class GetValue:
    """One element read by the scalar unit; `read_scalar` gives its value."""

    def footprint(self, instr: Instr, form: Form) -> Footprint:
        (src,) = instr.srcs
        return Footprint(accesses(src.space, _element(src)), ())

    def evaluate(self, x: Issued, core: Core) -> list[Write]:
        return []

    def flow(self, instr: Instr, form: Form) -> tuple[AnyFlow, ...]:
        return ()

    def repeats(self, instr: Instr, form: Form) -> float:
        return 0


class SetValue:
    """One element stored by the scalar unit, converted to the tensor's type as C++ does."""

    def footprint(self, instr: Instr, form: Form) -> Footprint:
        assert instr.dst is not None
        return Footprint((), accesses(instr.dst.space, _element(instr.dst)))

    def evaluate(self, x: Issued, core: Core) -> list[Write]:
        ref = x.instr.dst
        assert ref is not None
        value = as_scalar(x.instr.params["value"], DTYPES[ref.dtype])
        raw = np.frombuffer(value.tobytes(), dtype=np.uint8)
        if ref.space == "GM" and not x.instr.params.get("bypass"):
            return core.dcache.writes(ref.addr, raw)
        return _deliver_run(core, ref, raw, x)

    def flow(self, instr: Instr, form: Form) -> tuple[AnyFlow, ...]:
        assert instr.dst is not None
        return (Span(instr.dst.space, ITEMSIZE[instr.dst.dtype], instr.dst.addr, 1, ()),)

    def repeats(self, instr: Instr, form: Form) -> float:
        return 0


@np.errstate(invalid="ignore")
def read_scalar(x: Issued, core: Core) -> Any:
    """The Python number that a GetValue asks for, read now: int, or float (bfloat16 too).

    GM is read through the cache, unless ``bypass`` says otherwise.
    """
    (src,) = x.instr.srcs
    size = ITEMSIZE[src.dtype]
    cached = src.space == "GM" and not x.instr.params.get("bypass")
    raw = core.dcache.read(src.addr, size) if cached else _read(core, src, size)
    value = raw.view(DTYPES[src.dtype])[0]
    return int(value) if DTYPES[src.dtype].kind in "iu" else float(value)


OPS: Mapping[str, Semantic] = {
    "DataCopy": Copy(),
    "DataCopyPad": CopyPad(),
    "GetValue": GetValue(),
    "SetValue": SetValue(),
}
