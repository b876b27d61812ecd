"""TPipe, the queues and TBuf: who owns which buffer, built from flags the engine knows.

A queue only issues markers (AllocTensor, EnQue, DeQue, FreeTensor) and the SetFlag and WaitFlag between the
pipes of its two ends. asc-devkit: docs/zh/api/SIMD-API/基础API/资源管理; impl/basic_api/kernel_tquebind_impl.h.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ascend_lab.asc.door import current, emit, emit_at_end
from ascend_lab.asc.errors import no_overload, no_pipe
from ascend_lab.asc.language.core.enums import HardEvent
from ascend_lab.asc.language.core.ir_value import RuntimeInt, int32_of, plain_int
from ascend_lab.asc.language.fwk.buffer import Buffer
from ascend_lab.asc.language.fwk.events import EventIds, pipes_of
from ascend_lab.asc.language.fwk.queue import TQue, TQueBind
from ascend_lab.asc.language.fwk.tbuf import TBuf
from ascend_lab.asc.not_modelled import not_modelled_class
from ascend_lab.engine.errors import NotModelled
from ascend_lab.engine.instruction import Pipe

__all__ = ["TBuf", "TBufPool", "TPipe", "TQue", "TQueBind", "get_tpipe_ptr"]

_BLOCK = 32
_MOST_BUFFERS = 256  # num is a uint8; what is too many for a TPipe is for the checks to say

TBufPool = not_modelled_class("asc.TBufPool")


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
        owner, num, length = _init_arguments(args, kwargs)
        block = current()
        asked = plain_int("TPipe.init_buffer", "len", length)
        count = plain_int("TPipe.init_buffer", "num", num)
        rounded = -(-asked // _BLOCK) * _BLOCK
        space = owner.space
        addr = self._top.get(space, 0)
        first = block.buffers
        emit(
            "InitBuffer",
            Pipe.S,
            params={
                "buf": first,
                "num": count,
                "addr": addr,
                "len": rounded,
                "asked": asked,
                "pos": owner.pos,
                "kind": owner.kind,
                "queue": owner.id,
                "name": owner.name,
                "depth": owner.depth,
            },
        )
        made = min(max(count, 0), _MOST_BUFFERS)
        buffers = [Buffer(first + i, space, addr + i * rounded, rounded) for i in range(made)]
        block.buffers += made
        self._top[space] = addr + made * rounded
        self._buffers += buffers
        owner.take(self, buffers, asked)

    def init_buf_pool(self, *args: Any, **kwargs: Any) -> None:
        """Not modelled."""
        raise NotModelled("asc.TPipe.init_buf_pool")

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


def _init_arguments(args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[TQueBind, Any, Any]:
    """(queue or TBuf, number of buffers, bytes of each) of a call of init_buffer."""
    given = dict(kwargs)
    owner = args[0] if args else given.pop("que", None) or given.pop("buf", None)
    rest = args[1:]
    if isinstance(owner, TBuf):
        names: tuple[str, ...] = ("num",)
        if "len" in given:
            given["num"] = given.pop("len")
    else:
        names = ("num", "len")
    values = dict(zip(names, rest, strict=False))
    clash = len(rest) > len(names) or set(given) - set(names) or set(given) & set(values)
    if clash or not isinstance(owner, TQueBind):
        forms = ("que: TQue, num: int, len: int", "buf: TBuf, num: int")
        raise no_overload("TPipe.init_buffer", (*args, *kwargs.values()), forms)
    values |= given
    if len(names) == 1:
        return owner, 1, values.get("num", 0)
    return owner, values.get("num", 0), values.get("len", 0)


def get_tpipe_ptr() -> TPipe:
    """The kernel's TPipe. Raises LabError when none was constructed.

    asc-devkit: docs/zh/api/SIMD-API/基础API/资源管理/GetTPipePtr.md
    """
    pipes = current().pipes
    if not pipes:
        raise no_pipe("get_tpipe_ptr")
    pipe: TPipe = pipes[-1]
    return pipe
