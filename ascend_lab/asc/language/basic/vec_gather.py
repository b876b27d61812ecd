"""Gathering. Not modelled."""

from __future__ import annotations

from ascend_lab.asc.not_modelled import not_modelled

gather = not_modelled("asc.gather")
gatherb = not_modelled("asc.gatherb")
