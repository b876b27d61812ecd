"""The program made of op_host: it describes its operators and runs their functions for one node after another."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ascend_lab.ascendc.building import Build, Options, build
from ascend_lab.ascendc.process import Limits, Process, ProcessDied
from ascend_lab.ascendc.project.faults import HostFault, fault
from ascend_lab.ascendc.project.prototype import Attribute, Parameter, Prototype, prototype
from ascend_lab.ascendc.project.types import FORMAT_ND, said
from ascend_lab.chips import ChipSpec

MAIN = Path(__file__).with_name("op_host_main.cpp")
_LIMITS = Limits(cpu_s=20, memory_mb=2048, silence_s=30.0)


@dataclass(frozen=True, slots=True)
class Shaped:
    """A tensor of a node: ``type`` is ge's number; ``data`` where the operator depends on the values."""

    name: str
    shape: tuple[int, ...]
    type: int
    format: int = FORMAT_ND
    data: NDArray[Any] | None = None


@dataclass(frozen=True, slots=True)
class Node:
    """One call of an operator. Each input and output is a list: none (optional), one, several (dynamic)."""

    type: str
    inputs: tuple[tuple[Shaped, ...], ...]
    outputs: tuple[tuple[Shaped, ...], ...]
    attrs: tuple[tuple[Attribute, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class Tiling:
    """What TilingFunc says: the bytes a kernel gets, blocks, key, workspace in bytes, template arguments."""

    data: bytes
    blocks: int
    key: int
    workspace: int
    chosen: tuple[int, ...]
    blocks_at: tuple[str, int]
    workspace_at: tuple[str, int]
    key_at: tuple[str, int]


@dataclass(slots=True)
class Answer:
    """What a function of op_host gave, and what was wrong; ``data`` is None when it died."""

    data: Any
    faults: list[HostFault] = field(default_factory=list)


class HostProgram:
    """The functions of op_host, on the host of one chip. Every question has a process of its own."""

    def __init__(self, built: Build, spec: ChipSpec) -> None:
        self._built = built
        self._spec = spec

    def prototypes(self) -> dict[str, Prototype]:
        """The operators by type, in alphabetical order."""
        answer = self._ask("describe")
        return {one["type"]: prototype(one) for one in answer.data or ()}

    def infer(self, node: Node) -> Answer:
        """InferShape and InferDataType: {"shape_status", "type_status", "outputs": [{"shape", "type"}]}."""
        return self._ask("infer " + written(node))

    def tile(self, node: Node) -> Answer:
        """TilingFunc: status, blocks, key, workspace, data as text of hexadecimal digits."""
        return self._ask("tile " + written(node))

    def _ask(self, task: str) -> Answer:
        with self._built.start(MAIN.parent, _LIMITS) as process:
            return self._serve(process, task)

    def _serve(self, process: Process, task: str) -> Answer:
        answer, tasks = Answer(None), [task, ""]
        try:
            while True:
                call = process.call()
                if call.name == "hello":
                    process.set_chip(self._spec)
                    process.reply(1)
                elif call.name == "op.told":
                    kind, file, line, *values = call.values
                    answer.faults.append(fault(kind, *values, place=(file, line)))
                    process.reply(0)
                elif call.name == "op.next":
                    if call.values[0]:
                        answer.data = json.loads(call.values[0])
                    process.reply(0, tasks.pop(0))
                else:
                    process.reply(0)
        except ProcessDied:
            return self._ended(process, answer)

    def _ended(self, process: Process, answer: Answer) -> Answer:
        said_last = process.last_said
        if answer.data is None and not any(one.kind == "died" for one in answer.faults):
            how = "SIGXCPU" if process.timed_out else "SIGABRT"
            if said_last is not None and said_last.kind == "X":
                how = said_last.texts[0]
            answer.faults.append(fault("died", "op_host", how))
        return answer


def host_program(
    sources: Sequence[Path], spec: ChipSpec, options: Options | None = None
) -> HostProgram:
    """Compile the sources of op_host. Raises CompileError, NoCompiler."""
    return HostProgram(build([*sources, MAIN], options), spec)


def written(node: Node) -> str:
    """A node as the program reads it: words with spaces between."""
    words: list[str] = [node.type, node.type]
    for group in (node.inputs, node.outputs):
        words += [str(len(group)), *(str(len(one)) for one in group)]
        for tensor in (tensor for one in group for tensor in one):
            words += _tensor(tensor)
    words.append(str(len(node.attrs)))
    for attr, value in node.attrs:
        words += _attr(attr, value)
    return " ".join(words)


def _tensor(tensor: Shaped) -> list[str]:
    data = "-" if tensor.data is None else "x" + np.ascontiguousarray(tensor.data).tobytes().hex()
    dims = [str(dim) for dim in tensor.shape]
    return [tensor.name, "1", str(tensor.type), str(tensor.format), str(len(dims)), *dims, data]


def _attr(attr: Attribute, value: Any) -> list[str]:
    if value is None:
        return [attr.name, attr.kind, "0"]
    words = [attr.name, attr.kind, "1"]
    if attr.kind in "BIF":
        return [*words, str(len(value)), *(_number(one) for one in value)]
    if attr.kind == "s":
        return [*words, "x" + str(value).encode().hex()]
    return [*words, _number(value) if attr.kind == "f" else str(int(value))]


def _number(value: Any) -> str:
    return repr(float(value)) if isinstance(value, float) else str(int(value))


def attributes(
    known: Prototype, given: Mapping[str, Any]
) -> tuple[list[tuple[Attribute, Any]], list[HostFault]]:
    """The operator's attributes with their values: those of ``given``, else the defaults."""
    found, faults = [], []
    for attr in known.attrs:
        value = given.get(attr.name, attr.default)
        if value is None and attr.required:
            faults.append(fault("attr_missing", attr.name))
        found.append((attr, value))
    return found, faults


def configuration(known: Prototype, types: Mapping[str, int]) -> int | None:
    """Which of the declared combinations ``types`` (by parameter) are, None when none."""
    parameters = [p for p in (*known.inputs, *known.outputs) if p.name in types and p.types]
    for column in range(known.configurations()):
        if all(_type_at(p, column) == types[p.name] for p in parameters):
            return column
    return None


def _type_at(parameter: Parameter, column: int) -> int:
    return parameter.types[min(column, len(parameter.types) - 1)]


def declared(known: Prototype) -> str:
    """The combinations that an operator declares, for people."""
    columns = []
    for column in range(known.configurations()):
        names = [
            f"{p.name}={said(_type_at(p, column))}"
            for p in (*known.inputs, *known.outputs)
            if p.types
        ]
        columns.append(" ".join(names))
    return "; ".join(columns)
