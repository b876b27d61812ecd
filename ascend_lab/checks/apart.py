"""I5 of the library: most of its functions want source, destination and temporary buffer apart.

Basic instructions may compute in place (`overlap`); a function of the library makes several of them, and the first may
already write what the next still reads. Which ones: the pages of asc-devkit: docs/zh/api/SIMD-API/高阶API that say so, and
基础API/Memory矢量计算/{离散与聚合/Gather,离散与聚合/Gatherb(ISASI),数据填充/Brcb,排序组合（ISASI）/MrgSort4}.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascend_lab.checks.reports import Check
from ascend_lab.engine.instruction import Ref

if TYPE_CHECKING:
    from ascend_lab.engine.core import Core
    from ascend_lab.engine.issued import Issued

#: Ops whose page says that source and destination must not overlap.
_APART = frozenset(
    (
        *(
            "Acos",
            "Acosh",
            "Asin",
            "Asinh",
            "Atan",
            "Atanh",
            "Cos",
            "Cosh",
            "Sin",
            "Sinh",
            "Tan",
            "Tanh",
        ),
        *(
            "AxpyLibrary",
            "Ceil",
            "ClampMax",
            "ClampMin",
            "Digamma",
            "Erf",
            "Erfc",
            "ExpLibrary",
            "Floor",
        ),
        *("Fmod", "Frac", "Lgamma", "Log", "Log2", "Log10", "Power", "Sign", "Xor"),
        *("GeGLU", "LogSoftMax", "ReGlu", "Sigmoid", "Silu", "SwiGLU", "Swish"),
        *("AscendAntiQuant", "AscendDequant", "Broadcast", "TransData"),
        *("Mean", "ReduceXorSum", "Sum", "ReduceAllRows", "ReduceAnyRows", "ReduceMaxRows"),
        *("ReduceMeanRows", "ReduceMinRows", "ReduceProdRows", "ReduceSumRows"),
        *("Brcb", "Gather", "Gatherb", "MrgSort"),
    )
)
#: Ops whose page says the same of sharedTmpBuffer.
_BUFFER = frozenset(
    (
        *(_APART - {"Broadcast", "Erf", "Frac", "Log", "Log2", "Log10", "Power", "Silu", "Swish"}),
        *(
            "FasterGelu",
            "FasterGeluV2",
            "Gelu",
            "Round",
            "SimpleSoftMax",
            "SoftMax",
            "SoftmaxFlash",
        ),
        *("SoftmaxFlashV2", "SoftmaxFlashV3", "SoftmaxGrad", "Trunc"),
    )
)


class Apart(Check):
    """Compares the bytes that an instruction reads with those it writes."""

    def wants(self, op: str) -> bool:
        return op in _APART or op in _BUFFER

    def issued(self, core: Core, x: Issued) -> None:
        if not x.writes:
            return
        if x.instr.op in _APART:
            self._sources(x)
        if "tmp" in x.instr.params and x.instr.op in _BUFFER:
            self._buffer(x)

    def _sources(self, x: Issued) -> None:
        for write in x.writes:
            for read in x.reads:
                low = max(read.region.low, write.region.low)
                high = min(read.region.high, write.region.high)
                if read.space != write.space or low >= high or _is_sum(x, read.region.low):
                    continue
                self._report(x, _position(x, read.region.low), high - low, "library")
                return

    def _buffer(self, x: Issued) -> None:
        instr = x.instr
        tmp, needed = instr.srcs[-1], int(instr.params["tmp"])
        for access in (*x.reads, *x.writes):
            if access.space != tmp.space:
                continue
            low = max(access.region.low, tmp.addr)
            high = min(access.region.high, tmp.addr + needed)
            if low < high and access.region.low != tmp.addr:
                self._report(x, len(instr.srcs), high - low, "buffer", access.region.low)
                return
            if low < high and not _is_buffer(x, tmp, access.region.low):
                self._report(x, len(instr.srcs), high - low, "buffer", access.region.low)
                return

    def _report(
        self, x: Issued, position: int, overlap: int, variant: str, other: int = -1
    ) -> None:
        if self.reports.again("I5", x.instr.where, variant):
            return
        numbers = {
            "op": x.instr.op,
            "operand": self.reports.operand(x, 0 if other < 0 else _position(x, other)),
            "source": self.reports.operand(x, position),
            "overlap": overlap,
        }
        self.reports.add("I5", x, numbers, variant=variant)


def _position(x: Issued, low: int) -> int:
    """Which operand begins at ``low``: 0 is dst."""
    for position, ref in enumerate(x.instr.srcs, 1):
        if ref.addr == low:
            return position
    return 0


def _is_sum(x: Issued, low: int) -> bool:
    """Whether what begins at ``low`` is dst alone: the function adds to it, as Axpy does."""
    dst = x.instr.dst
    return dst is not None and dst.addr == low and _position(x, low) == 0


def _is_buffer(x: Issued, tmp: Ref, low: int) -> bool:
    """Whether only the temporary buffer itself begins at ``low``."""
    others = (*x.instr.srcs[:-1], x.instr.dst)
    return all(ref is None or ref.addr != low for ref in others)
