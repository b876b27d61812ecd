"""Host-side tiling of Matmul. Not modelled."""

from __future__ import annotations

from ascend_lab.asc.language.core.enums import CubeFormat, ScheduleType, TPosition
from ascend_lab.asc.not_modelled import not_modelled, not_modelled_class

__all__ = [
    "BatchMatmulTiling",
    "CubeFormat",
    "DataType",
    "DequantType",
    "MatmulApiTiling",
    "MatmulConfigParams",
    "MatrixMadType",
    "MatrixTraverse",
    "MultiCoreMatmulTiling",
    "PlatformAscendC",
    "PlatformAscendCManager",
    "ScheduleType",
    "TPosition",
    "get_ascendc_platform",
]

BatchMatmulTiling = not_modelled_class("asc.lib.host.BatchMatmulTiling")
DataType = not_modelled_class("asc.lib.host.DataType")
DequantType = not_modelled_class("asc.lib.host.DequantType")
MatmulApiTiling = not_modelled_class("asc.lib.host.MatmulApiTiling")
MatmulConfigParams = not_modelled_class("asc.lib.host.MatmulConfigParams")
MatrixMadType = not_modelled_class("asc.lib.host.MatrixMadType")
MatrixTraverse = not_modelled_class("asc.lib.host.MatrixTraverse")
MultiCoreMatmulTiling = not_modelled_class("asc.lib.host.MultiCoreMatmulTiling")
PlatformAscendC = not_modelled_class("asc.lib.host.PlatformAscendC")
PlatformAscendCManager = not_modelled_class("asc.lib.host.PlatformAscendCManager")
get_ascendc_platform = not_modelled("asc.lib.host.get_ascendc_platform")
