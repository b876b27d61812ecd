"""The exam in a notebook: answers are saved as they are given, with a signed log of when.

>>> from ascend_lab.course import exam
>>> paper = exam.open()
>>> paper.start()

The log deters and does not prevent: it lies on the student's own computer.
"""

from __future__ import annotations

from ascend_lab.course.exam.clock import Clock
from ascend_lab.course.exam.log import Entry, Log, Remark, elapsed, read_log, remarks
from ascend_lab.course.exam.practical import Chosen, chosen
from ascend_lab.course.exam.session import Session, open
from ascend_lab.course.exam.sheet import Paper, Performance, Practical, Sheet, read_sheet
from ascend_lab.course.exam.store import Store

__all__ = [
    "Chosen",
    "Clock",
    "Entry",
    "Log",
    "Paper",
    "Performance",
    "Practical",
    "Remark",
    "Session",
    "Sheet",
    "Store",
    "chosen",
    "elapsed",
    "open",
    "read_log",
    "read_sheet",
    "remarks",
]
