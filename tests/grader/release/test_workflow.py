"""The workflow for a student's repository: its script runs every notebook and ends with the worst code."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
import yaml

CHECK = """#!/bin/sh
test "$1" = check || exit 2
echo "looked at $2"
case "$2" in *bad*) exit 1;; *odd*) exit 3;; esac
"""


@pytest.mark.skipif(os.name != "posix", reason="the script is for a shell")
@pytest.mark.parametrize(
    ("names", "code"), [(["good"], 0), (["good", "bad"], 1), (["bad", "odd", "good"], 3)]
)
def test_the_script(repository: Path, tmp_path: Path, names: list[str], code: int) -> None:
    workflow = yaml.safe_load((repository / "docs/ci/check.yml").read_text("utf-8"))
    (job,) = workflow["jobs"].values()
    script = job["steps"][-1]["run"]
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/ascend-lab").write_text(CHECK)
    (tmp_path / "bin/ascend-lab").chmod(0o755)
    (tmp_path / "labs/en").mkdir(parents=True)
    for name in names:
        (tmp_path / f"labs/en/{name}.ipynb").write_text("{}")
    env = {"PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}"}
    env["GITHUB_STEP_SUMMARY"] = str(tmp_path / "summary.md")
    ran = subprocess.run(["bash", "-e", "-c", script], cwd=tmp_path, env=env, check=False)
    assert ran.returncode == code
    summary = (tmp_path / "summary.md").read_text()
    assert all(f"looked at labs/en/{name}.ipynb" in summary for name in names)
