"""How a kernel is launched, when the answer has host code that decides it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from ascend_lab.device import Kernel


@dataclass(frozen=True, slots=True)
class Prepared:
    """What a host has decided: the kernel to launch, on how many blocks, with which arguments.

    ``outputs`` and ``fresh`` are parameters as `Device.launch` takes them.
    """

    kernel: Kernel
    blocks: int
    arguments: list[Any]
    outputs: tuple[str, ...]
    fresh: tuple[str, ...]


@runtime_checkable
class HasHost(Protocol):
    """A kernel whose host code decides how it is launched."""

    def prepare(self, arguments: Sequence[Any]) -> Prepared:
        """Run the host code for the arguments of a case, in the task's order. Raises ChildFault."""
        ...
