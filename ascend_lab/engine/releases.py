"""Freed queue buffers: poisoned once their last reader has let go of them."""

from __future__ import annotations

from ascend_lab.engine.clock import Clock
from ascend_lab.engine.issued import Issued, Life
from ascend_lab.engine.memory import LocalMemory

_MANY = 64


class Releases:
    """The lives of one core's buffers. One that is used again before it is let go of is not poisoned."""

    __slots__ = ("_freed", "_lives", "_memory")

    def __init__(self, memory: LocalMemory) -> None:
        self._memory = memory
        self._lives: dict[int, Life] = {}
        self._freed: list[Life] = []  # maybe still in use

    def taken(self, bufs: tuple[int, ...]) -> list[Life]:
        """An instruction that will use these buffers is on its way to a pipe."""
        lives = self._lives
        found = []
        for buf in bufs:
            life = lives.get(buf)
            if life is None:
                life = lives[buf] = Life(None)
            life.users += 1
            found.append(life)
        return found

    def free(self, x: Issued, clock: Clock, time: float) -> None:
        """FreeTensor ``x`` at ``time``: poison when everything issued earlier has finished with it."""
        ref = x.instr.dst
        nbytes = x.instr.params.get("len", 0)
        if ref is None or ref.space != self._memory.space or ref.buf < 0:
            return
        if not isinstance(nbytes, int) or nbytes <= 0:
            return
        life = self._lives.get(ref.buf) or Life(None)
        life.low, life.high = ref.addr, ref.addr + nbytes
        life.freed = True
        self._lives[ref.buf] = Life(life)
        if len(self._freed) > _MANY:
            self._freed = [other for other in self._freed if not other.over]
        self._freed.append(life)
        if not life.users:
            clock.at(time, self._poison, life)

    def started(self, x: Issued) -> None:
        """``x`` starts: a buffer it uses although it was freed before is in use again."""
        for life in x.lives:
            before = life.before
            while before is not None and not before.over:
                before.over = True
                before = before.before
            life.before = None
        if x.loose:  # an operand placed by address may lie anywhere
            for life in self._freed:
                if not life.over and life not in x.lives:
                    life.over = _touches(x, self._memory.space, life.low, life.high)

    def completed(self, x: Issued) -> None:
        """``x`` no longer uses anything."""
        for life in x.lives:
            life.users -= 1
            if life.freed and not life.users:
                self._poison(life)

    def _poison(self, life: Life) -> None:
        if not life.over:
            life.over = True
            self._memory.poison(life.low, life.high)


def _touches(x: Issued, space: str, low: int, high: int) -> bool:
    """Whether ``x`` reads or writes between the ends. Strided operands count as one run."""
    return any(
        access.region.low < high and low < access.region.high and access.space == space
        for side in (x.writes, x.reads)
        for access in side
    )
