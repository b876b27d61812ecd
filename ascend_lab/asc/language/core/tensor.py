"""Tensors: where an operand starts, of what type, and how much of it there is. Never the data."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any

from ascend_lab.asc.door import ask, current, emit
from ascend_lab.asc.errors import bad_subscript, no_memory, no_overload
from ascend_lab.asc.language.core.constexpr import ConstExpr
from ascend_lab.asc.language.core.dtype import DataType
from ascend_lab.asc.language.core.enums import CacheMode, CacheRwMode, TPosition
from ascend_lab.asc.language.core.ir_value import (
    GlobalAddress,
    RuntimeFloat,
    RuntimeInt,
    int32_of,
    int64_of,
    known_type,
    plain_int,
    plain_number,
    scalar_of,
)
from ascend_lab.asc.language.core.memory import space_of
from ascend_lab.asc.language.core.shape import ShapeInfo
from ascend_lab.engine.errors import NotModelled
from ascend_lab.engine.instruction import Pipe, Ref

_NOWHERE = Ref("", 0, "", 0)
_ref = tuple.__new__


def _start(tensor: BaseTensor, key: Any) -> int:
    """The element a subscript names."""
    if key.__class__ is slice:
        if key.stop is not None or key.step is not None or key.start is None:
            raise bad_subscript(type(tensor).__name__, _written(key))
        key = key.start
    return plain_int(type(tensor).__name__, "subscript", key)


def _written(key: slice) -> str:
    start, stop = ("" if part is None else part for part in (key.start, key.stop))
    step = "" if key.step is None else f":{key.step}"
    return f"[{start}:{stop}{step}]"


class BaseTensor:
    """What GlobalTensor and LocalTensor share. ``ref`` is the operand as an instruction carries it."""

    __slots__ = ("_shape_info", "dtype", "ref", "shape")

    dtype: DataType
    ref: Ref
    shape: tuple[int, ...] | None
    _shape_info: ShapeInfo | None

    def __repr__(self) -> str:
        if self.ref is _NOWHERE:
            return f"{type(self).__name__}(no memory yet)"
        space, addr, dtype, size, _, pos = self.ref
        length = f"{size} elements" if size >= 0 else "length not declared"
        place = space if pos == space else f"{space} {pos}"
        return f"{type(self).__name__}({dtype}, {place} + {addr} B, {length})"

    def _element(self, api: str, index: Any) -> tuple[Ref, dict[str, int]]:
        """The ref of one element, and the params that say which of how many it is."""
        ref = self.ref
        if ref is _NOWHERE:
            raise no_memory(api)
        place = plain_int(api, "index", index)
        left = max(ref.size - place, 0) if ref.size >= 0 else -1
        addr = ref.addr + place * self.dtype.sizeof()
        element = Ref(ref.space, addr, ref.dtype, left, ref.buf, ref.pos)
        return element, {"index": place, "size": ref.size}

    def _get(self, api: str, index: Any) -> RuntimeInt | RuntimeFloat:
        element, params = self._element(api, index)
        return scalar_of(ask("GetValue", (element,), params), self.dtype)

    def _set(self, api: str, index: Any, value: Any) -> None:
        element, params = self._element(api, index)
        number = plain_number(api, "value", value, self.dtype)
        emit("SetValue", Pipe.S, element, (), {"value": number, **params})

    def get_shape_info(self) -> ShapeInfo:
        """The ShapeInfo that was set."""
        return self._shape_info if self._shape_info is not None else ShapeInfo()

    def set_shape_info(self, shape_info: ShapeInfo) -> None:
        """Attach a ShapeInfo; no instruction looks at it."""
        self._shape_info = shape_info


class GlobalTensor(BaseTensor):
    """Data in GM. Has an address after ``set_global_buffer``.

    asc-devkit: docs/zh/api/SIMD-API/基础API/数据结构/GlobalTensor.
    """

    __slots__ = ()

    def __init__(self) -> None:
        self.ref = _NOWHERE
        self.dtype = DataType("void")
        self.shape = None
        self._shape_info = None

    def __getitem__(self, key: Any) -> GlobalTensor:
        space, addr, dtype, size, buf, pos = self.ref
        if self.ref is _NOWHERE:
            raise no_memory("GlobalTensor[...]")
        start = _start(self, key)
        left = max(size - start, 0) if size >= 0 else -1
        part = GlobalTensor.__new__(GlobalTensor)
        part.dtype = self.dtype
        part.ref = _ref(Ref, (space, addr + start * self.dtype.sizeof(), dtype, left, buf, pos))
        part.shape = None
        part._shape_info = self._shape_info
        return part

    def __call__(self, index: int) -> GlobalTensor:
        return self[index]

    def set_global_buffer(
        self, buffer: GlobalAddress | None = None, buffer_size: int | None = None
    ) -> None:
        """Start at ``buffer``; ``buffer_size`` in elements declares where it ends.

        asc-devkit: docs/zh/api/SIMD-API/基础API/数据结构/GlobalTensor/SetGlobalBuffer.md
        """
        if not isinstance(buffer, GlobalAddress):
            raise no_overload("GlobalTensor.set_global_buffer", (buffer,), ("GlobalAddress, int",))
        size = plain_int("GlobalTensor.set_global_buffer", "buffer_size", buffer_size or 0)
        self.dtype = buffer.dtype
        self.ref = Ref("GM", buffer.addr, str(buffer.dtype), size if size else -1, -1, "GM")
        emit("BindGlobal", Pipe.S, self.ref, (), {"name": buffer.name})

    def get_phy_addr(self, offset: int = 0) -> GlobalAddress:
        """The address of element ``offset``."""
        if self.ref is _NOWHERE:
            raise no_memory("GlobalTensor.get_phy_addr")
        return GlobalAddress(self.ref.addr, self.dtype) + offset

    def get_size(self) -> RuntimeInt:
        """Elements declared by ``set_global_buffer``; 0 when it was not told."""
        return int64_of(max(self.ref.size, 0))

    def get_value(self, offset: int) -> RuntimeInt | RuntimeFloat:
        """Read one element through the scalar unit; the core waits for it."""
        return self._get("GlobalTensor.get_value", offset)

    def set_value(self, offset: int, value: float) -> None:
        """Write one element through the scalar unit."""
        self._set("GlobalTensor.set_value", offset, value)

    def set_l2_cache_hint(
        self,
        mode: CacheMode = CacheMode.CACHE_MODE_NORMAL,
        rw_mode: CacheRwMode = CacheRwMode.RW,
    ) -> None:
        """A hint to L2: with CACHE_MODE_DISABLE this core's transfers of the tensor pass it by.

        asc-devkit: docs/zh/api/SIMD-API/基础API/数据结构/GlobalTensor/SetL2CacheHint.md
        """
        if self.ref is _NOWHERE:
            raise no_memory("GlobalTensor.set_l2_cache_hint")
        params = {"mode": CacheMode(mode).name, "kind": CacheRwMode(rw_mode).name}
        emit("SetL2CacheHint", Pipe.S, self.ref, (), params)


class LocalTensor(BaseTensor):
    """Data in a core's memory, from a queue, a TBuf, LocalMemAllocator, or placed by address.

    ``LocalTensor(dtype, pos, addr, tile_size)``: ``addr`` in bytes, ``tile_size`` in elements.
    asc-devkit: docs/zh/api/SIMD-API/基础API/数据结构/LocalTensor.
    """

    __slots__ = ("_tag", "buffer")

    def __init__(
        self,
        dtype: DataType,
        pos: TPosition | None = None,
        addr: int | None = None,
        tile_size: int | None = None,
    ) -> None:
        if not isinstance(dtype, DataType):
            raise no_overload("LocalTensor", (dtype, pos, addr, tile_size), _LOCAL_FORMS)
        if pos is addr is tile_size is None:
            self._place(dtype, _NOWHERE)
            return
        position = TPosition.VECIN if pos is None else TPosition(ConstExpr.unwrap(pos))
        self._place_static(
            dtype,
            position,
            plain_int("LocalTensor", "addr", addr or 0),
            plain_int("LocalTensor", "tile_size", tile_size or 0),
        )

    def _place(self, dtype: DataType, ref: Ref, buffer: Any = None) -> None:
        self.dtype = dtype
        self.ref = ref
        self.buffer = buffer
        self.shape = None
        self._shape_info = None
        self._tag = -1

    def _place_static(self, dtype: DataType, pos: TPosition, addr: int, size: int) -> None:
        block = current()
        space = space_of(block.chip, pos)
        self._place(dtype, Ref(space, addr, str(dtype), size, -1, pos.name))
        name = block.door.names.of(sys._getframe(2))
        emit("Static", Pipe.S, self.ref, (), {"name": name})

    def __getitem__(self, key: Any) -> LocalTensor:
        space, addr, dtype, size, buf, pos = self.ref
        if self.ref is _NOWHERE:
            raise no_memory("LocalTensor[...]")
        start = _start(self, key)
        left = size - start
        part = LocalTensor.__new__(LocalTensor)
        part.dtype = self.dtype
        part.ref = _ref(
            Ref,
            (space, addr + start * self.dtype.sizeof(), dtype, left if left > 0 else 0, buf, pos),
        )
        part.buffer = self.buffer
        part.shape = None
        part._shape_info = self._shape_info
        part._tag = self._tag
        return part

    def __call__(self, index: int) -> LocalTensor:
        return self[index]

    def get_value(self, index: int) -> RuntimeInt | RuntimeFloat:
        """Read one element through the scalar unit; the core waits for it."""
        return self._get("LocalTensor.get_value", index)

    def set_value(self, index: int, value: float) -> None:
        """Write one element through the scalar unit."""
        self._set("LocalTensor.set_value", index, value)

    def get_size(self) -> RuntimeInt:
        """Elements from its start to its end."""
        return int32_of(self.ref.size)

    def get_length(self) -> RuntimeInt:
        """Bytes from its start to its end."""
        return int32_of(self.ref.size * self.dtype.sizeof())

    def get_phy_addr(self, offset: int = 0) -> RuntimeInt:
        """The address of element ``offset`` in the core's memory, in bytes."""
        steps = plain_int("LocalTensor.get_phy_addr", "offset", offset)
        addr = self.ref.addr + steps * self.dtype.sizeof()
        current().told[addr] = self.ref.dtype
        return int64_of(addr)

    def get_position(self) -> RuntimeInt:
        """Its TPosition."""
        return int32_of(TPosition[self.ref.pos])

    def get_user_tag(self) -> RuntimeInt:
        """The tag that was set, -1 when none was."""
        return int32_of(self._tag)

    def set_user_tag(self, tag: int = 0) -> None:
        """Attach a number."""
        self._tag = plain_int("LocalTensor.set_user_tag", "tag", tag)

    def set_size(self, size: int = 0) -> None:
        """Declare its length in elements."""
        self._resize(plain_int("LocalTensor.set_size", "size", size))

    def set_buffer_len(self, data_len: int) -> None:
        """Declare its length in bytes."""
        length = plain_int("LocalTensor.set_buffer_len", "data_len", data_len)
        self._resize(length // self.dtype.sizeof())

    def _resize(self, size: int) -> None:
        if self.ref is _NOWHERE:
            raise no_memory("LocalTensor.set_size")
        self.ref = self.ref._replace(size=size)

    def set_addr_with_offset(self, src: LocalTensor, offset: int) -> None:
        """Start ``offset`` elements of ``src`` after ``src``; the length stays that of ``src``."""
        steps = plain_int("LocalTensor.set_addr_with_offset", "offset", offset)
        old = src.ref
        size = old.size * src.dtype.sizeof() // self.dtype.sizeof()
        addr = old.addr + steps * src.dtype.sizeof()
        self.ref = old._replace(addr=addr, dtype=str(self.dtype), size=size)
        self.buffer = src.buffer

    def reinterpret_cast(self, dtype: Any) -> LocalTensor:
        """The same bytes read as ``dtype``; the length in elements follows.

        asc-devkit: docs/zh/api/SIMD-API/基础API/数据结构/LocalTensor/ReinterpretCast.md
        """
        if not (isinstance(dtype, DataType) and dtype.is_numeric()):
            raise no_overload("LocalTensor.reinterpret_cast", (dtype,), ("DataType",))
        if self.ref is _NOWHERE:
            raise no_memory("LocalTensor.reinterpret_cast")
        size = self.ref.size * self.dtype.sizeof() // dtype.sizeof()
        return local_tensor(dtype, self.ref._replace(dtype=str(dtype), size=size), self.buffer)

    def print(self, data_len: int) -> None:
        """Not modelled."""
        raise NotModelled("asc.LocalTensor.print")

    def to_file(self, file_name: str) -> None:
        """Not modelled."""
        raise NotModelled("asc.LocalTensor.to_file")


_LOCAL_FORMS = (
    "dtype: DataType",
    "dtype: DataType, pos: TPosition, addr: int, tile_size: int",
)


def local_tensor(dtype: DataType, ref: Ref, buffer: Any = None) -> LocalTensor:
    """A LocalTensor at ``ref``; ``buffer`` is the framework's buffer it lies in."""
    tensor = LocalTensor.__new__(LocalTensor)
    tensor._place(dtype, ref, buffer)
    return tensor


def value_at(ref: Ref, index: int) -> Any:
    """The plain value of one element of a tensor, read by the scalar unit."""
    tensor = BaseTensor()
    tensor.ref, tensor.dtype = ref, known_type(ref.dtype)
    element, params = tensor._element("get_value", index)
    return ask("GetValue", (element,), params)


class LocalTensorAuto(LocalTensor):
    """A LocalTensor in UB that the compiler places: one address for each place in the source.

    ``LocalTensorAuto(dtype, shape)``. A kernel that uses it is synchronised automatically.
    """

    __slots__ = ()

    def __init__(self, dtype: DataType, shape: Iterable[int] | int) -> None:
        if not isinstance(dtype, DataType):
            raise no_overload("LocalTensorAuto", (dtype, shape), ("dtype: DataType, shape",))
        dims = shape if isinstance(shape, Iterable) else (shape,)
        sizes = tuple(plain_int("LocalTensorAuto", "shape", dim) for dim in dims)
        count = 1
        for size in sizes:
            count *= size
        addr = _automatic_address(count * dtype.sizeof())
        self._place_static(dtype, TPosition.VECCALC, addr, count)
        self.shape = sizes


def _automatic_address(size: int) -> int:
    """The address for the constructor call running two frames above: the same for every pass."""
    block = current()
    frame = sys._getframe(2)
    key = (id(frame.f_code), frame.f_lasti)
    addr = block.automatic.get(key)
    if addr is None:
        top = block.automatic_top.get("UB", 0)
        addr = block.automatic[key] = top
        block.automatic_top["UB"] = top + -(-size // 32) * 32
    return addr


class MrgSortSrcList:
    """Two to four sorted lists of (score, index), highest score first, for ``mrg_sort``.

    asc-devkit: docs/zh/api/SIMD-API/基础API/Memory矢量计算/排序组合（ISASI）/MrgSort.md
    """

    __slots__ = ("dtype", "lists")

    def __init__(
        self,
        dtype: DataType,
        src1: LocalTensor,
        src2: LocalTensor,
        src3: LocalTensor | None = None,
        src4: LocalTensor | None = None,
    ) -> None:
        self.dtype = dtype
        self.lists = tuple(src for src in (src1, src2, src3, src4) if src is not None)
