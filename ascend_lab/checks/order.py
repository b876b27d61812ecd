"""What is certain to be finished before an instruction starts: one vector clock per pipe.

``known[p][q]`` is a serial: every instruction of pipe q of this block with a serial up to it is complete
before anything further starts on pipe p. A flag carries what its source pipe knows and that everything
issued to that pipe before it is complete; a wait learns it. The scalar unit passes what it knows on to
everything it issues later. Automatic sync adds edges of the compiler (asc-devkit:
docs/zh/api/SIMD-API/基础API/同步控制/核内同步/关键特性说明.md).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ascend_lab.checks.reports import Check, Reports
from ascend_lab.engine.instruction import Pipe

if TYPE_CHECKING:
    from ascend_lab.engine.core import Core
    from ascend_lab.engine.issued import Issued
    from ascend_lab.engine.run import Run

PIPES = len(Pipe) - 1
_SYNCS = 4096  # so many are kept per block
_S, _V, _ALL = int(Pipe.S), int(Pipe.V), int(Pipe.ALL)
_ORDERING = frozenset(("SetFlag", "WaitFlag", "PipeBarrier"))
Key = tuple[int, int, int]


class Clocks:
    """The clocks of one block."""

    __slots__ = ("history", "known", "reached", "tokens", "told")

    def __init__(self) -> None:
        self.known = [[0] * PIPES for _ in range(PIPES)]
        self.tokens: dict[Key, deque[list[int]]] = {}
        self.told: dict[int, list[int]] = {}  # serial of a CrossCoreSetFlag -> what it carries
        # What S knew from which serial on, and how far each pipe has taken it in.
        self.history: list[tuple[int, list[int]]] = []
        self.reached = [0] * PIPES

    def before(self, pipe: int, serial: int) -> list[int]:
        """What is complete before the instruction ``serial`` of ``pipe`` starts."""
        known = self.known[pipe]
        history = self.history
        if not history:
            return known
        position = self.reached[pipe]
        while position < len(history) and history[position][0] < serial:
            join(known, history[position][1])
            position += 1
        self.reached[pipe] = position
        return known

    def s_learns(self, serial: int) -> None:
        """From ``serial`` on everything S issues starts after what S knows."""
        self.history.append((serial, list(self.known[_S])))


class Order(Check):
    """Keeps the clocks; the race checks ask them."""

    def __init__(self, reports: Reports) -> None:
        super().__init__(reports)
        self.blocks: dict[int, Clocks] = {}
        self._syncs: dict[int, Sequence[Issued]] = {}

    def launched(self, run: Run) -> None:
        self._run = run
        self.auto_sync = run.auto_sync

    def of(self, block: int) -> Clocks:
        """The clocks of ``block``."""
        found = self.blocks.get(block)
        if found is None:
            found = self.blocks[block] = Clocks()
        return found

    def syncs(self, block: int) -> Sequence[Issued]:
        """At the end, to explain a race: flags and barriers of a block, the newest, in program order."""
        found = self._syncs.get(block)
        if found is None:
            everything = (*self._run.executed, *self._run.unfinished)
            mine = [x for x in everything if x.block == block and x.instr.op in _ORDERING]
            mine.sort(key=lambda x: x.serial)
            found = self._syncs[block] = mine[-_SYNCS:]
        return found

    def first(self, block: int, where: int) -> int | None:
        """At the end: the serial of the first flag or barrier of a line."""
        return next((x.serial for x in self.syncs(block) if x.instr.where == where), None)

    def synced(self, core: Core, x: Issued) -> None:
        clocks = self.of(x.block)
        flag, op = x.flag, x.instr.op
        if flag is not None:
            if op == "SetFlag":
                self._raised(clocks, flag, x.serial)
            else:
                self._waited(clocks, flag, x.serial)
        elif op == "CrossCoreSetFlag":
            carried = list(clocks.before(x.pipe, x.serial))
            carried[x.pipe] = max(carried[x.pipe], x.serial)
            clocks.told[x.serial] = carried
        elif op == "CrossCoreWaitFlag":
            self._answered(clocks, x)
        elif op == "PipeBarrier" and x.instr.params["pipe"] != _ALL:
            pipe = x.instr.params["pipe"]
            known = clocks.known[pipe]
            known[pipe] = max(known[pipe], x.serial)
        else:
            self._all_complete(clocks, x.serial)

    def _raised(self, clocks: Clocks, flag: Key, serial: int) -> None:
        source = flag[0]
        carried = clocks.before(source, serial).copy()
        carried[source] = max(carried[source], serial)
        tokens = clocks.tokens.get(flag)
        if tokens is None:
            tokens = clocks.tokens[flag] = deque()
        tokens.append(carried)

    def _waited(self, clocks: Clocks, flag: Key, serial: int) -> None:
        tokens = clocks.tokens.get(flag)
        if not tokens:
            return  # a flag left over by an earlier block tells nothing about this one
        target = flag[1]
        join(clocks.known[target], tokens.popleft())
        if target == _S:
            clocks.s_learns(serial)

    def _answered(self, clocks: Clocks, x: Issued) -> None:
        """All blocks have told the scheduler, this one among them: S knows what its pipe knew."""
        for serial in x.after:
            carried = clocks.told.pop(serial, None)
            if carried is not None:
                join(clocks.known[_S], carried)
                clocks.s_learns(x.serial)

    def _all_complete(self, clocks: Clocks, serial: int) -> None:
        """PipeBarrier<PIPE_ALL> and SyncAll: nothing is on its way."""
        for known in clocks.known:
            for pipe in range(PIPES):
                known[pipe] = max(known[pipe], serial)
        clocks.s_learns(serial)

    def scalar(self, x: Issued, waited_for: list[tuple[int, int]]) -> None:
        """A scalar access starts: what S now knows.

        ``waited_for`` are (pipe, serial) of conflicting accesses that automatic sync made it wait for.
        GetValue is complete before S goes on; SetValue only with automatic sync.
        """
        clocks = self.of(x.block)
        known = clocks.known[_S]
        for pipe, serial in waited_for:
            known[pipe] = max(known[pipe], serial)
        if self.auto_sync or x.instr.op != "SetValue":
            known[_S] = max(known[_S], x.serial)
            clocks.s_learns(x.serial)


def join(known: list[int], other: list[int]) -> None:
    """Take in what ``other`` knows."""
    known[:] = [a if a > b else b for a, b in zip(known, other, strict=True)]
