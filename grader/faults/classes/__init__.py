"""Every class that can be injected, in the order of the taxonomy."""

from __future__ import annotations

from collections.abc import Mapping

from grader.faults.classes import (
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
from grader.faults.classes.absent import ABSENT
from grader.faults.fault import FaultClass

CLASSES: Mapping[str, FaultClass] = {
    fault.id: fault
    for group in (
        alignment.CLASSES,
        bounds.CLASSES,
        state.CLASSES,
        sync.CLASSES,
        cores.CLASSES,
        queue.CLASSES,
        tiling.CLASSES,
        types.CLASSES,
        api.CLASSES,
        performance.CLASSES,
    )
    for fault in group
}

__all__ = ["ABSENT", "CLASSES", "FaultClass"]
