"""Blocks taking turns. Not modelled."""

from __future__ import annotations

from ascend_lab.asc.not_modelled import not_modelled

notify_next_block = not_modelled("asc.notify_next_block")
wait_pre_block = not_modelled("asc.wait_pre_block")
