"""Freed queue buffers: poisoned once their last reader has let go of them."""

from __future__ import annotations

from collections.abc import Iterable

from ascend_lab.engine.clock import Clock
from ascend_lab.engine.issued import Issued, meet
from ascend_lab.engine.memory import Access, LocalMemory, Region


class Release:
    """One freed buffer and the serials of the instructions that still use it."""

    __slots__ = ("access", "waiting")

    def __init__(self, access: Access, waiting: set[int]) -> None:
        self.access = access
        self.waiting = waiting


class Releases:
    """The buffers of one core that were freed and are not yet in use again."""

    __slots__ = ("_memory", "_open")

    def __init__(self, memory: LocalMemory) -> None:
        self._memory = memory
        self._open: list[Release] = []

    def __bool__(self) -> bool:
        return bool(self._open)

    def free(self, x: Issued, outstanding: Iterable[Issued], clock: Clock, time: float) -> None:
        """FreeTensor ``x`` at ``time``: poison when everything issued earlier has finished with it."""
        ref = x.instr.dst
        nbytes = x.instr.params.get("len", 0)
        if ref is None or ref.space != self._memory.space:
            return
        if not isinstance(nbytes, int) or nbytes <= 0:
            return
        mine = (Access(ref.space, Region(((ref.addr, ref.addr + nbytes),))),)
        waiting = {y.serial for y in outstanding if meet(mine, y.reads) or meet(mine, y.writes)}
        release = Release(mine[0], waiting)
        self._open.append(release)
        if not waiting:
            clock.at(time, self._poison, release)

    def completed(self, x: Issued) -> None:
        """``x`` no longer uses anything."""
        for release in [r for r in self._open if x.serial in r.waiting]:
            release.waiting.discard(x.serial)
            if not release.waiting:
                self._poison(release)

    def used(self, x: Issued) -> None:
        """``x`` starts: a buffer it uses although it was freed before is in use again."""
        for release in list(self._open):
            mine = (release.access,)
            if x.serial not in release.waiting and (meet(mine, x.writes) or meet(mine, x.reads)):
                self._open.remove(release)

    def _poison(self, release: Release) -> None:
        if release in self._open:
            self._open.remove(release)
            self._memory.poison(release.access.region.low, release.access.region.high)
