"""Options of pyasc's code generator. Kernels here run as plain Python; there is no code to generate."""

from __future__ import annotations

from ascend_lab.asc.codegen.function_visitor import CodegenOptions

__all__ = ["CodegenOptions"]
