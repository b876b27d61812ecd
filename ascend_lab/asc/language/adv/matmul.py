"""The Matmul object. Not modelled."""

from __future__ import annotations

from ascend_lab.asc.not_modelled import not_modelled, not_modelled_class

Matmul = not_modelled_class("asc.adv.Matmul")
MatmulType = not_modelled_class("asc.adv.MatmulType")
get_basic_config = not_modelled("asc.adv.get_basic_config")
get_ib_share_norm_config = not_modelled("asc.adv.get_ib_share_norm_config")
get_matmul_api_tiling = not_modelled("asc.adv.get_matmul_api_tiling")
get_mdl_config = not_modelled("asc.adv.get_mdl_config")
get_mm_config = not_modelled("asc.adv.get_mm_config")
get_normal_config = not_modelled("asc.adv.get_normal_config")
get_special_basic_config = not_modelled("asc.adv.get_special_basic_config")
get_special_mdl_config = not_modelled("asc.adv.get_special_mdl_config")
register_matmul = not_modelled("asc.adv.register_matmul")
