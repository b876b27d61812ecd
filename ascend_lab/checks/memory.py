"""Addresses and bounds of every access, judged when it is issued.

A1 A5 alignment, A2 a length that is rounded down, B2 B5 B8 past a buffer or UB, A3 B3 B4 past a GM tensor,
C2 an unbound tensor. Only what stops the chip stops the core: misaligned UB operands, addresses outside
UB, GM where no memory is. Source: asc-devkit: docs/zh/api/SIMD-API/通用说明和约束.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ascend_lab.checks.reports import Check, Reports, nearest
from ascend_lab.engine.instruction import ITEMSIZE, Pipe, Ref
from ascend_lab.engine.memory import GM_BASE, Access, Allocation
from ascend_lab.engine.observer import Trap
from ascend_lab.engine.semantics import SEMANTICS

if TYPE_CHECKING:
    from ascend_lab.engine.core import Core
    from ascend_lab.engine.issued import Issued
    from ascend_lab.engine.run import Run

_S, _V = int(Pipe.S), int(Pipe.V)
_COPIES = frozenset(("DataCopy", "DataCopyPad"))
_SCALAR = frozenset(("GetValue", "SetValue"))


class Memory(Check):
    """Every operand of every instruction: aligned, inside its buffer, inside its tensor."""

    def __init__(self, reports: Reports) -> None:
        super().__init__(reports)
        self._tensors: dict[int, Allocation] = {}  # where -> the GM tensor last used there
        self._first: dict[int, int] = {}  # where -> the first address used there
        self._small: dict[tuple[str, int], int] = {}  # class, InitBuffer -> the line that was told

    def launched(self, run: Run) -> None:
        self.gm = run.gm
        self.align = run.spec.limits.ub_align
        self.ub_bytes = run.spec.memory.ub_bytes
        self.has_pad = run.spec.apis["DataCopyPad"].supported

    def wants(self, op: str) -> bool:
        return op in SEMANTICS

    def issued(self, core: Core, x: Issued) -> None:
        instr = x.instr
        if instr.op == "DataCopy" and "count" in instr.params:
            self._length(x)
        reads, writes = x.reads, x.writes
        if not reads and not writes:
            return
        pipe = x.pipe
        if pipe == _S:
            self._scalar_access(x)
            return
        low_bits = self.align - 1
        dst = instr.dst
        if dst is not None and dst.addr & low_bits and dst.space != "GM":
            self._aligned(x, 0, dst)
        for source in instr.srcs:
            if source.addr & low_bits and source.space != "GM":
                self._aligned(x, instr.srcs.index(source) + 1, source)
        buffers = self.reports.buffers.get(x.block)
        ref: Ref | None
        for access in writes:
            ref = dst if len(writes) == 1 else _operand(access, (dst, *instr.srcs))
            if access.space == "GM":
                self._tensor(x, access, ref, True)
            else:
                region = access.region
                found = buffers.get(ref.buf) if buffers and ref is not None else None
                if found is None or region.high > found.high or region.low < found.low:
                    self._local(x, access, ref)
        for access in reads:
            ref = instr.srcs[0]
            if pipe == _V or len(instr.srcs) > 1:
                ref = _operand(access, (*instr.srcs, dst))
            if access.space == "GM":
                self._tensor(x, access, ref, False)
            else:
                region = access.region
                found = buffers.get(ref.buf) if buffers and ref is not None else None
                if found is None or region.high > found.high or region.low < found.low:
                    self._local(x, access, ref)

    # --- alignment and length ----------------------------------------------------------------------

    def _aligned(self, x: Issued, position: int, ref: Ref) -> None:
        align = _alignment(x, position, self.align)
        if ref.addr % align == 0:
            return
        size = ITEMSIZE[ref.dtype]
        buffer = self.reports.buffer(x.block, ref)
        numbers = {
            "op": x.instr.op,
            "operand": self.reports.operand(x, position),
            "buffer": self.reports.buffer_name(x.block, ref),
            "offset": ref.addr - (buffer.low if buffer is not None else 0),
            "addr": ref.addr,
            "align": align,
            "dtype": ref.dtype,
            "step": max(align // size, 1),
        }
        class_id = "A1" if x.instr.op in _COPIES else "A5"
        raise Trap(self.reports.add(class_id, x, numbers, fatal=True))

    def _length(self, x: Issued) -> None:
        instr = x.instr
        count, dst = instr.params["count"], instr.dst
        assert dst is not None
        size = ITEMSIZE[dst.dtype]
        asked = count * size
        lost = asked % 32
        if not lost or self.reports.again("A2", instr.where):
            return
        local = dst.space != "GM" and instr.srcs[0].space != "GM"
        numbers = {
            "count": count,
            "dtype": dst.dtype,
            "asked": asked,
            "moved": asked - lost,
            "lost": lost // size,
            "up": count + (32 - lost) // size,
            "array": self.reports.array_at(dst.addr)[0] if dst.space == "GM" else "",
        }
        variant = "ub" if local else "" if self.has_pad else "nopad"
        self.reports.add("A2", x, numbers, variant=variant)

    # --- local memory -----------------------------------------------------------------------------------

    def _local(self, x: Issued, access: Access, ref: Ref | None) -> None:
        """An access that leaves its buffer, or whose buffer is not known."""
        if ref is None:
            return
        if x.pipe == _S:
            return
        region = access.region
        if region.high > self.ub_bytes or region.low < 0:
            self._outside(x, access, ref)
        low, high = self._bounds(x, ref)
        if high < 0 or (low <= region.low and region.high <= high):
            return
        class_id = "B2" if x.form.count >= 0 or x.instr.op in _COPIES else "B8"
        if self.reports.again(class_id, x.instr.where):
            return
        buffer = self.reports.buffer(x.block, ref)
        if buffer is not None:  # one buffer that is too small is told once
            first = self._small.setdefault((class_id, buffer.where), x.instr.where)
            if first != x.instr.where:
                self.reports.again(class_id, first)
                return
        operand = self.reports.operand(x, self._position(x, access, ref))
        numbers = {
            "op": x.instr.op,
            "operand": operand,
            "dtype": ref.dtype,
            "buffer": buffer.name if buffer is not None else operand,
            "size": high - low,
            "low": region.low - low,
            "high": region.high - 1 - low,
            "beyond": max(region.high - high, 0) + max(low - region.low, 0),
            "repeat": x.form.repeat + (1 if x.form.tail else 0),
        }
        related = self.reports.other(buffer.where, "plans") if buffer is not None else ()
        self.reports.add(class_id, x, numbers, related=related)

    def _bounds(self, x: Issued, ref: Ref) -> tuple[int, int]:
        """(low, high) of the memory that ``ref`` may touch; high -1: not known."""
        buffer = self.reports.buffer(x.block, ref)
        if buffer is not None:
            return buffer.low, buffer.high
        if ref.size < 0:
            return 0, -1
        return ref.addr, ref.addr + -(-ref.size * ITEMSIZE[ref.dtype] // 32) * 32

    def _outside(self, x: Issued, access: Access, ref: Ref) -> None:
        numbers = {
            "op": x.instr.op,
            "operand": self.reports.operand(x, self._position(x, access, ref)),
            "low": access.region.low,
            "high": access.region.high - 1,
            "size": self.ub_bytes,
        }
        raise Trap(self.reports.add("B2", x, numbers, variant="end", fatal=True))

    def _scalar_access(self, x: Issued) -> None:
        for access in x.writes or x.reads:
            ref = x.instr.dst if x.writes else x.instr.srcs[0]
            if ref is None:
                continue
            if access.space == "GM":
                self._tensor(x, access, ref, bool(x.writes))
            else:
                self._scalar(x, access, ref)

    def _scalar(self, x: Issued, access: Access, ref: Ref) -> None:
        """GetValue and SetValue say which element of how many they mean."""
        params = x.instr.params
        index, size = params.get("index", 0), params.get("size", -1)
        region = access.region
        low, high = self._bounds(x, ref)
        inside = high < 0 or (low <= region.low and region.high <= high)
        if (size < 0 or 0 <= index < size) and (size >= 0 or inside):
            return
        if self.reports.again("B5", x.instr.where):
            return
        if size < 0:
            index, size = (
                (ref.addr - low) // ITEMSIZE[ref.dtype],
                (high - low) // ITEMSIZE[ref.dtype],
            )
        numbers = {
            "op": x.instr.op,
            "operand": self.reports.operand(x, 0 if x.instr.dst is ref else 1),
            "buffer": self.reports.buffer_name(x.block, ref),
            "index": index,
            "size": size,
            "most": size - 1,
            "dtype": ref.dtype,
        }
        self.reports.add("B5", x, numbers)

    def _position(self, x: Issued, access: Access, ref: Ref) -> int:
        refs = (x.instr.dst, *x.instr.srcs)
        return next(place for place, one in enumerate(refs) if one is ref)

    # --- global memory -------------------------------------------------------------------------------------

    def _tensor(self, x: Issued, access: Access, ref: Ref | None, writes: bool) -> None:
        region = access.region
        known = self._tensors.get(x.instr.where)
        if known is not None and known.addr <= region.low and region.high <= known.end:
            return
        found = self.gm.locate(region.low)
        if found is None:
            self._nowhere(x, access, ref, writes)
        elif region.high > found.end:
            self._past_end(x, access, found, writes)
        else:
            self._tensors[x.instr.where] = found
            self._first.setdefault(x.instr.where, region.low)

    def _nowhere(self, x: Issued, access: Access, ref: Ref | None, writes: bool) -> None:
        low = access.region.low
        position = 0 if writes else 1
        operand = self.reports.operand(x, position)
        wrapped = self._wrapped(low, ref)
        if low < GM_BASE // 2 and wrapped is None:
            numbers: dict[str, Any] = {"op": x.instr.op, "operand": operand, "addr": f"{low:#x}"}
            raise Trap(self.reports.add("C2", x, numbers, fatal=True))
        near = nearest(self.gm, low)
        numbers = {
            "op": x.instr.op,
            "operand": operand,
            "bytes": access.region.nbytes,
            "array": self.reports.array_name(near) if near is not None else "GM",
            "distance": max(low - near.end, near.addr - low) if near is not None else 0,
        }
        if wrapped is not None:
            numbers["array"] = self.reports.array_name(wrapped)
        class_id = "B4" if writes else "B3"
        hints = ("G5",) if wrapped is not None else self._in_bytes(x, low, numbers)
        raise Trap(
            self.reports.add(class_id, x, numbers, variant="nothing", hints=hints, fatal=True)
        )

    def _wrapped(self, low: int, ref: Ref | None) -> Allocation | None:
        """The tensor that the address would be in, had its offset not been cut to 32 bits."""
        size = ITEMSIZE[ref.dtype] if ref is not None else 1
        for further in dict.fromkeys(((1 << 32), (1 << 32) * size)):
            found = self.gm.locate(low + further)
            if found is not None and low + further < found.end and found.nbytes > further // 2:
                return found
        return None

    def _in_bytes(self, x: Issued, low: int, numbers: dict[str, Any]) -> tuple[str, ...]:
        """G4: from call to call the address grows by as many elements as the copy has bytes."""
        known = self._tensors.get(x.instr.where)
        first = self._first.get(x.instr.where)
        if known is None or first is None or x.instr.op not in _COPIES:
            return ()
        nbytes, dtype = numbers["bytes"], known.dtype
        size = ITEMSIZE[dtype]
        if size == 1 or (low - first) % (nbytes * size) or low == first:
            return ()
        numbers["step"], numbers["moved"] = nbytes, nbytes // size
        return ("G4",)

    def _past_end(self, x: Issued, access: Access, found: Allocation, writes: bool) -> None:
        region = access.region
        beyond = region.high - found.end
        rounded = x.instr.op == "DataCopy" and region.low < found.end and beyond < 32
        class_id = "A3" if rounded else "B4" if writes else "B3"
        owned = beyond <= found.reserve  # behind the array, and nobody else's
        written = "reserve" if owned else "end"
        variant = "" if not rounded else written if writes else "overread"
        if self.reports.again(class_id, x.instr.where, variant):
            return
        first, last, size = self.reports.elements(found, region.low, region.high)
        name = self.reports.array_name(found)
        numbers = {
            "op": x.instr.op,
            "operand": self.reports.operand(x, 0 if writes else 1),
            "array": name,
            "first": first,
            "last": last,
            "size": size,
            "beyond": beyond,
            "bytes": region.nbytes,
        }
        severity = "note" if variant in ("overread", "reserve") else ""
        hints: tuple[str, ...] = ()
        if not rounded:
            hints = ("B9",) if _is_workspace(name) else self._in_bytes(x, region.low, numbers)
        self.reports.add(class_id, x, numbers, variant=variant, severity=severity, hints=hints)


def _is_workspace(name: str) -> bool:
    """Whether an argument is called as workspaces are."""
    return name.lower().startswith(("workspace", "usr_workspace", "user_workspace"))


def _operand(access: Access, refs: tuple[Ref | None, ...]) -> Ref | None:
    """The operand that ``access`` belongs to: the nearest one that starts at or before it."""
    low = access.region.low
    best: Ref | None = None
    for ref in refs:
        if ref is None or ref.space != access.space or ref.addr > low:
            continue
        if best is None or ref.addr > best.addr:
            best = ref
    return best


def _alignment(x: Issued, position: int, default: int) -> int:
    """Bytes that operand ``position`` must be aligned to (asc-devkit: 归约计算/ReduceRepeat.md table 3)."""
    op = x.instr.op
    if op in _SCALAR:
        return 1
    if position != 0 or "Reduce" not in op or op == "PairReduceSum":
        return default
    assert x.instr.dst is not None
    size = ITEMSIZE[x.instr.dst.dtype]
    if op.startswith("BlockReduce"):
        return size * 8
    if op.endswith("Sum"):
        return size
    if op.startswith("WholeReduce"):
        order = str(x.instr.params.get("order", ""))
        return 4 if "ONLY_INDEX" in order else size if "ONLY_VALUE" in order else 2 * size
    return 2 * size if x.instr.params.get("index") else size
