"""The performance score HAP: 0.5 is as fast as the baseline, 1 is the limit of the hardware.

Source: cann-bench, docs/spec/benchmark_spec.md:
``HAP = (T_base - T_hw) / ((T_cand - T_hw) + (T_base - T_hw))``.
"""

from __future__ import annotations


def hap(baseline: float, candidate: float, hardware: float) -> float:
    """HAP of three times in one unit, between 0 and 1.

    A candidate at or below the hardware's time has 1. Raises ValueError for a baseline that is not above the
    hardware's time, or for times that are not positive.
    """
    if min(baseline, candidate, hardware) <= 0:
        raise ValueError("times must be greater than 0")
    room = baseline - hardware
    if room <= 0:
        raise ValueError(
            f"the baseline ({baseline:g}) must be slower than the hardware limit ({hardware:g})"
        )
    return room / (max(candidate - hardware, 0.0) + room)
