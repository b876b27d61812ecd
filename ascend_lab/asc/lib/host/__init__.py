"""Host-side tiling of Matmul. Not modelled."""

from __future__ import annotations

from ascend_lab.asc import not_modelled as missing
from ascend_lab.asc.language.core.enums import CubeFormat, ScheduleType, TPosition

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

BatchMatmulTiling = missing.not_modelled_class("asc.lib.host.BatchMatmulTiling")
DataType = missing.not_modelled_class("asc.lib.host.DataType")
DequantType = missing.not_modelled_class("asc.lib.host.DequantType")
MatmulApiTiling = missing.not_modelled_class("asc.lib.host.MatmulApiTiling")
MatmulConfigParams = missing.not_modelled_class("asc.lib.host.MatmulConfigParams")
MatrixMadType = missing.not_modelled_class("asc.lib.host.MatrixMadType")
MatrixTraverse = missing.not_modelled_class("asc.lib.host.MatrixTraverse")
MultiCoreMatmulTiling = missing.not_modelled_class("asc.lib.host.MultiCoreMatmulTiling")
PlatformAscendC = missing.not_modelled_class("asc.lib.host.PlatformAscendC")
PlatformAscendCManager = missing.not_modelled_class("asc.lib.host.PlatformAscendCManager")
get_ascendc_platform = missing.not_modelled("asc.lib.host.get_ascendc_platform")
