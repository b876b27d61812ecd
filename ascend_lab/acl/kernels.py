"""Launching kernels on streams."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import numpy as np

from ascend_lab.acl import judging, races
from ascend_lab.acl.codes import BLOCKS_MAX, Code
from ascend_lab.acl.fusing import Ran
from ascend_lab.acl.ledger import Block, Spot
from ascend_lab.acl.session import OWN, Session, call
from ascend_lab.acl.timeline import Task, Use
from ascend_lab.checks.texts import Say
from ascend_lab.device import Result
from ascend_lab.engine.memory import Bytes
from ascend_lab.engine.trace import SPACE_IDS


class Pointer(NamedTuple):
    """A pointer argument of a launch: the kernel's parameter, and the address."""

    name: str
    address: int


class Kernels:
    """Launching kernels. ``results`` are those of the launches that have run, in order."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.results: list[tuple[str, Result]] = []

    @call("launch", checked=False)
    def launch(
        self,
        name: str,
        blocks: int,
        stream: int,
        pointers: Sequence[Pointer],
        run: Callable[[], Result],
    ) -> Code:
        """Queue a launch; ``run`` is called when the stream has come to it, in `HostDevice.memory`."""
        s = self.session
        queue = s.stream("launch", stream)
        if isinstance(queue, Code):
            s.report("J7", {"kernel": name}, variant="stream")
            return queue
        if not 1 <= blocks <= BLOCKS_MAX:
            s.report("J7", {"kernel": name, "blocks": blocks})
            return s.fail("launch", Code.RT_PARAM_INVALID, f"numBlocks={blocks}")
        used, bad = self._used(name, pointers)
        uses = tuple(Use(block.addr, block.end, None) for block in used)
        cores = min(blocks, s.device.spec.vector_cores)
        task = Task("kernel", name, queue, s.spot, uses, cores=cores)
        work = _Work(s, task, used, run, self.results)
        task.begin, task.finish = (work.abort, work.finish) if bad else (work.begin, work.finish)
        for block, pointer in zip(used, [p for p in pointers if self._of(p)], strict=True):
            block.touch("passed", block.addr, block.addr, s.spot)
            block.name = block.name or pointer.name
        s.timeline.enqueue(task)
        races.queued(s, task)
        return Code.SUCCESS

    def _of(self, pointer: Pointer) -> Block | None:
        found = (
            self.session.ledger.find(pointer.address)
            if self.session.on_device(pointer.address)
            else None
        )
        return found if found is not None and found.freed is None else None

    def _used(self, kernel: str, pointers: Sequence[Pointer]) -> tuple[list[Block], bool]:
        """The blocks the arguments lie in, and whether one of them is no memory of the device."""
        s = self.session
        used, bad = [], False
        for position, pointer in enumerate(pointers):
            block = self._of(pointer)
            if block is not None:
                used.append(block)
            elif not pointer.address:
                continue
            else:
                bad = s.spot != OWN
                self._bad(kernel, position, pointer)
        return used, bad

    def _bad(self, kernel: str, position: int, pointer: Pointer) -> None:
        s = self.session
        numbers = {"kernel": kernel, "position": position, "parameter": pointer.name}
        gone = s.ledger.find(pointer.address) if self.session.on_device(pointer.address) else None
        if gone is not None and gone.freed is not None:
            numbers = {"api": Say(f"kernel {kernel}", f"核函数 {kernel}"), "at": gone.freed.line}
            s.report("J2", numbers, variant="used", related=((gone.freed, "frees"),))
        else:
            s.report("J9", numbers)


class _Work:
    """A launch, when its time has come."""

    def __init__(
        self,
        session: Session,
        task: Task,
        blocks: list[Block],
        run: Callable[[], Result],
        results: list[tuple[str, Result]],
    ) -> None:
        self._s = session
        self._task = task
        self._blocks = blocks
        self._run = run
        self._results = results
        self._later: list[tuple[Block, Bytes, Bytes]] = []

    def abort(self) -> float:
        """A pointer of the host is no address of the device: the core stops there."""
        self._task.stream.error = int(Code.RT_VECTOR_CORE_EXCEPTION)
        self._task.uses = ()
        return self._s.device.spec.cost.launch.head_us

    def begin(self) -> float:
        """Run the kernel; its results show when it ends."""
        hidden = not self._s.timeline.exclusive
        unique = list({id(block): block for block in self._blocks}.values())
        before = [b.allocation.contents().copy() for b in unique] if hidden else []
        result = self._run()
        self._results.append((self._task.name, result))
        if self._s.device.performance:
            self._s.ran.append(Ran(self._task, tuple(self._blocks), result))
        self._learn(result)
        for block, old in zip(unique, before, strict=False):
            now = block.allocation.contents()
            if not np.array_equal(now, old):
                self._later.append((block, old, now.copy()))
                now[:] = old
        if any(finding.fatal for finding in result.findings):
            self._task.stream.error = int(Code.RT_VECTOR_CORE_EXCEPTION)
        return result.time_us

    def finish(self) -> None:
        """Its results are there."""
        for block, old, new in self._later:
            changed = old != new
            block.allocation.contents()[changed] = new[changed]
        self._later.clear()

    def _learn(self, result: Result) -> None:
        """What it wrote, and whether its inputs were whole."""
        spot: Spot = self._task.spot
        by_name = {block.allocation.name: block for block in self._blocks}
        spans: dict[int, list[tuple[int, int]]] = {}
        for found in result.coverage:
            block = by_name.get(found.name)
            if block is not None:
                spans[block.addr] = _merged((*found.writes, *found.combined))
        for block in self._blocks:
            if block.addr not in spans and block.touched("h2d", "memset", "d2d"):
                judging.inputs_ready(self._s, block, _read(result, block))
        for block in self._blocks:
            for low, high in spans.get(block.addr, ()):
                block.touch("kernel", block.addr + low, block.addr + high, spot)
        self._task.uses = tuple(
            Use(use.low, use.high, bool(spans.get(use.low))) for use in self._task.uses
        )


def _merged(spans: Iterable[tuple[int, int, int]]) -> list[tuple[int, int]]:
    """Bytes that were written, without what is there twice."""
    found: list[tuple[int, int]] = []
    for low, high, _ in sorted(spans):
        if found and low <= found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], high))
        else:
            found.append((low, high))
    return found


def _read(result: Result, block: Block) -> int:
    """How far into a block the kernel has read: only asked when too little may have been copied in."""
    covered = max((touch.high for touch in block.touched("h2d", "d2d", "memset")), default=0)
    if covered >= block.asked:
        return covered
    trace = result.trace
    here = trace.src_space == SPACE_IDS["GM"]
    here &= (trace.src_addr >= block.addr) & (trace.src_addr < block.end)
    ends = (trace.src_addr + trace.src_len)[here]
    return int(ends.max()) - block.addr if ends.size else 0
