"""``pytest --nbval labs/``: every notebook starts from no progress, whatever was done before it."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import pytest


def pytest_configure(config: pytest.Config) -> None:
    """Set what the kernels inherit."""
    folder = tempfile.TemporaryDirectory(prefix="ascend-lab-")
    config.add_cleanup(folder.cleanup)
    os.environ["ASCEND_LAB_PROGRESS"] = str(Path(folder.name) / "progress.json")
    for name in ("ASCEND_LAB_LANG", "JPY_SESSION_NAME"):
        os.environ.pop(name, None)


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Before the first cell of a notebook: the same lab in the other language has left its progress."""
    if getattr(item, "cell_num", None) == 0:
        Path(os.environ["ASCEND_LAB_PROGRESS"]).unlink(missing_ok=True)
