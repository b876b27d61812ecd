"""The top object of the model: cores that persist, and launches on them."""

from __future__ import annotations

import copy
from collections import deque
from collections.abc import Sequence

from ascend_lab.chips import ChipSpec
from ascend_lab.engine.core import Core


class Chip:
    """Physical cores of one SoC. Their mask, atomic mode and flags survive a launch.

    Everything that must not survive a launch (GM, clock, queues) belongs to its `Run`.
    """

    def __init__(self, spec: ChipSpec) -> None:
        self.spec = spec
        self.cores = [Core(index, spec.memory.ub_bytes) for index in range(spec.vector_cores)]

    def twin_cores(self, count: int) -> list[Core]:
        """New cores in the state of these: each adversarial run starts from the same state."""
        twins = []
        for core in self.cores[:count]:
            twin = Core(core.index, self.spec.memory.ub_bytes)
            twin.mask, twin.atomic, twin.atomic_dtype = core.mask, core.atomic, core.atomic_dtype
            twin.flags = {key: deque(copy.copy(tokens)) for key, tokens in core.flags.items()}
            twins.append(twin)
        return twins

    def adopt(self, cores: Sequence[Core]) -> None:
        """Keep the state that ``cores`` (twins of some of these) ended in."""
        for core in cores:
            mine = self.cores[core.index]
            mine.mask, mine.atomic, mine.atomic_dtype = core.mask, core.atomic, core.atomic_dtype
            mine.flags = core.flags
