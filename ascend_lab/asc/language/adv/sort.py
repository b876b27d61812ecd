"""Sorting. Not modelled."""

from __future__ import annotations

from ascend_lab.asc.not_modelled import not_modelled

concat = not_modelled("asc.adv.concat")
extract = not_modelled("asc.adv.extract")
