"""Copies between host and device."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ascend_lab.acl import judging, races
from ascend_lab.acl.codes import DIRECTIONS, SAME_AS, Code, Kind
from ascend_lab.acl.inputs import InputFiles
from ascend_lab.acl.ledger import Block
from ascend_lab.acl.memory import block_of
from ascend_lab.acl.session import Session, call
from ascend_lab.acl.timeline import Task, Use
from ascend_lab.acl.waiting import Move
from ascend_lab.checks.texts import Say

_SIDES = {"HOST": Say("host", "主机"), "DEVICE": Say("device", " Device ")}
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


class Copies:
    """Copies between host and device."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.inputs = InputFiles(session.folder)

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
        begin = s.timeline.now
        s.timeline.spend(s.pace.copy_us(plan.direction, plan.size, pinned=self._is_pinned(plan)))
        self._keep(plan, origin, None, begin)
        return Code.SUCCESS

    def _keep(self, plan: Copy, data: Bytes, task: Task | None, begin: float) -> None:
        """Remember a copy, when it is asked what is slow."""
        s = self.session
        if s.device.performance:
            host, device = (plan.source, plan.to) if plan.origin is None else (plan.to, plan.source)
            move = Move(
                plan.direction, s.spot if task is None else task.spot, host, device, plan.size
            )
            move.task, move.begin, move.until = task, begin, s.timeline.now
            move.note(data)
            s.moves.append(move)

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
                    self._keep(plan, now, task, 0.0)
            else:
                if plan.target is None:
                    judging.result_read(s, plan.origin, task.spot)
                origin = self._views(plan)[1]
                moved.append(np.array(origin, copy=True))
                self._keep(plan, moved[0], task, 0.0)
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
        blocks = [block_of(s, api, address, size) for address in (to, source)]
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
