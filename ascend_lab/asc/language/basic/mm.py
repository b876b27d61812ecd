"""The cube unit. Not modelled."""

from __future__ import annotations

from ascend_lab.asc.not_modelled import not_modelled

init_const_value = not_modelled("asc.init_const_value")
load_data = not_modelled("asc.load_data")
load_data_with_sparse = not_modelled("asc.load_data_with_sparse")
load_data_with_transpose = not_modelled("asc.load_data_with_transpose")
mmad = not_modelled("asc.mmad")
mmad_with_sparse = not_modelled("asc.mmad_with_sparse")
set_load_data_boundary = not_modelled("asc.set_load_data_boundary")
set_load_data_padding_value = not_modelled("asc.set_load_data_padding_value")
set_load_data_repeat = not_modelled("asc.set_load_data_repeat")
