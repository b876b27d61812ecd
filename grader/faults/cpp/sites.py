"""Where each class applies in an Ascend C source, by id."""

from __future__ import annotations

from collections.abc import Mapping

from grader.faults.cpp import (
    alignment,
    api,
    bounds,
    cores,
    performance,
    queue,
    state,
    sync,
    tiling,
    types,
)
from grader.faults.fault import CppFinder

SITES: Mapping[str, CppFinder] = {
    **alignment.SITES,
    **bounds.SITES,
    **state.SITES,
    **sync.SITES,
    **cores.SITES,
    **queue.SITES,
    **tiling.SITES,
    **types.SITES,
    **api.SITES,
    **performance.SITES,
}
