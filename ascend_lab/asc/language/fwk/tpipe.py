"""TPipe, the queues and TBuf: who owns which buffer, built from flags the engine knows.

A queue only issues markers (AllocTensor, EnQue, DeQue, FreeTensor) and the SetFlag and WaitFlag between the
pipes of its two ends. asc-devkit: docs/zh/api/SIMD-API/基础API/资源管理; impl/basic_api/kernel_tquebind_impl.h.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ascend_lab.asc.door import current, emit, emit_at_end
from ascend_lab.asc.errors import no_pipe
from ascend_lab.asc.language.core.enums import HardEvent
from ascend_lab.asc.language.core.ir_value import RuntimeInt, int32_of, plain_int
from ascend_lab.asc.language.fwk.buffer import Buffer
from ascend_lab.asc.language.fwk.events import EventIds, pipes_of
from ascend_lab.asc.language.fwk.plan import Request
from ascend_lab.asc.language.fwk.pool import TBufPool, divide
from ascend_lab.asc.language.fwk.queue import TQue, TQueBind
from ascend_lab.asc.language.fwk.tbuf import TBuf
from ascend_lab.engine.errors import NotModelled
from ascend_lab.engine.instruction import Pipe

__all__ = ["TBuf", "TBufPool", "TPipe", "TQue", "TQueBind", "get_tpipe_ptr"]

_ELSEWHERE = 1 << 20  # a memory of the cube side, which the model does not have


class TPipe:
    """A kernel's memory and event ids. Constructing it resets mask, atomic mode and ids.

    asc-devkit: docs/zh/api/SIMD-API/基础API/资源管理/TPipe.
    """

    def __init__(self) -> None:
        block = current()
        self._start()
        block.pipes.append(self)

    def _start(self, **params: Any) -> None:
        self._buffers: list[Buffer] = []
        self._top: dict[str, int] = {}
        self.events = EventIds()
        self._destroyed = False
        emit("TPipe", Pipe.S, params=params)

    def init(self) -> None:
        """Start again after ``destroy``."""
        self._start()

    def init_buffer(self, *args: Any, **kwargs: Any) -> None:
        """``init_buffer(que, num, len)``: ``num`` buffers of ``len`` bytes; ``init_buffer(buf, num)``: bytes.

        Addresses are handed out in call order; each length is rounded up to 32 B.
        asc-devkit: docs/zh/api/SIMD-API/基础API/资源管理/TPipe/InitBuffer.md
        """
        request = Request("TPipe.init_buffer", args, kwargs)
        space = request.owner.space
        addr = self._top.get(space, 0)
        self._buffers += request.place(self, addr)
        self._top[space] = addr + request.nbytes

    def init_buf_pool(
        self, buf_pool: TBufPool, len: int = 0, share_buf: TBufPool | None = None
    ) -> None:
        """Give ``len`` bytes to ``buf_pool``: new ones, or those of ``share_buf``.

        asc-devkit: docs/zh/api/SIMD-API/基础API/资源管理/TPipe/InitBufPool.md
        """
        space = getattr(buf_pool, "space", "UB")
        top = self._top.get(space, 0)
        left = self.capacity(space) - top
        api = "TPipe.init_buf_pool"
        self._top[space] = top + divide(api, (buf_pool, len, share_buf), self, top, left)

    def adopt(self, buffers: list[Buffer]) -> None:
        """Buffers of a pool: their flags are waited for when the TPipe ends."""
        self._buffers += buffers

    def release(self, buffers: list[Buffer]) -> None:
        """A pool has let go of its buffers."""
        self._buffers = [buffer for buffer in self._buffers if buffer not in buffers]

    def top(self, space: str) -> int:
        """The first byte of a memory that was not handed out."""
        return self._top.get(space, 0)

    def capacity(self, space: str) -> int:
        """Bytes of a memory that can be handed out."""
        return current().chip.memory.ub_usable_bytes if space == "UB" else _ELSEWHERE

    def alloc_event_id(self, event: HardEvent = HardEvent.V_S) -> RuntimeInt:
        """Take an event id until ``release_event_id``."""
        pipes_of("asc.TPipe.alloc_event_id", event)
        return int32_of(self.events.alloc(event))

    def fetch_event_id(self, event: HardEvent = HardEvent.V_S) -> RuntimeInt:
        """The next free event id, without taking it: two calls in a row give the same one."""
        pipes_of("asc.TPipe.fetch_event_id", event)
        return int32_of(self.events.fetch(event))

    def release_event_id(self, id: int, event: HardEvent = HardEvent.V_S) -> None:
        """Give back an id of ``alloc_event_id``."""
        pipes_of("asc.TPipe.release_event_id", event)
        self.events.release(event, plain_int("asc.TPipe.release_event_id", "id", id))

    def get_base_addr(self, logic_pos: int | None = None) -> RuntimeInt:
        """Not modelled: an address of the CPU twin."""
        raise NotModelled("asc.TPipe.get_base_addr")

    def destroy(self) -> None:
        """Wait for the events of freed buffers, then for all pipes.

        asc-devkit: docs/zh/api/SIMD-API/基础API/资源管理/TPipe/Destroy.md
        """
        for params in self._outstanding():
            emit("WaitFlag", params["dst"], params=params)
        self._destroyed = True
        emit("PipeBarrier", Pipe.S, params={"pipe": int(Pipe.ALL)})
        emit("TPipeDestroy", Pipe.S)

    def close(self) -> None:
        """What the destructor does when the kernel ends: ``destroy``, unless that was done."""
        if self._destroyed:
            return
        block = current()
        for params in self._outstanding():
            emit_at_end(block, "WaitFlag", params["dst"], params)
        self._destroyed = True
        emit_at_end(block, "PipeBarrier", Pipe.S, {"pipe": int(Pipe.ALL)})
        emit_at_end(block, "TPipeDestroy", Pipe.S)

    def reset(self) -> None:
        """Give all buffers and ids back, and reset mask and atomic mode.

        asc-devkit: docs/zh/api/SIMD-API/基础API/资源管理/TPipe/Reset.md
        """
        for params in self._outstanding():
            emit("WaitFlag", params["dst"], params=params)
        emit("TPipeDestroy", Pipe.S, params={"reset": True})
        self._start(reset=True)

    def _outstanding(self) -> Iterable[dict[str, int]]:
        """The flags that freeing raised and no AllocTensor has waited for."""
        return [params for buffer in self._buffers for params in buffer.freed_flag()]


def get_tpipe_ptr() -> TPipe:
    """The kernel's TPipe. Raises LabError when none was constructed.

    asc-devkit: docs/zh/api/SIMD-API/基础API/资源管理/GetTPipePtr.md
    """
    pipes = current().pipes
    if not pipes:
        raise no_pipe("get_tpipe_ptr")
    pipe: TPipe = pipes[-1]
    return pipe
