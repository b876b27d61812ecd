"""Constants of the chip, read with ``asc.property``.

asc-devkit: impl/basic_api/utils/kernel_utils_constants.h (names and meaning).
"""

from __future__ import annotations

from dataclasses import dataclass

from ascend_lab.asc.door import current
from ascend_lab.asc.language.core.dtype import DataType, int16, int32
from ascend_lab.asc.language.core.ir_value import RuntimeFloat, RuntimeInt, scalar_of
from ascend_lab.chips import ChipSpec


@dataclass(frozen=True)
class Property:
    """A constant of the chip: its name in Ascend C and its type."""

    name: str
    dtype: DataType


DEFAULT_C0_SIZE = Property("DEFAULT_C0_SIZE", int32)
ONE_BLK_SIZE = Property("ONE_BLK_SIZE", int16)
TOTAL_L1_SIZE = Property("TOTAL_L1_SIZE", int32)
TOTAL_L0C_SIZE = Property("TOTAL_L0C_SIZE", int32)


def property(prop: Property) -> RuntimeInt | RuntimeFloat:
    """The value of ``prop`` on the chip the kernel runs on."""
    return scalar_of(_value(prop, current().chip), prop.dtype)


def _value(prop: Property, chip: ChipSpec) -> int:
    if prop is TOTAL_L1_SIZE:
        return chip.memory.l1_bytes
    if prop is TOTAL_L0C_SIZE:
        return chip.memory.l0c_bytes
    return chip.limits.block_bytes  # one DataBlock: 32 B
