"""Ascend Lab: run, see and check operators for Ascend NPUs without owning one.

>>> from ascend_lab import Device
"""

from __future__ import annotations

from typing import Any

__version__ = "0.1.0"
__all__ = [
    "Device",
    "InternalError",
    "LabError",
    "NotModelled",
    "Result",
    "__version__",
    "load_ipython_extension",
]


def __getattr__(name: str) -> Any:
    """Load the device only when it is asked for: `import ascend_lab` stays cheap."""
    if name in ("Device", "Result"):
        from ascend_lab import device

        return getattr(device, name)
    if name in ("InternalError", "LabError", "NotModelled"):
        from ascend_lab.engine import errors

        return getattr(errors, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def load_ipython_extension(shell: Any) -> None:
    """``%load_ext ascend_lab``: brings the cell magic ``%%ascendc``."""
    import importlib

    importlib.import_module("ascend_lab.course.magic").register(shell)
