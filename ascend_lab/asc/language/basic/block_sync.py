"""Synchronisation within a core and between cores.

asc-devkit: docs/zh/api/SIMD-API/基础API/同步控制.
"""

from __future__ import annotations

from typing import Any

from ascend_lab.asc.door import emit
from ascend_lab.asc.errors import no_memory, no_overload
from ascend_lab.asc.language.basic.vector import local
from ascend_lab.asc.language.core.constexpr import ConstExpr
from ascend_lab.asc.language.core.enums import HardEvent, MemDsbT, PipeID
from ascend_lab.asc.language.core.ir_value import plain_int
from ascend_lab.asc.language.core.tensor import GlobalTensor, LocalTensor
from ascend_lab.asc.language.fwk.events import pipes_of
from ascend_lab.engine.errors import LabError, NotModelled
from ascend_lab.engine.instruction import Pipe, Ref

_BARRIERS = {
    PipeID.PIPE_S: Pipe.S,
    PipeID.PIPE_V: Pipe.V,
    PipeID.PIPE_MTE2: Pipe.MTE2,
    PipeID.PIPE_MTE3: Pipe.MTE3,
    PipeID.PIPE_ALL: Pipe.ALL,
}
#: Pipes that only a cube core has: asc-devkit: docs/zh/guide/编程指南/高级编程/硬件实现/基本架构.md.
_OF_CUBE = frozenset((PipeID.PIPE_M, PipeID.PIPE_MTE1, PipeID.PIPE_FIX))


def set_flag(event: HardEvent, event_id: int = 0) -> None:
    """The source pipe raises the flag when everything before it is done.

    asc-devkit: docs/zh/api/SIMD-API/基础API/同步控制/核内同步/SetFlag-WaitFlag(ISASI).md
    """
    src, dst = pipes_of("asc.set_flag", event)
    number = plain_int("asc.set_flag", "event_id", event_id)
    if src == dst:  # V_V: impl/basic_api/kernel_event.h turns it into a barrier
        emit("PipeBarrier", Pipe.S, params={"pipe": int(src)})
        return
    emit("SetFlag", src, params={"src": int(src), "dst": int(dst), "id": number})


def wait_flag(event: HardEvent, event_id: int = 0) -> None:
    """The destination pipe goes on only when the flag has been raised, and lowers it."""
    src, dst = pipes_of("asc.wait_flag", event)
    number = plain_int("asc.wait_flag", "event_id", event_id)
    if src != dst:
        emit("WaitFlag", dst, params={"src": int(src), "dst": int(dst), "id": number})


def pipe_barrier(pipe: PipeID) -> None:
    """What follows on ``pipe`` starts only when what went before on it is done.

    asc-devkit: docs/zh/api/SIMD-API/基础API/同步控制/核内同步/PipeBarrier(ISASI).md
    """
    if not isinstance(pipe, PipeID):
        raise no_overload("asc.pipe_barrier", (pipe,), ("pipe: PipeID",))
    found = _BARRIERS.get(pipe)
    if pipe in _OF_CUBE:
        raise LabError(
            f"矢量核没有 {pipe.name} 流水：PipeBarrier<{pipe.name}> 在矢量核上是非法指令。"
            "请使用矢量核的流水（PIPE_V、PIPE_MTE2、PIPE_MTE3）或 PIPE_ALL。",
            f"a vector core has no {pipe.name}: PipeBarrier<{pipe.name}> is an illegal instruction on it. "
            "Name a pipe that it has (PIPE_V, PIPE_MTE2, PIPE_MTE3), or PIPE_ALL.",
        )
    if found is None:
        raise NotModelled("asc.pipe_barrier", f"PipeID.{pipe.name}")
    emit("PipeBarrier", Pipe.S, params={"pipe": int(found)})


def data_sync_barrier(arg0: MemDsbT) -> None:
    """The scalar unit waits for its own accesses to GM or UB. In the model they are in order already.

    asc-devkit: docs/zh/api/SIMD-API/基础API/同步控制/核内同步/DataSyncBarrier(ISASI).md
    """
    emit("DataSyncBarrier", Pipe.S, params={"memory": MemDsbT(ConstExpr.unwrap(arg0)).name})


def sync_all(
    gm_workspace: Any = None,
    ub_workspace: LocalTensor | None = None,
    used_cores: int = 0,
    is_aiv_only: bool = True,
) -> None:
    """All cores wait for each other: in hardware, or through a workspace (soft form).

    asc-devkit: docs/zh/api/SIMD-API/基础API/同步控制/核间同步/SyncAll.md
    """
    api = "asc.sync_all"
    if isinstance(gm_workspace, bool):  # sync_all(is_aiv_only)
        gm_workspace, is_aiv_only = None, gm_workspace
    if not ConstExpr.unwrap(is_aiv_only):
        raise NotModelled(api, "is_aiv_only=False")
    used = plain_int(api, "used_cores", used_cores)
    if gm_workspace is None or ub_workspace is None:
        emit("SyncAll", Pipe.S, params={"soft": False, "used": used})
        return
    refs = workspaces(api, gm_workspace, ub_workspace)
    emit("SyncAll", Pipe.S, None, refs, {"soft": True, "used": used})


def ib_set(
    gm_workspace: GlobalTensor,
    ub_workspace: LocalTensor,
    block_idx: int,
    event_id: int,
    is_aiv_only: bool = True,
) -> None:
    """After everything before it: set the flag (``block_idx``, ``event_id``) that lies in ``gm_workspace``.

    The workspace must start as zeros. asc-devkit: docs/zh/api/SIMD-API/基础API/同步控制/核间同步/IBSet.md
    """
    _between("IBSet", "asc.ib_set", gm_workspace, ub_workspace, (block_idx, event_id, is_aiv_only))


def ib_wait(
    gm_workspace: GlobalTensor,
    ub_workspace: LocalTensor,
    block_idx: int,
    event_id: int,
    is_aiv_only: bool = True,
) -> None:
    """Wait until the flag (``block_idx``, ``event_id``) in ``gm_workspace`` is set, and clear it.

    asc-devkit: docs/zh/api/SIMD-API/基础API/同步控制/核间同步/IBWait.md
    """
    _between(
        "IBWait", "asc.ib_wait", gm_workspace, ub_workspace, (block_idx, event_id, is_aiv_only)
    )


def _between(op: str, api: str, gm: Any, ub: Any, values: tuple[Any, Any, Any]) -> None:
    block_idx, event_id, is_aiv_only = values
    if not ConstExpr.unwrap(is_aiv_only):
        raise NotModelled(api, "is_aiv_only=False")
    params = {
        "idx": plain_int(api, "block_idx", block_idx),
        "event": plain_int(api, "event_id", event_id),
    }
    emit(op, Pipe.S, None, workspaces(api, gm, ub), params)


def workspaces(api: str, gm_workspace: Any, ub_workspace: Any) -> tuple[Ref, Ref]:
    """The operands of an interface that synchronises through memory."""
    if not isinstance(gm_workspace, GlobalTensor):
        forms = ("gm_workspace: GlobalTensor, ub_workspace: LocalTensor, ...",)
        raise no_overload(api, (gm_workspace, ub_workspace), forms)
    if not gm_workspace.ref.space:
        raise no_memory(api)
    return gm_workspace.ref, local(api, "ub_workspace", ub_workspace)


def cross_core_set_flag(flag_id: int, mode_id: int, pipe: PipeID) -> None:
    """When everything before it on ``pipe`` is done: tell the scheduler. Mode 0, between all vector cores.

    When every block has told it, each block's counter ``flag_id`` rises by one.
    asc-devkit: docs/zh/api/SIMD-API/基础API/同步控制/核间同步/CrossCoreSetFlag(ISASI).md
    """
    api = "asc.cross_core_set_flag"
    place = _CROSS_PIPES.get(PipeID(ConstExpr.unwrap(pipe)))
    if place is None:
        raise NotModelled(api, f"pipe={PipeID(ConstExpr.unwrap(pipe)).name}")
    emit("CrossCoreSetFlag", place, params=_cross(api, flag_id, mode_id))


def cross_core_wait_flag(flag_id: int, mode_id: int = 0, pipe: PipeID = PipeID.PIPE_S) -> None:
    """The scalar unit waits until the counter ``flag_id`` is not 0, and takes one off it.

    asc-devkit: docs/zh/api/SIMD-API/基础API/同步控制/核间同步/CrossCoreWaitFlag(ISASI).md
    """
    emit("CrossCoreWaitFlag", Pipe.S, params=_cross("asc.cross_core_wait_flag", flag_id, mode_id))


_CROSS_PIPES = {
    PipeID.PIPE_V: Pipe.V,
    PipeID.PIPE_MTE2: Pipe.MTE2,
    PipeID.PIPE_MTE3: Pipe.MTE3,
}


def _cross(api: str, flag_id: Any, mode_id: Any) -> dict[str, int]:
    mode = plain_int(api, "mode_id", mode_id)
    if mode != 0:
        raise NotModelled(api, f"mode_id={mode}")
    return {"id": plain_int(api, "flag_id", flag_id) & 0xF}
