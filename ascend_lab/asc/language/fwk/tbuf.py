"""TBuf: memory for intermediate results, without a queue.

asc-devkit: docs/zh/api/SIMD-API/基础API/资源管理/TBuf.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ascend_lab.asc.door import Block
from ascend_lab.asc.errors import no_overload
from ascend_lab.asc.language.core.dtype import DataType
from ascend_lab.asc.language.core.enums import HardEvent, TPosition
from ascend_lab.asc.language.core.ir_value import plain_int
from ascend_lab.asc.language.core.tensor import LocalTensor, local_tensor
from ascend_lab.asc.language.fwk.buffer import Buffer
from ascend_lab.asc.language.fwk.queue import TQueBind
from ascend_lab.engine.errors import LabError
from ascend_lab.engine.instruction import Ref


class TBuf(TQueBind):
    """One buffer for intermediate results; no queue and no flags.

    asc-devkit: docs/zh/api/SIMD-API/基础API/资源管理/TBuf/TBuf简介.md
    """

    kind = "buf"

    def __init__(self, pos: TPosition = TPosition.VECCALC) -> None:
        self._open(pos, pos, 0)

    def _events(self, ends: tuple[str, str], block: Block) -> None:
        self._enque_event, self._free_event = HardEvent.V_V, HardEvent.V_V

    def _reserve_flags(self, pipe: Any, buffers: Sequence[Buffer]) -> None:
        """A TBuf raises none."""

    def take(self, pipe: Any, buffers: Sequence[Buffer], asked: int) -> None:
        """The buffer that InitBuffer gives it."""
        self._pipe = pipe
        self._buffers = buffers

    def get(self, dtype: DataType, len: int | None = None, shape: Any = None) -> LocalTensor:
        """The buffer from its start, or its first ``len`` elements of ``dtype``.

        asc-devkit: docs/zh/api/SIMD-API/基础API/资源管理/TBuf/Get.md
        """
        api = "TBuf.get"
        buffer = self._only(api, dtype)
        ref = buffer.ref(dtype, self.pos)
        if len:
            ref = ref._replace(size=plain_int(api, "len", len))
        tensor = local_tensor(dtype, ref, buffer)
        if shape is not None:
            tensor.shape = tuple(shape)
        return tensor

    def get_with_offset(self, size: int, buf_offset: int, dtype: DataType) -> LocalTensor:
        """``size`` elements of ``dtype`` from byte ``buf_offset`` on.

        asc-devkit: docs/zh/api/SIMD-API/基础API/资源管理/TBuf/GetWithOffset.md
        """
        api = "TBuf.get_with_offset"
        buffer = self._only(api, dtype)
        addr = buffer.addr + plain_int(api, "buf_offset", buf_offset)
        ref = Ref(buffer.space, addr, str(dtype), plain_int(api, "size", size), buffer.id, self.pos)
        return local_tensor(dtype, ref, buffer)

    def _only(self, api: str, dtype: Any) -> Buffer:
        if not isinstance(dtype, DataType):
            raise no_overload(api, (dtype,), ("dtype: DataType, len: int",))
        if not self._buffers:
            raise LabError(
                f"{api}：{self.name} 还没有内存，请先调用 pipe.init_buffer({self.name}, 字节数)。",
                f"{api}: {self.name} has no memory; call pipe.init_buffer({self.name}, bytes) first.",
            )
        return self._buffers[0]

    def alloc_tensor(self, *args: Any, **kwargs: Any) -> LocalTensor | None:
        """The same as ``get``."""
        return self.get(*args, **kwargs)

    def deque(self, *args: Any, **kwargs: Any) -> LocalTensor | None:
        """The same as ``get``."""
        return self.get(*args, **kwargs)

    def enque(self, *args: Any, **kwargs: Any) -> None:
        """Nothing: a TBuf raises no flags."""

    def free_tensor(self, tensor: LocalTensor) -> None:
        """Nothing: a TBuf keeps its buffer."""

    def free_all_event(self) -> None:
        """Nothing: a TBuf raises no flags."""
