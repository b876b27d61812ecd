"""What a profiler counts on each block: busy and waiting time of every pipe, bytes, instructions, conflicts.

Everything is read from the trace. A pipe waits while its next instruction could not start although nothing
of its own kept it: for a flag, or for an edge that automatic sync put in.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ascend_lab.engine.banks import RULES_OF
from ascend_lab.engine.cost import CostModel
from ascend_lab.engine.instruction import DTYPES, Pipe
from ascend_lab.engine.trace import SPACE_IDS, Floats, Trace
from ascend_lab.profile.banks import accesses
from ascend_lab.profile.figures import PIPE_FIELDS, covered, scalar_cycles
from ascend_lab.profile.lanes import SYNC_OPS

if TYPE_CHECKING:
    from ascend_lab.chips import ChipSpec

_UB, _GM = SPACE_IDS["UB"], SPACE_IDS["GM"]
#: Kinds of vector work as ArithmeticUtilization names them; any other type is "misc".
KINDS: Mapping[str, str] = {
    "float32": "fp32",
    "float16": "fp16",
    "int32": "int32",
    "uint32": "int32",
    "int16": "int16",
    "uint16": "int16",
}
_MISC = "misc"
#: These move or convert; they are no arithmetic of a type.
_MISC_OPS = ("Cast", "Copy", "DataCopy", "Duplicate", "Brcb", "Transpose", "GatherMask")


@dataclass(frozen=True, slots=True)
class BlockCounters:
    """One block. Times in cycles from its begin; bytes; ``vector`` is busy time by kind of type.

    ``bank_group_cycles`` and ``bank_cycles`` are what conflicts of the UB added: two accesses in one group,
    and a read and a write in one bank. ``float_operations`` counts elements of float instructions.
    """

    block: int
    core: int
    begin: float
    end: float
    busy: Mapping[Pipe, float]
    waiting: Mapping[Pipe, float]
    gm_read: int
    gm_write: int
    instructions: Mapping[Pipe, int]
    ub_read: Mapping[Pipe, int]
    ub_write: Mapping[Pipe, int]
    vector: Mapping[str, float]
    float_operations: int
    bank_group_cycles: float
    bank_cycles: float

    @property
    def total(self) -> float:
        """Cycles from launch (or from the end of the block before) to the last commit."""
        return self.end - self.begin


def counters(trace: Trace, spec: ChipSpec) -> tuple[BlockCounters, ...]:
    """The counters of every block that executed anything, in order of blocks."""
    counting = _Counting(trace, spec)
    order = np.argsort(trace.block, kind="stable")
    blocks, starts = np.unique(trace.block[order], return_index=True)
    parts = np.split(order, starts[1:]) if len(blocks) else []
    ends: dict[int, float] = {}
    found = []
    for block, rows in zip(blocks.tolist(), parts, strict=True):
        core = int(trace.core[rows[0]])
        begin = ends.get(core, 0.0)
        found.append(counting.block(block, core, begin, rows))
        ends[core] = found[-1].end
    return tuple(found)


class _Counting:
    """What all blocks share: which rows order others, what issuing costs, which rows have conflicts."""

    def __init__(self, trace: Trace, spec: ChipSpec) -> None:
        self.trace = trace
        self.sync = np.isin(trace.op, [i for i, op in enumerate(trace.ops) if op in SYNC_OPS])
        self.scalar = scalar_cycles(trace, CostModel(spec))
        self.prologue = spec.cost.launch.prologue_scalar_us * spec.clock_mhz
        self.kinds = _kinds(trace)
        self.conflicts = _conflicts(trace, spec)

    def block(self, block: int, core: int, begin: float, rows: NDArray[np.intp]) -> BlockCounters:
        trace = self.trace
        rows = rows[np.argsort(trace.serial[rows], kind="stable")]
        work = rows[~self.sync[rows]]
        on = {pipe: work[trace.pipe[work] == pipe] for pipe in PIPE_FIELDS}
        busy = {pipe: covered(trace.start[of], trace.end[of]) for pipe, of in on.items()}
        busy[Pipe.S] = covered(
            np.concatenate((trace.issue[rows], trace.start[on[Pipe.S]])),
            np.concatenate((trace.issue[rows] + self.scalar[rows], trace.end[on[Pipe.S]])),
        ) + (0.0 if begin else self.prologue)
        group, bank = self._conflicts_of(on[Pipe.V])
        reads = on[Pipe.MTE2][trace.src_space[on[Pipe.MTE2]] == _GM]
        writes = on[Pipe.MTE3][trace.dst_space[on[Pipe.MTE3]] == _GM]
        vector, operations = self._vector(on[Pipe.V])
        return BlockCounters(
            block=block,
            core=core,
            begin=begin,
            end=float(trace.end[rows].max()),
            busy=busy,
            waiting={
                pipe: self._waiting(rows[trace.pipe[rows] == pipe])
                for pipe in PIPE_FIELDS
                if pipe != Pipe.S
            },
            gm_read=int(trace.read_bytes[reads].sum()),
            gm_write=int(trace.write_bytes[writes].sum()),
            instructions={pipe: len(of) for pipe, of in on.items()},
            ub_read={p: self._in_ub(on[p], "src", "read") for p in (Pipe.V, Pipe.S)},
            ub_write={p: self._in_ub(on[p], "dst", "write") for p in (Pipe.V, Pipe.S)},
            vector=vector,
            float_operations=operations,
            bank_group_cycles=group,
            bank_cycles=bank,
        )

    def _waiting(self, rows: NDArray[np.intp]) -> float:
        """Time in which the pipe had something to do and was held up."""
        trace = self.trace
        if not len(rows):
            return 0.0
        start, end, sync = trace.start[rows], trace.end[rows], self.sync[rows]
        reach = np.concatenate(([0.0], np.maximum.accumulate(end)[:-1]))
        held = np.maximum(np.where(sync, start, trace.issue[rows]), reach)
        until = np.where(sync, end, np.where(trace.cause[rows] >= 0, start, held))
        return float(np.maximum(until - held, 0.0).sum())

    def _in_ub(self, rows: NDArray[np.intp], side: str, what: str) -> int:
        trace = self.trace
        spaces = getattr(trace, f"{side}_space")
        return int(getattr(trace, f"{what}_bytes")[rows[spaces[rows] == _UB]].sum())

    def _vector(self, rows: NDArray[np.intp]) -> tuple[Mapping[str, float], int]:
        trace, kinds = self.trace, self.kinds
        lasting = _lasting(trace, rows)
        found: dict[str, float] = {}
        operations = 0
        for row, cycles in zip(rows.tolist(), lasting.tolist(), strict=True):
            kind, elements = kinds.get(int(trace.serial[row]), (_MISC, 0))
            found[kind] = found.get(kind, 0.0) + cycles
            operations += elements if kind.startswith("fp") else 0
        return found, operations

    def _conflicts_of(self, rows: NDArray[np.intp]) -> tuple[float, float]:
        group = bank = 0.0
        for serial in self.trace.serial[rows].tolist():
            found = self.conflicts.get(serial)
            if found is not None:
                group += found[0]
                bank += found[1]
        return group, bank


def _lasting(trace: Trace, rows: NDArray[np.intp]) -> Floats:
    """How long each row kept its pipe: until the next began, so that the parts add up to the busy time."""
    start, end = trace.start[rows], trace.end[rows]
    if not len(rows):
        return start
    after = np.concatenate((start[1:], [np.inf]))
    return np.maximum(np.minimum(end, after) - start, 0.0)


def _kinds(trace: Trace) -> dict[int, tuple[str, int]]:
    """Serial of a vector instruction -> (kind of its type, elements)."""
    names = [KINDS.get(name, _MISC) for name in DTYPES]
    of_op = dict(zip(trace.serial.tolist(), trace.op.tolist(), strict=True))
    found = {}
    for serial, dtype, elements in trace.details.types.tolist():
        plain = trace.ops[of_op[serial]] not in _MISC_OPS
        found[serial] = (names[dtype] if plain else _MISC, elements)
    return found


def _conflicts(trace: Trace, spec: ChipSpec) -> dict[int, tuple[float, float]]:
    """Serial -> cycles that conflicts in a bank group, and in a bank, added to it."""
    if spec.npu_arch != RULES_OF:
        return {}
    found: dict[int, tuple[float, float]] = {}
    cost = spec.cost.vector
    for core in np.unique(trace.core).tolist():
        for way in accesses(trace, spec, core)[0]:
            seen = way.conflicts
            if not seen.any:
                continue
            added = (seen.factor - 1.0) * seen.repeats * cost.per_repeat(way.op, "*")
            in_group = seen.read_read + seen.write_write
            share = in_group / (in_group + seen.read_write)
            for row in way.rows:
                found[row.serial] = (added * share, added * (1 - share))
    return found
