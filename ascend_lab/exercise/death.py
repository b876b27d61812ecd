"""How a child ended."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Death:
    """By ``signal`` (0: it exited with ``code``), after ``cpu_s`` of CPU time."""

    signal: int
    code: int
    cpu_s: float
