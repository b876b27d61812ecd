"""The troubleshooting part of the exam: broken kernels drawn from a key, and marks for what a student says of them.

>>> from grader import troubleshooting
>>> drawn = troubleshooting.draw(troubleshooting.template("right-at-times"), "a secret")
>>> drawn.source  # what the student gets; drawn.truths says what is wrong with it
"""

from __future__ import annotations

from grader.troubleshooting.answers import AnswerError, Found, Given, read_answer
from grader.troubleshooting.drawing import Drawn, NothingToDraw, Truth, draw, draw_without_check
from grader.troubleshooting.marking import Mark, Marks, mark
from grader.troubleshooting.papers import write_paper, write_truth
from grader.troubleshooting.templates import Planted, Template, template, templates

__all__ = [
    "AnswerError",
    "Drawn",
    "Found",
    "Given",
    "Mark",
    "Marks",
    "NothingToDraw",
    "Planted",
    "Template",
    "Truth",
    "draw",
    "draw_without_check",
    "mark",
    "read_answer",
    "template",
    "templates",
    "write_paper",
    "write_truth",
]
