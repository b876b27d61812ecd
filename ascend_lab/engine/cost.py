"""How long an instruction takes. Every figure comes from the chip file."""

from __future__ import annotations

from typing import Any

from ascend_lab.chips import ChipSpec
from ascend_lab.engine.banks import Banks, cycles
from ascend_lab.engine.instruction import Instr, Pipe
from ascend_lab.engine.semantics import SEMANTICS, Form
from ascend_lab.engine.semantics.lanewise import Lanewise
from ascend_lab.engine.walks import walks

_CACHE_LIMIT = 20_000
_MASK_OPS = {"SetMask", "SetMaskNorm", "SetMaskCount", "ResetMask"}
_FLAGS = {"SetFlag", "WaitFlag"}
_BARRIERS = {"PipeBarrier", "SyncAll"}
_COPIES = {"DataCopy", "DataCopyPad"}


class ScalarCosts(dict[str, float]):
    """Cycles by op; what has no figure of its own costs an issue."""

    def __init__(self, issue: float) -> None:
        super().__init__()
        self.issue = issue

    def __missing__(self, op: str) -> float:
        self[op] = self.issue
        return self.issue


class CostModel:
    """Cycles for the units of one chip.

    A vector instruction: its start-up, then for each repeat what the operation or the banks of UB need.
    Transfers are in `engine.dma`.
    """

    def __init__(self, spec: ChipSpec) -> None:
        self.spec = spec
        cost, clock = spec.cost, spec.clock_mhz
        self.drain = cost.vector.drain
        self.after_barrier = cost.vector.after_barrier
        self.flag_hop = cost.sync.flag_hop
        self.mte2_latency = cost.dma.mte2_latency_us * clock
        self.mte3_latency = cost.dma.mte3_latency_us * clock
        self.prologue = cost.launch.prologue_us * clock
        self.sync_all = cost.sync.sync_all_us * clock
        self.sync_all_soft = cost.sync.sync_all_soft_us * clock
        self._startup = cost.vector.startup_of
        self._banks = Banks.of(spec)
        self._kept: dict[Any, tuple[float, float]] = {}
        self._dma_share = cost.vector.conflict_dma
        self._per_repeat: dict[tuple[str, str], float] = {}
        #: Cycles the scalar unit spends to issue or execute an instruction, by its op.
        self.scalar = ScalarCosts(cost.scalar.issue)
        self.scalar |= {
            **dict.fromkeys(_COPIES, cost.scalar.dma),
            **dict.fromkeys(_MASK_OPS, cost.scalar.mask),
            **dict.fromkeys(_FLAGS, cost.scalar.flag),
            **dict.fromkeys(_BARRIERS, cost.scalar.barrier),
            **dict.fromkeys(("AllocTensor", "EnQue", "DeQue", "FreeTensor"), cost.scalar.marker),
            **dict.fromkeys(("InitBuffer", "TPipe", "TPipeDestroy"), cost.scalar.marker),
            "SetAtomic": cost.scalar.atomic,
            "Printf": cost.scalar.printf,
            "GetValue": cost.scalar.get_value,
            "GetRsvdCnt": cost.scalar.get_value,
            "GetReduceRepeatSumSpr": cost.scalar.get_value,
            "GetMrgSortResult": cost.scalar.get_value,
            "SetValue": cost.scalar.set_value,
        }

    def counted(self, op: str, pipe: int) -> float:
        """Cycles of S that msprof counts for an instruction of another pipe: the operands of a transfer."""
        return self.scalar[op] if pipe in (Pipe.MTE2, Pipe.MTE3) and op in _COPIES else 0.0

    def bytes_per_cycle(self, gigabytes_per_second: float) -> float:
        """GB/s (1e9 B/s) as bytes per cycle of this chip."""
        return gigabytes_per_second * 1e3 / self.spec.clock_mhz

    def vector(self, instr: Instr, form: Form) -> tuple[float, float]:
        """Cycles from start to commit of a vector instruction, and cycles it holds up transfers into UB."""
        semantic = SEMANTICS[instr.op]
        if not isinstance(semantic, Lanewise):
            startup = self._startup(instr.op)
            return startup + semantic.repeats(instr, form) * self._c(instr), 0.0
        params = instr.params
        key = (instr.op, instr.dst, instr.srcs, form, params.get("blk"), params.get("rep"))
        found = self._kept.get(key)
        if found is None:
            found = self._lanewise(instr, form, semantic)
            if len(self._kept) < _CACHE_LIMIT:
                self._kept[key] = found
        return found

    def _lanewise(self, instr: Instr, form: Form, semantic: Lanewise) -> tuple[float, float]:
        startup = self._startup(instr.op)
        repeats, each = semantic.repeats(instr, form), self._c(instr)
        if not repeats:
            return startup, 0.0
        reads, writes = walks(instr, form, semantic.reads_dst)
        free = repeats * each
        more = max(cycles(self._banks, reads, writes, each) - free, 0.0)
        return startup + free + more, more * self._dma_share

    def _c(self, instr: Instr) -> float:
        dst = instr.dst.dtype if instr.dst is not None else ""
        src = instr.srcs[0].dtype if instr.srcs else dst
        key = (instr.op, f"{src}>{dst}" if instr.op == "Cast" else src)
        found = self._per_repeat.get(key)
        if found is None:
            found = self.spec.cost.vector.per_repeat(*key)
            self._per_repeat[key] = found
        return found
