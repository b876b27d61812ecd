"""I8: offsets of Gather and Scatter that count elements instead of bytes, or that lead out of the tensor.

Which bytes are meant is known when the instruction starts. Source: asc-devkit:
docs/zh/api/SIMD-API/基础API/Memory矢量计算/离散与聚合/{Gather,Gatherb(ISASI),Scatter(ISASI)}.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ascend_lab.checks.reports import Check
from ascend_lab.engine.instruction import ITEMSIZE, Ref
from ascend_lab.engine.semantics import gather

if TYPE_CHECKING:
    from ascend_lab.engine.core import Core
    from ascend_lab.engine.issued import Issued

_OPS = frozenset(gather.OPS)


class Offsets(Check):
    """Reads the offsets as the instruction does."""

    def started(self, core: Core, x: Issued) -> None:
        if x.instr.op not in _OPS or not x.writes:
            return
        instr = x.instr
        offsets = instr.srcs[1]
        found = gather.OPS[instr.op]
        if isinstance(found, gather.Indexed):
            steps = found.offset_addresses(instr, x.form) - offsets.addr
            ref, step = found.moving(instr), ITEMSIZE[found.moving(instr).dtype]
            size = step
        else:
            times = int(instr.params["times"]) & 0xFF
            steps = np.arange(times * 8, dtype=np.int64) * 4
            ref, step = instr.srcs[0], 32
            size = 32
        where = core.local(offsets.space).gather(offsets._replace(dtype="uint32"), steps)
        self._judge(x, ref, where.astype(np.int64) + int(instr.params.get("base", 0)), step, size)

    def _judge(self, x: Issued, ref: Ref, where: NDArray[np.int64], step: int, size: int) -> None:
        nbytes = ref.size * ITEMSIZE[ref.dtype]
        odd = np.flatnonzero(where % step)
        far = np.flatnonzero(where + size > nbytes) if ref.size >= 0 else odd[:0]
        if odd.size:
            self._report(x, ref, where, int(odd[0]), step, "")
        elif far.size:
            self._report(x, ref, where, int(far[0]), step, "beyond")

    def _report(
        self, x: Issued, ref: Ref, where: NDArray[np.int64], lane: int, step: int, variant: str
    ) -> None:
        if self.reports.again("I8", x.instr.where, variant):
            return
        position = 0 if ref is x.instr.dst else 1
        numbers: dict[str, Any] = {
            "op": x.instr.op,
            "lane": lane,
            "offset": int(where[lane]),
            "step": step,
            "dtype": ref.dtype,
            "operand": self.reports.operand(x, position),
            "size": ref.size * ITEMSIZE[ref.dtype],
        }
        self.reports.add("I8", x, numbers, variant=variant, time=x.start)
