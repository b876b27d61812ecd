"""The life cycle of queue buffers: Alloc, EnQue, DeQue, Free, in this order and in the right queue.

F1 never freed, F2 freed twice, F3 DeQue of an empty queue, F4 too few buffers, F5 used after it was given
back, F7 wrong queue. Source: asc-devkit: docs/zh/api/SIMD-API/基础API/资源管理/TQue.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from ascend_lab.checks.buffers import queue_name
from ascend_lab.checks.finding import Place
from ascend_lab.checks.reports import Check, Reports
from ascend_lab.checks.texts import Say
from ascend_lab.engine.instruction import Ref
from ascend_lab.engine.observer import Trap
from ascend_lab.engine.semantics import SEMANTICS

if TYPE_CHECKING:
    from ascend_lab.engine.core import Core
    from ascend_lab.engine.issued import Issued

TAKEN, QUEUED, OUT, FREE = "taken", "queued", "out", "free"


class Life:
    """One buffer's state, and the lines that made it so."""

    __slots__ = ("queue", "state", "taken", "where")

    def __init__(self, state: str, where: int, queue: int) -> None:
        self.state = state
        self.where = where
        self.taken = where
        self.queue = queue


class Block:
    """The queues of one block."""

    __slots__ = ("allocs", "deques", "enques", "given_back", "lives")

    def __init__(self) -> None:
        self.lives: dict[int, Life] = {}
        self.given_back: dict[int, Life] = {}  # those in state QUEUED or FREE
        self.allocs: dict[int, int] = {}
        self.enques: dict[int, int] = {}
        self.deques: dict[int, int] = {}


class Queues(Check):
    """Follows the markers of TQue and every use of a queue's buffers."""

    def __init__(self, reports: Reports) -> None:
        super().__init__(reports)
        self._blocks: dict[int, Block] = {}

    def wants(self, op: str) -> bool:
        return op in _MARKERS or op in SEMANTICS

    def issued(self, core: Core, x: Issued) -> None:
        marker = _MARKERS.get(x.instr.op)
        if marker is not None:
            marker(self, self._block(x.block), x)
            return
        block = self._blocks.get(x.block)
        if block is not None and block.given_back:
            self._used(block, x)

    def retired(self, core: Core) -> None:
        """Buffers still held at the end: a note, for a single tile does not hang."""
        block = self._blocks.get(core.block)
        if block is None:
            return
        by_queue: dict[int, list[int]] = {}
        for ident, life in block.lives.items():
            if life.state != FREE:
                by_queue.setdefault(life.queue, []).append(ident)
        for idents in by_queue.values():
            self._leaked(core, block, idents)

    def _block(self, number: int) -> Block:
        found = self._blocks.get(number)
        if found is None:
            found = self._blocks[number] = Block()
        return found

    # --- markers ----------------------------------------------------------------------------------

    def _alloc(self, block: Block, x: Issued) -> None:
        instr = x.instr
        queue = instr.params["queue"]
        block.allocs[queue] = block.allocs.get(queue, 0) + 1
        if instr.dst is None:
            self._none_free(block, x)
        else:
            block.lives[instr.dst.buf] = Life(TAKEN, instr.where, queue)
            block.given_back.pop(instr.dst.buf, None)

    def _none_free(self, block: Block, x: Issued) -> None:
        """F4 when another statement of the same tile holds the buffers, else F1."""
        params = x.instr.params
        held = [life for life in block.lives.values() if life.queue == params["queue"]]
        again = any(life.taken == x.instr.where for life in held)
        numbers = {
            "queue": queue_name(x),
            "num": params["num"],
            "nth": block.allocs[params["queue"]],
            "held": self._lines(held),
        }
        finding = self.reports.add(
            "F1" if again else "F4", x, numbers, related=self._places(held), fatal=True
        )
        raise Trap(finding)

    def _enque(self, block: Block, x: Issued) -> None:
        queue = x.instr.params["queue"]
        block.enques[queue] = block.enques.get(queue, 0) + 1
        life = self._life(block, x)
        if life is None:
            return
        if x.instr.params.get("full"):
            self._too_deep(block, x)
        self._check_owner(x, life, "enque(...)")
        self._give_back(block, x, life, QUEUED)

    def _too_deep(self, block: Block, x: Issued) -> None:
        queue = x.instr.params["queue"]
        if self.reports.again("F4", x.instr.where, "depth"):
            return
        waiting = [v for v in block.lives.values() if v.queue == queue and v.state == QUEUED]
        numbers = {
            "queue": queue_name(x),
            "depth": len(waiting),
            "held": self._lines(waiting, "where"),
        }
        self.reports.add("F4", x, numbers, variant="depth")

    def _deque(self, block: Block, x: Issued) -> None:
        instr = x.instr
        queue = instr.params["queue"]
        if instr.dst is None:
            numbers = {
                "queue": queue_name(x),
                "enques": block.enques.get(queue, 0),
                "deques": block.deques.get(queue, 0),
            }
            raise Trap(self.reports.add("F3", x, numbers, fatal=True))
        block.deques[queue] = block.deques.get(queue, 0) + 1
        life = self._life(block, x)
        if life is not None:
            life.state, life.where = OUT, instr.where
            block.given_back.pop(instr.dst.buf, None)

    def _free(self, block: Block, x: Issued) -> None:
        life = self._life(block, x)
        if life is None:
            return
        if life.state == FREE:
            self._freed_twice(x, life)
            return
        self._check_owner(x, life, "free_tensor(...)")
        self._give_back(block, x, life, FREE)

    def _reset(self, block: Block, x: Issued) -> None:
        """TPipe.Reset takes every buffer back."""
        block.lives.clear()
        block.given_back.clear()

    def _life(self, block: Block, x: Issued) -> Life | None:
        ref = x.instr.dst
        return block.lives.get(ref.buf) if ref is not None else None

    def _give_back(self, block: Block, x: Issued, life: Life, state: str) -> None:
        assert x.instr.dst is not None
        life.state, life.where = state, x.instr.where
        block.given_back[x.instr.dst.buf] = life

    # --- what can be wrong ---------------------------------------------------------------------------

    def _freed_twice(self, x: Issued, life: Life) -> None:
        numbers = {
            "operand": self.reports.operand(x, 0),
            "queue": queue_name(x),
            "line1": self.reports.line(life.where),
        }
        raise Trap(
            self.reports.add(
                "F2", x, numbers, related=self.reports.other(life.where, "frees"), fatal=True
            )
        )

    def _check_owner(self, x: Issued, life: Life, call: str) -> None:
        if life.queue == x.instr.params["queue"] or self.reports.again("F7", x.instr.where):
            return
        assert x.instr.dst is not None
        numbers = {
            "op": x.instr.op,
            "operand": self.reports.operand(x, 0),
            "owner": self.reports.buffer_name(x.block, x.instr.dst),
            "queue": queue_name(x),
            "call": call,
        }
        self.reports.add("F7", x, numbers, related=self.reports.other(life.taken, "takes"))

    def _used(self, block: Block, x: Issued) -> None:
        instr = x.instr
        given_back = block.given_back
        if instr.dst is not None and instr.dst.buf in given_back:
            self._used_late(x, 0, instr.dst, given_back)
        for position, ref in enumerate(instr.srcs, 1):
            if ref.buf in given_back:
                self._used_late(x, position, ref, given_back)

    def _used_late(self, x: Issued, position: int, ref: Ref, given_back: dict[int, Life]) -> None:
        life = given_back[ref.buf]
        variant = "enqued" if life.state == QUEUED else ""
        if not (x.reads or x.writes) or self.reports.again("F5", x.instr.where, variant):
            return
        numbers = {
            "op": x.instr.op,
            "operand": self.reports.operand(x, position),
            "queue": self.reports.buffer_name(x.block, ref),
            "line1": self.reports.line(life.where),
        }
        role = "enques" if variant else "frees"
        related = self.reports.other(life.where, role)
        self.reports.add("F5", x, numbers, variant=variant, related=related)

    def _leaked(self, core: Core, block: Block, idents: list[int]) -> None:
        lives = [block.lives[ident] for ident in idents]
        name = self.reports.buffer_name(core.block, Ref("UB", 0, "uint8", buf=idents[0]))
        numbers = {
            "queue": name,
            "held_count": len(idents),
            "held": self._lines(lives),
            "block": core.block,
        }
        self.reports.add(
            "F1",
            None,
            numbers,
            variant="end",
            where=lives[0].taken,
            time=core.run.clock.now,
            severity="note",
        )

    def _lines(self, lives: list[Life], what: str = "taken") -> Say:
        lines = sorted({self.reports.line(getattr(life, what)) for life in lives})
        listed = ", ".join(map(str, lines))
        return Say(f"line{'s' if len(lines) > 1 else ''} {listed}", f"第 {listed} 行")

    def _places(self, lives: list[Life]) -> tuple[Place, ...]:
        wheres = dict.fromkeys(life.taken for life in lives)
        return tuple(p for where in wheres for p in self.reports.other(where, "takes"))


_MARKERS: Mapping[str, Callable[[Queues, Block, Issued], None]] = {
    "AllocTensor": Queues._alloc,
    "EnQue": Queues._enque,
    "DeQue": Queues._deque,
    "FreeTensor": Queues._free,
    "TPipeReset": Queues._reset,
}
