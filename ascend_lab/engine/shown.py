"""What people call a source file: its base name, "In[5]" for a cell of the notebook that is running."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any


def shown(file: str) -> str:
    """``file`` as findings, traces and errors show it: never where it lies."""
    if "ipykernel" in file or file.startswith("<ipython-input"):
        number = cell_numbers().get(file)
        if number is not None:
            return f"In[{number}]"
    return file.replace("\\", "/").rsplit("/", 1)[-1]


def cell_numbers() -> Mapping[str, int]:
    """File that a cell was compiled as -> number of the cell; empty outside of a notebook.

    Who runs cells without history (nbval) leaves all at number 1; then the order of first execution counts.
    """
    numbers: Mapping[str, int] = getattr(compiler(), "_filename_map", {})
    if len(set(numbers.values())) < len(numbers):
        return {file: index for index, file in enumerate(numbers, 1)}
    return numbers


def compiler() -> Any:
    """What IPython compiles cells with, None outside of a notebook. IPython is never imported for it."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return getattr(shell, "compile", None)
