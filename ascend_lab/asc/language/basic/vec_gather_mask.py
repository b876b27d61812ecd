"""Gathering by a mask. Not modelled."""

from __future__ import annotations

from ascend_lab.asc.not_modelled import not_modelled

gather_mask = not_modelled("asc.gather_mask")
get_gather_mask_remain_count = not_modelled("asc.get_gather_mask_remain_count")
