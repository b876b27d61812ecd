"""Normalisation. Not modelled."""

from __future__ import annotations

from ascend_lab.asc.not_modelled import not_modelled

rmsnorm = not_modelled("asc.adv.rmsnorm")
