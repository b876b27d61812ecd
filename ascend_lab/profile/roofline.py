"""The roofline of a chip, from its own file, and where a kernel stands below it.

The roof over a vector kernel has two parts: what HBM delivers, and what V does at one repeat of 256 B a cycle
(the simple instructions; Exp, Div and others take longer and have a lower roof of their own). Intensity is
vector operations on elements per byte of GM traffic. A kernel that uses few cores stands below the roof of
those cores.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ascend_lab.engine.instruction import DTYPES, Pipe
from ascend_lab.engine.trace import Trace
from ascend_lab.profile.counters import counters
from ascend_lab.profile.figures import metrics

if TYPE_CHECKING:
    from ascend_lab.chips import ChipSpec


@dataclass(frozen=True, slots=True)
class Roofline:
    """Limits and the kernel. Rates in 1e9 B/s and 1e9 operations/s; ``bound_us`` is the least time the
    chip could need for this traffic and these vector cycles; ``calibrated``: whether the limits were measured.
    """

    chip: str
    calibrated: bool
    memory_rate: float
    vector_rate: float
    core_memory_rate: float
    cores: int
    used: int
    operations: int
    nbytes: int
    time_us: float
    bound_us: float
    memory_us: float
    vector_us: float

    @property
    def intensity(self) -> float:
        """Operations per byte of GM traffic."""
        return self.operations / self.nbytes if self.nbytes else 0.0

    @property
    def rate(self) -> float:
        """What the kernel reached, 1e9 operations/s."""
        return self.operations / self.time_us / 1e3 if self.time_us else 0.0

    @property
    def bandwidth(self) -> float:
        """GM traffic that the kernel reached, GB/s."""
        return self.nbytes / self.time_us / 1e3 if self.time_us else 0.0

    @property
    def ridge(self) -> float:
        """Intensity from which V is the roof."""
        return self.vector_rate / self.memory_rate

    @property
    def roof(self) -> float:
        """The limit at the kernel's intensity, 1e9 operations/s."""
        return min(self.vector_rate, self.memory_rate * self.intensity)

    @property
    def share(self) -> float:
        """Part of the bound that the kernel reached: 1 is as fast as the chip can be."""
        return self.bound_us / self.time_us if self.time_us else 0.0

    @property
    def side(self) -> str:
        """What limits this kernel at best: "memory" or "vector"."""
        return "memory" if self.memory_us >= self.vector_us else "vector"


def roofline(trace: Trace, spec: ChipSpec) -> Roofline:
    """The roofline of ``spec`` with the kernel of ``trace``; times without the launch."""
    blocks = counters(trace, spec)
    read, wrote = sum(b.gm_read for b in blocks), sum(b.gm_write for b in blocks)
    types = trace.details.types
    operations = int(types["elements"].sum())
    lanes = _lanes(trace, spec)
    used = len(np.unique(trace.core))
    vector = sum(b.busy[Pipe.V] for b in blocks) / spec.vector_cores / spec.clock_mhz
    memory = memory_us(read, wrote, spec)
    figures = metrics(trace, spec)
    return Roofline(
        chip=spec.name,
        calibrated=spec.calibrated,
        memory_rate=spec.cost.dma.hbm_rate,
        vector_rate=lanes * spec.vector_cores * spec.clock_mhz / 1e3,
        core_memory_rate=spec.cost.dma.mte2_rate,
        cores=spec.vector_cores,
        used=used,
        operations=operations,
        nbytes=read + wrote,
        time_us=figures.task_duration_us - figures.launch_us,
        bound_us=max(memory, vector),
        memory_us=memory,
        vector_us=vector,
    )


def memory_us(read: int, wrote: int, spec: ChipSpec) -> float:
    """The least time for so many bytes from and to GM: every byte read passes HBM, every byte written L2."""
    dma = spec.cost.dma
    cores = spec.vector_cores
    loads = read / min(dma.hbm_rate, cores * dma.mte2_rate)
    stores = wrote / min(dma.l2_write_rate, cores * dma.mte3_rate)
    return max(loads, stores) / 1e3


def _lanes(trace: Trace, spec: ChipSpec) -> float:
    """Elements of one repeat, of the type that most of the work was on."""
    types = trace.details.types
    sizes = np.array([dtype.itemsize for dtype in DTYPES.values()])
    if not len(types):
        return spec.limits.lanes_bytes / 4
    weight = np.bincount(types["dtype"], weights=types["elements"], minlength=len(sizes))
    return float(spec.limits.lanes_bytes / sizes[int(weight.argmax())])
