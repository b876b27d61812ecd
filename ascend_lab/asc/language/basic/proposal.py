"""Sorting. Not modelled."""

from __future__ import annotations

from ascend_lab.asc.not_modelled import not_modelled

get_mrg_sort_result = not_modelled("asc.get_mrg_sort_result")
get_sort_len = not_modelled("asc.get_sort_len")
get_sort_offset = not_modelled("asc.get_sort_offset")
mrg_sort = not_modelled("asc.mrg_sort")
mrg_sort4 = not_modelled("asc.mrg_sort4")
proposal_concat = not_modelled("asc.proposal_concat")
proposal_extract = not_modelled("asc.proposal_extract")
rp_sort16 = not_modelled("asc.rp_sort16")
sort = not_modelled("asc.sort")
sort32 = not_modelled("asc.sort32")
