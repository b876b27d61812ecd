"""Reads a student's file. It is data here: nothing of it is executed or even parsed as Python."""

from __future__ import annotations

import io
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


class _Notebook(msgspec.Struct):
    cells: list[_NotebookCell]


def read(path: Path) -> Answer:
    """The answer in a .py, .ipynb or Ascend C file. Raises AnswerFault that says what is wrong with the file.

    Links are not followed. A .py file may declare its encoding; all others are UTF-8.
    """
    name = printable(path.name)
    data = _bytes(path, name)
    if path.suffix in CPP:
        return Answer((Cell(name, _plain(data, name)),), form="cpp")
    if path.suffix in (".h", ".hpp"):
        raise AnswerFault("wrong_suffix", name)
    cells = _notebook(data, name) if path.suffix == ".ipynb" else _script(data, name)
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
            if path.suffix in (*CPP, ".h", ".hpp"):
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
    limit = LIMITS_MB.get(path.suffix)
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
        notebook = msgspec.json.decode(data.removeprefix(b"\xef\xbb\xbf"), type=_Notebook)
    except UnicodeDecodeError as error:
        raise AnswerFault("not_utf8", name, detail=error.start + 1) from None
    except (msgspec.MsgspecError, RecursionError) as error:
        raise AnswerFault("not_a_notebook", name, detail=str(error)) from None
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    return [
        Cell(f"{name} [{number}]", _lines("".join(cell.source)))
        for number, cell in enumerate(code, 1)
    ]


def _lines(text: str) -> str:
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
