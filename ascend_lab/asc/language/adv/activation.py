"""Activation functions. Not modelled."""

from __future__ import annotations

from ascend_lab.asc.not_modelled import not_modelled

softmax = not_modelled("asc.adv.softmax")
