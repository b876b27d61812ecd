"""The device of a host program; it lives with the host runtime."""

from __future__ import annotations

from ascend_lab.acl import HostDevice

__all__ = ["HostDevice"]
