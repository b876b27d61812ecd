"""pyasc's own tutorials and kernel tests, unmodified, on the model: what passes, and why the rest does not.

PYASC_ROOT names a checkout of pyasc; without it everything here is skipped.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TABLE = tomllib.loads((Path(__file__).parent / "pyasc.toml").read_text("utf-8"))
FOLDERS = ("test/kernels", "test/generalization/basic", "test/generalization/adv")


@pytest.fixture(scope="session")
def python() -> Path:
    """The folder python/ of the checkout."""
    root = os.environ.get("PYASC_ROOT")
    if not root:
        pytest.skip("PYASC_ROOT does not name a checkout of pyasc")
    found = Path(root) / "python"
    assert found.is_dir(), f"{found} is no folder"
    return found


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    """``ascend-lab run`` in a process of its own."""
    start = f"import sys; sys.path.insert(0, {str(ROOT)!r}); from ascend_lab.cli import main"
    command = [sys.executable, "-c", f"{start}; sys.exit(main())", "run", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)


def expect(outcome: str, done: subprocess.CompletedProcess[str]) -> None:
    """Compare a run with its row of the table."""
    said = done.stdout + done.stderr
    if outcome.startswith("lacks "):
        assert done.returncode == 1, said
        assert f"{outcome.removeprefix('lacks ')} is not modelled" in said
        return
    assert done.returncode == 0, said
    assert not re.search(r"\d+ (failed|error)", said), said


@pytest.mark.parametrize(("file", "outcome"), TABLE["tutorials"].items())
def test_tutorials(python: Path, file: str, outcome: str) -> None:
    expect(outcome, run("--lang", "en", str(python / file)))


@pytest.mark.timeout(620)
@pytest.mark.parametrize(("file", "outcome"), TABLE["tests"].items())
def test_kernel_tests(python: Path, file: str, outcome: str) -> None:
    done = run("--lang", "en", "--pytest", str(python / file))
    expect(outcome, done)
    if outcome == "pass":
        assert re.search(r"\d+ passed in", done.stdout), done.stdout
    elif outcome == "skips itself":
        assert re.search(r"=+ \d+ skipped in", done.stdout), done.stdout


def test_the_table_has_every_file(python: Path) -> None:
    there = [path for folder in FOLDERS for path in (python / folder).rglob("test_*.py")]
    assert sorted(str(path.relative_to(python)) for path in there) == sorted(TABLE["tests"])
    scripts = (python / "tutorials").glob("*/*.py")
    assert sorted(str(path.relative_to(python)) for path in scripts) == sorted(TABLE["tutorials"])


def test_what_does_not_pass_is_matrix() -> None:
    """Needs no checkout: the rest of the table passes."""
    left = [file for rows in TABLE.values() for file, outcome in rows.items() if outcome != "pass"]
    assert all("matmul" in file for file in left)
