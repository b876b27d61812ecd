"""TBufPool: a part of a memory that stages of a kernel use one after the other.

asc-devkit: docs/zh/api/SIMD-API/基础API/资源管理/TBufPool.
"""

from __future__ import annotations

from typing import Any

from ascend_lab.asc.door import current, emit
from ascend_lab.asc.errors import no_overload
from ascend_lab.asc.language.core.constexpr import ConstExpr
from ascend_lab.asc.language.core.enums import TPosition
from ascend_lab.asc.language.core.ir_value import plain_int
from ascend_lab.asc.language.core.memory import space_of
from ascend_lab.asc.language.fwk.buffer import Buffer
from ascend_lab.asc.language.fwk.plan import Request, rounded
from ascend_lab.engine.errors import LabError
from ascend_lab.engine.instruction import Pipe

_FORM = ("buf_pool: TBufPool, len: int, share_buf: TBufPool | None = None",)


class TBufPool:
    """A pool of ``pos``. ``init_buf_pool`` of a TPipe or of another pool gives it memory.

    ``buf_id_size`` is how many buffers it can keep track of; the model does not count them.
    asc-devkit: docs/zh/api/SIMD-API/基础API/资源管理/TBufPool/TBufPool简介.md
    """

    def __init__(self, pos: TPosition = TPosition.VECCALC, buf_id_size: int = 4) -> None:
        self.space = space_of(current().chip, TPosition(ConstExpr.unwrap(pos)))
        self._pipe: Any = None
        self._addr = self._len = self._top = 0
        self._buffers: list[Buffer] = []

    def take(self, pipe: Any, addr: int, length: int) -> None:
        """The memory that init_buf_pool gives it."""
        self._pipe, self._addr, self._len, self._top = pipe, addr, length, 0
        self._buffers = []

    def init_buf_pool(
        self, buf_pool: TBufPool, len: int = 0, share_buf: TBufPool | None = None
    ) -> None:
        """Give ``len`` bytes to ``buf_pool``: new ones, or those of ``share_buf``.

        asc-devkit: docs/zh/api/SIMD-API/基础API/资源管理/TBufPool/InitBufPool-55.md
        """
        self._demand_memory("TBufPool.init_buf_pool")
        self._top += divide(
            "TBufPool.init_buf_pool",
            (buf_pool, len, share_buf),
            self._pipe,
            self._addr + self._top,
            self._len - self._top,
        )

    def init_buffer(self, *args: Any, **kwargs: Any) -> None:
        """``init_buffer(que, num, len)`` or ``init_buffer(buf, num)``, as TPipe's, from this pool.

        asc-devkit: docs/zh/api/SIMD-API/基础API/资源管理/TBufPool/InitBuffer-56.md
        """
        api = "TBufPool.init_buffer"
        self._demand_memory(api)
        request = Request(api, args, kwargs)
        if request.nbytes > self._len - self._top:
            raise _too_small(api, request.nbytes, self._len - self._top)
        buffers = request.place(self._pipe, self._addr + self._top)
        self._top += request.nbytes
        self._buffers += buffers
        self._pipe.adopt(buffers)

    def reset(self) -> None:
        """End what its queues have under way, and give its memory out anew.

        asc-devkit: docs/zh/api/SIMD-API/基础API/资源管理/TBufPool/Reset-57.md
        """
        self._demand_memory("TBufPool.reset")
        for params in [params for buffer in self._buffers for params in buffer.freed_flag()]:
            emit("WaitFlag", params["dst"], params=params)
        self._pipe.release(self._buffers)
        self._buffers = []
        self._top = 0
        emit("TBufPoolReset", Pipe.S)

    def _demand_memory(self, api: str) -> None:
        if self._pipe is None:
            raise LabError(
                f"{api}：这个 TBufPool 还没有内存，请先调用 pipe.init_buf_pool(pool, 字节数)。",
                f"{api}: this TBufPool has no memory; call pipe.init_buf_pool(pool, bytes) first.",
            )


def divide(api: str, given: tuple[Any, Any, Any], pipe: Any, addr: int, left: int) -> int:
    """Carry out init_buf_pool(pool, len, share_buf); the bytes it takes from ``addr`` on."""
    pool, length, share = given
    if not isinstance(pool, TBufPool) or not (share is None or isinstance(share, TBufPool)):
        raise no_overload(api, given, _FORM)
    wanted = rounded(plain_int(api, "len", length))
    if share is not None:
        if wanted > share._len:
            raise _too_small(api, wanted, share._len)
        pool.take(pipe, share._addr, share._len)
        return 0
    if wanted > left:
        raise _too_small(api, wanted, left)
    pool.take(pipe, addr, wanted)
    return wanted


def _too_small(api: str, wanted: int, left: int) -> LabError:
    return LabError(
        f"{api}：要 {wanted} 字节，只剩 {left} 字节。请减小长度，或让两个阶段复用一个 TBufPool。",
        f"{api}: {wanted} bytes are asked for, {left} are left. Ask for less, or let two stages share a pool.",
    )
