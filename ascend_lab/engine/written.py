"""Which block wrote which bytes of each GM allocation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from ascend_lab.engine.observer import Observer

if TYPE_CHECKING:
    from ascend_lab.engine.core import Core
    from ascend_lab.engine.issued import Issued

Span = tuple[int, int, int]


class Coverage(NamedTuple):
    """Stores to one kernel argument: (low byte, high byte, block) in order of time.

    ``writes`` are plain stores, ``combined`` those of an atomic mode, where blocks may meet.
    """

    name: str
    nbytes: int
    itemsize: int
    writes: list[Span]
    combined: Sequence[Span] = ()


class Written(Observer):
    """Records every store to GM; adjacent stores of one block are merged."""

    def __init__(self) -> None:
        self._plain: dict[str, list[Span]] = {}
        self._atomic: dict[str, list[Span]] = {}

    def committed(self, core: Core, x: Issued) -> None:
        for access in x.writes:
            if access.space == "GM":
                for low, high in access.region.parts:
                    self._add(core, low, high, self._atomic if x.atomic else self._plain)

    def _add(self, core: Core, low: int, high: int, kept: dict[str, list[Span]]) -> None:
        found = core.gm.locate(low)
        if found is None:
            return
        spans = kept.setdefault(found.name, [])
        low, high = low - found.addr, min(high - found.addr, found.nbytes)
        if low >= high:
            return
        if spans and spans[-1][1] == low and spans[-1][2] == core.block:
            spans[-1] = (spans[-1][0], high, core.block)
        else:
            spans.append((low, high, core.block))

    def coverage(self, sizes: dict[str, tuple[int, int]]) -> list[Coverage]:
        """Per allocation that was written; ``sizes``: name -> (bytes, bytes per element)."""
        return [
            Coverage(name, *sizes[name], self._plain.get(name, []), self._atomic.get(name, []))
            for name in dict.fromkeys((*self._plain, *self._atomic))
            if name in sizes
        ]
