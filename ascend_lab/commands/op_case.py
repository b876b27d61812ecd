"""A case of an operator: a TOML file with inputs, attributes, and what is right.

op = "SinhCustom"                 # where the project has several operators
[inputs.x]
shape = [37, 83]
dtype = "float16"
range = [-4, 4]                   # or value = 1.0, or file = "x.npy" (or .bin)
seed = 1
[attrs]
scale = 2.0
[outputs.y]
golden = "np.sinh(x)"             # inputs as float64 or int64, attributes, np
tolerance = 0.001                 # mean relative error; the default is that of the type
shape = [37, 83]                  # where op_host has no InferShape; dtype likewise
"""

from __future__ import annotations

import tomllib
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ascend_lab.ascendc.project.host_program import Shaped
from ascend_lab.ascendc.project.types import ElementType, by_name
from ascend_lab.engine.errors import LabError
from ascend_lab.exercise.golden import is_integer

Array = NDArray[Any]
_KEYS = {
    "": {"op", "inputs", "attrs", "outputs"},
    "inputs": {"shape", "dtype", "range", "value", "file", "seed"},
    "outputs": {"golden", "tolerance", "shape", "dtype"},
}


@dataclass(frozen=True, slots=True)
class Wanted:
    """What an output must be. ``golden`` "" when only the shape is told."""

    golden: str
    tolerance: float | None
    shaped: Shaped | None


@dataclass(frozen=True, slots=True)
class Case:
    """A case, ready to run."""

    name: str
    op: str | None
    inputs: Mapping[str, Array]
    attrs: Mapping[str, Any]
    outputs: Mapping[str, Wanted]

    def expected(self, name: str, output: Array) -> Array:
        """What ``output`` should hold: float64, or its own type when that is an integer."""
        known: dict[str, Any] = {"np": np, **self.attrs}
        known |= {key: _widened(value) for key, value in self.inputs.items()}
        with np.errstate(all="ignore"):
            try:
                # The author of the case wrote this line on this machine.
                found = np.asarray(eval(self.outputs[name].golden, known))
            except Exception as error:
                raise _wrong(self.name, f"outputs.{name}.golden: {error}") from None
            dtype = output.dtype if is_integer(output.dtype) else np.dtype(np.float64)
            try:
                return np.broadcast_to(found.astype(dtype), output.shape).copy()
            except ValueError:
                shapes = f"{list(found.shape)} / {list(output.shape)}"
                raise _wrong(self.name, f"outputs.{name}.golden: {shapes}") from None

    @property
    def shapes(self) -> dict[str, list[Shaped]] | None:
        """The outputs as the case tells them, None when the operator infers them."""
        found = {name: [one.shaped] for name, one in self.outputs.items() if one.shaped is not None}
        return found or None


def load(path: Path) -> Case:
    """The case in ``path``. Raises LabError for what is wrong with it."""
    try:
        data = tomllib.loads(path.read_text("utf-8"))
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise _wrong(path.name, str(error)) from None
    _known(path, "", data)
    inputs = {name: _input(path, name, one) for name, one in dict(data.get("inputs", {})).items()}
    outputs = {
        name: _wanted(path, name, one) for name, one in dict(data.get("outputs", {})).items()
    }
    return Case(path.stem, data.get("op"), inputs, data.get("attrs", {}), outputs)


def _known(path: Path, section: str, table: Mapping[str, Any]) -> None:
    unknown = sorted(set(table) - _KEYS[section])
    if unknown:
        raise _wrong(path.name, f"{section or 'case'}: {', '.join(unknown)}")


def _type(path: Path, name: str, text: object) -> ElementType:
    found = by_name(str(text))
    if found is None:
        raise _wrong(path.name, f"{name}.dtype = {text!r}")
    return found


def _input(path: Path, name: str, table: Mapping[str, Any]) -> Array:
    _known(path, "inputs", table)
    where = f"inputs.{name}"
    file = path.parent / table["file"] if "file" in table else None
    if file is not None and file.suffix == ".npy":
        return np.ascontiguousarray(np.load(file, allow_pickle=False))
    kind = _type(path, where, table.get("dtype"))
    shape = tuple(int(length) for length in table.get("shape", ()))
    if file is not None:
        return np.fromfile(file, kind.dtype).reshape(shape)
    if "value" in table:
        return np.full(shape, table["value"]).astype(kind.dtype)
    low, high = table.get("range", (-1, 1) if kind.dtype.kind not in "iu" else (-100, 100))
    # The name decides too: two inputs of one case are not the same numbers.
    rng = np.random.default_rng([int(table.get("seed", 0)), zlib.crc32(name.encode())])
    if kind.dtype.kind in "iu":
        return rng.integers(int(low), int(high), shape, endpoint=True).astype(kind.dtype)
    return rng.uniform(low, high, shape).astype(kind.dtype)


def _wanted(path: Path, name: str, table: Mapping[str, Any]) -> Wanted:
    _known(path, "outputs", table)
    shaped = None
    if "shape" in table:
        kind = _type(path, f"outputs.{name}", table.get("dtype"))
        shaped = Shaped(name, tuple(int(length) for length in table["shape"]), kind.code)
    tolerance = table.get("tolerance")
    return Wanted(table.get("golden", ""), None if tolerance is None else float(tolerance), shaped)


def _widened(value: Array) -> Array:
    return value.astype(np.int64 if is_integer(value.dtype) else np.float64)


def _wrong(name: str, what: str) -> LabError:
    return LabError(f"用例 {name} 有误：{what}", f"case {name} is wrong: {what}")
