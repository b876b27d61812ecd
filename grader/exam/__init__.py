"""The exam: papers drawn from a course's key, a notebook for each student, marks, and a signed record."""

from __future__ import annotations

from grader.exam.blueprint import Blueprint, read_blueprint
from grader.exam.drawing import Exam, draw_exam
from grader.exam.marking import Result, mark_exam
from grader.exam.records import differences, signed
from grader.exam.submission import Submission, read_submission

__all__ = [
    "Blueprint",
    "Exam",
    "Result",
    "Submission",
    "differences",
    "draw_exam",
    "mark_exam",
    "read_blueprint",
    "read_submission",
    "signed",
]
