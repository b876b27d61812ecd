from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest


@pytest.fixture(scope="session")
def builder(repository: Path) -> ModuleType:
    """labs/build.py, which is a script and no part of a package."""
    spec = importlib.util.spec_from_file_location("labs_build", repository / "labs" / "build.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    import sys

    sys.modules["labs_build"] = module
    spec.loader.exec_module(module)
    return module
