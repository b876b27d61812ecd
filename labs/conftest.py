"""``pytest --nbval labs/``: starts from no progress, whatever the user of this computer has done."""

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
