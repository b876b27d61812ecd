"""Blocks taking turns, in the order of their numbers: for results that do not depend on timing.

asc-devkit: docs/zh/api/SIMD-API/基础API/同步控制/核间同步.
"""

from __future__ import annotations

from ascend_lab.asc.door import emit
from ascend_lab.asc.language.basic.block_sync import workspaces
from ascend_lab.asc.language.core.tensor import GlobalTensor, LocalTensor
from ascend_lab.engine.instruction import Pipe


def init_determine_compute_workspace(gm_workspace: GlobalTensor, ub_workspace: LocalTensor) -> None:
    """Block 0 clears ``gm_workspace``. An addition to pyasc: Ascend C's InitDetermineComputeWorkspace.

    asc-devkit: docs/zh/api/SIMD-API/基础API/同步控制/核间同步/InitDetermineComputeWorkspace.md
    """
    refs = workspaces("asc.init_determine_compute_workspace", gm_workspace, ub_workspace)
    emit("InitDetermineComputeWorkspace", Pipe.S, None, refs, {})


def wait_pre_block(gm_workspace: GlobalTensor, ub_workspace: LocalTensor) -> None:
    """Wait until all blocks before this one have notified in this round.

    asc-devkit: docs/zh/api/SIMD-API/基础API/同步控制/核间同步/WaitPreBlock.md
    """
    refs = workspaces("asc.wait_pre_block", gm_workspace, ub_workspace)
    emit("WaitPreBlock", Pipe.S, None, refs, {})


def notify_next_block(gm_workspace: GlobalTensor, ub_workspace: LocalTensor) -> None:
    """Give the turn to the next block; the last one ends the round.

    asc-devkit: docs/zh/api/SIMD-API/基础API/同步控制/核间同步/NotifyNextBlock.md
    """
    refs = workspaces("asc.notify_next_block", gm_workspace, ub_workspace)
    emit("NotifyNextBlock", Pipe.S, None, refs, {})
