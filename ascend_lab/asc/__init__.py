"""The Python door: kernels written with the names of pyasc, run on a model of the chip.

>>> import ascend_lab.asc as asc

Names that the model has not raise `NotModelled` when they are used. Additions to pyasc: ``bfloat16`` and
``MASK_PLACEHOLDER``.
"""

from __future__ import annotations

from ascend_lab.asc import language
from ascend_lab.asc import lib as lib
from ascend_lab.asc import runtime as runtime
from ascend_lab.asc.codegen.function_visitor import CodegenOptions
from ascend_lab.asc.language import *  # noqa: F403
from ascend_lab.asc.runtime.compiler import CompileOptions
from ascend_lab.asc.runtime.jit import jit
from ascend_lab.asc.runtime.launcher import LaunchOptions

__all__ = ["CodegenOptions", "CompileOptions", "LaunchOptions", "jit"]
__all__ += language.__all__
