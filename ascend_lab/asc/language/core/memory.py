"""Which memory a TPosition lies in, and how fast a position is looked up.

asc-devkit: docs/zh/api/SIMD-API/通用说明和约束.md, TPosition.
"""

from __future__ import annotations

from collections.abc import Mapping

from ascend_lab.asc.language.core.enums import Hardware, TPosition
from ascend_lab.chips import ChipSpec

_EVERYWHERE: dict[int, str] = {
    TPosition.GM: "GM",
    TPosition.A1: "L1",
    TPosition.B1: "L1",
    TPosition.A2: "L0A",
    TPosition.B2: "L0B",
    TPosition.CO1: "L0C",
    TPosition.VECIN: "UB",
    TPosition.VECOUT: "UB",
    TPosition.VECCALC: "UB",
    TPosition.MAX: "UB",
}
_SPLIT: Mapping[int, str] = _EVERYWHERE | {
    TPosition.C1: "L1",
    TPosition.C2: "BT",
    TPosition.CO2: "GM",
}
_FUSED: Mapping[int, str] = _EVERYWHERE | {
    TPosition.C1: "UB",
    TPosition.C2: "L0C",
    TPosition.CO2: "UB",
}
_HARDWARE: Mapping[int, str] = {
    Hardware.GM: "GM",
    Hardware.UB: "UB",
    Hardware.L1: "L1",
    Hardware.L0A: "L0A",
    Hardware.L0B: "L0B",
    Hardware.L0C: "L0C",
    Hardware.BIAS: "BT",
    Hardware.FIXBUF: "FB",
    Hardware.MAX: "UB",
}


def space_of(chip: ChipSpec, position: int) -> str:
    """The memory of a position: "UB", "L1", "L0A", "L0B", "L0C", "BT" or "GM"."""
    return (_FUSED if chip.fused else _SPLIT)[position]


def space_of_hardware(hardware: int) -> str:
    """The memory that ``Hardware`` names."""
    return _HARDWARE[hardware]
