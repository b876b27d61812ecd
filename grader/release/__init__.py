"""What a course hands out: a key, a roster, variants derived from both, and a bundle for each student.

>>> from grader import release
>>> course = release.open_course(Path("spring"))
>>> course.secret("s01", "exam/softmax")  # decides everything about one task of one student
"""

from __future__ import annotations

from grader.release.bundling import release
from grader.release.course import Course, open_course
from grader.release.problem import Problem
from grader.release.roster import Person, read_roster
from grader.release.stripping import public_task, write_bank
from grader.release.variants import Rule, rules, vary, vary_source

__all__ = [
    "Course",
    "Person",
    "Problem",
    "Rule",
    "open_course",
    "public_task",
    "read_roster",
    "release",
    "rules",
    "vary",
    "vary_source",
    "write_bank",
]
