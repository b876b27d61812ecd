"""What a host program holds: blocks of device memory and of host memory, contexts, and where it made them."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from typing import NamedTuple

from ascend_lab.checks.texts import Say
from ascend_lab.engine.memory import Allocation


class Spot(NamedTuple):
    """A line of the host program; ``file`` is a base name, "" where there is none."""

    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}" if self.file else "-"


class Touch(NamedTuple):
    """Bytes [low, high) of a block, counted from its start, that a copy, memset or kernel has touched."""

    what: str
    low: int
    high: int
    spot: Spot


@dataclass(eq=False, slots=True)
class Block:
    """One aclrtMalloc. ``freed`` is where it was freed."""

    allocation: Allocation
    asked: int
    held: int
    spot: Spot
    touches: list[Touch] = field(default_factory=list)
    freed: Spot | None = None
    name: str = ""
    dtype: str = ""
    judged: bool = False

    @property
    def addr(self) -> int:
        """Where it starts."""
        return self.allocation.addr

    @property
    def end(self) -> int:
        """The first address behind it."""
        return self.addr + self.asked

    @property
    def said(self) -> Say:
        """What a message calls it: the kernel's parameter, else the line that made it."""
        if self.name:
            return Say(self.name, self.name)
        line = self.spot.line
        return Say(f"the block of line {line}", f"第 {line} 行申请的内存")

    def touch(self, what: str, low: int, high: int, spot: Spot) -> None:
        """Note that addresses [low, high) were touched."""
        self.touches.append(Touch(what, low - self.addr, high - self.addr, spot))

    def touched(self, *what: str) -> list[Touch]:
        """Touches of these kinds, in order."""
        return [touch for touch in self.touches if touch.what in what]


class Ledger:
    """All blocks that there are and were, by address; addresses are never given twice."""

    def __init__(self) -> None:
        self._bases: list[int] = []
        self._blocks: list[Block] = []

    def add(self, block: Block) -> None:
        """A new block, behind all others."""
        self._bases.append(block.addr)
        self._blocks.append(block)

    def find(self, address: int) -> Block | None:
        """The block that has ``address``, freed or not."""
        position = bisect_right(self._bases, address) - 1
        if position < 0:
            return None
        block = self._blocks[position]
        return block if address < max(block.end, block.addr + 1) else None

    def living(self) -> list[Block]:
        """Blocks that were not freed."""
        return [block for block in self._blocks if block.freed is None]

    def held(self) -> int:
        """Bytes of the living blocks, as the allocator rounds them."""
        return sum(block.held for block in self.living())

    def count(self) -> int:
        """How many blocks were made."""
        return len(self._blocks)


@dataclass(eq=False, slots=True)
class Context:
    """A context; ``implicit`` is the one aclrtSetDevice makes."""

    handle: int
    device: int
    spot: Spot
    implicit: bool = False


def extent(touches: list[Touch]) -> int:
    """How many bytes from the start on are covered without a gap."""
    reached = 0
    for touch in sorted(touches, key=lambda t: (t.low, t.high)):
        if touch.low > reached:
            break
        reached = max(reached, touch.high)
    return reached
