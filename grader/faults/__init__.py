"""Puts realistic faults into right kernels, and proves that each is there and is found.

>>> from grader import faults
>>> mutant = faults.inject(source, "D2", seed=7)
>>> faults.verify(mutant, faults.reference("reference/add_queues")).status
<Status.CAUGHT: 'caught'>
"""

from __future__ import annotations

from grader.faults.classes import ABSENT, CLASSES
from grader.faults.fault import Absent, DoesNotApply, FaultClass, Mutant, Site
from grader.faults.injecting import combine, inject, mutants, places

__all__ = [
    "ABSENT",
    "CLASSES",
    "Absent",
    "DoesNotApply",
    "FaultClass",
    "Mutant",
    "Site",
    "combine",
    "inject",
    "mutants",
    "places",
]
