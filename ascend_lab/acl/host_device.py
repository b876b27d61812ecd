"""A device whose memory outlives launches: a host program's."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ascend_lab.device import Device, Kernel, Result, _Buffers
from ascend_lab.engine.device_memory import DeviceMemory
from ascend_lab.engine.memory import POISON

GM_LOW, GM_HIGH = 1 << 32, 1 << 40


def is_device(address: int) -> bool:
    """Whether an address is one of the model's GM."""
    return GM_LOW <= address < GM_HIGH


class HostDevice(Device):
    """A `Device` that launches in ``memory``; arguments are places there, not arrays.

    ``fresh``: what the bytes of memory just allocated are.
    """

    def __init__(self, *args: Any, fresh: int = POISON, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # Addresses are never given twice, so there are more of them than bytes; who allocates counts bytes.
        self.memory = DeviceMemory(GM_HIGH - GM_LOW, fresh)

    def launch_in_place(
        self, kernel: Kernel, blocks: int, passed: Sequence[Any], undefined: Iterable[str] = ()
    ) -> Result:
        """As `launch`; ``passed`` is what ``kernel.open`` gets. `memory` holds the results afterwards."""
        return self.launch(kernel, blocks, *passed, undefined=undefined)

    def _copy_in(self, kernel: Kernel, args: Sequence[Any]) -> _Buffers:
        if self.schedule == "realistic":
            return _Buffers(self.memory, list(args))
        twin = self.memory.twin()  # each run of the schedule starts from the same bytes
        pairs = zip(self.memory.allocations, twin.allocations, strict=True)
        return _Buffers(twin, list(args), [(mine.contents(), its) for mine, its in pairs])
