"""Reads what a command is given: a .py file or a notebook, as named cells."""

from __future__ import annotations

import tokenize
from pathlib import Path
from typing import NamedTuple


class Refused(Exception):
    """A file that cannot be read, said in both languages."""

    def __init__(self, zh: str, en: str) -> None:
        super().__init__(en)
        self.zh = zh
        self.en = en

    def message(self, lang: str) -> str:
        """The text in ``lang``."""
        return self.zh if lang == "zh" else self.en


class Cell(NamedTuple):
    """One cell of a notebook, or a whole .py file."""

    name: str
    text: str


def cells_of(file: str) -> list[Cell]:
    """The code of ``file``. Raises Refused; a notebook needs what the extra "grader" installs."""
    path = Path(file)
    if path.suffix == ".ipynb":
        return _notebook(path)
    if path.suffix != ".py":
        raise Refused(
            f"{path.name}：请给出 .py 或 .ipynb 文件。", f"{path.name}: give a .py or .ipynb file."
        )
    try:
        with tokenize.open(path) as lines:
            return [Cell(path.name, lines.read())]
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise Refused(
            f"无法读取 {path.name}：{reason}。", f"cannot read {path.name}: {reason}."
        ) from None
    except (SyntaxError, UnicodeDecodeError) as error:
        raise Refused(
            f"{path.name} 的编码不对：{error}。", f"{path.name} is not in its encoding: {error}."
        ) from None


def _notebook(path: Path) -> list[Cell]:
    try:
        from ascend_lab import exercise

        answer = exercise.read(path)
    except ModuleNotFoundError as error:
        install = "pip install 'ascend-lab[grader]'"
        raise Refused(
            f"读取 notebook 缺少 {error.name}。请安装：{install}",
            f"reading a notebook needs {error.name}. Install it: {install}",
        ) from None
    except exercise.AnswerFault as fault:
        raise Refused(fault.message("zh"), fault.message("en")) from None
    return [Cell(cell.name, cell.text) for cell in answer.cells]
