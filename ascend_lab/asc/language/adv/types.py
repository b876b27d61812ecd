"""Parameters of high-level interfaces. Those of matrix interfaces are not modelled."""

from __future__ import annotations

from ascend_lab.asc.language.core.vector_types import int_field
from ascend_lab.asc.not_modelled import not_modelled_class

MatmulBatchParams = not_modelled_class("asc.adv.MatmulBatchParams")
MatmulConfig = not_modelled_class("asc.adv.MatmulConfig")
MatmulFuncParams = not_modelled_class("asc.adv.MatmulFuncParams")
MatmulQuantParams = not_modelled_class("asc.adv.MatmulQuantParams")
MatmulShapeParams = not_modelled_class("asc.adv.MatmulShapeParams")


class QuantConfig:
    """Compile-time lengths of ``quant``; 0 leaves one to the call. ``work_local_size``: of the buffer.

    asc-devkit: docs/zh/api/SIMD-API/高阶API/量化操作/AscendQuant.md
    """

    __slots__ = ("calc_count", "offset_count", "scale_count", "work_local_size")

    def __init__(
        self,
        calc_count: int = 0,
        offset_count: int = 0,
        scale_count: int = 0,
        work_local_size: int = 0,
    ) -> None:
        self.calc_count = int_field(self, "calc_count", calc_count)
        self.offset_count = int_field(self, "offset_count", offset_count)
        self.scale_count = int_field(self, "scale_count", scale_count)
        self.work_local_size = int_field(self, "work_local_size", work_local_size)
