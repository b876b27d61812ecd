"""How long an instruction takes. Every figure comes from the chip file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascend_lab.chips import ChipSpec
from ascend_lab.engine.instruction import Instr, Pipe
from ascend_lab.engine.memory import Region
from ascend_lab.engine.semantics import SEMANTICS, Form

if TYPE_CHECKING:
    from ascend_lab.engine.issued import Issued

_MASK_OPS = {"SetMask", "SetMaskNorm", "SetMaskCount", "ResetMask"}
_FLAGS = {"SetFlag", "WaitFlag"}
_BARRIERS = {"PipeBarrier", "SyncAll"}


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

    Formulas: vector ``startup + repeats * c(op, dtype)``; transfers: a latency, paid when the pipe was
    idle, then bytes at the pool's rate. A burst shorter than 512 B or off 32 B alignment counts as more bytes.
    """

    def __init__(self, spec: ChipSpec) -> None:
        self.spec = spec
        cost, clock = spec.cost, spec.clock_mhz
        self.startup = cost.vector.startup
        self.drain = cost.vector.drain
        self.mte2_latency = cost.dma.mte2_latency_us * clock
        self.mte3_latency = cost.dma.mte3_latency_us * clock
        self.prologue = cost.launch.prologue_us * clock
        self.sync_all = cost.sync.sync_all_us * clock
        self.sync_all_soft = cost.sync.sync_all_soft_us * clock
        self._per_repeat: dict[tuple[str, str], float] = {}
        #: Cycles the scalar unit spends to issue or execute an instruction, by its op.
        self.scalar = ScalarCosts(cost.scalar.issue)
        self.scalar |= {
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

    def bytes_per_cycle(self, gigabytes_per_second: float) -> float:
        """GB/s (1e9 B/s) as bytes per cycle of this chip."""
        return gigabytes_per_second * 1e3 / self.spec.clock_mhz

    def vector(self, instr: Instr, form: Form) -> float:
        """Cycles from start to commit of a vector instruction."""
        repeats = SEMANTICS[instr.op].repeats(instr, form)
        return self.startup + repeats * self._c(instr)

    def _c(self, instr: Instr) -> float:
        dst = instr.dst.dtype if instr.dst is not None else ""
        src = instr.srcs[0].dtype if instr.srcs else dst
        key = (instr.op, f"{src}>{dst}" if instr.op == "Cast" else src)
        found = self._per_repeat.get(key)
        if found is None:
            found = self.spec.cost.vector.per_repeat(*key)
            self._per_repeat[key] = found
        return found

    def transfer_size(self, x: Issued) -> float:
        """The bytes a transfer counts as in its pool: short or misaligned bursts cost more."""
        for access in x.reads if x.pipe == Pipe.MTE2 else x.writes:
            if access.space == "GM":
                return self._burst_size(access.region)
        return 0.0

    def _burst_size(self, region: Region) -> float:
        low, high = region.parts[0]
        eta = self.spec.cost.dma.eta
        nbytes = region.nbytes
        if low % 32 or (len(region.parts) > 1 and region.parts[1][0] % 32):
            return nbytes / eta["unaligned"]
        if high - low < 512 and len(region.parts) > 1:
            return nbytes / eta["burst_128"]
        return float(nbytes)
