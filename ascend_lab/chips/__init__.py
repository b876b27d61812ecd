"""The chips of the lab: one TOML file per SoC, each figure with its source.

>>> from ascend_lab import chips
>>> chip = chips.load("Ascend910B1")
>>> chip.memory.ub_bytes
196608
"""

from __future__ import annotations

from ascend_lab.chips.errors import ChipError
from ascend_lab.chips.loading import DEFAULT, load, names, shared
from ascend_lab.chips.spec import (
    Api,
    ChipSpec,
    Cost,
    CubeCost,
    DmaCost,
    LaunchCost,
    Limits,
    Memory,
    ScalarCost,
    SyncCost,
    VectorCost,
)

__all__ = [
    "DEFAULT",
    "Api",
    "ChipError",
    "ChipSpec",
    "Cost",
    "CubeCost",
    "DmaCost",
    "LaunchCost",
    "Limits",
    "Memory",
    "ScalarCost",
    "SyncCost",
    "VectorCost",
    "load",
    "names",
    "shared",
]
