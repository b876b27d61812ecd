"""Data types, by pyasc's names, and bfloat16, which the chip has and pyasc has not."""

from __future__ import annotations

import re
from enum import Enum
from typing import ClassVar

_PATTERN = re.compile(r"^(int|float|uint|bfloat)([0-9]+)$")


class DataType:
    """A type of tensor elements or scalars: ``DataType("float16")``. Equal by name."""

    class Kind(Enum):
        """What a type holds."""

        Any = ""
        Int = "int"
        Float = "float"
        UInt = "uint"

    def __init__(self, name: str) -> None:
        self.name = name
        self.kind = self.Kind.Any
        self.bitwidth: int | None = None
        match = _PATTERN.match(name)
        if match:
            self.kind = self.Kind(match[1].removeprefix("b"))
            self.bitwidth = int(match[2])
        self._size, rest = divmod(self.bitwidth or 0, 8)
        if rest:
            self._size = 0

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DataType) and self.name == other.name

    def __hash__(self) -> int:
        return hash(self.name)

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"DataType({self.name!r})"

    def is_int(self) -> bool:
        """Whether it holds integers, signed or not."""
        return self.is_signed() or self.is_unsigned()

    def is_float(self) -> bool:
        """Whether it holds floating-point numbers."""
        return self.kind == self.Kind.Float

    def is_numeric(self) -> bool:
        """Whether it holds numbers."""
        return self.is_int() or self.is_float()

    def is_signed(self) -> bool:
        """Whether it holds signed integers."""
        return self.kind == self.Kind.Int

    def is_unsigned(self) -> bool:
        """Whether it holds unsigned integers."""
        return self.kind == self.Kind.UInt

    def is_void(self) -> bool:
        """Whether it is ``void``."""
        return self.name == "void"

    def sizeof(self) -> int:
        """Bytes of one element. Raises ValueError for a type without a size in bytes."""
        if not self._size:
            raise ValueError(f"DataType does not fill whole bytes: {self.name}")
        return self._size


void = DataType("void")
int1 = DataType("int1")
int8 = DataType("int8")
int16 = DataType("int16")
int32 = DataType("int32")
int64 = DataType("int64")
float16 = DataType("float16")
bfloat16 = DataType("bfloat16")
float32 = DataType("float32")
float64 = DataType("float64")
uint8 = DataType("uint8")
uint16 = DataType("uint16")
uint32 = DataType("uint32")
uint64 = DataType("uint64")
bit = int1
bool_ = int8
int_ = int32
half = float16
float_ = float32
double = float64


class KnownTypes:
    """The types above as attributes, as pyasc's own tests spell them."""

    void: ClassVar[DataType] = void
    int1: ClassVar[DataType] = int1
    int8: ClassVar[DataType] = int8
    int16: ClassVar[DataType] = int16
    int32: ClassVar[DataType] = int32
    int64: ClassVar[DataType] = int64
    float16: ClassVar[DataType] = float16
    bfloat16: ClassVar[DataType] = bfloat16
    float32: ClassVar[DataType] = float32
    float64: ClassVar[DataType] = float64
    uint8: ClassVar[DataType] = uint8
    uint16: ClassVar[DataType] = uint16
    uint32: ClassVar[DataType] = uint32
    uint64: ClassVar[DataType] = uint64
    bit: ClassVar[DataType] = bit
    bool_: ClassVar[DataType] = bool_
    int_: ClassVar[DataType] = int_
    half: ClassVar[DataType] = half
    float_: ClassVar[DataType] = float_
    double: ClassVar[DataType] = double
