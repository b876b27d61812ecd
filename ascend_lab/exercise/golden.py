"""Inputs of a case, and what a right kernel makes of them."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ascend_lab.engine.instruction import DTYPES
from ascend_lab.exercise.expression import Number, evaluate
from ascend_lab.exercise.task import Case, Parameter, Task
from ascend_lab.exercise.wire import Fields

Array = NDArray[Any]
#: Bytes of outputs that hold no number a kernel would write by chance.
POISON = 0xA5
#: Range of integer inputs where the task names none.
INT_RANGE = (-100.0, 100.0)
#: A secret that begins so is one case's: see `case_seed`.
_CASE = "case:"


@dataclass(frozen=True, slots=True)
class Setting:
    """One case, ready to launch: ``arguments`` in the order of the signature."""

    case: Case
    seed: int
    blocks: int
    names: tuple[str, ...]
    arguments: tuple[Array | Fields | Number, ...]
    expected: dict[str, Array]  # by output: float64, or the output's type when that is an integer


def names(task: Task) -> tuple[str, ...]:
    """What a golden line may name: inputs, scalars, the sizes of the cases, ``blocks`` and ``np``."""
    inputs = [p.name for p in task.parameters if p.role in ("in", "inout", "scalar")]
    sizes = sorted({name for case in task.cases for name in case.sizes})
    return (*inputs, *sizes, "blocks", "np")


def settings(task: Task, case: Case, secret: str) -> list[Setting]:
    """The launches of one case: one per seed, with inputs that ``secret`` decides."""
    return [_setting(task, case, seed, secret) for seed in case.seeds]


def _setting(task: Task, case: Case, seed: int, secret: str) -> Setting:
    rng = _random(secret, task.id, case.name, seed)
    sizes: dict[str, Number] = dict(case.sizes)
    blocks = int(evaluate(task.blocks if case.blocks is None else case.blocks, sizes))
    sizes["blocks"] = blocks
    values = {p.name: _argument(p, case, sizes, rng) for p in task.parameters}
    return Setting(
        case,
        seed,
        blocks,
        tuple(values),
        tuple(values.values()),
        _expected(task, values, sizes),
    )


def case_seed(secret: str, task: Task, case: Case, seed: int) -> str:
    """A secret for one case alone: it gives the same inputs as ``secret`` there, and says nothing of others."""
    return _CASE + _mac(secret, task.id, case.name, seed).hex()


def _random(secret: str, *what: object) -> np.random.Generator:
    mac = _mac(secret, *what)
    return np.random.Generator(np.random.PCG64(int.from_bytes(mac, "big")))


def _mac(secret: str, *what: object) -> bytes:
    if secret.startswith(_CASE):
        return bytes.fromhex(secret.removeprefix(_CASE))
    message = "\0".join(map(str, what)).encode()
    return hmac.new(secret.encode(), message, hashlib.sha256).digest()[:16]


def _argument(
    parameter: Parameter, case: Case, sizes: Mapping[str, Number], rng: np.random.Generator
) -> Array | Fields | Number:
    if parameter.role == "scalar":
        assert parameter.value is not None
        return evaluate(parameter.value, sizes)
    if parameter.role == "tiling":
        return Fields({name: evaluate(text, sizes) for name, text in parameter.fields.items()})
    shape = tuple(int(evaluate(length, sizes)) for length in parameter.shape)
    dtype = DTYPES[case.dtypes.get(parameter.name, parameter.dtype)]
    if parameter.role in ("out", "workspace"):
        return blank(shape, dtype, case.out_init if parameter.role == "out" else "poison")
    return _random_input(parameter, case, shape, dtype, rng)


def _random_input(
    parameter: Parameter,
    case: Case,
    shape: tuple[int, ...],
    dtype: np.dtype[Any],
    rng: np.random.Generator,
) -> Array:
    low, high = case.ranges.get(parameter.name, parameter.range)
    if is_integer(dtype):
        if (low, high) == (-1.0, 1.0):
            low, high = INT_RANGE
        info = np.iinfo(dtype)
        values = rng.integers(
            max(int(low), info.min), min(int(high), info.max), shape, np.int64, endpoint=True
        ).astype(dtype)
    else:
        values = rng.uniform(low, high, shape).astype(dtype)
    edges = case.edges.get(parameter.name, ())
    count = min(len(edges), values.size)
    with np.errstate(all="ignore"):
        values.reshape(-1)[rng.permutation(values.size)[:count]] = np.array(edges[:count], dtype)
    return values


def blank(shape: tuple[int, ...], dtype: np.dtype[Any], init: str) -> Array:
    """An output before the launch: "nan" (a pattern for integers), "zero" or "poison"."""
    array: Array = np.zeros(shape, dtype)
    if init == "nan" and not is_integer(dtype):
        array[...] = np.nan
    elif init != "zero":
        array.reshape(-1).view(np.uint8)[:] = POISON
    return array


def is_integer(dtype: np.dtype[Any]) -> bool:
    """Whether values of ``dtype`` are compared exactly."""
    return dtype.kind in "iu"


def _expected(
    task: Task, values: Mapping[str, Array | Fields | Number], sizes: Mapping[str, Number]
) -> dict[str, Array]:
    # NumPy imports parts of itself when they are first used, by the builtins of the running frame.
    known: dict[str, Any] = {"__builtins__": {"__import__": __import__}, "np": np, **sizes}
    for parameter in task.parameters:
        if parameter.role in ("in", "inout", "scalar"):
            known[parameter.name] = _widened(values[parameter.name])
    expected = {}
    with np.errstate(all="ignore"):
        for name, line in task.formulas.items():
            output = values[name]
            assert isinstance(output, np.ndarray)
            exact = eval(line, dict(known))  # the task author's line; bank.py has checked its names
            expected[name] = _shaped(exact, output)
    return expected


def _widened(value: Array | Fields | Number) -> Any:
    if not isinstance(value, np.ndarray):
        return value
    return value.astype(np.int64 if is_integer(value.dtype) else np.float64)


def _shaped(exact: Any, output: Array) -> Array:
    dtype = output.dtype if is_integer(output.dtype) else np.dtype(np.float64)
    found = np.asarray(exact)
    if is_integer(dtype) and not is_integer(found.dtype):
        found = np.asarray(found, np.int64)
    return np.broadcast_to(found.astype(dtype), output.shape).copy()
