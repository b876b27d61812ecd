"""C++ door: Ascend C sources, unmodified, on the model. See README.md for how the pieces fit."""

from __future__ import annotations

from ascend_lab.ascendc.building import Build, CompileError, NoCompiler, build
from ascend_lab.ascendc.kernel import CppKernel, kernels
from ascend_lab.ascendc.program import Outcome, run

__all__ = [
    "Build",
    "CompileError",
    "CppKernel",
    "NoCompiler",
    "Outcome",
    "build",
    "kernels",
    "run",
]
