"""Which checks watch a run, and what they found together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ascend_lab.checks.apart import Apart
from ascend_lab.checks.between import Between
from ascend_lab.checks.births import Births
from ascend_lab.checks.buffers import Buffers
from ascend_lab.checks.caches import Caches
from ascend_lab.checks.conflicts import Conflicts
from ascend_lab.checks.cores import Cores
from ascend_lab.checks.costs import Cost
from ascend_lab.checks.coverage import Coverage
from ascend_lab.checks.deadlock import Deadlock
from ascend_lab.checks.defined import Defined
from ascend_lab.checks.finding import Finding, Findings
from ascend_lab.checks.flags import Flags
from ascend_lab.checks.implied import Given, Implied
from ascend_lab.checks.lab import Ending, schedule_decides
from ascend_lab.checks.memory import Memory
from ascend_lab.checks.names import ReadSource
from ascend_lab.checks.offsets import Offsets
from ascend_lab.checks.order import Order
from ascend_lab.checks.overlap import Overlap
from ascend_lab.checks.pace import Pace
from ascend_lab.checks.parameters import Parameters
from ascend_lab.checks.queues import Queues
from ascend_lab.checks.races import Races
from ascend_lab.checks.repeats import Repeats
from ascend_lab.checks.reports import Check, Reports
from ascend_lab.checks.same_input import SameInput
from ascend_lab.checks.signature import Call, Signature
from ascend_lab.checks.state import State
from ascend_lab.checks.strides import Strides
from ascend_lab.checks.tail_core import TailCore
from ascend_lab.checks.temporary import Temporary
from ascend_lab.checks.tiling import Tiling
from ascend_lab.checks.turned import Turned
from ascend_lab.checks.views import Views
from ascend_lab.checks.workspaces import Workspaces

if TYPE_CHECKING:
    from ascend_lab.engine.observer import Observer
    from ascend_lab.engine.run import Run


def all_checks(
    read_source: ReadSource | None = None,
    *,
    call: Call | None = None,
    performance: bool = False,
    judged: bool = False,
) -> list[Observer]:
    """Fresh observers for one run, in the order they must watch.

    ``read_source(file)`` gives the lines of a student's file, for the names in the messages; the default
    reads them through linecache. ``call``: how the host calls the arguments. ``performance``: say also what is
    right but slow. ``judged``: the outputs will be compared, so watch also what only wrong ones make suspicious.
    """
    reports = Reports(read_source)
    order = Order(reports)
    between = Between(reports, order)
    conflicts = Conflicts(reports, order, between)
    flags = Flags(reports)
    defined = Defined(reports, conflicts)
    checks: list[Check] = [
        Buffers(reports),
        Queues(reports),
        flags,
        order,
        between,
        Parameters(reports),
        Implied(reports),
        Given(reports),
        Strides(reports),
        Temporary(reports),
        Memory(reports),
        Repeats(reports),
        Overlap(reports),
        Apart(reports),
        State(reports),
        Races(reports, order),
        conflicts,
        Turned(reports, defined),
        defined,
        Cores(reports, conflicts),
        Coverage(reports, conflicts),
        SameInput(reports, conflicts),
        Tiling(reports, conflicts),
        TailCore(reports, conflicts),
        Caches(reports, between),
        Offsets(reports),
        Views(reports),
        Workspaces(reports),
        Deadlock(reports, flags),
        Ending(reports),
        Signature(reports, call),
    ]
    if judged:
        checks.append(Births(reports))
    if performance:
        checks += [Pace(reports), Cost(reports)]
    return list(checks)


def judge(runs: Sequence[tuple[Run, Sequence[Observer]]], differ: bool = False) -> Findings:
    """The findings of the runs of one launch (several when the schedule is adversarial).

    ``differ``: outputs were not the same in all of them, which is a finding when nothing explains it.
    """
    each = [Findings(_reports(observers)) for _, observers in runs]
    found = list(each[0].merged(*each[1:]).all) if each else []
    if differ and runs and not any(finding.severity == "error" for finding in found):
        decides = schedule_decides([run for run, _ in runs], _added(runs[0][1]))
        if decides is not None:
            found.append(decides)
    return Findings(found)


def _added(observers: Sequence[Observer]) -> set[str]:
    """Arrays that atomic stores of floats added to."""
    for observer in observers:
        if isinstance(observer, Conflicts):
            return observer.added()
    return set()


def _reports(observers: Sequence[Observer]) -> list[Finding]:
    for observer in observers:
        if isinstance(observer, Check):
            return observer.reports.found
    return []
