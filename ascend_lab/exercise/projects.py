"""An answer in the form of the official judge: op_host with its tiling, op_kernel with the kernel.

All of it runs in children. TilingFunc sees shapes and types, never data.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ascend_lab.ascendc.building import Options
from ascend_lab.ascendc.project import Project
from ascend_lab.ascendc.project.host_program import Shaped
from ascend_lab.ascendc.project.prototype import Prototype
from ascend_lab.ascendc.project.running import Ready, tiling_array
from ascend_lab.ascendc.project.types import by_dtype
from ascend_lab.chips import ChipSpec
from ascend_lab.exercise.confined import ConfinedSite
from ascend_lab.exercise.faults import ChildFault
from ascend_lab.exercise.guarded import Guarded, doubted, signature
from ascend_lab.exercise.launcher import Launcher
from ascend_lab.exercise.prepared import Prepared
from ascend_lab.exercise.remote import Answer, Record
from ascend_lab.exercise.task import Limits, Parameter

#: Most workspace that the judge gives, in MB.
WORKSPACE_MB = 256
_WORKSPACE, _TILING = "workspace", "tiling"


class ProjectKernel:
    """The operator of a project, judged on a task's cases; see `RemoteKernel`. Raises ChildFault."""

    insert_sync = False
    auto_sync = True

    def __init__(
        self,
        launcher: Launcher,
        answer: Answer,
        kernel: str,
        parameters: Sequence[Parameter],
        spec: ChipSpec,
        limits: Limits,
    ) -> None:
        self.name = kernel
        self.host_names = self.parameters = tuple(one.name for one in parameters)
        self.record = Record()
        self._task = tuple(parameters)
        self._texts = {Path(cell.name).name: cell.text for cell in answer.cells}
        self._built: dict[tuple[Any, ...], Guarded] = {}
        self._site = ConfinedSite(launcher, kernel, limits)
        try:
            self._project, self._known = self._opened(answer, spec)
        except BaseException:
            self.close()
            raise

    def _opened(self, answer: Answer, spec: ChipSpec) -> tuple[Project, Prototype]:
        root = self._site.place({cell.name: cell.text for cell in answer.cells})
        with doubted(self._site, "op_host"):
            project = Project(root, spec, Options(site=self._site))
            known = project.prototype()
            file = project.kernel_file(known)
        self.record.layers = self._site.layers
        self.file, self.line = file.path.name, file.text.line
        self.defined_in: tuple[str, ...] = (self.file,)
        self._fit(known)
        return project, known

    def _fit(self, known: Prototype) -> None:
        """The operator has as many inputs and outputs as the task."""
        ins, outs = self._of("in", "inout"), self._of("out", "inout")
        if (len(known.inputs), len(known.outputs)) != (len(ins), len(outs)):
            raise ChildFault(
                "host_inputs",
                got_in=_names(known.inputs),
                got_out=_names(known.outputs),
                want_in=_names(ins),
                want_out=_names(outs),
            )

    def _of(self, *roles: str) -> list[Parameter]:
        return [one for one in self._task if one.role in roles]

    # --- a case ------------------------------------------------------------------------------------------

    def prepare(self, arguments: Sequence[Any]) -> Prepared:
        """Infer the outputs, run TilingFunc, and build the kernel for what it has chosen."""
        values = dict(zip(self.parameters, arguments, strict=True))
        ins = [values[one.name] for one in self._of("in", "inout")]
        outs = [values[one.name] for one in self._of("out", "inout")]
        with doubted(self._site, "op_host"):
            ready = self._ready(ins, outs, values)
        with doubted(self._site, "op_kernel"):
            kernel = self._kernel(ready)
        tiling = ready.tiling
        assert tiling is not None
        if tiling.workspace > WORKSPACE_MB << 20:
            raise ChildFault("host_memory", detail=tiling.workspace >> 20, limit=WORKSPACE_MB)
        workspace = np.zeros(tiling.workspace, np.uint8)
        written = kernel.parameters[len(ins) : len(ins) + len(outs)]
        return Prepared(
            kernel,
            tiling.blocks,
            [*ins, *outs, workspace, tiling_array(tiling)],
            written,
            (*written, kernel.parameters[-2]),
        )

    def _ready(self, ins: list[Any], outs: list[Any], values: dict[str, Any]) -> Ready:
        known = self._known
        inputs = {one.name: _shaped(one.name, array) for one, array in _pairs(known.inputs, ins)}
        scalars = {one.name: values[one.name] for one in self._of("scalar")}
        attrs = {one.name: scalars[one.name] for one in known.attrs if one.name in scalars}
        ready = self._project.prepare(known, inputs, attrs)
        wrong = next((one for one in ready.faults if one.severity == "error"), None)
        if wrong is not None:
            place = Path(wrong.file).name
            if wrong.kind == "died" and self._site.links:
                over = self._site.links[-1].fault()
                if over.kind == "cpu":
                    raise ChildFault("host_time", place, wrong.line, detail=over.numbers["detail"])
            raise ChildFault("host", place, wrong.line, message=(wrong.zh, wrong.en))
        for one, group, array in zip(known.outputs, ready.node.outputs, outs, strict=True):
            if group[0].shape != array.shape:
                got, want = list(group[0].shape), list(array.shape)
                raise ChildFault("host_shape", name=one.name, got=got, want=want)
        return ready

    def _kernel(self, ready: Ready) -> Guarded:
        assert ready.tiling is not None
        key = (ready.tiling.key, ready.tiling.chosen, tuple(sorted(ready.types.items())))
        if key not in self._built:
            inner = self._project.kernel(self._known, ready)
            wanted = tuple(one.name for one in (*self._known.inputs, *self._known.outputs))
            fault = signature(inner.parameters, (*wanted, _WORKSPACE, _TILING), inner.name)
            if fault is not None:
                raise fault
            self._built[key] = Guarded(inner, self._site, self.record, inner.parameters[-1])
        return self._built[key]

    def read_source(self, file: str) -> Sequence[str]:
        """The lines of a file of the project."""
        return self._texts.get(Path(file).name, "").splitlines(keepends=True)

    def open(
        self, arguments: list[Any], blocks: int, chip: ChipSpec, batch_limit: int = 256
    ) -> Any:
        """A project is launched by what `prepare` returns."""
        raise TypeError("a project is launched by what prepare() returns")

    def close(self) -> None:
        """End what runs, and remove what was built."""
        self._site.close()


def _names(parameters: Sequence[Any]) -> str:
    return ", ".join(str(one.name)[:80] for one in parameters[:20]) or "-"


def _pairs(declared: Sequence[Any], arrays: Sequence[Any]) -> Iterator[tuple[Any, Any]]:
    return zip(declared, arrays, strict=True)


def _shaped(name: str, array: Any) -> tuple[Shaped]:
    """What the host is told of an input: its shape and type."""
    kind = by_dtype(array.dtype)
    assert kind is not None
    return (Shaped(name, array.shape, kind.code),)
