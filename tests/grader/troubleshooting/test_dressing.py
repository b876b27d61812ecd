"""The same kernel in other words: what it does stays, and no two students get the same text."""

from __future__ import annotations

import ast
import re
from collections import Counter
from dataclasses import replace

import pytest

from grader.faults import Verifier, reference
from grader.troubleshooting import draw_without_check, template, templates
from grader.troubleshooting.dressing import laid_out, new_names, renamed

STUDENTS = 30
NAMES = ("exam/gelu", "exam/sinh.asc", "reference/copy_columns.asc", "reference/sum_half")


def dressed(source: str, key: str) -> str:
    laid = laid_out(source, "kernel", key)
    return renamed(laid, new_names(laid, key))


@pytest.mark.parametrize("name", NAMES)
def test_no_two_are_alike_and_all_say_the_same(name: str) -> None:
    source = reference(name).source
    made = [dressed(source, f"student {n}") for n in range(8)]
    assert len(set(made)) == len(made)
    assert len({len(text.splitlines()) for text in made}) > 2  # lines have other numbers
    assert dressed(source, "student 0") == made[0]
    calls = Counter(re.findall(r"\w+(?=\()", source))
    for text in made:
        assert Counter(re.findall(r"\w+(?=\()", text)) == calls


def test_parameters_of_the_kernel_keep_their_names() -> None:
    source = reference("exam/gelu").source
    (wanted,) = (f for f in ast.walk(ast.parse(source)) if getattr(f, "name", "") == "gelu")
    for n in range(5):
        tree = ast.parse(dressed(source, str(n)))
        (found,) = (f for f in ast.walk(tree) if getattr(f, "name", "") == "gelu")
        assert isinstance(found, ast.FunctionDef)
        assert isinstance(wanted, ast.FunctionDef)
        assert [a.arg for a in found.args.args] == [a.arg for a in wanted.args.args]


@pytest.mark.parametrize(
    "id",
    [
        "columns-shifted",
        "old-results",
        "updates-lost",
        pytest.param("all", marks=pytest.mark.nightly),
    ],
)
def test_students_get_different_papers(id: str) -> None:
    """Even where a kernel has one place for the fault."""
    for each in templates() if id == "all" else (template(id),):
        texts = {draw_without_check(each, f"student {n}") for n in range(STUDENTS)}
        assert len(texts) >= STUDENTS - 1, each.id


@pytest.mark.parametrize(
    "name", [NAMES[3], *(pytest.param(name, marks=pytest.mark.nightly) for name in NAMES[:3])]
)
def test_a_dressed_kernel_is_right(verifier: Verifier, name: str) -> None:
    right = reference(name)
    for key in ("a", "b"):
        assert verifier.clean(replace(right, source=dressed(right.source, key))) == ()
