"""Where checks put what they find: places, names and numbers become a Finding."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ascend_lab.checks.finding import Finding, Findings, Place
from ascend_lab.checks.names import Names, ReadSource, span_text
from ascend_lab.checks.texts import Entry, entry
from ascend_lab.engine.instruction import ITEMSIZE, Pipe, Ref
from ascend_lab.engine.memory import Allocation, GlobalMemory
from ascend_lab.engine.observer import Observer
from ascend_lab.engine.shown import shown

if TYPE_CHECKING:
    from ascend_lab.engine.issued import Issued
    from ascend_lab.engine.run import Run

PIPE_NAMES = {int(pipe): pipe.name for pipe in Pipe}


class Buffer:
    """A buffer as InitBuffer made it: bytes [low, high) of UB, one of ``num`` of its queue."""

    __slots__ = ("asked", "high", "id", "kind", "low", "name", "num", "pos", "queue", "where")

    def __init__(self, params: Mapping[str, Any], index: int, where: int) -> None:
        self.id: int = params["buf"] + index
        self.low: int = params["addr"] + index * params["len"]
        self.high: int = self.low + params["len"]
        self.num: int = params["num"]
        self.asked: int = params.get("asked", params["len"])
        self.kind: str = params.get("kind", "que")
        self.queue: int = params.get("queue", -1)
        self.name: str = params.get("name", "")
        self.pos: str = params.get("pos", "")
        self.where = where


class Reports:
    """The findings of one run, and what all checks share: names and the buffer table of each block."""

    def __init__(self, read: ReadSource | None = None) -> None:
        self.found: list[Finding] = []
        self._seen: dict[tuple[Any, ...], int] = {}
        self._read = read
        self.names = Names((), read)
        self.buffers: dict[int, dict[int, Buffer]] = {}

    def begin(self, run: Run) -> None:
        """A run starts."""
        self.run = run
        self.names = Names(run.sources, self._read)

    def findings(self) -> Findings:
        """What was found, causes first."""
        return Findings(self.found)

    # --- adding ------------------------------------------------------------------------------

    def again(self, class_id: str, where: int, variant: str = "") -> bool:
        """Whether this class was already reported for the line; then it is only counted."""
        number = self._seen.get((class_id, variant, where))
        if number is None:
            return False
        kept = self.found[number]
        self.found[number] = _counted(kept)
        return True

    def add(
        self,
        class_id: str,
        x: Issued | None,
        numbers: Mapping[str, Any],
        *,
        variant: str = "",
        related: tuple[Place, ...] = (),
        where: int | None = None,
        time: float | None = None,
        severity: str = "",
        hints: tuple[str, ...] = (),
        fatal: bool = False,
    ) -> Finding:
        """Report ``class_id`` at ``x`` (or at ``where`` and ``time``)."""
        kind = severity or self.entry(class_id).severity
        if kind == "performance" and not self.run.spec.calibrated:
            numbers = {**numbers, "calibrated": False}
        source = where if where is not None else (x.instr.where if x is not None else -1)
        place = self.names.place(source)
        finding = Finding(
            id=class_id,
            severity=kind,
            file=shown(place.file),
            line=place.line,
            block=x.block if x is not None else -1,
            core=x.core if x is not None else -1,
            pipe=PIPE_NAMES[x.pipe] if x is not None else "",
            time=time if time is not None else (x.issue if x is not None else 0.0),
            numbers=dict(numbers),
            related=related,
            variant=variant,
            hints=hints,
            fatal=fatal,
        )
        self._seen.setdefault((class_id, variant, source), len(self.found))
        self.found.append(finding)
        return finding

    def entry(self, class_id: str) -> Entry:
        """The class in the catalogue."""
        return entry(class_id)

    # --- places and names -----------------------------------------------------------------------

    def line(self, where: int) -> int:
        """The line number of a place."""
        return self.names.place(where).line

    def other(self, where: int, role: str) -> tuple[Place, ...]:
        """``where`` as a related place; none when the door gave no source."""
        place = self.names.place(where)
        return (Place(shown(place.file), place.line, role),) if place.file else ()

    def buffer(self, block: int, ref: Ref) -> Buffer | None:
        """The buffer that ``ref`` belongs to, None in the static-tensor style."""
        return self.buffers.get(block, {}).get(ref.buf)

    def buffer_name(self, block: int, ref: Ref) -> str:
        """The buffer's name, or the memory's."""
        found = self.buffer(block, ref)
        return found.name if found is not None and found.name else ref.space

    def operand(self, x: Issued, position: int) -> str:
        """What the student calls operand ``position`` (0 = dst) of ``x``."""
        instr = x.instr
        text = self.names.operand(instr.where, instr.op, position)
        if text:
            return text
        sources = len(instr.srcs)  # past them a flow names the old dst again (Axpy)
        ref = instr.srcs[position - 1] if 0 < position <= sources else instr.dst
        if ref is None:
            return ""
        if ref.space == "GM":
            return self.array_at(ref.addr)[0]
        found = self.buffer(x.block, ref)
        return found.name if found is not None and found.name else span_text(ref)

    def array_at(self, addr: int) -> tuple[str, Allocation | None]:
        """Name and allocation at a GM address; the nearest one when none is there."""
        gm = self.run.gm
        found = gm.locate(addr) or nearest(gm, addr)
        return (self.array_name(found), found) if found is not None else ("GM", None)

    def array_name(self, allocation: Allocation) -> str:
        """The argument's name when the allocation is one."""
        for argument in self.run.arguments:
            if argument.addr == allocation.addr:
                return argument.name
        return allocation.name

    def is_among(self, allocation: Allocation, names: Collection[str]) -> bool:
        """Whether an argument that names this allocation is in ``names``; one array may be two arguments."""
        return any(a.name in names for a in self.run.arguments if a.addr == allocation.addr)

    def elements(self, allocation: Allocation, low: int, high: int) -> tuple[int, int, int]:
        """Bytes [low, high) as (first, last) element of the allocation, and its size in elements."""
        size = ITEMSIZE[allocation.dtype]
        base = allocation.addr
        return (low - base) // size, (high - 1 - base) // size, allocation.nbytes // size


class Check(Observer):
    """An observer that reports. ``reports`` is shared by all checks of a run.

    One that overrides ``issued`` says in ``wants`` for which instructions.
    """

    def __init__(self, reports: Reports) -> None:
        self.reports = reports


def nearest(gm: GlobalMemory, addr: int) -> Allocation | None:
    """The allocation whose bytes lie nearest to ``addr``."""
    if not gm.allocations:
        return None
    return min(gm.allocations, key=lambda a: max(a.addr - addr, addr - a.end, 0))


def _counted(finding: Finding) -> Finding:
    return replace(finding, count=finding.count + 1)
