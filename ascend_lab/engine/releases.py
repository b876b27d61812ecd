"""Freed queue buffers: poisoned once their last reader has let go of them."""

from __future__ import annotations

from ascend_lab.engine.clock import Clock
from ascend_lab.engine.issued import Issued
from ascend_lab.engine.memory import LocalMemory


class Release:
    """One freed buffer, its bytes [low, high), and the serials of the instructions that still use it."""

    __slots__ = ("high", "low", "waiting")

    def __init__(self, low: int, high: int) -> None:
        self.low = low
        self.high = high
        self.waiting: set[int] = set()

    def touched(self, x: Issued, space: str) -> bool:
        """Whether ``x`` reads or writes between its ends. Strided operands count as one run."""
        for side in (x.writes, x.reads):
            for access in side:
                region = access.region
                if region.low < self.high and self.low < region.high and access.space == space:
                    return True
        return False


class Releases:
    """Who uses which buffer of one core, and the buffers that were freed and are not in use again."""

    __slots__ = ("_memory", "_open", "_users")

    def __init__(self, memory: LocalMemory) -> None:
        self._memory = memory
        self._open: list[Release] = []
        self._users: dict[int, set[int]] = {}

    def __bool__(self) -> bool:
        return bool(self._open)

    def issued(self, x: Issued) -> None:
        """``x`` is on its way to a pipe and will use the buffers of its operands."""
        instr = x.instr
        for ref in (instr.dst, *instr.srcs):
            if ref is not None and ref.buf >= 0:
                self._users.setdefault(ref.buf, set()).add(x.serial)

    def free(self, x: Issued, clock: Clock, time: float) -> None:
        """FreeTensor ``x`` at ``time``: poison when everything issued earlier has finished with it."""
        ref = x.instr.dst
        nbytes = x.instr.params.get("len", 0)
        if ref is None or ref.space != self._memory.space or ref.buf < 0:
            return
        if not isinstance(nbytes, int) or nbytes <= 0:
            return
        release = Release(ref.addr, ref.addr + nbytes)
        release.waiting.update(self._users.get(ref.buf, ()))
        self._open.append(release)
        if not release.waiting:
            clock.at(time, self._poison, release)

    def completed(self, x: Issued) -> None:
        """``x`` no longer uses anything."""
        instr = x.instr
        for ref in (instr.dst, *instr.srcs):
            if ref is not None and ref.buf >= 0:
                self._users[ref.buf].discard(x.serial)
        for release in [r for r in self._open if x.serial in r.waiting]:
            release.waiting.discard(x.serial)
            if not release.waiting:
                self._poison(release)

    def used(self, x: Issued) -> None:
        """``x`` starts: a buffer it uses although it was freed before is in use again."""
        space = self._memory.space
        for release in list(self._open):
            if x.serial not in release.waiting and release.touched(x, space):
                self._open.remove(release)

    def _poison(self, release: Release) -> None:
        if release in self._open:
            self._open.remove(release)
            self._memory.poison(release.low, release.high)
