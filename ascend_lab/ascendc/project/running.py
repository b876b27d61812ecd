"""An operator project: op_host built, tiling run on the host, the kernel launched on the model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ascend_lab.ascendc.building import Options
from ascend_lab.ascendc.kernel import CppKernel
from ascend_lab.ascendc.project import kernel_source
from ascend_lab.ascendc.project.faults import HostFault, fault
from ascend_lab.ascendc.project.host_program import (
    HostProgram,
    Node,
    Shaped,
    Tiling,
    attributes,
    configuration,
    declared,
    host_program,
)
from ascend_lab.ascendc.project.prototype import Parameter, Prototype
from ascend_lab.ascendc.project.types import by_code, by_dtype, said
from ascend_lab.chips import ChipSpec
from ascend_lab.device import Device, Result
from ascend_lab.engine.errors import LabError, NotModelled

Array = NDArray[Any]
#: An input: an array, several (dynamic), none (optional); or only what is known of it.
Value = Array | Sequence[Array] | Sequence[Shaped] | None
BLOCKS_MAX = 65535
#: The least a workspace argument points at, so that a kernel which was promised none has an address.
_TILING_STEP = 8


@dataclass(frozen=True, slots=True)
class Ready:
    """What the host knows before a launch; ``tiling`` is None when its faults stop it."""

    node: Node
    types: Mapping[str, int]
    tiling: Tiling | None
    faults: tuple[HostFault, ...]

    @property
    def ok(self) -> bool:
        """Whether the kernel can be launched."""
        return self.tiling is not None and not any(f.severity == "error" for f in self.faults)


@dataclass(slots=True)
class Ran:
    """One run of an operator. ``outputs`` by name; ``result`` is None when the host's faults stopped it."""

    ready: Ready
    outputs: dict[str, Array] = field(default_factory=dict)
    result: Result | None = None

    @property
    def ok(self) -> bool:
        """Whether neither the host nor the kernel has a fault."""
        return self.ready.ok and self.result is not None and self.result.ok


class Project:
    """A project of msopgen: a folder with ``op_host`` and ``op_kernel``. Raises LabError when it is none."""

    def __init__(self, root: Path | str, spec: ChipSpec, options: Options | None = None) -> None:
        self.root = Path(root).resolve()
        self.spec = spec
        self._options = options or Options()
        self.op_host = _folder(self.root, "op_host")
        self.op_kernel = _folder(self.root, "op_kernel")

    @cached_property
    def host(self) -> HostProgram:
        """op_host, built. Raises CompileError, NoCompiler."""
        sources = [p for p in sorted(self.op_host.rglob("*.cpp")) if _is_source(p, self.op_host)]
        if not sources:
            raise LabError(
                f"{self.op_host.name} 里没有 .cpp 源文件。",
                f"there is no .cpp source in {self.op_host.name}.",
            )
        folders = (self.op_host, self.root, *self._options.includes)
        return host_program(sources, self.spec, replace(self._options, includes=folders))

    @cached_property
    def prototypes(self) -> dict[str, Prototype]:
        """The operators that op_host registers, by type."""
        return self.host.prototypes()

    def prototype(self, name: str | None = None) -> Prototype:
        """Operator ``name`` (type or kernel name); without a name the only one."""
        known = self.prototypes
        if name is None and len(known) == 1:
            return next(iter(known.values()))
        for one in known.values():
            if name in (one.type, one.kernel):
                return one
        listed = ", ".join(known) or "-"
        raise LabError(
            f"工程里的算子：{listed}。没有 {name!r}。"
            if name
            else f"工程里有多个算子（{listed}），请指明一个。",
            f"the project has {listed}, not {name!r}."
            if name
            else f"the project has {listed}: name one.",
        )

    def kernel_file(self, known: Prototype) -> kernel_source.KernelFile:
        """Where the operator's kernel is."""
        found = kernel_source.find(self.op_kernel, known.kernel)
        if found is None:
            raise LabError(
                f"op_kernel 里没有核函数 {known.kernel}：它的名字应是算子类型 {known.type} 的下划线形式。",
                f"op_kernel has no kernel {known.kernel}: its name is the operator's type {known.type} in snake case.",
            )
        return found

    # --- host ----------------------------------------------------------------------------------------------

    def prepare(
        self,
        known: Prototype,
        inputs: Mapping[str, Value],
        attrs: Mapping[str, Any],
        outputs: Mapping[str, Sequence[Shaped]] | None = None,
    ) -> Ready:
        """Infer the outputs unless they are given, and run TilingFunc."""
        given, faults = attributes(known, attrs)
        groups = tuple(_group(p, inputs.get(p.name)) for p in known.inputs)
        types = {p.name: g[0].type for p, g in zip(known.inputs, groups, strict=True) if g}
        column = configuration(known, types)
        blank = _blank(known, column, outputs or {})
        node = Node(known.type, groups, blank, tuple(given))
        pairs = zip(known.inputs, groups, strict=True)
        absent = [p.name for p, group in pairs if not group and p.option == "required"]
        faults += [fault("input_missing", name) for name in absent]
        if faults:
            return Ready(node, types, None, tuple(faults))
        if column is None:
            faults.append(fault("types", _types(types), declared(known)))
            return Ready(node, types, None, tuple(faults))
        if outputs is None:
            node, found = self._inferred(known, node, column)
            faults += found
        types |= {p.name: g[0].type for p, g in zip(known.outputs, node.outputs, strict=True) if g}
        if any(one.severity == "error" for one in faults):
            return Ready(node, types, None, tuple(faults))
        tiling, found = self._tiling(known, node)
        return Ready(node, types, tiling, (*faults, *found))

    def _inferred(self, known: Prototype, node: Node, column: int) -> tuple[Node, list[HostFault]]:
        answer = self.host.infer(node)
        faults = answer.faults
        if answer.data is None:
            return node, faults
        for name, key in (("InferShape", "shape_status"), ("InferDataType", "type_status")):
            if answer.data[key]:
                faults.append(fault("status", name, answer.data[key]))
        made = []
        for parameter, group, told in zip(
            known.outputs, node.outputs, answer.data["outputs"], strict=False
        ):
            before = group[0]
            kind = told["type"] if known.has_type else before.type
            if kind != before.type:
                faults.append(fault("infer_type", parameter.name, said(kind), said(before.type)))
            shape = tuple(told["shape"]) if known.has_shape else _first_shape(node)
            made.append((replace(before, shape=shape, type=before.type),))
        return replace(node, outputs=tuple(made)), faults

    def _tiling(self, known: Prototype, node: Node) -> tuple[Tiling | None, list[HostFault]]:
        if not known.has_tiling:
            return None, [fault("no_tiling", known.type)]
        answer = self.host.tile(node)
        faults, data = answer.faults, answer.data
        if data is None:
            return None, faults
        if data["status"]:
            faults.append(fault("status", "TilingFunc", data["status"], place=data["seen"]))
        tiling = Tiling(
            data=bytes.fromhex(data["data"]),
            blocks=data["blocks"],
            key=data["key"],
            workspace=data["workspace"],
            chosen=tuple(data["chosen"]),
            blocks_at=tuple(data["blocks_at"]),
            workspace_at=tuple(data["workspace_at"]),
            key_at=tuple(data["key_at"]),
        )
        faults += self._judged(known, tiling, list(data["seen"]))
        return tiling, faults

    def _judged(self, known: Prototype, tiling: Tiling, seen: list[Any]) -> list[HostFault]:
        found = []
        cores = self.spec.vector_cores
        if tiling.blocks < 0:
            found.append(fault("blocks_unset", place=seen))
        elif tiling.blocks == 0:
            found.append(fault("blocks_zero", place=tiling.blocks_at))
        elif tiling.blocks > BLOCKS_MAX:
            found.append(fault("blocks_many", tiling.blocks, cores, place=tiling.blocks_at))
        elif tiling.blocks > cores:
            found.append(fault("blocks_rounds", tiling.blocks, cores, place=tiling.blocks_at))
        if tiling.workspace > self.spec.memory.gm_bytes:
            numbers = (tiling.workspace, self.spec.memory.gm_bytes)
            found.append(fault("workspace_huge", *numbers, place=tiling.workspace_at))
        if not tiling.data:
            found.append(fault("no_data", place=seen))
        if tiling.chosen and known.selected and not _listed(known, tiling.chosen):
            names = [one.name for one in known.template if one.kind != "n"]
            pairs = zip(names, tiling.chosen, strict=False)
            words = ", ".join(f"{name}={value}" for name, value in pairs)
            found.append(fault("template", words, place=tiling.key_at))
        return found

    # --- kernel --------------------------------------------------------------------------------------------

    def kernel(self, known: Prototype, ready: Ready) -> CppKernel:
        """The kernel built for the types and the tiling key of ``ready``."""
        assert ready.tiling is not None
        made = kernel_source.compiled(
            known,
            self.kernel_file(known),
            ready.types,
            ready.tiling.chosen,
            ready.tiling.key,
            self._options,
        )
        made.tiling_key = ready.tiling.key
        return made

    def run(
        self,
        known: Prototype,
        inputs: Mapping[str, Value],
        attrs: Mapping[str, Any],
        device: Device,
        outputs: Mapping[str, Sequence[Shaped]] | None = None,
    ) -> Ran:
        """Run the operator once on NumPy arrays, by parameter. Raises CompileError, LabError, NotModelled."""
        ready = self.prepare(known, inputs, attrs, outputs)
        ran = Ran(ready)
        if not ready.ok or ready.tiling is None:
            return ran
        kernel = self.kernel(known, ready)
        arguments: list[Any] = [_passed(p, inputs.get(p.name)) for p in known.inputs]
        for parameter, group in zip(known.outputs, ready.node.outputs, strict=True):
            array = empty(group[0])
            ran.outputs[parameter.name] = array
            arguments.append(array)
        arguments += [np.zeros(ready.tiling.workspace, np.uint8), tiling_array(ready.tiling)]
        written = kernel.parameters[len(known.inputs) : len(known.inputs) + len(ran.outputs)]
        _fit(kernel, len(arguments))
        ran.result = device.launch(
            kernel,
            ready.tiling.blocks,
            *arguments,
            outputs=written,
            undefined=[*written, kernel.parameters[-2]],
        )
        return ran


def tiling_array(tiling: Tiling) -> Array:
    """The tiling data as a kernel finds it in GM."""
    return np.frombuffer(tiling.data + bytes(-len(tiling.data) % _TILING_STEP), np.uint8).copy()


def empty(shaped: Shaped) -> Array:
    """An array for an output, with bytes that mean nothing."""
    found = by_code(shaped.type)
    assert found is not None
    array: Array = np.zeros(shaped.shape, found.dtype)
    array.reshape(-1).view(np.uint8)[:] = 0xA5
    return array


def _folder(root: Path, name: str) -> Path:
    found = root / name
    if not found.is_dir():
        raise LabError(
            f"{root.name} 不是算子工程：没有 {name} 目录。工程由 op_host 与 op_kernel 组成。",
            f"{root.name} is no operator project: it has no folder {name}. A project has op_host and op_kernel.",
        )
    return found


def _is_source(path: Path, folder: Path) -> bool:
    return not any(
        part in ("tests", "test", "op_api", "build") for part in path.relative_to(folder).parts
    )


def _group(parameter: Parameter, value: Value) -> tuple[Shaped, ...]:
    if value is None:
        return ()
    arrays: list[Any] = [value] if isinstance(value, np.ndarray) else list(value)
    found = []
    for array in arrays:
        if isinstance(array, Shaped):
            found.append(array)
            continue
        kind = by_dtype(array.dtype)
        if kind is None:
            raise TypeError(f"{parameter.name}: no operator takes arrays of type {array.dtype}")
        data = array if parameter.depends else None
        found.append(Shaped(parameter.name, array.shape, kind.code, data=data))
    return tuple(found)


def _blank(
    known: Prototype, column: int | None, outputs: Mapping[str, Sequence[Shaped]]
) -> tuple[tuple[Shaped, ...], ...]:
    """The outputs before anything is inferred: of the declared type, without a shape."""
    made = []
    for parameter in known.outputs:
        given = outputs.get(parameter.name)
        types = parameter.types or (0,)
        kind = types[min(column or 0, len(types) - 1)]
        made.append(tuple(given) if given else (Shaped(parameter.name, (), kind),))
    return tuple(made)


def _first_shape(node: Node) -> tuple[int, ...]:
    return next((group[0].shape for group in node.inputs if group), ())


def _types(types: Mapping[str, int]) -> str:
    return " ".join(f"{name}={said(code)}" for name, code in types.items())


def _listed(known: Prototype, chosen: Sequence[int]) -> bool:
    names = [one.name for one in known.template if one.kind != "n"]
    values = dict(zip(names, chosen, strict=False))
    for selected in known.selected:
        listed = [one for one in selected if one.kind != "n"]
        if all(values.get(one.name) in _allowed(one.kind, one.values) for one in listed):
            return True
    return False


def _allowed(kind: str, values: Sequence[int]) -> Sequence[int]:
    """The values of a selection; numbers may be a list (1, values...) or ranges (0, pairs...)."""
    if kind != "u" or not values:
        return values
    how, rest = values[0], list(values[1:])
    if how == 1:
        return rest
    count = rest[0] if rest else 0
    pairs = [rest[k : k + 2] for k in range(1, 1 + 2 * count, 2)]
    found = [n for low, high in pairs for n in range(low, high + 1)]
    return found + (rest[1 + 2 * count :] if how == 2 else [])


def _passed(parameter: Parameter, value: Value) -> Any:
    if value is None or isinstance(value, np.ndarray):
        return value
    if len(value) == 1:
        return value[0]
    raise NotModelled("ListTensorDesc", parameter.name)


def _fit(kernel: CppKernel, count: int) -> None:
    if len(kernel.parameters) != count:
        listed = ", ".join(kernel.parameters)
        raise LabError(
            f"核函数 {kernel.name} 有 {len(kernel.parameters)} 个参数（{listed}），应为 {count} 个："
            "按顺序的输入、输出、workspace、tiling。",
            f"kernel {kernel.name} has {len(kernel.parameters)} parameters ({listed}), {count} are wanted: "
            "inputs, outputs, workspace, tiling, in this order.",
        )
