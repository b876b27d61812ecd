"""What a notebook of the course calls.

>>> from ascend_lab import course
>>> lab = course.start("03")
"""

from __future__ import annotations

import os

import ascend_lab.exercise.bank as banks
from ascend_lab.course import cells, edition, progress
from ascend_lab.course.lab import Lab

__all__ = ["Lab", "start"]


def start(number: str, lang: str | None = None, bank_folder: str | None = None) -> Lab:
    """The lab ``number`` ("03") in the language of the notebook that is running.

    ``lang`` ("zh" or "en") overrides it. Raises TaskError when the exam bank is not to be found, ValueError
    for another language. In a notebook it also brings ``%%ascendc``.
    """
    chosen = edition.known(lang)
    if lang is not None and chosen is None:
        raise ValueError(f'lang={lang!r}: choose "zh" or "en" / 请选择 "zh" 或 "en"')
    spoken = chosen or edition.language(os.environ, namespace=cells.namespace())
    if cells.shell() is not None:
        from ascend_lab.course import magic

        magic.register(cells.shell())
    return Lab(number, spoken, banks.bank(bank_folder), progress.load())
