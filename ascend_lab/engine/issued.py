"""An instruction on its way through a core, the pipe it waits in, and why a unit cannot go on."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from ascend_lab.engine.instruction import Instr
from ascend_lab.engine.memory import Access, Write
from ascend_lab.engine.semantics.form import FULL, Form, MaskState, Semantic

if TYPE_CHECKING:
    from ascend_lab.engine.core import Core

NO_FORM = Form()
#: (source pipe, destination pipe, event id)
Flag = tuple[int, int, int]


class Issued:
    """One instruction on its way through a core. Times are cycles; see architecture.md "Events"."""

    if not TYPE_CHECKING:  # what `Work` adds can be set through an Issued
        __slots__ = (
            "after",
            "auto",
            "block",
            "cause",
            "cause_kind",
            "core",
            "done",
            "end",
            "flag",
            "instr",
            "issue",
            "pipe",
            "serial",
            "start",
        )

    # What only `Work` has of its own.
    reads: tuple[Access, ...] = ()
    writes: tuple[Access, ...] = ()
    form: Form = NO_FORM
    mask: MaskState = FULL
    atomic: str = ""
    atomic_dtype: str = ""
    pad_value: float | None = None
    pending: Sequence[Write] = ()
    moved: bool = False  # its bytes have arrived; those of the instruction before it have not
    lives: Sequence[Life] = ()  # those of its operands' buffers
    loose: bool = False  # it has an operand in local memory that is in no buffer
    semantic: Semantic | None = None  # None: it only orders others

    def __init__(
        self, instr: Instr, serial: int, core: Core, issue: float, flag: Flag | None = None
    ) -> None:
        self.instr = instr
        self.serial = serial
        self.pipe: int = instr.pipe
        self.block = core.block
        self.core = core.index
        self.issue = issue
        self.start = 0.0
        self.end = 0.0
        self.auto = self.done = False
        self.cause = -1
        self.cause_kind = ""
        self.flag = flag  # of SetFlag and WaitFlag
        self.after: tuple[int, ...] = ()  # signals of other blocks that this wait has answered

    def conflicts(self, other: Issued) -> bool:
        """Whether one of the two writes a byte the other touches."""
        return (
            meet(self.writes, other.writes)
            or meet(self.reads, other.writes)
            or meet(self.writes, other.reads)
        )

    def __repr__(self) -> str:
        return f"Issued(#{self.serial} {self.instr.op} block {self.block})"


class Work(Issued):
    """An instruction that reads and writes: `Core` fills in what it takes with it when it is issued."""

    __slots__ = (
        "atomic",
        "atomic_dtype",
        "form",
        "lives",
        "loose",
        "mask",
        "moved",
        "pad_value",
        "pending",
        "reads",
        "semantic",
        "writes",
    )


def meet(mine: tuple[Access, ...], theirs: tuple[Access, ...]) -> bool:
    for a in mine:
        for b in theirs:
            if a.space == b.space and a.region.overlaps(b.region):
                return True
    return False


class Life:
    """A queue's buffer from one FreeTensor to the next; ``before`` is the life before.

    Once it is ``freed``, bytes [``low``, ``high``), and has no ``users`` any more, it is poisoned; ``over``: that is
    done, or a later life has begun.
    """

    __slots__ = ("before", "freed", "high", "low", "over", "users")

    def __init__(self, before: Life | None) -> None:
        self.before = before
        self.users = 0  # instructions that have been issued and are not complete
        self.freed = self.over = False
        self.low = self.high = 0


class Wait(NamedTuple):
    """Why a unit of a core cannot go on: for the deadlock report.

    ``kind``: "flag" (``flag`` is (source pipe, destination pipe, id)), "alloc", "deque", "drain",
    "syncall", "value", "queue", "cross" (for another block). ``x`` is the instruction that waits.
    """

    core: int
    block: int
    pipe: int
    kind: str
    x: Issued | None
    flag: Flag | None = None


class Unit:
    """One pipe of one core: a queue of issued instructions and what is in flight."""

    __slots__ = (
        "deferred",
        "ended",
        "free_at",
        "held",
        "inflight",
        "moving",
        "pipe",
        "planned",
        "queue",
        "raising",
    )

    def __init__(self, pipe: int) -> None:
        self.pipe = pipe
        self.queue: deque[Issued] = deque()
        self.inflight: list[Issued] = []
        self.free_at = 0.0
        self.ended = -1.0  # when its last transfer arrived
        self.moving = 0  # bytes on their way
        self.held = 0.0  # cycles by which the next transfer is late
        self.raising = 0  # flags set that nobody sees yet
        self.planned = -1.0  # time of the wake-up already scheduled
        self.deferred = False  # waits for the schedule's leave

    @property
    def idle(self) -> bool:
        return not (self.queue or self.inflight or self.raising)
