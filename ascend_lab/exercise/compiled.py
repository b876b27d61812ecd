"""An answer in one Ascend C source: compiled in a child, launched in children."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ascend_lab.ascendc import kernels
from ascend_lab.ascendc.building import Options
from ascend_lab.chips import ChipSpec
from ascend_lab.exercise.confined import ConfinedSite
from ascend_lab.exercise.cpp_cells import COMMENT, parameters
from ascend_lab.exercise.faults import ChildFault
from ascend_lab.exercise.guarded import Guarded, GuardedDoor, doubted, signature
from ascend_lab.exercise.launcher import Launcher
from ascend_lab.exercise.remote import Answer, Record
from ascend_lab.exercise.task import Task
from ascend_lab.exercise.typed import ByTypes, said


class CompiledKernel:
    """A kernel of an Ascend C source, ready for `Device.launch`; see `RemoteKernel`. Raises ChildFault."""

    insert_sync = False
    auto_sync = True

    def __init__(
        self,
        launcher: Launcher,
        answer: Answer,
        task: Task,
        *,
        given: str | None = None,
    ) -> None:
        cell = answer.cells[0]
        self.name = kernel = task.kernel
        self.host_names = tuple(parameter.name for parameter in task.parameters)
        self.record = Record()
        self.file = Path(cell.name).name
        self._disk = file_name(cell.name)
        self.defined_in: tuple[str, ...] = (self.file,)
        self._text = cell.text
        if not defines(cell.text, kernel):
            raise ChildFault("not_handed_in", kernel=kernel)
        if given is not None and same(cell.text, given):
            raise ChildFault("empty", kernel=kernel)
        self._site = ConfinedSite(launcher, kernel, task.limits)
        self._kernels = ByTypes(cell.text, task, self._compiled)
        try:
            first = self._kernels.first()
        except BaseException:
            self.close()
            raise
        self.line = first.line
        self.parameters = first.parameters

    def _compiled(self, defines: tuple[str, ...]) -> Guarded:
        path = self._site.place({self._disk: self._text}) / self._disk
        with doubted(self._site, self.file, said(defines), disk=self._disk):
            found = kernels(path, Options(defines=defines, site=self._site))
        self.record.layers = self._site.layers
        if self.name not in found:
            raise ChildFault("not_a_global", self.file, kernel=self.name)
        fault = signature(found[self.name].parameters, self.host_names, self.name)
        if fault is not None:
            raise fault
        return Guarded(found[self.name], self._site, self.record, called=(self._disk, self.file))

    def read_source(self, file: str) -> Sequence[str]:
        """The lines of the source: the checks name operands by them."""
        return self._text.splitlines(keepends=True) if Path(file).name == self.file else ()

    def open(
        self, arguments: list[Any], blocks: int, chip: ChipSpec, batch_limit: int = 256
    ) -> GuardedDoor:
        """Start the kernel for the types of ``arguments`` in a child of its own."""
        return self._kernels.of(arguments).open(arguments, blocks, chip, batch_limit)

    def close(self) -> None:
        """End what runs, and remove what was built."""
        self._site.close()


def file_name(name: str) -> str:
    """A cell's name as the name of a file that any compiler takes."""
    short = re.sub(r"[^\w.+-]", "_", Path(name).name, flags=re.ASCII)[-80:].lstrip(".-")
    return short if Path(short).suffix else f"{short or 'answer'}.asc"


def defines(text: str, kernel: str) -> bool:
    """Whether an Ascend C source defines kernel ``kernel``."""
    return parameters(text, kernel) is not None


def same(text: str, given: str) -> bool:
    """Whether two sources say the same, comments and layout apart."""
    return _plain(text) == _plain(given)


def _plain(text: str) -> list[str]:
    return COMMENT.sub(" ", text).split()
