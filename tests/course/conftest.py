from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from ascend_lab import course


@pytest.fixture(autouse=True)
def own_progress(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """No test reads or writes the progress of whoever runs it."""
    path = tmp_path / "progress.json"
    monkeypatch.setenv("ASCEND_LAB_PROGRESS", str(path))
    monkeypatch.delenv("ASCEND_LAB_LANG", raising=False)
    monkeypatch.delenv("JPY_SESSION_NAME", raising=False)
    return path


@pytest.fixture
def shown(capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """``shown("hunt", "03/hunt-1", {})``: what a terminal shows for one call of the lab."""

    def call(method: str, *arguments: object, lang: str = "en") -> str:
        capsys.readouterr()
        getattr(course.start("03", lang=lang), method)(*arguments)
        return capsys.readouterr().out

    return call
