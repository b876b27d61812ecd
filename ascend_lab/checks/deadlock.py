"""When nothing can go on: who waits for whom, and which set is missing.

D9 wait without set, in a core or between cores; D12 the set stands in a branch; E5 more blocks than cores at
a barrier; E6 a core that does not come to it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ascend_lab.checks.flags import Flags, Key, event_name, other_in_branch
from ascend_lab.checks.reports import PIPE_NAMES, Check, Reports
from ascend_lab.checks.texts import Say

if TYPE_CHECKING:
    from ascend_lab.engine.run import Run


_ANSWERS = {
    "IBSet": Say(
        "the flag is not 0, the workspace was not cleared or an IBWait is missing",
        "标志不为 0，工作空间没有清零或缺少 IBWait",
    ),
    "IBWait": Say("no core has set the flag", "没有核置位这个标志"),
    "CrossCoreWaitFlag": Say("not every core has set the flag", "不是每个核都置位了这个标志"),
    "GroupWait": Say(
        "not every core of the other group has arrived", "另一组中有核没有调用 Arrive"
    ),
    "WaitPreBlock": Say("an earlier core has not notified", "排在前面的核没有通知"),
}


class Deadlock(Check):
    """Explains `stuck`."""

    def __init__(self, reports: Reports, flags: Flags) -> None:
        super().__init__(reports)
        self._flags = flags

    def stuck(self, run: Run, waits: list[Any]) -> None:
        arrived = []
        for block in dict.fromkeys(wait.block for wait in waits):
            mine = [wait for wait in waits if wait.block == block]
            root = self._root(mine)
            if root is not None:
                self._flag(run, root, mine)
            else:
                arrived += [w for w in mine if w.x is not None and w.x.instr.op == "SyncAll"]
                self._unanswered(run, [w for w in mine if w.kind == "cross"])
        self._barrier(run, arrived)

    def _flag(self, run: Run, root: Any, waits: list[Any]) -> None:
        key: Key = root.flag
        counter = self._flags.counters.get(root.core, {}).get(key)
        numbers = {
            "time": run.clock.now,
            "event": event_name(key),
            "id": key[2],
            "chain": self._chain(root, waits),
            "sets": counter.sets if counter else 0,
            "waits": counter.waits if counter else 0,
        }
        branch = other_in_branch(
            self.reports.names, root.x.instr.where, event_name(key), "set_flag"
        )
        class_id = "D9" if branch is None else "D12"
        if branch is not None:
            numbers["line1"] = branch
        related = tuple(
            place
            for wait in waits
            if wait is not root and wait.kind == "flag"
            for place in self.reports.other(wait.x.instr.where, "waits")
        )
        self.reports.add(class_id, root.x, numbers, time=run.clock.now, related=related)

    def _root(self, waits: list[Any]) -> Any | None:
        """The wait whose source pipe is not itself waiting: its set was never issued. In a circle, the
        one that has fewer sets than waits."""
        flags = [wait for wait in waits if wait.kind == "flag" and wait.x is not None]
        waiting = {wait.pipe for wait in flags}
        for wait in flags:
            if wait.flag[0] not in waiting:
                return wait
        return next(filter(self._lacks_a_set, flags), flags[0] if flags else None)

    def _lacks_a_set(self, wait: Any) -> bool:
        counter = self._flags.counters.get(wait.core, {}).get(wait.flag)
        return counter is None or counter.sets < counter.waits

    def _chain(self, root: Any, waits: list[Any]) -> Say:
        """The waits of one core, the root last: "MTE3 waits for V (V_MTE3 id 0, line 9); V waits ..."."""
        flags = [wait for wait in waits if wait.kind == "flag" and wait is not root] + [root]
        en, zh = [], []
        for wait in flags:
            pipe, source = PIPE_NAMES[wait.pipe], PIPE_NAMES[wait.flag[0]]
            event, line = event_name(wait.flag), self.reports.line(wait.x.instr.where)
            en.append(f"{pipe} waits for {source} ({event} id {wait.flag[2]}, line {line})")
            zh.append(f"{pipe} 等待 {source}（{event} id {wait.flag[2]}，第 {line} 行）")
        en.append(f"nothing sets {event_name(root.flag)} id {root.flag[2]}")
        zh.append(f"没有人置位 {event_name(root.flag)} id {root.flag[2]}")
        return Say("; ".join(en), "；".join(zh))

    def _unanswered(self, run: Run, waits: list[Any]) -> None:
        for wait in waits:
            instr = wait.x.instr
            if self.reports.again("D9", instr.where, "cores"):
                continue
            numbers = {
                "time": run.clock.now,
                "what": _call(instr),
                "answer": _ANSWERS[instr.op],
                "blocks": run.blocks,
                "cores": len(run.cores),
            }
            self.reports.add("D9", wait.x, numbers, variant="cores", time=run.clock.now)

    def _barrier(self, run: Run, arrived: list[Any]) -> None:
        if not arrived:
            return
        first = arrived[0]
        cores = len(run.cores)
        if run.blocks > cores:
            numbers: dict[str, Any] = {"blocks": run.blocks, "cores": cores}
            numbers["late"] = run.blocks - cores
            self.reports.add("E5", first.x, numbers, time=run.clock.now)
            return
        here = {wait.block for wait in arrived}
        absent = [block for block in range(run.blocks) if block not in here]
        numbers = {
            "arrived": len(here),
            "expected": int(first.x.instr.params.get("used", 0)) or run.blocks,
            "absent": _cores(absent),
        }
        self.reports.add("E6", first.x, numbers, time=run.clock.now)


def _cores(blocks: list[int]) -> Say:
    listed = _ranges(blocks)
    return Say(f"core{'s' if len(blocks) > 1 else ''} {listed}", f"核 {listed}")


def _ranges(numbers: list[int]) -> str:
    """ "0, 4..7" for 0 4 5 6 7."""
    parts: list[list[int]] = []
    for number in numbers:
        if parts and parts[-1][-1] == number - 1:
            parts[-1].append(number)
        else:
            parts.append([number])
    return ", ".join(str(p[0]) if len(p) == 1 else f"{p[0]}..{p[-1]}" for p in parts)


def _call(instr: Any) -> str:
    """ "IBWait(idx=0, event=1)"."""
    return f"{instr.op}({', '.join(f'{name}={value}' for name, value in instr.params.items())})"
