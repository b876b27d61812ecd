"""ShapeInfo: the shape a tensor is told, kept for interfaces that ask for it."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

from ascend_lab.asc.language.core.enums import DataFormat
from ascend_lab.asc.language.core.ir_value import RuntimeInt, int32_of, plain_int
from ascend_lab.engine.errors import LabError


class ShapeInfo:
    """Shape, original shape and format of a tensor.

    asc-devkit: docs/zh/api/SIMD-API/基础API/辅助数据结构/ShapeInfo.md
    """

    __slots__ = ("_original", "_shape", "data_format")

    def __init__(
        self,
        shape: Sequence[int] | Any = None,
        original_shape: Sequence[int] | Any = None,
        data_format: DataFormat = DataFormat.ND,
    ) -> None:
        self._shape = _dims(shape)
        self._original = self._shape if original_shape is None else _dims(original_shape)
        self.data_format = data_format

    @property
    def dims(self) -> tuple[int, ...]:
        """All dimensions."""
        return self._shape

    @property
    def original_dims(self) -> tuple[int, ...]:
        """All dimensions of the original shape."""
        return self._original

    def shape(self, dim: int) -> RuntimeInt:
        """The length of dimension ``dim``."""
        return _dim("shape", self._shape, dim)

    def original_shape(self, dim: int) -> RuntimeInt:
        """The length of dimension ``dim`` of the original shape."""
        return _dim("original_shape", self._original, dim)


def get_shape_size(shape_info: ShapeInfo) -> RuntimeInt:
    """The product of all dimensions."""
    return int32_of(prod(shape_info.dims))


def _dims(shape: Any) -> tuple[int, ...]:
    if shape is None:
        return ()
    return tuple(plain_int("asc.ShapeInfo", "shape", dim) for dim in shape)


def _dim(name: str, dims: tuple[int, ...], dim: int) -> RuntimeInt:
    place = plain_int(f"asc.ShapeInfo.{name}", "dim", dim)
    if not 0 <= place < len(dims):
        raise LabError(
            f"asc.ShapeInfo.{name}({place})：只有 {len(dims)} 维。",
            f"asc.ShapeInfo.{name}({place}): there are {len(dims)} dimensions.",
        )
    return int32_of(dims[place])
