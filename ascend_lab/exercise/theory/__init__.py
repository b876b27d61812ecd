"""Theory questions with parameters, each with a cell that proves its key on the model.

>>> from ascend_lab.exercise.theory import theory
>>> theory().find("moving/copy-rounds").draw(seed=7).question.text.en
"""

from __future__ import annotations

from ascend_lab.exercise.theory.answering import Given, Marked, mark
from ascend_lab.exercise.theory.drawing import Choice, Drawn, Explained, Question, draw
from ascend_lab.exercise.theory.item import Draw, Item, Option, Topic
from ascend_lab.exercise.theory.topics import Found, Theory, read, theory
from ascend_lab.exercise.theory.witness import cell, prove, run

__all__ = [
    "Choice",
    "Draw",
    "Drawn",
    "Explained",
    "Found",
    "Given",
    "Item",
    "Marked",
    "Option",
    "Question",
    "Theory",
    "Topic",
    "cell",
    "draw",
    "mark",
    "prove",
    "read",
    "run",
    "theory",
]
