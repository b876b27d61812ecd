"""The parameters that were fitted, and what they would be without a case.

A parameter is changed by 2 % and every case is run again: that gives the sensitivities, d ln(time) / d ln(parameter).
Leaving a case out is one Gauss-Newton step on the others from the figures of the chip file: with so few
parameters, and errors of a few percent, the cases are linear enough (``silicon.py --sensitivities`` makes them).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ascend_lab.chips import ChipSpec

#: Path in the chip file below `cost`; the cases of the open set that determine each are in its `src`. What a pair
#: of cases tells (dma.restart_us, vector.conflict_dma) is not of one case, and does not change without it.
FITTED = (
    "dma.hbm_rate",
    "dma.write_back",
    "dma.l2_usable",
    "dma.mte2_loaded_us",
    "dma.hint_us",
    "sync.flag_hop",
    "vector.startup",
    "vector.conflict_read_write",
    "scalar.get_value",
    "scalar.dma",
    "launch.prologue_scalar_us",
)
STEP = 0.02
#: Kinds of kernels that a figure of a part of the chip file can change, and a share that is enough for a slope.
REACHES = {
    "dma": ("elementwise", "nd2nz", "copy"),
    "sync": ("elementwise", "nd2nz"),
    "vector": ("elementwise", "nd2nz", "stream"),
    "scalar": ("elementwise",),
    "launch": ("elementwise",),
}
COARSE = {
    "a2_add_c0": 8192, "a2_add_c1": 256, "a2_add_c3": 16, "a2_add_c4": 16, "a2_add_c6": 16,
    "a2_nd2nz_s2": 8, "a2_mmgelu_gelu": 64, "a2_dc_ub_s2": 4, "a2_dc_ub_s3": 4, "a2_dc_ub_s4": 4,
    "a2_dc_ub_s6": 4, "a2_bank_ub_s1": 1, "a2_bank_ub_s2": 1, "a2_bank_ub_s5": 1,
}  # fmt: skip
#: Below this a case does not determine a parameter.
_DETERMINED = 0.02


def changed(spec: ChipSpec, path: str, factor: float) -> ChipSpec:
    """The chip with one figure times `factor`."""
    part, _, name = path.partition(".")
    costs: Any = getattr(spec.cost, part)
    costs = replace(costs, **{name: getattr(costs, name) * factor})
    return replace(spec, cost=replace(spec.cost, **{part: costs}))


def used(spec: ChipSpec) -> set[str]:
    """The cases that the sources of the fitted figures name."""
    text = " ".join(spec.source(f"cost.{path}") for path in FITTED)
    return set(re.findall(r"a2_[a-z0-9_]+", text))


Sensitivities = Mapping[str, Mapping[str, float]]


def left_out(errors: Mapping[str, float], slopes: Sensitivities) -> dict[str, float | None]:
    """Case -> its error had the parameters been fitted to the other cases; None where no other case tells.

    ``errors`` are ln(predicted / measured) with the figures of the chip file.
    """
    names = [name for name in errors if name in slopes]
    table = np.array([[slopes[name].get(p, 0.0) for p in FITTED] for name in names])
    return {name: _without(i, names, errors, table) for i, name in enumerate(names)}


def _without(i: int, names: Sequence[str], errors: Mapping[str, float], table: Any) -> float | None:
    others = [k for k in range(len(names)) if k != i]
    mine = np.abs(table[i]) > _DETERMINED
    known = np.abs(table[others]).max(axis=0) > _DETERMINED
    if (mine & ~known).any():
        return None
    rest = table[others][:, known]
    misses = np.array([errors[names[k]] for k in others])
    step, *_ = np.linalg.lstsq(rest, -misses, rcond=0.05)
    return float(errors[names[i]] + table[i][known] @ step)
