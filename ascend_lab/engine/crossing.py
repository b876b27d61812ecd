"""What blocks tell each other besides SyncAll: flags in GM, counters of the scheduler, turns, and groups.

asc-devkit: docs/zh/api/SIMD-API/基础API/同步控制/核间同步, Cube分组管理（ISASI）/GroupBarrier. A signal takes as long as the transfers it is made of; a
counter rises as late as SyncAll opens. ``x.after`` of a wait are the serials of the signals it answers.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from ascend_lab.engine.issued import Issued, Wait
from ascend_lab.engine.memory import commit

if TYPE_CHECKING:
    from ascend_lab.engine.core import Core
    from ascend_lab.engine.run import Run

_S = 0
_FLAG = 8  # int32 of one flag in the workspace of IBSet
#: Answers the serials of what was waited for, or None: not yet.
Ready = Callable[["Core", Issued], tuple[int, ...] | None]


class Crossing:
    """The state of one launch."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._waiting: list[tuple[Core, Issued, Ready]] = []
        self._set_by: dict[int, int] = {}  # address of a flag in GM -> serial of its IBSet
        self._reports: dict[int, dict[int, deque[int]]] = {}  # flag id -> block -> serials
        self._counters: dict[tuple[int, int], deque[tuple[int, ...]]] = {}  # (block, flag id)
        self._arrivals: dict[int, dict[int, list[int]]] = {}  # workspace -> index -> serials
        self._turns: dict[int, list[int]] = {}  # workspace -> serials of NotifyNextBlock
        self._rounds: dict[tuple[int, int], int] = {}  # (workspace, block) -> rounds begun

    def _changed(self, _: object = None) -> None:
        """Something was signalled: who waits looks again."""
        waiting, self._waiting = self._waiting, []
        for core, x, ready in waiting:
            self._wait(core, x, ready)

    def _wait(self, core: Core, x: Issued, ready: Ready) -> None:
        """Let ``core`` go on once ``ready`` answers."""
        after = ready(core, x)
        if after is None:
            core.s_wait = Wait(core.index, core.block, _S, "cross", x)
            self._waiting.append((core, x, ready))
            return
        x.after = after
        time = self._run.clock.now + self._latency(x)
        self._run.clock.at(time, self._go_on, (core, x))

    def _go_on(self, pair: tuple[Core, Issued]) -> None:
        core, x = pair
        core.crossed(x, self._run.clock.now)

    def _latency(self, x: Issued) -> float:
        run = self._run
        if run.delayed is not None or x.instr.op == "CrossCoreWaitFlag":
            return 0.0
        if x.instr.op in ("WaitPreBlock", "GroupWait"):
            return run.cost.mte2_latency
        return run.cost.mte2_latency + run.cost.mte3_latency

    # --- IBSet, IBWait: a flag of 32 B in GM ---------------------------------------------------

    def ib_set(self, core: Core, x: Issued) -> None:
        """Write 1 into a flag that is 0."""
        self._wait(core, x, self._raise)

    def ib_wait(self, core: Core, x: Issued) -> None:
        """Write 0 into a flag that is 1."""
        self._wait(core, x, self._lower)

    def _raise(self, core: Core, x: Issued) -> tuple[int, ...] | None:
        addr = self._flag(x)
        if self._read(addr) != 0:
            return None
        delay = self._latency(x)
        self._run.clock.at(self._run.clock.now + delay, self._land, (addr, x.serial))
        return ()

    def _land(self, pair: tuple[int, int]) -> None:
        addr, serial = pair
        self._set_by[addr] = serial
        self._write(addr, 1)
        self._changed()

    def _lower(self, core: Core, x: Issued) -> tuple[int, ...] | None:
        addr = self._flag(x)
        if self._read(addr) != 1:
            return None
        self._write(addr, 0)
        self._run.clock.at(self._run.clock.now, self._changed, None)
        setter = self._set_by.pop(addr, None)
        return () if setter is None else (setter,)

    def _flag(self, x: Issued) -> int:
        params = x.instr.params
        number = self._run.blocks * int(params["event"]) + int(params["idx"])
        return x.instr.srcs[0].addr + number * _FLAG * 4

    def _read(self, addr: int) -> int:
        return int(self._run.gm.read(addr, 4).view(np.int32)[0])

    def _write(self, addr: int, value: int) -> None:
        line = np.zeros(_FLAG, dtype=np.int32)
        line[0] = value
        commit(self._run.gm.writes(addr, line.view(np.uint8)))

    # --- CrossCoreSetFlag, CrossCoreWaitFlag: counters of the scheduler ------------------------

    def report(self, x: Issued) -> None:
        """A block has told the scheduler; when all have, every block's counter rises."""
        flag = int(x.instr.params["id"])
        told = self._reports.setdefault(flag, {})
        told.setdefault(x.block, deque()).append(x.serial)
        if len(told) < self._run.blocks or not all(told.values()):
            return
        serials = tuple(sorted(queue.popleft() for queue in told.values()))
        delay = self._run.cost.sync_all if self._run.delayed is None else 0.0
        self._run.clock.at(self._run.clock.now + delay, self._rise, (flag, serials))

    def _rise(self, pair: tuple[int, tuple[int, ...]]) -> None:
        flag, serials = pair
        for block in range(self._run.blocks):
            self._counters.setdefault((block, flag), deque()).append(serials)
        self._changed()

    def wait_flag(self, core: Core, x: Issued) -> None:
        """Take one off the block's counter."""
        self._wait(core, x, self._take)

    def _take(self, core: Core, x: Issued) -> tuple[int, ...] | None:
        counter = self._counters.get((core.block, int(x.instr.params["id"])))
        return counter.popleft() if counter else None

    # --- GroupArrive, GroupWait: one group of blocks waits for another -----------------------------

    def arrive(self, core: Core, x: Issued) -> None:
        """One more arrival of this member of the group that is waited for."""
        self._wait(core, x, self._arrive)

    def _arrive(self, core: Core, x: Issued) -> tuple[int, ...]:
        time = self._run.clock.now + self._latency(x)
        self._run.clock.at(time, self._arrived, x)
        return ()

    def _arrived(self, x: Issued) -> None:
        members = self._arrivals.setdefault(x.instr.srcs[0].addr, {})
        members.setdefault(int(x.instr.params["idx"]), []).append(x.serial)
        self._changed()

    def wait_group(self, core: Core, x: Issued) -> None:
        """Wait until every member has arrived as often as this block has waited."""
        self._wait(core, x, self._all_arrived)

    def _all_arrived(self, core: Core, x: Issued) -> tuple[int, ...] | None:
        workspace = x.instr.srcs[0].addr
        members = self._arrivals.get(workspace, {})
        key = (workspace, core.block)
        done = self._rounds.get(key, 0)
        counts = [members.get(k, []) for k in range(int(x.instr.params["arrivers"]))]
        if any(len(serials) <= done for serials in counts):
            return None
        self._rounds[key] = done + 1
        return tuple(sorted(serials[done] for serials in counts))

    # --- WaitPreBlock, NotifyNextBlock: turns ------------------------------------------------------

    def notify(self, core: Core, x: Issued) -> None:
        """The block's turn is over."""
        self._wait(core, x, self._end_turn)

    def _end_turn(self, core: Core, x: Issued) -> tuple[int, ...]:
        time = self._run.clock.now + self._latency(x)
        self._run.clock.at(time, self._turn_ended, (x.instr.srcs[0].addr, x.serial))
        return ()

    def _turn_ended(self, pair: tuple[int, int]) -> None:
        workspace, serial = pair
        self._turns.setdefault(workspace, []).append(serial)
        self._changed()

    def wait_turn(self, core: Core, x: Issued) -> None:
        """Wait until the blocks before this one have had their turn of this round."""
        self._wait(core, x, self._my_turn)

    def _my_turn(self, core: Core, x: Issued) -> tuple[int, ...] | None:
        workspace = x.instr.srcs[0].addr
        turns = self._turns.get(workspace, [])
        key = (workspace, core.block)
        begun = self._rounds.get(key, 0)
        if len(turns) != begun * self._run.blocks + core.block:
            return None
        self._rounds[key] = begun + 1
        return tuple(turns[-self._run.blocks :])


#: What a core does once it has reached one of these, all its pipes empty.
DRAINED: dict[str, Callable[[Crossing, Core, Issued], None]] = {
    "IBSet": Crossing.ib_set,
    "IBWait": Crossing.ib_wait,
    "GroupArrive": Crossing.arrive,
    "GroupWait": Crossing.wait_group,
    "NotifyNextBlock": Crossing.notify,
    "WaitPreBlock": Crossing.wait_turn,
}
