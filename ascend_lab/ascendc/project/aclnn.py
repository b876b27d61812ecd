"""Host programs that call an operator of the project by its aclnn functions: `main.cpp`, unmodified.

The header aclnn_<op>.h is generated from the prototype. The first call runs tiling and says how much workspace is
needed, the second queues the kernel on the stream.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import IO, Any

from ascend_lab.acl import HostDevice, Spot
from ascend_lab.acl.kernels import Pointer
from ascend_lab.ascendc.building import Options, build, cache
from ascend_lab.ascendc.process import Process
from ascend_lab.ascendc.program import Outcome, Program
from ascend_lab.ascendc.project.faults import HostFault, fault
from ascend_lab.ascendc.project.host_program import Shaped
from ascend_lab.ascendc.project.prototype import Parameter, Prototype
from ascend_lab.ascendc.project.running import Project, Ready, tiling_array
from ascend_lab.ascendc.project.types import by_code
from ascend_lab.device import Result
from ascend_lab.engine.errors import LabError, NotModelled
from ascend_lab.engine.instruction import Argument
from ascend_lab.engine.shown import shown

#: Status codes of aclnn calls (CANN: aclnn return codes).
OK, PARAM_NULL, PARAM_INVALID, TILING_FAILED, RUNTIME = 0, 161001, 161002, 561002, 361001
_ATTRS = {
    "b": "bool",
    "i": "int64_t",
    "f": "double",
    "s": "const char*",
    "I": "const aclIntArray*",
    "F": "const aclFloatArray*",
    "B": "const aclBoolArray*",
}


# --- the header ----------------------------------------------------------------------------------------------


def header(known: Prototype) -> str:
    """The text of aclnn_<op>.h."""
    parameters = [*_declared(known), "uint64_t* workspaceSize", "aclOpExecutor** executor"]
    adds = [f".Tensor({name})" for name in _names(known.inputs)]
    adds += [f".Attr({attr.value_name})" for attr in _attrs(known)]
    adds += [f".Tensor({name})" for name in _outputs(known)]
    return "\n".join(
        [
            "#pragma once",
            "#pragma GCC system_header",
            '#include "aclnn/acl_meta.h"',
            f"inline aclnnStatus aclnn{known.type}GetWorkspaceSize({', '.join(parameters)}, AL_HERE)",
            "{",
            f'    return ::al::op::AclnnCall("{known.type}"){"".join(adds)}'
            ".Prepare(workspaceSize, executor, here);",
            "}",
            f"inline aclnnStatus aclnn{known.type}(void* workspace, uint64_t workspaceSize, "
            "aclOpExecutor* executor, aclrtStream stream, AL_HERE)",
            "{",
            "    return ::al::op::AclnnExecute(workspace, workspaceSize, executor, stream, here);",
            "}",
            "",
        ]
    )


@dataclass(frozen=True, slots=True)
class _Attr:
    type: str
    value_name: str


def _attrs(known: Prototype) -> list[_Attr]:
    return [_Attr(_ATTRS[attr.kind], f"{attr.name}Value") for attr in known.attrs]


def _names(parameters: Sequence[Parameter]) -> list[str]:
    return [f"{one.name}Tensor" for one in parameters]


def _outputs(known: Prototype) -> list[str]:
    return [f"{one.name}Out" for one in known.outputs]


def _declared(known: Prototype) -> Iterator[str]:
    for parameter, name in zip(known.inputs, _names(known.inputs), strict=True):
        yield f"const {_tensor(parameter)}* {name}"
    yield from (f"{attr.type} {attr.value_name}" for attr in _attrs(known))
    for parameter, name in zip(known.outputs, _outputs(known), strict=True):
        yield f"const {_tensor(parameter)}* {name}"


def _tensor(parameter: Parameter) -> str:
    return "aclTensorList" if parameter.option == "dynamic" else "aclTensor"


def headers(project: Project) -> Path:
    """A folder with the aclnn header of each operator, also under ``aclnnop``."""
    texts = {known.kernel: header(known) for known in project.prototypes.values()}
    digest = hashlib.sha256(json.dumps(texts, sort_keys=True).encode()).hexdigest()[:16]
    folder = cache() / "projects" / f"aclnn-{digest}"
    for name, text in texts.items():
        for place in (folder, folder / "aclnnop"):
            place.mkdir(parents=True, exist_ok=True)
            path = place / f"aclnn_{name}.h"
            if not path.exists():
                path.write_text(text, "utf-8")
    return folder


# --- the program ---------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Executor:
    known: Prototype
    ready: Ready
    addresses: tuple[tuple[int, ...], ...]  # of each input, then each output


@dataclass(slots=True)
class Called:
    """How a program that calls aclnn functions ended, and the faults of op_host on the way."""

    outcome: Outcome
    faults: list[HostFault] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        """Whether the program, its kernels and op_host are without fault."""
        return self.outcome.ok and not any(one.severity == "error" for one in self.faults)


class _Host:
    """The calls of the program: aclnn's are answered here, all others go on."""

    def __init__(self, program: Program, device: HostDevice, project: Project) -> None:
        self._program = program
        self._inner = program._host
        self._device = device
        self._project = project
        self._executors: list[_Executor] = []
        self.faults: list[HostFault] = []
        self.runtime = self._inner.runtime

    def end(self, *, alive: bool) -> Any:
        return self._inner.end(alive=alive)

    def call(self, name: str, values: tuple[Any, ...]) -> tuple[int | str, ...]:
        if name == "aclnn.prepare":
            return self._prepare(*values)
        if name == "aclnn.execute":
            return self._execute(*values)
        return self._inner.call(name, values)

    def _prepare(self, kind: str, text: str, file: str, line: int) -> tuple[int | str, ...]:
        known = self._project.prototypes[kind]
        values = json.loads(text)
        inputs, attrs = values[: len(known.inputs)], values[len(known.inputs) :]
        outputs = attrs[len(known.attrs) :]
        missing = [
            one.name
            for one, group in zip((*known.inputs, *known.outputs), (*inputs, *outputs), strict=True)
            if not group and one.option == "required"
        ]
        if missing:
            self.faults.append(fault("tensor_null", ", ".join(missing), place=(file, line)))
            return PARAM_NULL, 0, 0
        if not all(_contiguous(one) for group in (*inputs, *outputs) for one in group):
            raise NotModelled("aclCreateTensor", "stride")
        given = {a.name: value for a, value in zip(known.attrs, attrs, strict=False)}
        ready = self._project.prepare(
            known,
            {p.name: _group(p, one) for p, one in zip(known.inputs, inputs, strict=True)},
            {name: value for name, value in given.items() if value is not None},
            {p.name: _group(p, one) for p, one in zip(known.outputs, outputs, strict=True)},
        )
        self.faults += [one if one.file else _at(one, file, line) for one in ready.faults]
        if not ready.ok or ready.tiling is None:
            wrong = {one.kind for one in ready.faults}
            return (PARAM_INVALID if "types" in wrong else TILING_FAILED), 0, 0
        addresses = tuple(tuple(t["data"] + _skipped(t) for t in g) for g in (*inputs, *outputs))
        self._executors.append(_Executor(known, ready, addresses))
        return OK, ready.tiling.workspace, len(self._executors) - 1

    def _execute(
        self, number: int, workspace: int, size: int, stream: int, file: str, line: int
    ) -> tuple[int | str, ...]:
        made = self._executors[number]
        tiling = made.ready.tiling
        assert tiling is not None
        if tiling.workspace and (not workspace or size < tiling.workspace):
            numbers = (tiling.workspace, size if workspace else 0)
            self.faults.append(fault("workspace_small", *numbers, place=(file, line)))
            return (PARAM_NULL if not workspace else PARAM_INVALID,)
        kernel = self._project.kernel(made.known, made.ready)
        groups = (*made.ready.node.inputs, *made.ready.node.outputs)
        names = list(kernel.parameters)
        arguments: list[Any] = [
            self._argument(name, group, places)
            for name, group, places in zip(names, groups, made.addresses, strict=False)
        ]
        arguments.append(Argument(names[-2], workspace, "uint8", size) if workspace else None)
        pointers = [Pointer(one.name, one.addr) for one in arguments if one is not None]
        written = names[len(made.known.inputs) : len(groups)]

        def run() -> Result:
            return self._launch(
                kernel, tiling.blocks, [*arguments], tiling_array(tiling), names, written
            )

        self._inner._place = Spot(shown(file), line)
        launch = self.runtime.kernels.launch
        code = int(launch(made.known.kernel, tiling.blocks, stream, pointers, run))
        return (RUNTIME if code else OK,)

    def _launch(
        self,
        kernel: Any,
        blocks: int,
        arguments: list[Any],
        tiling: Any,
        names: Sequence[str],
        written: Sequence[str],
    ) -> Result:
        """Runs when the stream has come to it; the tiling data lies in GM for as long as the kernel runs."""
        place = self._device.memory.alloc(names[-1], tiling.nbytes, "uint8")
        place.contents()[:] = tiling
        arguments.append(Argument(names[-1], place.addr, "uint8", tiling.nbytes))
        try:
            result = self._device.launch_in_place(kernel, blocks, arguments)
        finally:
            self._device.memory.free(place.addr)
        self._program.outcome.results.append((kernel.name, result))
        if result.stdout:
            self._program._process.say(result.stdout)
        return result

    def _argument(
        self, name: str, group: Sequence[Shaped], places: Sequence[int]
    ) -> Argument | None:
        if not group:
            return None
        kind = by_code(group[0].type)
        assert kind is not None
        found = self._device.memory.locate(places[0])
        dtype = kind.dtype.name if kind.dtype.name != "bool" else "uint8"
        if found is None:
            return Argument(name, places[0], dtype, 0)
        if found.dtype == "uint8":
            found.dtype = dtype
        if found.name.startswith("gm"):
            found.name = name
        return Argument(name, places[0], dtype, (found.end - places[0]) // kind.dtype.itemsize)


def _group(parameter: Parameter, tensors: Sequence[Mapping[str, Any]]) -> tuple[Shaped, ...]:
    return tuple(
        Shaped(parameter.name, tuple(one["shape"]), one["type"], one["format"]) for one in tensors
    )


def _contiguous(tensor: Mapping[str, Any]) -> bool:
    """Whether the elements of a view lie one behind the other."""
    step, strides = 1, list(tensor["strides"])
    for length, stride in zip(reversed(tensor["shape"]), reversed(strides), strict=False):
        if length > 1 and stride != step:
            return False
        step *= length
    return True


def _skipped(tensor: Mapping[str, Any]) -> int:
    """Bytes that the tensor's offset skips."""
    kind = by_code(tensor["type"])
    return int(tensor["offset"]) * (kind.dtype.itemsize if kind is not None else 1)


def _at(one: HostFault, file: str, line: int) -> HostFault:
    return replace(one, file=shown(file), line=line)


def call(
    project: Project,
    sources: Sequence[Path],
    args: Sequence[str] = (),
    *,
    device: HostDevice | None = None,
    folder: Path | None = None,
    options: Options | None = None,
    stdout: int | IO[bytes] | None = None,
) -> Called:
    """Build and run a host program against the project. Raises CompileError, NoCompiler, LabError."""
    given = options or Options()
    built = build(sources, replace(given, includes=(headers(project), *given.includes)))
    where = folder or built.sources[0].parent
    process = Process(built.program, args, folder=where, stdout=stdout)
    used = device or HostDevice(chip=project.spec)
    program = Program(process, used)
    host = _Host(program, used, project)
    program._host = host  # type: ignore[assignment]
    outcome = program.run()
    if isinstance(outcome.error, LabError):
        raise outcome.error
    return Called(outcome, host.faults)
