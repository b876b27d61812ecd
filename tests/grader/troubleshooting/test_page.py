"""The page on the exam names every task, every key of a template, and the marks, in both languages."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest

from ascend_lab.exercise import open_bank
from grader.troubleshooting import Planted, Template
from grader.troubleshooting.marking import CLASS, FIX, KEPT, LOCATE, REASON

DOCS = Path(__file__).parents[3] / "docs"


@pytest.mark.parametrize("name", ["exam.md", "exam.zh.md"])
def test_the_page(name: str) -> None:
    page = (DOCS / name).read_text("utf-8")
    for id in open_bank().ids("exam"):
        assert f"`{id}`" in page
    for struct in (Template, Planted):
        for field in msgspec.structs.fields(struct):
            assert re.search(rf"`{field.encode_name}`|`\[\[{field.encode_name}\]\]`", page), field
    for points in (LOCATE, CLASS + REASON, FIX, KEPT):
        assert re.search(rf"\| \S+( \S+)? {points} \|", page), points
