"""The harness of an exported answer: the task's public cases, golden and accuracy rule as a script for pyasc."""

from __future__ import annotations

import hashlib
import hmac
import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ascend_lab.commands.source import Refused

if TYPE_CHECKING:
    from ascend_lab.exercise.task import Case, Parameter, Task

#: Names the harness binds: a kernel's constants must have others.
NAMES = frozenset(
    "argparse sys np asc rt config THRESHOLDS NEAR_ZERO CASES random_floats random_integers "
    "put_edges filled_output widened is_right golden run_case".split()
)

IMPORTS = """\
import argparse
import sys

import numpy as np

import asc
import asc.lib.runtime as rt
import asc.runtime.config as config
"""

_HELPERS = '''\
#: Thresholds and "near zero" by type: mean relative error < t, largest < 10 t; integers are equal.
THRESHOLDS = {thresholds}
NEAR_ZERO = {small}


def random_floats(rng, shape, dtype, low, high, edges=()):
    return put_edges(rng, rng.uniform(low, high, shape).astype(dtype), edges)


def random_integers(rng, shape, dtype, low, high, edges=()):
    return put_edges(rng, rng.integers(low, high, shape, np.int64, endpoint=True).astype(dtype), edges)


def put_edges(rng, values, edges):
    """``edges`` at random places: values that must occur."""
    places = rng.permutation(values.size)[: len(edges)]
    values.reshape(-1)[places] = np.array(edges[: len(places)], values.dtype)
    return values


def filled_output(shape, dtype, byte):
    """An output that holds no number a kernel would write by chance."""
    array = np.zeros(shape, dtype)
    array.reshape(-1).view(np.uint8)[:] = byte
    return array


def widened(value):
    if not isinstance(value, np.ndarray):
        return value
    return value.astype(np.int64 if value.dtype.kind in "iu" else np.float64)


def is_right(name, got, exact):
    """Compare one output with its golden, and say how it went."""
    exact = np.broadcast_to(np.asarray(exact), got.shape)
    if got.dtype.kind in "iu":
        wrong = int((got != exact.astype(np.int64).astype(got.dtype)).sum())
        print(f"  {{name}}: {{wrong}} of {{got.size}} wrong")
        return wrong == 0
    t, exact, value = THRESHOLDS[got.dtype.name], exact.astype(np.float64), got.astype(np.float64)
    rounded = exact.astype(got.dtype).astype(np.float64)
    finite = np.isfinite(rounded) & np.isfinite(value)
    agree = (np.isnan(rounded) & np.isnan(value)) | (np.isinf(rounded) & (rounded == value))
    error = np.abs(value - exact) / np.maximum(np.abs(exact), NEAR_ZERO[got.dtype.name])
    error[~finite] = 0.0
    mean, most = float(error[finite].mean()) if finite.any() else 0.0, float(error.max(initial=0.0))
    odd = int((~finite & ~agree).sum())
    print(f"  {{name}}: mean relative error {{mean:.2e}}, largest {{most:.2e}}, not finite {{odd}}")
    return mean < t and most < 10 * t and odd == 0
'''

_MAIN = """\
def run_case(case):
    blocks, arguments, sizes = case()
    inputs = {{name: widened(arguments[name]) for name in {inputs}}}
    with np.errstate(all="ignore"):
        exact = golden(**{{**sizes, **inputs}})
        {kernel}[blocks, rt.current_stream()](*arguments.values(){options})
        return all([is_right(name, arguments[name], value) for name, value in exact.items()])


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("-r", default="Model", help="backend: Model or NPU")
    parser.add_argument("-v", default=None, help="platform, for Model ({chip})")
    chosen = parser.parse_args()
    backend = config.Backend(chosen.r)
    platform = chosen.v or ("{chip}" if backend == config.Backend.Model else None)
    config.set_platform(backend, config.Platform(platform) if platform else None)
    right = []
    for case in CASES:
        print(case.__doc__)
        right.append(run_case(case))
    print(f"{{sum(right)}} of {{len(right)}} cases right")
    sys.exit(0 if all(right) else 1)
"""


def text(task: Task, secret: str, structs: Mapping[str, str]) -> str:
    """Everything below the kernel. ``structs`` are the classes that parameters of role "tiling" take.

    Raises Refused for a task that no pyasc script can run.
    """
    from ascend_lab.exercise.accuracy import SMALL, THRESHOLDS

    _refuse(task)
    thresholds = dict(THRESHOLDS)
    if task.accuracy.t is not None:
        thresholds = dict.fromkeys(thresholds, task.accuracy.t)
    kept = ("float16", "float32")
    helpers = _HELPERS.format(
        thresholds={name: thresholds[name] for name in kept}, small={n: SMALL[n] for n in kept}
    )
    functions = [
        _case(task, case, seed, secret, structs)
        for case in task.public_cases
        for seed in case.seeds
    ]
    names = ", ".join(_function(case, seed) for case in task.public_cases for seed in case.seeds)
    inputs = tuple(p.name for p in task.parameters if p.role in ("in", "inout", "scalar"))
    options = "" if task.auto_sync else ", auto_sync=False"
    main = _MAIN.format(kernel=task.kernel, options=options, chip=task.chip, inputs=inputs)
    parts = [helpers, *functions, _golden(task), f"CASES = ({names},)\n", main]
    return "\n\n".join(parts)


def _refuse(task: Task) -> None:
    if task.chip == "Ascend310P3":
        raise Refused(
            f"任务 {task.id} 的芯片是 {task.chip}，pyasc 不支持它。",
            f"task {task.id} is for {task.chip}, which pyasc does not support.",
        )
    types = {p.dtype for p in task.parameters}
    types |= {dtype for case in task.public_cases for dtype in case.dtypes.values()}
    if "bfloat16" in types:
        raise Refused(
            f"任务 {task.id} 使用 bfloat16，pyasc 没有这个类型。",
            f"task {task.id} uses bfloat16, which pyasc does not have.",
        )


def _function(case: Case, seed: int) -> str:
    word = "".join(letter if letter.isalnum() else "_" for letter in case.name)
    return f"case_{word}" if len(case.seeds) == 1 else f"case_{word}_{seed}"


def _case(task: Task, case: Case, seed: int, secret: str, structs: Mapping[str, str]) -> str:
    from ascend_lab.exercise.expression import evaluate

    sizes: dict[str, Any] = dict(case.sizes)
    sizes["blocks"] = int(evaluate(task.blocks if case.blocks is None else case.blocks, sizes))
    start = _seed(secret, task.id, case.name, seed)
    title = case.name if case.title is None else f"{case.name}: {case.title.en}"
    lines = [
        f"def {_function(case, seed)}():",
        f"    {title.replace(chr(92), '/')!r}",
        f"    rng = np.random.Generator(np.random.PCG64({start:#x}))",
        "    arguments = {",
        *(f'        "{p.name}": {_argument(p, case, sizes, structs)},' for p in task.parameters),
        "    }",
        f"    return {sizes['blocks']}, arguments, {_shown(sizes)}",
    ]
    return "\n".join(lines) + "\n"


def _shown(sizes: Mapping[str, Any]) -> str:
    return "{" + ", ".join(f'"{name}": {value!r}' for name, value in sizes.items()) + "}"


def _seed(secret: str, *what: object) -> int:
    """The start of the generator, as the task's own inputs have it."""
    mac = hmac.new(secret.encode(), "\0".join(map(str, what)).encode(), hashlib.sha256).digest()
    return int.from_bytes(mac[:16], "big")


def _argument(
    parameter: Parameter, case: Case, sizes: Mapping[str, Any], structs: Mapping[str, str]
) -> str:
    from ascend_lab.exercise.expression import evaluate

    if parameter.role == "scalar":
        return repr(evaluate(parameter.value or 0, sizes))
    if parameter.role == "tiling":
        fields = ", ".join(f"{n}={evaluate(e, sizes)!r}" for n, e in parameter.fields.items())
        return f"{structs[parameter.name]}({fields})"
    shape = tuple(int(evaluate(length, sizes)) for length in parameter.shape)
    dtype = case.dtypes.get(parameter.name, parameter.dtype)
    if parameter.role in ("out", "workspace"):
        return _blank(shape, dtype, case.out_init if parameter.role == "out" else "poison")
    return _input(parameter, case, shape, dtype)


def _blank(shape: Sequence[int], dtype: str, init: str) -> str:
    from ascend_lab.exercise.golden import POISON

    if init == "zero":
        return f"np.zeros({shape}, np.{dtype})"
    if init == "nan" and "int" not in dtype:
        return f"np.full({shape}, np.nan, np.{dtype})"
    return f"filled_output({shape}, np.{dtype}, {POISON:#x})"


def _input(parameter: Parameter, case: Case, shape: Sequence[int], dtype: str) -> str:
    import numpy as np

    low, high = case.ranges.get(parameter.name, parameter.range)
    edges = case.edges.get(parameter.name, ())
    last = f", ({', '.join(_float(edge) for edge in edges)},)" if edges else ""
    if "int" not in dtype:
        return f"random_floats(rng, {shape}, np.{dtype}, {_float(low)}, {_float(high)}{last})"
    from ascend_lab.exercise.golden import INT_RANGE

    if (low, high) == (-1.0, 1.0):
        low, high = INT_RANGE
    info = np.iinfo(dtype)
    bounds = f"{max(int(low), info.min)}, {min(int(high), info.max)}"
    return f"random_integers(rng, {shape}, np.{dtype}, {bounds}{last})"


def _float(value: float) -> str:
    return repr(float(value)) if math.isfinite(value) else f'float("{value}")'


def _golden(task: Task) -> str:
    from ascend_lab.exercise import golden

    names = dict.fromkeys(f"{name}=None" for name in golden.names(task) if name != "np")
    lines = [f'        "{name}": {line.strip()},' for name, line in task.formulas.items()]
    return "\n".join([f"def golden({', '.join(names)}):", "    return {", *lines, "    }"]) + "\n"
