"""Memory of the device and of the host: allocation, copies, memset."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ascend_lab.acl import judging, races
from ascend_lab.acl.codes import DIRECTIONS, SAME_AS, Code, Kind, Policy
from ascend_lab.acl.inputs import InputFiles
from ascend_lab.acl.ledger import Block
from ascend_lab.acl.session import Session, call
from ascend_lab.acl.timeline import Task, Use
from ascend_lab.checks.texts import Say
from ascend_lab.engine.errors import NotModelled

_SIDES = {"HOST": Say("host", "主机"), "DEVICE": Say("device", " Device ")}
HUGE_PAGE, PAGE = 2 << 20, 4096
#: aclrtMalloc takes a huge page for more than this. Source: AscendCL API reference, aclrtMemMallocPolicy.
HUGE_FROM = 1 << 20
MODEL_LIMIT = 8 << 30  # one block lies in this machine's memory
HEIGHT_MAX = 5 << 20  # AscendCL API reference, aclrtMemcpy2d
TASKS = {
    Kind.HOST_TO_DEVICE: "h2d",
    Kind.DEVICE_TO_HOST: "d2h",
    Kind.DEVICE_TO_DEVICE: "d2d",
    Kind.HOST_TO_HOST: "h2h",
}
Bytes = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Copy:
    """A copy that has been looked at."""

    to: int
    source: int
    size: int
    direction: Kind
    target: Block | None
    origin: Block | None

    @property
    def uses(self) -> tuple[Use, Use]:
        """Addresses it writes and reads."""
        return (
            Use(self.to, self.to + self.size, True),
            Use(self.source, self.source + self.size, False),
        )


class Memory:
    """Memory of the device and of the host."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self._zombies: list[Block] = []
        self.inputs = InputFiles(session.folder)

    # --- allocation --------------------------------------------------------------------------------

    @call("aclrtMalloc", gives=1)
    def malloc(self, size: int, policy: int = 0) -> Code | tuple[Code, int]:
        """aclrtMalloc: device memory that nobody has written."""
        return self._malloc("aclrtMalloc", size, policy)

    @call("aclrtMallocAlign32", gives=1)
    def malloc_align32(self, size: int, policy: int = 0) -> Code | tuple[Code, int]:
        """aclrtMallocAlign32."""
        return self._malloc("aclrtMallocAlign32", size, policy)

    def _malloc(self, api: str, size: int, policy: int) -> Code | tuple[Code, int]:
        s = self.session
        self._sweep()
        if size <= 0:
            return s.fail(api, Code.INVALID_PARAM, "size is 0")
        if policy & 0xFF not in Policy.__members__.values():
            return s.fail(
                api, Code.INVALID_PARAM, f"policy {policy} is none of aclrtMemMallocPolicy"
            )
        held = _held(size, policy & 0xFF)
        total = s.device.spec.memory.gm_bytes
        if held + s.ledger.held() > total:
            free = total - s.ledger.held()
            reason = f"{size} B asked for, {free} B of {total} B are free"
            return s.fail(api, Code.RT_MEMORY_ALLOCATION, reason)
        if size > MODEL_LIMIT:
            raise NotModelled(api, f"size={size}")
        made = s.memory.alloc(f"gm{s.ledger.count()}", size)
        s.ledger.add(Block(made, size, held, s.spot))
        return Code.SUCCESS, made.addr

    @call("aclrtFree", releases=True)
    def free(self, address: int) -> Code:
        """aclrtFree."""
        s = self.session
        block = s.ledger.find(address) if self.session.on_device(address) else None
        if block is None or block.addr != address:
            return self._foreign(address, block)
        if block.freed is not None:
            s.report(
                "J2", {"at": block.freed.line}, variant="again", related=((block.freed, "frees"),)
            )
            return s.fail("aclrtFree", Code.RT_PARAM_INVALID, "the block is freed already")
        races.releases(s, Use(block.addr, block.end, True))
        judging.block_ends(s, block)
        block.freed = s.spot
        self._zombies.append(block)
        self._sweep()
        return Code.SUCCESS

    def _foreign(self, address: int, block: Block | None) -> Code:
        s = self.session
        if address:
            inside = address - block.addr if block is not None else 0
            kind = "inside" if block is not None else "foreign"
            s.report("J2", {"offset": inside}, variant=kind)
        return s.fail("aclrtFree", Code.INVALID_PARAM, "not an address that aclrtMalloc gave")

    def _sweep(self) -> None:
        """Give back what is freed and no task uses any more."""
        kept = []
        for block in self._zombies:
            if self.session.timeline.uses(block.addr, block.end):
                kept.append(block)
            else:
                self.session.memory.free(block.addr)
        self._zombies = kept

    @call("aclrtMallocHost", gives=1)
    def malloc_host(self, size: int, made: int) -> Code | tuple[Code, int]:
        """aclrtMallocHost: ``made`` is the memory that the program's side has ready."""
        s = self.session
        if size <= 0 or not made:
            return s.fail("aclrtMallocHost", Code.INVALID_PARAM, "no size, or no memory")
        s.pinned[made] = (size, s.spot)
        return Code.SUCCESS, made

    @call("aclrtFreeHost", releases=True)
    def free_host(self, address: int) -> Code:
        """aclrtFreeHost."""
        s = self.session
        if address not in s.pinned:
            if address:
                s.report("J2", {"offset": 0}, variant="foreign_host")
            return s.fail("aclrtFreeHost", Code.INVALID_PARAM, "not an address of aclrtMallocHost")
        size, _ = s.pinned[address]
        if races.releases(s, Use(address, address + size, True)):
            s.timeline.wait_for(list(s.timeline.streams))  # its bytes go away: the copies end first
            s.timeline.host_clock = dict(s.timeline.host_clock)
        del s.pinned[address]
        return Code.SUCCESS

    @call("aclrtGetMemInfo", gives=2)
    def get_mem_info(self, attribute: int) -> tuple[Code, int, int]:
        """aclrtGetMemInfo: free and total bytes."""
        total = self.session.device.spec.memory.gm_bytes
        return Code.SUCCESS, total - self.session.ledger.held(), total

    # --- memset ------------------------------------------------------------------------------------

    @call("aclrtMemset")
    def memset(self, to: int, most: int, value: int, size: int) -> Code:
        """aclrtMemset: sets ``size`` bytes."""
        s = self.session
        block = self._fillable("aclrtMemset", to, most, value, size)
        if isinstance(block, Code):
            return block
        races.host_writes(s, Use(to, to + size, True))
        self._fill(block, to, value, size)
        s.timeline.spend(s.pace.fill_us(size))
        return Code.SUCCESS

    @call("aclrtMemsetAsync")
    def memset_async(self, to: int, most: int, value: int, size: int, stream: int) -> Code:
        """aclrtMemsetAsync."""
        s = self.session
        queue = s.stream("aclrtMemsetAsync", stream)
        if isinstance(queue, Code):
            return queue
        block = self._fillable("aclrtMemsetAsync", to, most, value, size)
        if isinstance(block, Code):
            return block
        task = Task("memset", "memset", queue, s.spot, (Use(to, to + size, True),))
        task.begin = lambda: s.pace.fill_us(size)
        task.finish = lambda: self._fill(block, to, value, size)
        s.timeline.enqueue(task)
        races.queued(s, task)
        return Code.SUCCESS

    def _fillable(self, api: str, to: int, most: int, value: int, size: int) -> Block | Code:
        s = self.session
        if size > most:
            s.report("J4", {"api": api, "count": size, "most": most}, variant="most")
            return s.fail(
                api, Code.RT_PARAM_INVALID, f"count {size} is larger than maxCount {most}"
            )
        block = self._block(api, to, size)
        if isinstance(block, Code):
            return block
        if block is None:
            return s.fail(api, Code.RT_PARAM_INVALID, "not memory of the device")
        if not -1 <= value <= 255:
            numbers = {"api": api, "value": value, "byte": value & 0xFF}
            s.report("J4", numbers, variant="byte", severity="note")
        block.touch("memset", to, to + size, s.spot)
        return block

    def _fill(self, block: Block, to: int, value: int, size: int) -> None:
        offset = to - block.addr
        block.allocation.contents()[offset : offset + size] = value & 0xFF

    # --- copies ------------------------------------------------------------------------------------

    @call("aclrtMemcpy")
    def memcpy(self, to: int, most: int, source: int, size: int, kind: int) -> Code:
        """aclrtMemcpy: done when it returns; tasks of streams are not waited for."""
        plan = self._plan("aclrtMemcpy", to, most, source, size, kind)
        return plan if isinstance(plan, Code) else self._copy_now("aclrtMemcpy", plan)

    def _copy_now(self, api: str, plan: Copy) -> Code:
        s = self.session
        if not plan.size:
            return Code.SUCCESS
        self._note(plan)
        if plan.target is not None:
            races.host_writes(s, plan.uses[0])
        if plan.origin is not None:
            races.host_reads(s, plan.uses[1])
            if plan.target is None:
                judging.result_read(s, plan.origin, s.spot)
        target, origin = self._views(plan)
        if origin is None:
            origin = np.empty(plan.size, dtype=np.uint8) if target is None else target
            if not s.host.read_into(plan.source, origin):
                return s.fail(api, Code.RT_PARAM_INVALID, "the source is not readable")
        if target is None:
            if not s.host.write_from(plan.to, origin):
                return s.fail(api, Code.RT_PARAM_INVALID, "the destination is not writable")
        elif target is not origin:
            target[:] = origin
        if plan.direction is Kind.HOST_TO_DEVICE:
            self.inputs.copied(s, origin, s.spot)
        s.timeline.spend(s.pace.copy_us(plan.direction, plan.size, pinned=self._is_pinned(plan)))
        return Code.SUCCESS

    @call("aclrtMemcpyAsync")
    def memcpy_async(
        self, to: int, most: int, source: int, size: int, kind: int, stream: int
    ) -> Code:
        """aclrtMemcpyAsync: a task of the stream."""
        return self._async("aclrtMemcpyAsync", to, most, source, size, kind, stream)

    def _async(
        self, api: str, to: int, most: int, source: int, size: int, kind: int, stream: int
    ) -> Code:
        s = self.session
        queue = s.stream(api, stream)
        if isinstance(queue, Code):
            return queue
        plan = self._plan(api, to, most, source, size, kind)
        if isinstance(plan, Code) or not size:
            return Code.SUCCESS if not isinstance(plan, Code) else plan
        if not self._is_pinned(plan):
            s.report("J6", {"api": api}, variant="pageable", severity="note")
        self._note(plan)
        name = TASKS[plan.direction]
        task = Task(name, name, queue, s.spot, plan.uses)
        moved: list[Bytes] = []
        task.begin = self._beginner(plan, task, moved)
        task.finish = self._finisher(plan, moved)
        s.timeline.enqueue(task)
        races.queued(s, task)
        return Code.SUCCESS

    def _beginner(self, plan: Copy, task: Task, moved: list[Bytes]) -> Callable[[], float]:
        s = self.session
        seen = self._host_bytes(plan) if plan.origin is None else None

        def begin() -> float:
            if plan.origin is None:
                now = self._host_bytes(plan)
                if now is not None and seen is not None and not np.array_equal(now, seen):
                    self._changed(plan, task)
                if now is not None:
                    self.inputs.copied(s, now, task.spot)
                    moved.append(now)
            else:
                if plan.target is None:
                    judging.result_read(s, plan.origin, task.spot)
                origin = self._views(plan)[1]
                moved.append(np.array(origin, copy=True))
            return s.pace.copy_us(plan.direction, plan.size, pinned=self._is_pinned(plan))

        return begin

    def _finisher(self, plan: Copy, moved: list[Bytes]) -> Callable[[], None]:
        def finish() -> None:
            target = self._views(plan)[0]
            for data in moved:
                if target is not None:
                    target[:] = data
                else:
                    self.session.host.write_from(plan.to, data)

        return finish

    def _changed(self, plan: Copy, task: Task) -> None:
        start = task.start
        name = races.name_of(self.session, plan.to)
        numbers = {"name": name, "queued": round(task.queued, 1), "start": round(start, 1)}
        self.session.report("J6", numbers, spot=task.spot, time=start)

    def _host_bytes(self, plan: Copy) -> Bytes | None:
        found = np.empty(plan.size, dtype=np.uint8)
        return found if self.session.host.read_into(plan.source, found) else None

    @call("aclrtMemcpy2d")
    def memcpy2d(
        self, to: int, dpitch: int, source: int, spitch: int, width: int, height: int, kind: int
    ) -> Code:
        """aclrtMemcpy2d: ``height`` rows of ``width`` bytes."""
        return self._rows("aclrtMemcpy2d", to, dpitch, source, spitch, width, height, kind, None)

    @call("aclrtMemcpy2dAsync")
    def memcpy2d_async(
        self,
        to: int,
        dpitch: int,
        source: int,
        spitch: int,
        width: int,
        height: int,
        kind: int,
        stream: int,
    ) -> Code:
        """aclrtMemcpy2dAsync."""
        api = "aclrtMemcpy2dAsync"
        return self._rows(api, to, dpitch, source, spitch, width, height, kind, stream)

    def _rows(
        self,
        api: str,
        to: int,
        dpitch: int,
        source: int,
        spitch: int,
        width: int,
        height: int,
        kind: int,
        stream: int | None,
    ) -> Code:
        s = self.session
        if width > min(dpitch, spitch) or not 0 < height <= HEIGHT_MAX:
            reason = (
                f"width {width} is larger than a pitch, or height {height} is not 1..{HEIGHT_MAX}"
            )
            return s.fail(api, Code.INVALID_PARAM, reason)
        for row in range(height):
            here, there = to + row * dpitch, source + row * spitch
            if stream is not None:
                code = self._async(api, here, width, there, width, kind, stream)
            else:
                plan = self._plan(api, here, width, there, width, kind)
                code = plan if isinstance(plan, Code) else self._copy_now(api, plan)
            if code:
                return code
        return Code.SUCCESS

    # --- what a copy must satisfy ------------------------------------------------------------------

    def _plan(self, api: str, to: int, most: int, source: int, size: int, kind: int) -> Copy | Code:
        s = self.session
        if not to or not source:
            return s.fail(api, Code.INVALID_PARAM, "a pointer is null")
        if size > most:
            s.report("J4", {"api": api, "count": size, "most": most}, variant="most")
            return s.fail(api, Code.RT_PARAM_INVALID, f"count {size} is larger than destMax {most}")
        direction = DIRECTIONS[self.session.on_device(to), self.session.on_device(source)]
        told = self._told(kind)
        if told is None:
            return s.fail(api, Code.INVALID_PARAM, f"kind {kind} is none of aclrtMemcpyKind")
        if told not in (Kind.DEFAULT, direction):
            return self._wrong_kind(api, told, direction)
        blocks = [self._block(api, address, size) for address in (to, source)]
        for found in blocks:
            if isinstance(found, Code):
                return found
        target, origin = (None if isinstance(b, Code) else b for b in blocks)
        beyond = self._beyond_host(api, to, size, target) or self._beyond_host(
            api, source, size, origin
        )
        return beyond or Copy(to, source, size, direction, target, origin)

    def _told(self, kind: int) -> Kind | None:
        if kind not in Kind.__members__.values():
            return None
        return SAME_AS.get(Kind(kind), Kind(kind))

    def _wrong_kind(self, api: str, told: Kind, direction: Kind) -> Code:
        numbers = {
            "api": api,
            "kind": f"ACL_MEMCPY_{told.name}",
            "right": f"ACL_MEMCPY_{direction.name}",
        }
        numbers |= dict(
            zip(("source", "target"), direction.name.lower().split("_to_"), strict=True)
        )
        self.session.report("J3", numbers)
        places = [int(word == "device") for word in direction.name.lower().split("_to_")]
        reason = (
            f"Memory copy failed, src loc type={places[0]}, dst loc type={places[1]}, "
            f"kind={int(told)} is invalid (0 host, 1 device)"
        )
        return self.session.fail(api, Code.RT_PARAM_INVALID, reason)

    def _block(self, api: str, address: int, size: int) -> Block | Code | None:
        """The block a call touches; None for memory of the host."""
        if not self.session.on_device(address):
            return None
        s = self.session
        block = s.ledger.find(address)
        if block is None:
            return s.fail(api, Code.RT_PARAM_INVALID, "not memory that aclrtMalloc gave")
        if block.freed is not None:
            numbers = {"api": api, "at": block.freed.line}
            s.report("J2", numbers, variant="used", related=((block.freed, "frees"),))
            return s.fail(api, Code.RT_PARAM_INVALID, "the memory was freed")
        if address + size > block.end:
            numbers = {"api": api, "count": size, "left": block.end - address, "name": block.said}
            s.report("J4", numbers, variant="beyond", related=((block.spot, "makes"),))
            reason = f"{size} B do not fit the {block.end - address} B of the block"
            return s.fail(api, Code.RT_PARAM_INVALID, reason)
        return block

    def _beyond_host(self, api: str, address: int, size: int, block: Block | None) -> Code | None:
        """A copy past the end of an array of the host whose size is known."""
        s = self.session
        if block is not None or self.session.on_device(address):
            return None
        left = self._left(address)
        if left is None or size <= left:
            return None
        name = races.name_of(s, address)
        s.report("J4", {"api": api, "count": size, "left": left, "name": name}, variant="beyond")
        return s.fail(
            api, Code.RT_PARAM_INVALID, f"{size} B, but the host array has {left} B there"
        )

    def _left(self, address: int) -> int | None:
        for base, (size, _) in self.session.pinned.items():
            if base <= address < base + size:
                return base + size - address
        return self.session.host.extent(address)

    def _is_pinned(self, plan: Copy) -> bool:
        """Whether the host's side of a copy is memory of aclrtMallocHost."""
        sides = ((plan.to, plan.target), (plan.source, plan.origin))
        hosts = [address for address, block in sides if block is None]
        pinned = self.session.pinned.items()
        return all(any(b <= a < b + size for b, (size, _) in pinned) for a in hosts)

    def _views(self, plan: Copy) -> tuple[Bytes | None, Bytes | None]:
        def view(block: Block | None, address: int) -> Bytes | None:
            if block is None:
                return None
            offset = address - block.addr
            return block.allocation.contents()[offset : offset + plan.size]

        return view(plan.target, plan.to), view(plan.origin, plan.source)

    def _note(self, plan: Copy) -> None:
        spot = self.session.spot
        if plan.target is not None:
            what = "h2d" if plan.origin is None else "d2d"
            plan.target.touch(what, plan.to, plan.to + plan.size, spot)
            if plan.origin is None:
                plan.target.dtype = self.session.host.dtype(plan.source) or plan.target.dtype
            elif not plan.target.dtype:
                plan.target.dtype = plan.origin.dtype
        if plan.origin is not None:
            plan.origin.touch("d2h", plan.source, plan.source + plan.size, spot)


def _held(size: int, policy: int) -> int:
    """Bytes that a block takes from the device."""
    normal = policy in (Policy.NORMAL_ONLY, Policy.NORMAL_ONLY_P2P)
    huge = not normal and (size > HUGE_FROM or policy in (Policy.HUGE_ONLY, Policy.HUGE_ONLY_P2P))
    page = HUGE_PAGE if huge else PAGE
    return -(-size // page) * page
