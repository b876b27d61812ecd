"""Broadcasting elements to DataBlocks. Not modelled."""

from __future__ import annotations

from ascend_lab.asc.not_modelled import not_modelled

brcb = not_modelled("asc.brcb")
