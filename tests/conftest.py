"""What all tests share: the checkout, and how hard hypothesis tries."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

# The same examples on every machine, every day; the deep runs draw others and many more.
settings.register_profile("daily", derandomize=True, deadline=None, max_examples=30)
settings.register_profile("deep", deadline=None, max_examples=1000)
settings.load_profile("deep" if os.environ.get("ASCEND_LAB_DEEP") else "daily")


@pytest.fixture(scope="session")
def repository() -> Path:
    """The root of the checkout."""
    return Path(__file__).resolve().parents[1]
