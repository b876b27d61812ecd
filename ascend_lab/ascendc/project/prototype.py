"""What an operator declares in op_host: its inputs, outputs, attributes, tiling structures and template arguments."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

OPTIONS = ("ignore", "optional", "required", "dynamic", "virtual")


@dataclass(frozen=True, slots=True)
class Parameter:
    """An input or output. ``types``: ge numbers, one a configuration. ``option`` is one of `OPTIONS`."""

    name: str
    option: str
    types: tuple[int, ...]
    depends: bool = False
    is_list: bool = False


@dataclass(frozen=True, slots=True)
class Attribute:
    """``kind``: b, i, f, s or a list of them: B, I, F. ``default`` is None when there is none."""

    name: str
    kind: str
    required: bool
    default: Any


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a tiling structure. ``count`` 0: no array."""

    type: str
    name: str
    count: int
    nested: Structure | None = None


@dataclass(frozen=True, slots=True)
class Structure:
    """A tiling structure that op_host defines with BEGIN_TILING_DATA_DEF."""

    name: str
    fields: tuple[Field, ...]


@dataclass(frozen=True, slots=True)
class TemplateArgument:
    """An argument of ASCENDC_TPL_ARGS_DECL. ``kind``: d data type, u number, b bool, f format, n none."""

    name: str
    kind: str
    values: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Prototype:
    """An operator that OP_ADD has registered."""

    type: str
    inputs: tuple[Parameter, ...]
    outputs: tuple[Parameter, ...]
    attrs: tuple[Attribute, ...]
    socs: tuple[str, ...]
    has_tiling: bool
    has_shape: bool
    has_type: bool
    structures: Mapping[str, Structure]
    template: tuple[TemplateArgument, ...] = ()
    selected: tuple[tuple[TemplateArgument, ...], ...] = ()

    @property
    def kernel(self) -> str:
        """The name of the kernel function: the type in snake case, as msopgen makes it."""
        return snake(self.type)

    @property
    def structure(self) -> Structure | None:
        """The tiling structure that is registered under the operator's own name."""
        return self.structures.get(self.type)

    def configurations(self) -> int:
        """How many combinations of types it is built for."""
        return max((len(p.types) for p in (*self.inputs, *self.outputs)), default=0)


def snake(name: str) -> str:
    """``AddCustom`` -> ``add_custom``."""
    spaced = re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", name)
    return re.sub(r"([A-Z]+)([A-Z][a-z])", r"\1_\2", spaced).lower()


def prototype(data: Mapping[str, Any]) -> Prototype:
    """An operator as the op_host program describes it."""
    return Prototype(
        type=data["type"],
        inputs=tuple(map(_parameter, data["inputs"])),
        outputs=tuple(map(_parameter, data["outputs"])),
        attrs=tuple(
            Attribute(one["name"], one["kind"], one["required"], one["default"])
            for one in data["attrs"]
        ),
        socs=tuple(data["socs"]),
        has_tiling=data["tiling"],
        has_shape=data["shape"],
        has_type=data["infer_type"],
        structures={name: _structure(one) for name, one in data["structures"].items()},
        template=_arguments(data.get("template", ())),
        selected=tuple(_arguments(one) for one in data.get("selected", ())),
    )


def _parameter(data: Mapping[str, Any]) -> Parameter:
    return Parameter(
        data["name"], OPTIONS[data["option"]], tuple(data["types"]), data["depends"], data["list"]
    )


def _structure(data: Mapping[str, Any]) -> Structure:
    return Structure(data["name"], tuple(_field(one) for one in data["fields"]))


def _field(data: Mapping[str, Any]) -> Field:
    nested = _structure(data["nested"]) if "nested" in data else None
    return Field(data["type"], data["name"], data["count"], nested)


def _arguments(data: Sequence[Mapping[str, Any]]) -> tuple[TemplateArgument, ...]:
    return tuple(TemplateArgument(one["name"], one["kind"], tuple(one["values"])) for one in data)
