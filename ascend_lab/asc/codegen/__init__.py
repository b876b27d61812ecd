"""What pyasc's code generator takes. Kernels here run as plain Python: the lint says what it would refuse."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ascend_lab.asc.codegen.function_visitor import CodegenOptions

if TYPE_CHECKING:
    from ascend_lab.asc.codegen.linting import kernel_names, lint
    from ascend_lab.asc.codegen.notes import Note

__all__ = ["CodegenOptions", "Note", "kernel_names", "lint"]

_HOMES = {"Note": "notes", "kernel_names": "linting", "lint": "linting"}


def __getattr__(name: str) -> Any:
    """The lint, loaded when it is asked for: importing asc does not need it."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
