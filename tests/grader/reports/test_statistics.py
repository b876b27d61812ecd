"""Figures of a class, against values worked out by hand, and where the pages show them."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import pytest

from grader.reports.statistics import correlation, item_figures
from tests.exercise import kernels


def test_a_good_item_a_bad_item_and_one_that_all_have() -> None:
    table = [
        {"good": (n / 4, 1.0), "bad": (1 - n / 4, 1.0), "all": (1.0, 1.0), "rest": (float(n), 4.0)}
        for n in range(5)
    ]
    figures = {item.name: item for item in item_figures(table)}
    assert figures["good"].share == 0.5
    assert figures["good"].discrimination is not None
    assert figures["good"].discrimination > 0.9
    assert figures["bad"].discrimination is not None
    assert figures["bad"].discrimination < -0.9
    assert figures["all"].discrimination is None
    assert (figures["all"].share, figures["all"].students) == (1.0, 5)


def test_correlation() -> None:
    assert correlation([1, 2, 3, 4], [1, 2, 3, 4]) is None  # too few
    assert correlation([1, 2, 3, 4, 5], [7, 7, 7, 7, 7]) is None
    found = correlation([1, 2, 3, 4, 5], [2, 1, 4, 3, 5])
    assert found is not None
    assert math.isclose(found, 0.8)


def test_students_with_different_items() -> None:
    figures = item_figures([{"a": (1.0, 2.0)}, {"b": (3.0, 3.0)}])
    assert [(item.name, item.students, item.share) for item in figures] == [
        ("a", 1, 0.5),
        ("b", 1, 1.0),
    ]


def test_the_pages(grade: Callable[..., int], tmp_path: Path) -> None:
    (tmp_path / "in/right.py").write_text(kernels.ADD)
    (tmp_path / "in/wrong.py").write_text(kernels.ADD.replace("asc.add(", "asc.sub("))
    assert grade() == 1
    index = (tmp_path / "out/index.html").read_text("utf-8")
    assert all(f"00/add · {said}" in index for said in ("公开用例的结果", "Values, public cases"))
    assert "区分度" in index
    page = (tmp_path / "out/students/right.html").read_text("utf-8")
    assert 'id="L0-1"' in page
    assert page.count('class="line" id=') == len(kernels.ADD.splitlines())


@pytest.mark.parametrize("name", ["03-misaligned"])
def test_a_finding_leads_to_its_line(grade: Callable[..., int], tmp_path: Path, name: str) -> None:
    source = kernels.ADD.replace("asc.data_copy(z_gm", "asc.data_copy(z_gm[1:]", 1)
    assert source != kernels.ADD
    (tmp_path / f"in/{name}.py").write_text(source)
    assert grade() == 1
    page = (tmp_path / f"out/students/{name}.html").read_text("utf-8")
    line = next(n for n, text in enumerate(source.splitlines(), 1) if "z_gm[1:]" in text)
    assert f'href="#L0-{line}"' in page
