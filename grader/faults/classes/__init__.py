"""Every class that can be injected, in the order of the taxonomy: one description, rewritten in both languages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

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
from grader.faults.cpp.sites import SITES
from grader.faults.fault import FaultClass

CLASSES: Mapping[str, FaultClass] = {
    fault.id: replace(fault, cpp=SITES.get(fault.id))
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
