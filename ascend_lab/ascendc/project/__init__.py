"""Operator projects of msopgen: op_host (prototype, tiling, shapes) and op_kernel, without CANN."""

from __future__ import annotations

from ascend_lab.ascendc.project.faults import HostFault
from ascend_lab.ascendc.project.running import Project, Ran, Ready

__all__ = ["HostFault", "Project", "Ran", "Ready"]
