"""An Ascend C kernel that is compiled and run as a remote one is: a process of its own for each launch."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ascend_lab.ascendc import CompileError, CppKernel, kernels
from ascend_lab.ascendc.building import Options, cache
from ascend_lab.ascendc.process import Limits
from ascend_lab.chips import ChipSpec
from ascend_lab.exercise import ChildFault, Task
from ascend_lab.exercise.remote import Record
from ascend_lab.exercise.typed import ByTypes


class CompiledKernel:
    """The kernel of a task from the text of an Ascend C source, ready for `Device.launch`.

    Raises ChildFault when it does not compile, or is not there, or takes other arguments; NoCompiler.
    """

    insert_sync = False

    def __init__(self, task: Task, source: str, file: str) -> None:
        self._source = source
        self._kernels = ByTypes(source, task, lambda names: _compiled(task, source, file, names))
        self._kernel = self._kernels.first()
        self.name = task.kernel
        self.file = file
        self.line = self._kernel.line
        self.host_names = tuple(parameter.name for parameter in task.parameters)
        self.record = Record()
        self.parameters = self._checked()

    def _checked(self) -> tuple[str, ...]:
        own, names = self._kernel.parameters, self.host_names
        if len(own) != len(names):
            raise ChildFault(
                "signature",
                kernel=self.name,
                got=len(own),
                want=len(names),
                got_names=", ".join(own),
                want_names=", ".join(names),
            )
        return own

    @property
    def auto_sync(self) -> bool:
        """Whether the compiler's automatic synchronisation is left on."""
        return self._kernel.auto_sync

    def read_source(self, file: str) -> Sequence[str]:
        """The lines of the source: the checks name operands by them."""
        return self._source.splitlines(keepends=True) if Path(file).name == self.file else ()

    def open(
        self, arguments: list[Any], blocks: int, chip: ChipSpec, batch_limit: int = 256
    ) -> Any:
        """Start the kernel for the types of ``arguments`` in a process of its own."""
        self.record.launches.append(Counter())
        door = self._kernels.of(arguments).open(arguments, blocks, chip, batch_limit)
        return _Counting(door, self.record.launches[-1])

    def close(self) -> None:
        """Nothing is kept between launches."""


class _Counting:
    """A door that counts the instructions that go through it."""

    def __init__(self, door: Any, ops: Counter[str]) -> None:
        self._door = door
        self._ops = ops
        self.sources = door.sources

    def resume(self, block: int, answer: Any = None) -> Any:
        """Run block ``block`` until it stops."""
        batch = self._door.resume(block, answer)
        self._ops.update(instr.op for instr in batch.instrs)
        return batch

    def close(self) -> None:
        """End the launch."""
        self._door.close()


def _compiled(task: Task, source: str, file: str, defines: tuple[str, ...]) -> CppKernel:
    path = _written(source, file)
    limits = Limits(cpu_s=int(task.limits.cpu_s))
    try:
        found = kernels(path, Options(defines=defines), limits)
    except CompileError as error:
        message = (error.message("zh"), error.message("en"))
        raise ChildFault(
            "launch", file, kernel=task.kernel, detail="CompileError", message=message
        ) from None
    if task.kernel not in found:
        raise ChildFault("not_handed_in", kernel=task.kernel)
    return found[task.kernel]


def _written(source: str, file: str) -> Path:
    """The text as a file, at the same place for the same text: what is built of it is kept."""
    folder = cache() / "sources" / hashlib.sha256(source.encode()).hexdigest()[:24]
    path = folder / file
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        path.write_text(source, encoding="utf-8")
    return path
