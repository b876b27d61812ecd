"""What can be wrong with a kernel: observers of a run, and the findings they make.

``all_checks()`` gives fresh observers for one run; ``judge`` turns what they saw into `Findings`. The texts
are in ``catalogue/``; the ids are those of the fault taxonomy and never change.
"""

from __future__ import annotations

from ascend_lab.checks.explaining import explain as explain_outputs
from ascend_lab.checks.explaining import mend, missed
from ascend_lab.checks.finding import Finding, Findings, Place
from ascend_lab.checks.judging import all_checks, judge
from ascend_lab.checks.names import ReadSource
from ascend_lab.checks.signature import Call
from ascend_lab.checks.texts import CatalogueError, Entry, Say, catalogue, entry, explain
from ascend_lab.checks.trying import Again, Altered, Change

__all__ = [
    "Again",
    "Altered",
    "Call",
    "CatalogueError",
    "Change",
    "Entry",
    "Finding",
    "Findings",
    "Place",
    "ReadSource",
    "Say",
    "all_checks",
    "catalogue",
    "entry",
    "explain",
    "explain_outputs",
    "judge",
    "mend",
    "missed",
]
