"""The README says how far the model is from silicon: what the packaged table says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ascend_lab.profile.figures import INDICATIVE
from ascend_lab.profile.silicon import silicon


@pytest.mark.parametrize("name", ["README.md", "README.zh.md"])
def test_the_readme_says_what_the_table_says(repository: Path, name: str) -> None:
    rows = [row for row in silicon() if row.kind == "whole kernel"]
    errors = [100 * abs(row.predicted / row.measured - 1) for row in rows]
    told = (repository / name).read_text("utf-8").split("silicon.py`", 1)[1]
    average, worst = re.findall(r"([\d.]+) ?%", told)[:2]
    assert (average, worst) == (f"{sum(errors) / len(errors):.1f}", f"{max(errors):.1f}")


def test_busy_times_of_mte_are_as_indicative_as_is_said() -> None:
    for name, percent in INDICATIVE.items():
        rows = [row for row in silicon() if row.kind == f"{name.upper()} busy"]
        errors = [100 * abs(row.predicted / row.measured - 1) for row in rows]
        assert len(errors) > 5
        assert max(errors) <= percent
