"""Where reductions have left results shorter than the block that DataCopy moves at least."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from ascend_lab.engine.issued import Issued

_BLOCK = 32
OPS = frozenset(
    f"{kind}Reduce{what}" for kind in ("", "Whole", "Block") for what in ("Sum", "Max", "Min")
)


class Results:
    """The blocks of UB that a reduction has written a part of, per logical core."""

    def __init__(self) -> None:
        self._blocks: dict[int, set[int]] = {}

    def remember(self, x: Issued) -> None:
        """A reduction writes."""
        held = self._blocks.setdefault(x.block, set())
        for access in x.writes:
            for low, high in access.region.parts:
                if low % _BLOCK or high % _BLOCK:
                    held.update((low // _BLOCK, (high - 1) // _BLOCK))

    def forget(self, block: int, low: int, high: int) -> None:
        """[low, high) is handed out anew."""
        held = self._blocks.get(block)
        if held:
            held.difference_update(range(low // _BLOCK, -(-high // _BLOCK)))

    def beside(self, x: Issued, low: int, bare: NDArray[np.bool_], size: int) -> bool:
        """Whether a store takes what nothing has written (``bare`` elements from ``low`` on) only along with results.

        asc-devkit: docs/zh/guide/算子实践参考/SIMD算子实现/矢量编程/非对齐场景.md lets a store carry such bytes.
        """
        held, dst = self._blocks.get(x.block), x.instr.dst
        if x.instr.op != "DataCopy" or not held or dst is None or dst.space != "GM":
            return False
        blocks = np.unique((low + np.flatnonzero(bare) * size) // _BLOCK)
        return held.issuperset(blocks.tolist())
