"""What InitBuffer gives out: the table the other checks look buffers up in, and whether it fits.

B1 end over UB, C3 no InitBuffer, F9 too many buffers, F10 a second TPipe.
Source: asc-devkit: docs/zh/api/SIMD-API/基础API/资源管理/TPipe/InitBuffer.md, TQue/TQue简介.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from ascend_lab.checks.reports import Buffer, Check, Reports
from ascend_lab.engine.observer import Trap
from ascend_lab.engine.semantics import SEMANTICS

if TYPE_CHECKING:
    from ascend_lab.engine.core import Core
    from ascend_lab.engine.issued import Issued
    from ascend_lab.engine.run import Run

_SETUP = frozenset(("InitBuffer", "TPipe"))
_MARKERS = frozenset((*_SETUP, "TPipeDestroy", "TPipeReset", "AllocTensor"))


class Buffers(Check):
    """Keeps ``reports.buffers``; stops a core whose UB plan cannot work."""

    def __init__(self, reports: Reports) -> None:
        super().__init__(reports)
        self._over: dict[int, Issued] = {}
        self._pipes: dict[int, int] = {}

    def launched(self, run: Run) -> None:
        self.reports.begin(run)
        self.limits = run.spec.limits
        self.usable = run.spec.memory.ub_usable_bytes

    def wants(self, op: str) -> bool:
        return op in _MARKERS or op in SEMANTICS

    def issued(self, core: Core, x: Issued) -> None:
        op = x.instr.op
        # The whole plan is told, so wait until the last InitBuffer of the row has been seen.
        if self._over and op not in _SETUP and x.block in self._over:
            self._overflow(x.block)
        if op == "InitBuffer":
            self._init(x)
        elif op == "TPipe":
            self._pipe(x)
        elif op == "TPipeDestroy":
            self._pipes.pop(x.block, None)
        elif op == "TPipeReset":
            self.reports.buffers.pop(x.block, None)
        elif op == "AllocTensor" and x.instr.dst is None:
            self._without_memory(x)

    def retired(self, core: Core) -> None:
        if core.block in self._over:
            self._report_overflow(core.block)

    # --- InitBuffer ---------------------------------------------------------------------------

    def _init(self, x: Issued) -> None:
        params = x.instr.params
        if params.get("kind", "que") == "que" and (params["num"] <= 0 or params["len"] <= 0):
            numbers = {"queue": queue_name(x), "num": params["num"], "bytes": params["asked"]}
            self._stop("C3", x, numbers, variant="empty")
        table = self.reports.buffers.setdefault(x.block, {})
        for index in range(params["num"]):
            buffer = Buffer(params, index, x.instr.where)
            table[buffer.id] = buffer
        if max((b.high for b in table.values()), default=0) > self.usable:  # pools share bytes
            self._over.setdefault(x.block, x)
        self._count(x, table)

    def _count(self, x: Issued, table: dict[int, Buffer]) -> None:
        position = x.instr.params.get("pos", "")
        queued = [b for b in table.values() if b.kind == "que" and b.pos == position]
        limit = self.limits.buffers_per_position
        if len(queued) > limit:
            numbers = {
                "position": position,
                "buffers": len(queued),
                "limit": limit,
                "plan": _plan(queued, sizes=False),
            }
            self._stop("F9", x, numbers)
        if len(table) > self.limits.buffers_per_pipe:
            numbers = {"buffers": len(table), "limit": self.limits.buffers_per_pipe}
            self._stop("F9", x, numbers, variant="pipe")

    def _overflow(self, block: int) -> NoReturn:
        raise Trap(self._report_overflow(block))

    def _report_overflow(self, block: int) -> object:
        x = self._over.pop(block)
        table = list(self.reports.buffers[block].values())
        total = max(b.high for b in table)
        biggest = max(b.high - b.low for b in table)
        numbers = {
            "plan": _plan(table),
            "total": total,
            "usable": self.usable,
            "excess": total - self.usable,
            "biggest": biggest,
            "largest": biggest * self.usable // total // 32 * 32,
        }
        return self.reports.add("B1", x, numbers, fatal=True)

    def _stop(
        self, class_id: str, x: Issued, numbers: dict[str, object], variant: str = ""
    ) -> None:
        raise Trap(self.reports.add(class_id, x, numbers, variant=variant, fatal=True))

    # --- TPipe, AllocTensor ---------------------------------------------------------------------

    def _pipe(self, x: Issued) -> None:
        first = self._pipes.get(x.block)
        if first is not None:
            related = self.reports.other(first, "makes")
            self.reports.add("F10", x, {"line1": self.reports.line(first)}, related=related)
        self._pipes[x.block] = x.instr.where
        self.reports.buffers.pop(x.block, None)

    def _without_memory(self, x: Issued) -> None:
        params = x.instr.params
        table = self.reports.buffers.get(x.block, {})
        if not any(buffer.queue == params["queue"] for buffer in table.values()):
            self._stop("C3", x, {"op": "AllocTensor", "queue": queue_name(x)})


def queue_name(x: Issued) -> str:
    """What the student calls the queue of a marker."""
    params = x.instr.params
    return str(params.get("name") or f"queue {params.get('queue', '')}")


def _plan(buffers: list[Buffer], sizes: bool = True) -> str:
    """ "2×inX 65536 + 1×tmp 8192": one term per InitBuffer, in their order."""
    terms: list[str] = []
    done: set[tuple[int, int]] = set()
    for buffer in buffers:
        key = (buffer.queue, buffer.where)
        if key not in done:
            done.add(key)
            size = f" {buffer.high - buffer.low}" if sizes else ""
            terms.append(f"{buffer.num}×{buffer.name or 'buffer'}{size}")
    return " + ".join(terms)
