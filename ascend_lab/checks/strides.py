"""A6: a stride of a copy in the wrong unit, or a pitch where the gap is meant.

A stride runs from the end of one block to the start of the next; it counts bytes at the GM side of DataCopyPad,
DataBlocks of 32 B everywhere else. A copy that leaves its tensor only because of a stride, and that would fit
exactly with the stride read in another way, has this fault.
Source: asc-devkit: docs/zh/api/SIMD-API/基础API/Memory矢量计算/数据搬运/DataCopyPad（GMToUB非对齐数据搬运）.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from ascend_lab.checks.extents import Extent, extent, in_blocks
from ascend_lab.checks.reports import Check
from ascend_lab.engine.instruction import ITEMSIZE, Ref
from ascend_lab.engine.observer import Trap

if TYPE_CHECKING:
    from ascend_lab.engine.core import Core
    from ascend_lab.engine.issued import Issued
    from ascend_lab.engine.run import Run

_BLOCK = 32


class Side(NamedTuple):
    """One end of a copy: ``field`` says ``stride`` times ``unit`` bytes between blocks of ``block`` bytes."""

    position: int
    ref: Ref
    field: str
    stride: int
    unit: int
    block: int


class Reading(NamedTuple):
    """What a stride may have been meant as: a variant of the message, and the right value."""

    variant: str
    stride: int


class Strides(Check):
    """Every copy of several blocks, before its addresses are judged."""

    def launched(self, run: Run) -> None:
        self.ub_bytes = run.spec.memory.ub_bytes

    def wants(self, op: str) -> bool:
        return op in ("DataCopy", "DataCopyPad")

    def issued(self, core: Core, x: Issued) -> None:
        count = x.instr.params.get("block_count", 1)
        if count <= 1 or not x.writes:
            return
        for side in _sides(x):
            if side.stride > 0:
                self._judge(x, side, count)

    def _judge(self, x: Issued, side: Side, count: int) -> None:
        found = extent(self.reports, x, side.ref)
        end = _end(side, count, side.stride)
        if found.high < 0 or end <= found.high:
            return
        for reading in _readings(side, found):
            if _end(side, count, reading.stride) <= found.high:
                self._report(x, side, found, reading, end)
                return

    def _report(self, x: Issued, side: Side, found: Extent, reading: Reading, end: int) -> None:
        fatal = side.ref.space != "GM" and end > self.ub_bytes
        if not fatal and self.reports.again("A6", x.instr.where, reading.variant):
            return
        numbers = {
            "op": x.instr.op,
            "operand": self.reports.operand(x, side.position),
            "tensor": found.name,
            "field": side.field,
            "value": side.stride,
            "bytes": side.stride * side.unit,
            "block": side.block,
            "right": reading.stride,
            "beyond": end - found.high,
        }
        made = self.reports.add("A6", x, numbers, variant=reading.variant, fatal=fatal)
        if fatal:
            raise Trap(made)


def _sides(x: Issued) -> Iterator[Side]:
    """Destination and source of a copy in blocks."""
    instr = x.instr
    params, dst, src = instr.params, instr.dst, instr.srcs[0]
    assert dst is not None
    if instr.op == "DataCopy":
        block = params["block_len"] * _BLOCK
        yield Side(0, dst, "dstGap", params["dst_gap"], _BLOCK, block)
        yield Side(1, src, "srcGap", params["src_gap"], _BLOCK, block)
        return
    length = params["block_len"]
    pads = (params.get("left", 0) + params.get("right", 0)) * ITEMSIZE[src.dtype]
    slot = in_blocks(length + pads)
    for position, ref, field in ((0, dst, "dst_stride"), (1, src, "src_stride")):
        outside = ref.space == "GM"
        name = field.replace("_s", "S")
        block, unit = (length, 1) if outside else (slot, _BLOCK)
        yield Side(position, ref, name, params[field], unit, block)


def _end(side: Side, count: int, stride: int) -> int:
    """The first byte behind the last block."""
    return side.ref.addr + (count - 1) * (side.block + stride * side.unit) + side.block


def _readings(side: Side, found: Extent) -> Iterator[Reading]:
    """Other meanings of the stride, the likeliest first."""
    stride, unit = side.stride, side.unit
    if unit == _BLOCK and stride % _BLOCK == 0:
        yield Reading("bytes", stride // _BLOCK)
    size = ITEMSIZE[side.ref.dtype]
    if unit == _BLOCK and stride * size % _BLOCK == 0:
        yield Reading("elements", stride * size // _BLOCK)
    pitch = stride * unit
    if pitch >= found.high - found.low >= side.block:
        yield Reading("far", 0)
    elif pitch >= side.block and (pitch - side.block) % unit == 0 and _is_pitch(side, found):
        yield Reading("", (pitch - side.block) // unit)


def _is_pitch(side: Side, found: Extent) -> bool:
    """Whether the tensor consists of rows of this pitch, and not of rows that are a block longer."""
    if side.ref.space != "GM":
        return True
    pitch, nbytes = side.stride * side.unit, found.high - found.low
    return nbytes % pitch == 0 and nbytes % (pitch + side.block) != 0
