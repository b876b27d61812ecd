"""Changing layouts. Not modelled."""

from __future__ import annotations

from ascend_lab.asc.not_modelled import not_modelled

trans_data_to_5hd = not_modelled("asc.trans_data_to_5hd")
transpose = not_modelled("asc.transpose")
