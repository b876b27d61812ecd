"""Running a kernel again with one thing changed: what bounds it, and what a change would gain."""

from __future__ import annotations

from typing import Any

import numpy as np

from ascend_lab.acl.host_device import HostDevice
from ascend_lab.chips import ChipSpec
from ascend_lab.device import Device, Kernel, Result
from ascend_lab.engine.instruction import Door
from ascend_lab.profile import Diagnosis, diagnose
from ascend_lab.profile.whatif import Change


class Changed(Device):
    """A device on which one thing is otherwise. It checks nothing; of a launch only the time counts."""

    def __init__(self, spec: ChipSpec, change: Change, **kwargs: Any) -> None:
        super().__init__(change.spec(spec), checks=False, **kwargs)
        self.change = change

    def launch(self, kernel: Kernel, blocks: int, *args: Any, **kwargs: Any) -> Result:
        """As `Device.launch`, of the changed kernel; the outputs are those of the kernel as it is."""
        kept = _copies(args)
        changed = _ChangedKernel(kernel, self.change)
        result = super().launch(changed, blocks, *args, **kwargs)
        if self.change.loses_data:
            for mine, value in zip(args, kept, strict=True):
                if isinstance(mine, np.ndarray) and mine.flags.writeable:
                    mine[...] = value
            super().launch(kernel, blocks, *args, **kwargs)
        return result


class ChangedHost(Changed, HostDevice):
    """The same for a host program, whose memory outlives launches."""


class _ChangedKernel:
    """A kernel whose door leaves out what the change leaves out."""

    def __init__(self, kernel: Kernel, change: Change) -> None:
        self._kernel = kernel
        self._change = change
        self.name = kernel.name
        self.parameters = kernel.parameters
        self.insert_sync = kernel.insert_sync

    @property
    def auto_sync(self) -> bool:
        return self._kernel.auto_sync

    def open(
        self, arguments: list[Any], blocks: int, chip: ChipSpec, batch_limit: int = 256
    ) -> Door:
        return self._change.door(self._kernel.open(arguments, blocks, chip, batch_limit))


def bottleneck(
    kernel: Kernel, blocks: int, *args: Any, chip: str | ChipSpec | None = None
) -> Diagnosis:
    """What bounds ``kernel`` on ``blocks`` cores, and the first change to try, with its gain by the model.

    ``args`` are as for `Device.launch` and stay as they are. Raises what a launch raises, and `LabError` for
    a kernel that is wrong.
    """
    device = Device() if chip is None else Device(chip)
    result = device.launch(kernel, blocks, *_copies(args))
    result.raise_for_findings()

    def again(change: Change) -> float:
        return Changed(device.spec, change).launch(kernel, blocks, *_copies(args)).time_us

    return diagnose(result.trace, device.spec, again)


def _copies(args: tuple[Any, ...]) -> list[Any]:
    """The arguments of one run: an array that is passed twice stays one array."""
    made: dict[int, Any] = {}
    for value in args:
        if isinstance(value, np.ndarray) and id(value) not in made:
            made[id(value)] = value.copy()
    return [made.get(id(value), value) for value in args]
