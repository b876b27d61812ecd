"""Chips are read once: hundreds of devices are made here."""

from __future__ import annotations

import functools
from collections.abc import Iterator

import pytest

from ascend_lab import chips, device


@pytest.fixture(autouse=True, scope="session")
def _chips_read_once() -> Iterator[None]:
    patch = pytest.MonkeyPatch()
    load = functools.lru_cache(chips.load)
    patch.setattr(device.chips, "load", load)
    yield
    patch.undo()
