"""Parameters of high-level interfaces. Not modelled."""

from __future__ import annotations

from ascend_lab.asc.not_modelled import not_modelled_class

MatmulBatchParams = not_modelled_class("asc.adv.MatmulBatchParams")
MatmulConfig = not_modelled_class("asc.adv.MatmulConfig")
MatmulFuncParams = not_modelled_class("asc.adv.MatmulFuncParams")
MatmulQuantParams = not_modelled_class("asc.adv.MatmulQuantParams")
MatmulShapeParams = not_modelled_class("asc.adv.MatmulShapeParams")
QuantConfig = not_modelled_class("asc.adv.QuantConfig")
