"""Who touches bytes that a task may still use: findings about order, not about times.

A kernel's writes are known when it has run, so a suspicion waits until then.
"""

from __future__ import annotations

from typing import Any

from ascend_lab.acl.ledger import Spot
from ascend_lab.acl.session import Session
from ascend_lab.acl.timeline import Task, Use
from ascend_lab.checks.texts import Say

_WORDS = {
    "h2d": Say("the copy from host to device", "H2D 拷贝"),
    "d2h": Say("the copy from device to host", "D2H 拷贝"),
    "d2d": Say("the copy within the device", "D2D 拷贝"),
    "h2h": Say("the copy within the host", "H2H 拷贝"),
    "memset": Say("aclrtMemsetAsync", "aclrtMemsetAsync"),
    "callback": Say("the callback", "回调"),
}


def said(task: Task) -> Say:
    """What a message calls a task."""
    if task.kind == "kernel":
        return Say(f"kernel {task.name}", f"核函数 {task.name}")
    return _WORDS.get(task.kind, Say(task.name, task.name))


def name_of(session: Session, address: int) -> Say:
    """What a message calls the memory at an address."""
    block = session.ledger.find(address)
    return block.said if block is not None else Say("the host buffer", "主机缓冲区")


def host_reads(session: Session, use: Use, variant: str = "") -> None:
    """The host, or a copy to it that the host waits for, reads what tasks may still write: J5."""
    for task, old, _ in session.timeline.unordered(session.timeline.host_clock, (use,)):
        _suspect(session, "J5", task, old, None, variant, session.spot)


def host_writes(session: Session, use: Use) -> None:
    """A copy or memset that the host waits for overwrites what tasks may still use: J11."""
    for task, old, _ in session.timeline.unordered(session.timeline.host_clock, (use,)):
        numbers = _numbers(session, task, old)
        session.report("J11", numbers, variant="reuse", related=((task.spot, "queues"),))


def releases(session: Session, use: Use) -> bool:
    """The host frees what tasks may still use: J11. Whether there is such a task."""
    found = session.timeline.unordered(session.timeline.host_clock, (use,))
    for task, old, _ in found[-1:]:
        if task.serial not in session.blamed:
            session.blamed.add(task.serial)
            session.report("J11", _numbers(session, task, old), related=((task.spot, "queues"),))
    return bool(found)


def queued(session: Session, task: Task) -> None:
    """A task meets those of other streams that it is not ordered after: D15, or J5 for a copy to the host."""
    for other, old, new in session.timeline.unordered(task.clock, task.uses):
        if other is task or other.stream is task.stream:
            continue
        if old.writes is False and new.writes is False:
            continue
        class_id = "J5" if task.kind == "d2h" and old.writes is not False else "D15"
        _suspect(session, class_id, other, old, (task, new), "streams", task.spot)


def unawaited(session: Session) -> None:
    """The program ends, and nobody has waited for a copy to the host or for a kernel: J5."""
    clock = session.timeline.host_clock
    for task in session.timeline.live:
        if task.before(clock) or task.serial in session.blamed:
            continue
        if task.kind in ("d2h", "kernel"):
            severity = "error" if task.kind == "d2h" else "note"
            numbers = {"task": said(task), "at": task.spot.line}
            session.report("J5", numbers, variant="never", spot=task.spot, severity=severity)


def settle(session: Session) -> None:
    """Tell the suspicions whose tasks have run."""
    waiting, session.suspicions = session.suspicions, []
    for tasks, is_true, tell in waiting:
        if all(task.done for task in tasks):
            if is_true():
                tell()
        else:
            session.suspicions.append((tasks, is_true, tell))


def _suspect(
    session: Session,
    class_id: str,
    task: Task,
    old: Use,
    new: tuple[Task, Use] | None,
    variant: str,
    spot: Spot,
) -> None:
    tasks = (task,) if new is None else (task, new[0])
    now = session.timeline.now

    def is_true() -> bool:
        if _writes(task, old):
            return True
        return new is not None and _writes(*new)

    def tell() -> None:
        numbers = _numbers(session, task, old)
        if new is not None and task.serial in session.blamed:
            return
        session.blamed.add(task.serial)
        if new is not None:
            numbers |= {"reader": said(new[0]), "stream": new[0].stream.number}
        related = ((task.spot, "queues"),)
        session.report(class_id, numbers, variant=variant, spot=spot, related=related, time=now)

    session.suspicions.append((tasks, is_true, tell))
    settle(session)


def _writes(task: Task, use: Use) -> bool:
    """Whether the task wrote there, now that it has run."""
    probe = Use(use.low, use.high, None)
    return any(found.writes for found in task.uses if found.meets(probe))


def _numbers(session: Session, task: Task, use: Use) -> dict[str, Any]:
    return {
        "name": name_of(session, use.low),
        "task": said(task),
        "at": task.spot.line,
        "other": task.stream.number,
    }
