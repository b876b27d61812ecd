"""Results for other systems: CSV, JSON, Gradescope, JUnit XML, Canvas; and nbgrader's notebooks, read."""

from __future__ import annotations

from grader.exports.formats import FORMATS, write
from grader.exports.nbgrader import Assignment, read_assignment
from grader.exports.scores import Score, Scores, read_scores

__all__ = [
    "FORMATS",
    "Assignment",
    "Score",
    "Scores",
    "read_assignment",
    "read_scores",
    "write",
]
