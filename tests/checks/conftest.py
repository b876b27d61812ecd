"""Chips are read once: hundreds of devices are made here."""

from __future__ import annotations

import functools

import pytest

from ascend_lab import chips, device

_load = functools.lru_cache(chips.load)


@pytest.fixture(autouse=True)
def _chips_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(device.chips, "load", _load)
