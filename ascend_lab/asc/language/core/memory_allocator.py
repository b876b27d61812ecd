"""LocalMemAllocator: the static-tensor style, where a kernel lays out local memory itself."""

from __future__ import annotations

import sys

from ascend_lab.asc.door import current, emit
from ascend_lab.asc.errors import no_overload
from ascend_lab.asc.language.core.dtype import DataType
from ascend_lab.asc.language.core.enums import Hardware, TPosition
from ascend_lab.asc.language.core.ir_value import RuntimeInt, int32_of, plain_int
from ascend_lab.asc.language.core.memory import space_of, space_of_hardware
from ascend_lab.asc.language.core.tensor import LocalTensor, local_tensor
from ascend_lab.engine.errors import LabError
from ascend_lab.engine.instruction import Pipe, Ref


class LocalMemAllocator:
    """Hands out one memory from its start upwards; nothing is rounded and nothing comes back.

    asc-devkit: docs/zh/api/SIMD-API/基础API/资源管理/LocalMemAllocator; impl/basic_api/kernel_tensor_impl.h
    """

    def __init__(self, hard: Hardware = Hardware.UB) -> None:
        self._hard = Hardware(hard)
        self._head = 0

    def get_cur_addr(self) -> RuntimeInt:
        """The address of the next tensor, in bytes."""
        return int32_of(self._head)

    def alloc(self, pos: TPosition, data_type: DataType, tile_size: int) -> LocalTensor:
        """The next ``tile_size`` elements of ``data_type``, for position ``pos``."""
        if not isinstance(data_type, DataType):
            raise no_overload("LocalMemAllocator.alloc", (pos, data_type, tile_size), (_FORM,))
        block = current()
        position = TPosition(pos)
        space = space_of(block.chip, position)
        if space != space_of_hardware(self._hard):
            raise _other_memory(position, space, self._hard)
        size = plain_int("LocalMemAllocator.alloc", "tile_size", tile_size)
        ref = Ref(space, self._head, str(data_type), size, -1, position.name)
        self._head += size * data_type.sizeof()
        emit("Static", Pipe.S, ref, (), {"name": block.door.names.of(sys._getframe(1))})
        return local_tensor(data_type, ref)


_FORM = "pos: TPosition, data_type: DataType, tile_size: int"


def _other_memory(position: TPosition, space: str, hard: Hardware) -> LabError:
    return LabError(
        f"LocalMemAllocator.alloc：{position.name} 位于 {space}，而这个分配器管理的是 {hard.name}。",
        f"LocalMemAllocator.alloc: {position.name} lies in {space}, this allocator hands out {hard.name}.",
    )
