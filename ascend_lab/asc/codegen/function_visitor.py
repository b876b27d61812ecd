"""CodegenOptions: accepted, because kernels written for the card pass them; without effect."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class CodegenOptions:
    """Options of the code generator."""

    capture_exceptions: bool = True
    ir_multithreading: bool = True
