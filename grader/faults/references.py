"""The right kernels that faults are put into, each with inputs and results: a task and its source."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import msgspec

from ascend_lab import chips
from ascend_lab.exercise import Bank, Task, TaskError, open_bank
from ascend_lab.exercise.bank import read
from ascend_lab.exercise.typed import uses_types

#: Where the kernels are that belong to no task, in the exam bank.
FOLDER = "kernels/reference"
#: Ends of the names of Ascend C sources.
SUFFIXES = (".asc", ".cpp")
#: What a kernel of this folder may be called by, all of those in Ascend C.
ASCENDC = "ascendc"
#: Labs whose tasks are tried only when they are asked for: their cases are large, and a matrix takes long.
_BY_NAME_ONLY = ("exam",)


@dataclass(frozen=True, slots=True)
class Reference:
    """A kernel without faults. ``chips``: where it is to be clean; ``file``: what messages call it."""

    task: Task
    source: str
    file: str
    chips: tuple[str, ...]

    @property
    def name(self) -> str:
        """Its id: "reference/add_queues", or the task's."""
        return self.task.id


class NoReference(LookupError):
    """There is no right kernel of this name, or no task that says what it should do."""


def references(bank: Bank | None = None) -> tuple[Reference, ...]:
    """The Python kernels of ``kernels/reference`` and the reference of every task of a lab, by name."""
    found = bank or open_bank()
    tasks = (_of_task(found, found.load(id)) for id in found.ids())
    return (*_own(found), *(each for each in tasks if each.task.lab not in _BY_NAME_ONLY))


def ascendc_references(bank: Bank | None = None, only: str | None = None) -> tuple[Reference, ...]:
    """The same kernels in Ascend C, where there is one: ``add_queues.asc`` beside its task."""
    found = bank or open_bank()
    made = (_in_ascendc(found, each, s) for each in _own(found, only) for s in SUFFIXES)
    return tuple(each for each in made if each is not None)


def reference(name: str, bank: Bank | None = None) -> Reference:
    """One of them by name: "reference/add_queues", "add_queues.asc", "03/seed-add", "exam/sinh.asc".

    Raises NoReference.
    """
    found = bank or open_bank()
    suffix = Path(name).suffix
    if name in found.ids():
        return _of_task(found, found.load(name))
    if suffix in SUFFIXES and name.removesuffix(suffix) in found.ids():
        made = _in_ascendc(found, _of_task(found, found.load(name.removesuffix(suffix))), suffix)
        if made is not None:
            return made
    short = name.removeprefix("reference/")
    if suffix in SUFFIXES:
        for each in ascendc_references(found, short.removesuffix(suffix)):
            return each
    for each in _own(found, short):
        return each
    raise NoReference(name)


def chosen(name: str, bank: Bank | None = None) -> tuple[Reference, ...]:
    """What a command was given: a file, a lab, or a name. Raises NoReference."""
    found = bank or open_bank()
    path = Path(name)
    if path.suffix == ".py" or (path.suffix in SUFFIXES and path.is_file()):
        return (_of_file(found, path),)
    if name == ASCENDC:
        return ascendc_references(found)
    lab = name.lower().removeprefix("lab").strip("-_ ")
    lab, _, suffix = lab.partition(".")
    ids = found.ids(lab.zfill(2) if lab.isdigit() else lab) if "/" not in lab else ()
    tasks = (_of_task(found, found.load(id)) for id in ids)
    if suffix:
        made = tuple(_in_ascendc(found, each, f".{suffix}") for each in tasks)
        return tuple(each for each in made if each is not None) or (reference(name, found),)
    if ids:
        return tuple(tasks)
    return (reference(name, found),)


def _own(bank: Bank, only: str | None = None) -> Iterator[Reference]:
    folder = bank.folder / FOLDER
    listed = folder / "chips.toml"
    limits = tomllib.loads(listed.read_text(encoding="utf-8")) if listed.is_file() else {}
    for path in sorted(folder.glob("*.toml")):
        if path == listed or only not in (None, path.stem):
            continue
        task = read(path.read_bytes(), path.name)
        names = tuple(limits.get(path.stem, chips.names()))
        yield Reference(task, bank.source(task.reference), Path(task.reference).name, names)


def _in_ascendc(bank: Bank, own: Reference, suffix: str) -> Reference | None:
    """The Ascend C source beside a Python one, with the cases that it is written for."""
    name = Path(own.task.reference).with_suffix(suffix)
    if not (bank.folder / name).is_file():
        return None
    source = bank.source(name.as_posix())
    task = msgspec.structs.replace(own.task, id=own.name + suffix)
    return Reference(_of_its_types(task, source), source, name.name, own.chips)


def _of_its_types(task: Task, source: str) -> Task:
    """An Ascend C kernel that does not name DTYPE_X is written for one type: without the cases of others."""
    cases = tuple(case for case in task.cases if not case.dtypes)
    return msgspec.structs.replace(task, cases=cases) if cases and not uses_types(source) else task


def _of_task(bank: Bank, task: Task) -> Reference:
    source = bank.source(task.reference)
    return Reference(task, source, Path(task.reference).name, (task.chip,))


def _of_file(bank: Bank, path: Path) -> Reference:
    """A kernel with a task beside it (``add.py``, ``add.toml``), or one that a task names."""
    if not path.is_file():
        raise NoReference(str(path))
    beside = path.with_suffix(".toml")
    if beside.is_file():
        task = read(beside.read_bytes(), beside.name)
        source = path.read_text(encoding="utf-8")
        task = task if path.suffix == ".py" else _of_its_types(task, source)
        return Reference(task, source, path.name, (task.chip,))
    of_tasks = (_of_task(bank, task) for task in bank.tasks())
    for each in (*_own(bank), *of_tasks):
        if (bank.folder / each.task.reference).resolve() == path.resolve():
            return each
    raise NoReference(str(path))


__all__ = [
    "NoReference",
    "Reference",
    "TaskError",
    "ascendc_references",
    "chosen",
    "reference",
    "references",
]
