"""Struct: named scalars passed to a kernel by value, such as tiling."""

from __future__ import annotations

import ctypes
from typing import Any, ClassVar, Self

from ascend_lab.asc.door import inside_kernel
from ascend_lab.asc.language.core.dtype import DataType
from ascend_lab.asc.language.core.ir_value import scalar_of
from ascend_lab.engine.errors import LabError

_CTYPES: dict[str, Any] = {
    "int1": ctypes.c_bool,
    "int8": ctypes.c_int8,
    "int16": ctypes.c_int16,
    "int32": ctypes.c_int32,
    "int64": ctypes.c_int64,
    "uint8": ctypes.c_uint8,
    "uint16": ctypes.c_uint16,
    "uint32": ctypes.c_uint32,
    "uint64": ctypes.c_uint64,
    "float32": ctypes.c_float,
    "float64": ctypes.c_double,
}
_MISSING: Any = object()


class BaseField:
    """A member of a Struct. ``name`` is its name in C++, when that differs."""

    def __init__(self, default: Any = _MISSING, name: str | None = None) -> None:
        self.default = default
        self.name = name

    def ctypes_cls(self) -> Any:
        """How it lies in memory."""
        raise NotImplementedError

    def ctypes_value(self, value: Any) -> Any:
        """What is stored for ``value``."""
        raise NotImplementedError

    def read(self, stored: Any, in_kernel: bool) -> Any:
        """What a reader gets."""
        raise NotImplementedError


class Field(BaseField):
    """A scalar of type ``dtype``."""

    def __init__(
        self,
        dtype: DataType,
        default: Any = _MISSING,
        name: str | None = None,
        enum: str | None = None,
    ) -> None:
        super().__init__(default, name)
        self.dtype = dtype
        self.enum_name = enum

    def ctypes_cls(self) -> Any:
        """Its C type. Raises LabError for a type that cannot be passed."""
        found = _CTYPES.get(self.dtype.name)
        if found is None:
            raise LabError(
                f"Struct 的字段不能是 {self.dtype} 类型。",
                f"a field of a Struct cannot be of type {self.dtype}.",
            )
        return found

    def ctypes_value(self, value: Any) -> Any:
        """``value`` as it is."""
        return int(value) if self.dtype.is_int() else value

    def read(self, stored: Any, in_kernel: bool) -> Any:
        """A plain number on the host, a run-time scalar in a kernel."""
        if not in_kernel or self.dtype.name == "int1":
            return stored
        return scalar_of(stored, self.dtype)


class StructField(BaseField):
    """A Struct inside a Struct."""

    def __init__(
        self, struct_cls: type[Struct], default: Any = None, name: str | None = None
    ) -> None:
        super().__init__(struct_cls() if default is None else default, name)
        self.struct_cls = struct_cls

    def ctypes_cls(self) -> Any:
        """The C struct."""
        return self.struct_cls.ctypes_class

    def ctypes_value(self, value: Struct) -> Any:
        """Its memory."""
        return value.ctypes_struct

    def read(self, stored: Any, in_kernel: bool) -> Any:
        """The inner Struct, sharing memory with the outer one."""
        return self.struct_cls._around(stored)


class Struct:
    """Base of a struct: ``class Tiling(Struct): total = Field(dtype=asc.int32, default=0)``."""

    ctypes_struct: ctypes.Structure
    ctypes_class: ClassVar[Any]
    struct_fields: ClassVar[dict[str, BaseField]]

    def __init_subclass__(cls, pack: int = 8, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls.struct_fields = {k: v for k, v in vars(cls).items() if isinstance(v, BaseField)}
        if not cls.struct_fields:
            raise RuntimeError(f"Struct '{cls.__name__}' must have at least one field")
        layout = [(name, field.ctypes_cls()) for name, field in cls.struct_fields.items()]
        attributes = {"_fields_": layout, "_pack_": pack}
        cls.ctypes_class = type(f"_ctypes_{cls.__name__}", (ctypes.Structure,), attributes)

    def __init__(self, **fields: Any) -> None:
        kind = type(self)
        for name in fields:
            kind.get_field(name)
        self.ctypes_struct = kind.ctypes_class()
        for name, field in kind.struct_fields.items():
            value = fields.get(name, field.default)
            if value is not _MISSING:
                setattr(self, name, value)
            elif not inside_kernel():
                raise RuntimeError(f"{kind.__name__} does not have a default value for '{name}'")

    @classmethod
    def _around(cls, memory: Any) -> Self:
        found = cls.__new__(cls)
        object.__setattr__(found, "ctypes_struct", memory)
        return found

    def __getattribute__(self, name: str) -> Any:
        found = super().__getattribute__(name)
        if isinstance(found, BaseField):
            return found.read(getattr(self.ctypes_struct, name), inside_kernel())
        return found

    def __setattr__(self, name: str, value: Any) -> None:
        if name in type(self).struct_fields:
            stored = self.get_field(name).ctypes_value(value)
            setattr(self.ctypes_struct, name, stored)
        else:
            super().__setattr__(name, value)

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpack, (type(self), self.pack())

    @classmethod
    def get_field(cls, name: str) -> BaseField:
        """The field called ``name``. Raises RuntimeError when there is none."""
        field = cls.struct_fields.get(name)
        if field is None:
            raise RuntimeError(f"{cls.__name__} does not have a field '{name}'")
        return field

    def pack(self) -> bytes:
        """Its bytes, as they are passed to the kernel."""
        return bytes(self.ctypes_struct)

    def create_local(self) -> Self:
        """A copy that the kernel may change."""
        kind = type(self)
        return kind._around(kind.ctypes_class.from_buffer_copy(self.pack()))


def _unpack(kind: type[Struct], data: bytes) -> Struct:
    return kind._around(kind.ctypes_class.from_buffer_copy(data))
