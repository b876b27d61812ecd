"""How far an operand may reach: what the checks of strides and temporary buffers measure against."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ascend_lab.checks.reports import Reports
from ascend_lab.engine.instruction import ITEMSIZE, Ref

if TYPE_CHECKING:
    from ascend_lab.engine.issued import Issued


class Extent(NamedTuple):
    """Bytes [low, high) that belong to an operand, and what they are called. ``high`` -1: not known."""

    name: str
    low: int
    high: int


def extent(reports: Reports, x: Issued, ref: Ref) -> Extent:
    """The tensor or buffer that ``ref`` points into."""
    if ref.space == "GM":
        found = reports.run.gm.locate(ref.addr)
        if found is None:
            return Extent("GM", ref.addr, -1)
        return Extent(reports.array_name(found), found.addr, found.end)
    buffer = reports.buffer(x.block, ref)
    if buffer is not None:
        return Extent(buffer.name or ref.space, buffer.low, buffer.high)
    if ref.size < 0:
        return Extent(ref.space, 0, -1)
    return Extent(ref.space, ref.addr, ref.addr + in_blocks(ref.size * ITEMSIZE[ref.dtype]))


def in_blocks(nbytes: int) -> int:
    """``nbytes`` rounded up to whole DataBlocks of 32 B."""
    return -(-nbytes // 32) * 32
