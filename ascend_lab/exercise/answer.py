"""Reads a student's file. It is data here: nothing of it is executed or even parsed as Python."""

from __future__ import annotations

import io
import re
import stat
import tokenize
from collections.abc import Iterable
from pathlib import Path

import msgspec

from ascend_lab.exercise.faults import AnswerFault
from ascend_lab.exercise.remote import Answer
from ascend_lab.exercise.wire import Cell

#: Largest file that is read, in MB. Notebooks carry outputs.
LIMITS_MB = {".py": 1, ".ipynb": 20, ".asc": 1, ".cpp": 1, ".cc": 1, ".cxx": 1, ".h": 1, ".hpp": 1}
#: One Ascend C source.
CPP = (".asc", ".cpp", ".cc", ".cxx")
#: Where the files of an operator project are, and most of them.
PROJECT = ("op_host", "op_kernel")
_PROJECT_FILES = 40
#: Largest source that is sent to the child.
_SOURCE_LIMIT = 2 << 20


class _NotebookCell(msgspec.Struct):
    cell_type: str = ""
    source: str | list[str] = ""
    input: str | list[str] = ""  # of code, before nbformat 4


class _Worksheet(msgspec.Struct):
    cells: list[_NotebookCell]


class _Notebook(msgspec.Struct):
    """``worksheets`` are what notebooks had before nbformat 4."""

    cells: list[_NotebookCell] | None = None
    worksheets: list[_Worksheet] = []

    def all_cells(self) -> list[_NotebookCell]:
        """The cells, in order. Raises LookupError when it has no place for any."""
        if self.cells is not None:
            return self.cells
        if not self.worksheets:
            raise LookupError
        return [cell for sheet in self.worksheets for cell in sheet.cells]


def read(path: Path) -> Answer:
    """The answer in a .py, .ipynb or Ascend C file. Raises AnswerFault that says what is wrong with the file.

    Links are not followed. A .py file may declare its encoding; all others are UTF-8.
    """
    name = printable(path.name)
    data, suffix = _bytes(path, name), path.suffix.lower()
    if suffix in CPP:
        return Answer((Cell(name, _plain(data, name)),), form="cpp")
    if suffix in (".h", ".hpp"):
        raise AnswerFault("wrong_suffix", name)
    cells = _notebook(data, name) if suffix == ".ipynb" else _script(data, name)
    size = sum(len(cell.text) for cell in cells)
    if size > _SOURCE_LIMIT:
        raise AnswerFault("too_large", name, size=-(-size >> 20), limit=_SOURCE_LIMIT >> 20)
    return Answer(tuple(cells))


def is_project(folder: Path) -> bool:
    """Whether a folder has op_host and op_kernel."""
    return all((folder / part).is_dir() and not (folder / part).is_symlink() for part in PROJECT)


def read_project(folder: Path) -> Answer:
    """The answer in a folder with op_host and op_kernel: their C++ files. Raises AnswerFault."""
    cells = []
    for part in PROJECT:
        for path in sorted((folder / part).iterdir(), key=lambda path: path.name):
            if path.suffix.lower() in (*CPP, ".h", ".hpp"):
                name = f"{part}/{printable(path.name)}"
                cells.append(Cell(name, _plain(_bytes(path, name), name)))
    if len(cells) > _PROJECT_FILES:
        raise AnswerFault("too_many_files", printable(folder.name), detail=_PROJECT_FILES)
    return Answer(tuple(cells), form="project")


def _plain(data: bytes, name: str) -> str:
    try:
        return _lines(data.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise AnswerFault("not_utf8", name, detail=error.start + 1) from None


def printable(name: str) -> str:
    """A file's name as text: bytes that are no UTF-8, and what no one can see, become question marks."""
    text = name.encode("utf-8", "replace").decode("utf-8")
    return "".join(letter if letter.isprintable() else "?" for letter in text)


def from_text(text: str, name: str = "answer.py") -> Answer:
    """The answer in a text; ``name`` is what messages call it."""
    return Answer((Cell(name, text),))


def from_session(cells: Iterable[tuple[str, str]]) -> Answer:
    """The answer in the inputs of a running session, (name, text) in order of execution."""
    return Answer(tuple(Cell(name, text) for name, text in cells), live=True)


def _bytes(path: Path, name: str) -> bytes:
    limit = LIMITS_MB.get(path.suffix.lower())
    if limit is None:
        raise AnswerFault("wrong_suffix", name)
    try:
        status = path.lstat()
        if stat.S_ISLNK(status.st_mode):
            raise AnswerFault("link", name)
        if not stat.S_ISREG(status.st_mode):
            raise AnswerFault("not_a_file", name)
        if status.st_size > limit << 20:
            size = -(-status.st_size >> 20)
            raise AnswerFault("too_large", name, size=size, limit=limit)
        return path.read_bytes()
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise AnswerFault("unreadable", name, detail=reason) from None


def _script(data: bytes, name: str) -> list[Cell]:
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        raise AnswerFault("not_utf8", name, detail=error.start + 1) from None
    except SyntaxError as error:
        raise _encoding_fault(data, name, error) from None
    return [Cell(name, _lines(text))]


def _encoding_fault(data: bytes, name: str, error: SyntaxError) -> AnswerFault:
    """The file declares an encoding that does not exist, or none and is no UTF-8."""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as found:
        return AnswerFault("not_utf8", name, detail=found.start + 1)
    return AnswerFault("unreadable", name, detail=str(error))


def _notebook(data: bytes, name: str) -> list[Cell]:
    if not data.strip():
        raise AnswerFault("not_a_notebook", name, detail=("文件是空的", "the file is empty"))
    try:
        data.decode("utf-8")
        plain = data.removeprefix(b"\xef\xbb\xbf")
        cells = msgspec.json.decode(plain, type=_Notebook).all_cells()
    except LookupError:
        detail = ("没有 cells", "it has no cells")
        raise AnswerFault("not_a_notebook", name, detail=detail) from None
    except UnicodeDecodeError as error:
        raise AnswerFault("not_utf8", name, detail=error.start + 1) from None
    except (msgspec.MsgspecError, RecursionError) as error:
        raise AnswerFault("not_a_notebook", name, detail=_not_json(str(error))) from None
    code = [cell for cell in cells if cell.cell_type == "code"]
    return [
        Cell(f"{name} [{number}]", _lines("".join(cell.source or cell.input)))
        for number, cell in enumerate(code, 1)
    ]


def _not_json(said: str) -> tuple[str, str]:
    """What is wrong with a notebook's JSON, (zh, en)."""
    byte = re.search(r"\(byte (\d+)\)", said)
    if byte is not None:
        return f"第 {byte[1]} 字节起不是合法的 JSON", f"from byte {byte[1]} on it is not JSON"
    if "truncated" in said:
        return "文件不完整，JSON 没有结束", "it is cut off, the JSON has no end"
    place = re.search(r"at `\$\.?(.*)`$", said)
    at = place[1] if place is not None else ""
    return f"结构与 notebook 不符 {at}".rstrip(), f"it is not built as one {at}".rstrip()


def _lines(text: str) -> str:
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
