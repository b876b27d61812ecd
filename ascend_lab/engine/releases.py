"""Freed queue buffers: poisoned once their last reader has let go of them."""

from __future__ import annotations

from ascend_lab.engine.clock import Clock
from ascend_lab.engine.issued import Issued
from ascend_lab.engine.memory import LocalMemory


class Release:
    """One freed buffer, its bytes [low, high), and the serials of the instructions that still use it."""

    __slots__ = ("buf", "high", "low", "waiting")

    def __init__(self, buf: int, low: int, high: int, waiting: set[int]) -> None:
        self.buf = buf
        self.low = low
        self.high = high
        self.waiting = waiting

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
        self._open: dict[
            int, list[Release]
        ] = {}  # by buffer; freed again before it was let go: several
        self._users: dict[int, set[int]] = {}

    def __bool__(self) -> bool:
        return bool(self._open)

    def issued(self, x: Issued) -> None:
        """``x`` is on its way to a pipe and will use the buffers of its operands."""
        users = self._users
        for buf in x.uses:
            found = users.get(buf)
            if found is None:
                users[buf] = {x.serial}
            else:
                found.add(x.serial)

    def free(self, x: Issued, clock: Clock, time: float) -> None:
        """FreeTensor ``x`` at ``time``: poison when everything issued earlier has finished with it."""
        ref = x.instr.dst
        nbytes = x.instr.params.get("len", 0)
        if ref is None or ref.space != self._memory.space or ref.buf < 0:
            return
        if not isinstance(nbytes, int) or nbytes <= 0:
            return
        waiting = set(self._users.get(ref.buf, ()))
        release = Release(ref.buf, ref.addr, ref.addr + nbytes, waiting)
        self._open.setdefault(ref.buf, []).append(release)
        if not waiting:
            clock.at(time, self._poison, release)

    def completed(self, x: Issued) -> None:
        """``x`` no longer uses anything."""
        serial = x.serial
        for buf in x.uses:
            self._users[buf].discard(serial)
            opened = self._open.get(buf)
            if opened is None:
                continue
            for release in list(opened):
                if serial in release.waiting:
                    release.waiting.discard(serial)
                    if not release.waiting:
                        self._poison(release)

    def used(self, x: Issued) -> None:
        """``x`` starts: a buffer it uses although it was freed before is in use again."""
        for buf in x.uses:
            if buf in self._open:
                self._close(buf, x.serial)
        if x.loose:  # an operand placed by address may lie anywhere
            space = self._memory.space
            for buf, opened in list(self._open.items()):
                if any(release.touched(x, space) for release in opened):
                    self._close(buf, x.serial)

    def _close(self, buf: int, serial: int) -> None:
        kept = [release for release in self._open[buf] if serial in release.waiting]
        if kept:
            self._open[buf] = kept
        else:
            del self._open[buf]

    def _poison(self, release: Release) -> None:
        opened = self._open.get(release.buf)
        if opened is None or release not in opened:
            return
        opened.remove(release)
        if not opened:
            del self._open[release.buf]
        self._memory.poison(release.low, release.high)
