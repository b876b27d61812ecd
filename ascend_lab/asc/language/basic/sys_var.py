"""What a kernel may ask about itself. A vector kernel has one vector core per block.

asc-devkit: docs/zh/api/SIMD-API/基础API/工具接口/系统资源与变量.
"""

from __future__ import annotations

from typing import NoReturn

from ascend_lab.asc.door import ask, current
from ascend_lab.asc.language.core.ir_value import RuntimeInt, int32_of, int64_of
from ascend_lab.asc.not_modelled import not_modelled
from ascend_lab.engine.errors import LabError

get_arch_version = not_modelled("asc.get_arch_version")
get_program_counter = not_modelled("asc.get_program_counter")


def get_block_idx() -> RuntimeInt:
    """Which block this is, from 0."""
    return int32_of(current().index)


def get_block_num() -> RuntimeInt:
    """How many blocks were launched."""
    return int32_of(current().door.blocks)


def get_sub_block_idx() -> RuntimeInt:
    """Which vector core of its AI core this is: 0 in a vector kernel."""
    current()
    return int64_of(0)


def get_sub_block_num() -> RuntimeInt:
    """Vector cores per block: 1 in a vector kernel."""
    current()
    return int64_of(1)


def get_task_ratio() -> RuntimeInt:
    """Vector cores per AI core that were launched: 1 in a vector kernel."""
    current()
    return int64_of(1)


def get_data_block_size_in_bytes() -> RuntimeInt:
    """Bytes of one DataBlock."""
    return int32_of(current().chip.limits.block_bytes)


def get_system_cycle() -> RuntimeInt:
    """The system counter (50 MHz on Atlas A2); the scalar unit reads it.

    asc-devkit: docs/zh/api/SIMD-API/基础API/工具接口/系统资源与变量/GetSystemCycle(ISASI).md
    """
    return int64_of(int(ask("GetSystemCycle", (), {})))


def trap() -> NoReturn:
    """Stop the kernel with an error."""
    current()
    raise LabError("核函数调用了 trap()，在此停止。", "the kernel called trap() and stops here.")
