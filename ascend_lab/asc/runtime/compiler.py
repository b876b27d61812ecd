"""CompileOptions: what ``@asc.jit(...)`` may say about compiling."""

from __future__ import annotations

from dataclasses import dataclass

from ascend_lab.asc.runtime.config import KernelType


@dataclass
class CompileOptions:
    """Options of the compiler. ``insert_sync``, ``auto_sync`` and ``kernel_type`` have an effect here."""

    debug: bool = False
    strip_loc: bool = False
    verify_sync: bool = False
    print_ir_before_all: bool = False
    run_passes: bool = True
    kernel_type: KernelType | None = None
    opt_level: int | None = 3
    auto_sync: bool | None = True
    auto_sync_log: str | None = ""
    bisheng_options: tuple[str, ...] | None = None
    always_compile: bool = False
    matmul_cube_only: bool = False
    insert_sync: bool | None = None
