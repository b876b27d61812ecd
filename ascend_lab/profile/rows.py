"""Rows that one copy could move: stretches of a pipe of equal copies at equal distances with nothing between.

Source: asc-devkit: docs/zh/guide/算子实践参考/SIMD算子性能优化/内存访问/高效的使用搬运API.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ascend_lab.engine.instruction import Pipe
from ascend_lab.engine.trace import SPACE_IDS, Trace

Rows = NDArray[np.intp]
_GM = SPACE_IDS["GM"]
_ROWS = 4


@dataclass(frozen=True, slots=True)
class Sides:
    """Of a transfer: where it is in GM, and where in UB."""

    pipe: Pipe
    gm: str
    ub: str


WAYS = (Sides(Pipe.MTE2, "src", "dst"), Sides(Pipe.MTE3, "dst", "src"))


def row_runs(trace: Trace, on: Rows, way: Sides) -> Iterator[Rows]:
    """Stretches of ``on``, the rows of a block on one pipe in order of issue, that one strided copy could be."""
    nbytes = trace.read_bytes[on] if way.gm == "src" else trace.write_bytes[on]
    at, to = getattr(trace, f"{way.gm}_addr")[on], getattr(trace, f"{way.ub}_addr")[on]
    plain = (nbytes > 0) & (getattr(trace, f"{way.gm}_space")[on] == _GM)
    plain &= getattr(trace, f"{way.gm}_len")[on] == nbytes  # in one piece
    first = 0
    while first < len(on):
        last = first
        if plain[first]:
            while last + 1 < len(on) and _goes_on(trace, on, plain, nbytes, at, to, first, last):
                last += 1
        if last - first + 1 >= _ROWS:
            yield on[first : last + 1]
        first = last + 1


def _goes_on(
    trace: Trace, on: Rows, plain: Any, nbytes: Any, at: Any, to: Any, first: int, last: int
) -> bool:
    """Whether the row behind ``last`` continues what began with ``first``."""
    after = last + 1
    if not plain[after] or nbytes[after] != nbytes[first]:
        return False
    if trace.where[on[after]] != trace.where[on[first]]:
        return False
    step, placed = at[first + 1] - at[first], to[first + 1] - to[first]
    if step < nbytes[first] or placed < nbytes[first] or placed % 32:
        return False
    return bool(at[after] - at[last] == step and to[after] - to[last] == placed)
