"""How long the host's calls and the copies take, in simulated microseconds.

No measurement of these is published for the modelled chips; every figure says what it was chosen from.
"""

from __future__ import annotations

from dataclasses import dataclass

from ascend_lab.acl.codes import Kind


@dataclass(frozen=True, slots=True)
class Pace:
    """Rates in GB/s, times in us."""

    call_us: float = 2.0  # assumed: one call of the runtime library on the host
    submit_us: float = 5.0  # assumed: from the call that queues a task to its earliest start
    setup_us: float = 10.0  # assumed: descriptor, doorbell and completion of one copy
    pcie_rate: float = 26.0  # assumed: 16 lanes of PCIe 4.0 (31.5 GB/s) less protocol overhead
    pageable_rate: float = 13.0  # assumed: a copy to a pinned buffer in between halves the rate
    host_rate: float = 10.0  # assumed: one thread of memcpy
    hbm_rate: float = 1510.0  # replaced by the chip's cost.dma.hbm_rate

    def copy_us(self, direction: Kind, nbytes: int, *, pinned: bool = True) -> float:
        """How long a copy holds its engine."""
        if direction is Kind.DEVICE_TO_DEVICE:
            rate = self.hbm_rate / 2  # every byte is read and written
        elif direction is Kind.HOST_TO_HOST:
            return nbytes / self.host_rate / 1e3
        else:
            rate = self.pcie_rate if pinned else self.pageable_rate
        return self.setup_us + nbytes / rate / 1e3

    def fill_us(self, nbytes: int) -> float:
        """How long a memset takes."""
        return self.setup_us + nbytes / self.hbm_rate / 1e3
