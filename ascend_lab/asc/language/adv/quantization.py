"""Quantisation. Not modelled."""

from __future__ import annotations

from ascend_lab.asc.not_modelled import not_modelled

quant = not_modelled("asc.adv.quant")
