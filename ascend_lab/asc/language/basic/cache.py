"""Caches of the scalar unit. Not modelled."""

from __future__ import annotations

from ascend_lab.asc.not_modelled import not_modelled

data_cache_clean_and_invalid = not_modelled("asc.data_cache_clean_and_invalid")
get_icache_preload_status = not_modelled("asc.get_icache_preload_status")
icache_preload = not_modelled("asc.icache_preload")
