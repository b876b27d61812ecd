"""Scattering. Not modelled."""

from __future__ import annotations

from ascend_lab.asc.not_modelled import not_modelled

scatter = not_modelled("asc.scatter")
