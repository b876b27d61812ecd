"""Finds out who handed in what. Reads files; executes nothing."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from ascend_lab.exercise import (
    CPP,
    Answer,
    AnswerFault,
    Task,
    answers,
    is_project,
    printable,
    read,
    read_project,
)

SUFFIXES = (".py", ".ipynb", *CPP)
#: How many folders that hold nothing but one folder are gone through.
_DEEP = 4
_IGNORED = re.compile(
    r"^(\.|__pycache__$|__MACOSX$|README|LICENSE)|\.(md|css|html|csv|json)$", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Paper:
    """One file that was handed in: its answer, or why there is none."""

    name: str
    answer: Answer | None
    fault: AnswerFault | None = None

    def defines(self, task: Task) -> bool:
        """Whether the text has a definition of the kernel of ``task``."""
        return self.answer is not None and answers(self.answer, task)


@dataclass(frozen=True, slots=True)
class Student:
    """Everything that one student handed in. ``id`` is the name of the file or folder."""

    id: str
    papers: tuple[Paper, ...]

    def paper_for(self, task: Task) -> Paper | AnswerFault:
        """The file that answers ``task``, or why it cannot be told."""
        readable = [paper for paper in self.papers if paper.answer is not None]
        defining = [paper for paper in readable if paper.defines(task)]
        if len(defining) > 1:
            files = ", ".join(paper.name for paper in defining)
            return AnswerFault("two_files", kernel=task.kernel, files=files)
        if defining:
            return defining[0]
        unreadable = [paper.fault for paper in self.papers if paper.fault is not None]
        if unreadable:
            return unreadable[0]
        return readable[0]

    def texts(self) -> dict[str, str]:
        """The source of every cell, by a name that no other has."""
        return {
            self._name(paper, cell.name): cell.text
            for paper in self.papers
            if paper.answer is not None
            for cell in paper.answer.cells
        }

    def called(self, task: Task) -> dict[str, str]:
        """What findings of ``task`` call a file -> its name in `texts`; of a project the kernel's, if two are alike."""
        paper = self.paper_for(task)
        if isinstance(paper, AnswerFault) or paper.answer is None:
            return {}
        return {Path(cell.name).name: self._name(paper, cell.name) for cell in paper.answer.cells}

    def _name(self, paper: Paper, name: str) -> str:
        """As messages call it, with its folder where another file has that name."""
        answers = [each.answer for each in self.papers if each.answer is not None]
        alike = [one for answer in answers for one in answer.cells if one.name == name]
        folder = paper.name.rpartition("/")[0]
        return f"{folder}/{name}" if len(alike) > 1 and folder else name


def collect(folder: Path) -> tuple[Student, ...]:
    """The students of ``folder``, by id: one file each, or one folder each.

    READMEs, hidden files and reports are passed over; everything else belongs to someone.
    """
    papers: dict[str, list[Paper]] = {}
    for entry in sorted(folder.iterdir(), key=lambda path: path.name):
        if _IGNORED.search(entry.name):
            continue
        if entry.is_dir() and not entry.is_symlink():
            papers.setdefault(printable(entry.name), []).extend(_folder(entry))
        else:
            papers.setdefault(printable(entry.stem), []).append(_paper(entry, entry.name))
    return tuple(Student(id, tuple(found)) for id, found in sorted(papers.items()))


def _folder(folder: Path) -> list[Paper]:
    """What is in a student's folder, or in the only folder in it: archives are often unpacked like that."""
    name, top = printable(folder.name), folder
    for _ in range(_DEEP):
        if is_project(folder):
            return [_paper(folder, name, read_project)]
        inside = folder.relative_to(top.parent).as_posix()
        found = [_paper(path, f"{inside}/{path.name}") for path in _files(folder)]
        inner = [path for path in _entries(folder) if path.is_dir() and not path.is_symlink()]
        if found or len(inner) != 1:
            break
        folder = inner[0]
    return found or [Paper(name, None, AnswerFault("empty_folder", name))]


def _files(folder: Path) -> Iterator[Path]:
    return (path for path in _entries(folder) if path.suffix.lower() in SUFFIXES)


def _entries(folder: Path) -> list[Path]:
    """What is in a folder and not passed over; nothing when it cannot be read."""
    try:
        entries = sorted(folder.iterdir(), key=lambda path: path.name)
    except OSError:
        return []
    return [path for path in entries if not _IGNORED.search(path.name)]


def _paper(path: Path, name: str, reading: Callable[[Path], Answer] = read) -> Paper:
    try:
        return Paper(printable(name), reading(path))
    except AnswerFault as fault:
        return Paper(printable(name), None, fault)
