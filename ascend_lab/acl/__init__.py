"""The host runtime, in the shape of pyACL: ``import ascend_lab.acl as acl``.

Functions return what pyACL's return: an error code, or values and an error code. Beside them, the lab's own:
`current` (the runtime, with its findings, results and time), `using`, `Runtime`, `HostDevice`, `typed`.
Source: AscendCL and pyACL API reference; asc-devkit: docs/zh/guide/编程指南/编译与运行/异步执行.md.
"""

from __future__ import annotations

from ascend_lab.acl import rt, util
from ascend_lab.acl.current import current, existing, using
from ascend_lab.acl.host_device import HostDevice
from ascend_lab.acl.ledger import Spot
from ascend_lab.acl.runtime import Runtime
from ascend_lab.acl.typed import Typed, typed


def init(config_path: str | None = None) -> int:
    """Initialise the library: once, before everything else."""
    return int(current().lifetime.init(config_path))


def finalize() -> int:
    """The last call."""
    return int(current().lifetime.finalize())


def get_soc_name() -> str:
    """The chip's name."""
    return current().lifetime.soc_name()


def get_recent_err_msg() -> str:
    """What the latest error was; asked for once."""
    return current().lifetime.recent_message()


__all__ = [
    "HostDevice",
    "Runtime",
    "Spot",
    "Typed",
    "current",
    "existing",
    "finalize",
    "get_recent_err_msg",
    "get_soc_name",
    "init",
    "rt",
    "typed",
    "using",
    "util",
]
