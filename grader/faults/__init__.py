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
from grader.faults.matrices import Cell, Matrix, Row, Try, matrix
from grader.faults.references import (
    NoReference,
    Reference,
    ascendc_references,
    chosen,
    reference,
    references,
)
from grader.faults.verifying import Status, Verification, Verifier, verify

__all__ = [
    "ABSENT",
    "CLASSES",
    "Absent",
    "Cell",
    "DoesNotApply",
    "FaultClass",
    "Matrix",
    "Mutant",
    "NoReference",
    "Reference",
    "Row",
    "Site",
    "Status",
    "Try",
    "Verification",
    "Verifier",
    "ascendc_references",
    "chosen",
    "combine",
    "inject",
    "matrix",
    "mutants",
    "places",
    "reference",
    "references",
    "verify",
]
