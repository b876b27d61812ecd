"""Samples without a host program: operator projects, and sources that only hold kernels."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ascend_lab.acl.host_device import HostDevice
from ascend_lab.ascendc import CompileError, kernels
from ascend_lab.ascendc.kernel import CppKernel
from ascend_lab.ascendc.project import Project
from ascend_lab.ascendc.project.aclnn import call
from ascend_lab.ascendc.project.prototype import Prototype
from ascend_lab.ascendc.project.running import Ran
from ascend_lab.ascendc.project.types import by_code
from ascend_lab.conform.golden import Golden, agrees, golden_of
from ascend_lab.conform.judging import of_outcome
from ascend_lab.conform.shell import FRESH
from ascend_lab.conform.verdict import Verdict
from ascend_lab.device import Device, Result
from ascend_lab.engine.errors import LabError, NotModelled

Array = NDArray[Any]
_SHAPE = (8, 2048)  # what tutorials use; every split of theirs divides it
_BLOCKS = 8
_SEED = 7
_CALLS = re.compile(r"\baclnn\w+GetWorkspaceSize\s*\(")
_FLOATS = ("float16", "float32", "bfloat16")


def run_project(root: Path, schedule: str = "realistic") -> list[Verdict]:
    """Each operator of the project in ``root``, for each of its types."""
    device = Device()
    verdicts: list[Verdict] = []
    try:
        project = Project(root, device.spec)
        for known in project.prototypes.values():
            golden = golden_of(known.kernel)
            for inputs in _inputs(known, golden):
                verdicts.append(_operator(project, known, inputs, golden, schedule))
    except CompileError as error:
        verdicts.append(_not_built(error, ""))
    return verdicts


def with_program(path: Path) -> tuple[Path, Path] | None:
    """(operator project, host program that calls aclnn) where a sample consists of one of each, else None."""
    if (path / "CMakeLists.txt").is_file():
        return None
    projects = [h.parent for h in path.rglob("op_host") if (h.parent / "op_kernel").is_dir()]
    programs = [
        source
        for source in path.rglob("*.cpp")
        if not any(source.is_relative_to(project) for project in projects)
        and _CALLS.search(text := source.read_text("utf-8", "replace"))
        and "main(" in text
    ]
    return (projects[0], programs[0]) if len(projects) == len(programs) == 1 else None


def run_program(root: Path, source: Path, scratch: Path, schedule: str) -> Verdict:
    """The host program against the project, as its own text verifies it."""
    device = HostDevice(schedule=schedule, fresh=FRESH)
    printed = scratch / "printed.txt"
    try:
        with printed.open("wb") as file:
            project = Project(root, device.spec)
            called = call(project, [source], device=device, folder=scratch, stdout=file)
    except CompileError as error:
        return _not_built(error, "")
    except NotModelled as error:
        return Verdict("not modelled", f"{error.api} {error.argument}".strip())
    except LabError as error:
        return Verdict("wrong", _line(error.message("en")))
    wrong = [fault.message("en") for fault in called.faults if fault.severity == "error"]
    if wrong:
        return Verdict("finding", _line("; ".join(wrong)), "", ("host",))
    return of_outcome(called.outcome, printed.read_text("utf-8", "replace"), "", device.limit)


def run_kernels(source: Path, schedule: str = "realistic") -> list[Verdict]:
    """The kernels of a source without ``main``: pointers are tensors of half, a number is their length."""
    try:
        found = kernels(source)
    except CompileError as error:
        return [_not_built(error, "")]
    return [_kernel(kernel, Device(schedule=schedule)) for kernel in found.values()]


# --- operators of a project -----------------------------------------------------------------------------


def _inputs(known: Prototype, golden: Golden | None) -> Iterator[dict[str, Array]]:
    """Arrays for every combination of types that the operator declares and the golden is for."""
    for column in range(known.configurations()):
        kinds = [by_code(p.types[min(column, len(p.types) - 1)]) for p in known.inputs]
        if any(kind is None for kind in kinds):
            continue
        dtypes = [kind.dtype for kind in kinds if kind is not None]
        if "sigmoid" in known.kernel and any(d.name not in _FLOATS for d in dtypes):
            continue
        yield {
            p.name: _values(dtype, k)
            for k, (p, dtype) in enumerate(zip(known.inputs, dtypes, strict=True))
        }


def _values(dtype: np.dtype[Any], salt: int) -> Array:
    made = np.random.default_rng(_SEED + salt).uniform(-4, 4, _SHAPE)
    return made.astype(dtype)


def _operator(
    project: Project,
    known: Prototype,
    inputs: Mapping[str, Array],
    golden: Golden | None,
    schedule: str,
) -> Verdict:
    case = f"{known.kernel} {'/'.join(array.dtype.name for array in inputs.values())}"
    attrs = {a.name: {"max": 3.0, "min": -3.0}.get(a.name, a.default) for a in known.attrs}
    try:
        ran = project.run(known, inputs, attrs, Device(schedule=schedule))
    except CompileError as error:
        return _not_built(error, case)
    except NotModelled as error:
        return Verdict("not modelled", f"{error.api} {error.argument}".strip(), case)
    except LabError as error:
        return Verdict("wrong", _line(error.message("en")), case)
    if not ran.ready.ok:
        return Verdict("finding", _host_faults(ran), case, ("host",))
    assert ran.result is not None
    outputs = list(ran.outputs.values())
    return _judged(ran.result, outputs[:1], golden, list(inputs.values()), attrs, case)


def _host_faults(ran: Ran) -> str:
    return _line("; ".join(fault.message("en") for fault in ran.ready.faults))


# --- kernels alone ----------------------------------------------------------------------------------------


def _kernel(kernel: CppKernel, device: Device) -> Verdict:
    golden = golden_of(kernel.name)
    pointers = [name for name in kernel.parameters if "length" not in name.lower()]
    inputs = [_values(np.dtype(np.float16), k) for k in range(len(pointers) - 1)]
    output = np.zeros(_SHAPE, np.float16)
    numbers = [output.size] * (len(kernel.parameters) - len(pointers))
    try:
        result = device.launch(kernel, _BLOCKS, *inputs, output, *numbers, outputs=[pointers[-1]])
    except NotModelled as error:
        return Verdict("not modelled", f"{error.api} {error.argument}".strip(), kernel.name)
    except LabError as error:
        return Verdict("wrong", _line(error.message("en")), kernel.name)
    return _judged(result, [output], golden, inputs, {}, kernel.name)


# --- verdicts ---------------------------------------------------------------------------------------------


def _judged(
    result: Result,
    outputs: list[Array],
    golden: Golden | None,
    inputs: list[Array],
    attrs: Mapping[str, Any],
    case: str,
) -> Verdict:
    ids = tuple(dict.fromkeys(f.id for f in result.findings if f.severity == "error"))
    notes = tuple(dict.fromkeys(f.id for f in result.findings if f.severity != "error"))
    if ids:
        first = next(f for f in result.findings if f.severity == "error")
        return Verdict(
            "finding", f"{', '.join(ids)}: {_line(first.message('en'))}", case, ids, notes
        )
    if golden is None:
        return Verdict("not driven", "there is no golden for it", case, ids, notes)
    if not agrees(outputs[0], golden(inputs, attrs)):
        return Verdict("wrong", "the result is not that of our golden", case, ids, notes)
    return Verdict("pass", "", case, ids, notes)


def _not_built(error: CompileError, case: str) -> Verdict:
    lines = error.text.strip().splitlines() or [""]
    first = next((line for line in lines if "error" in line or "undefined" in line), lines[0])
    return Verdict("build error", first[:200], case)


def _line(text: str) -> str:
    return " ".join(text.split())[:200]
