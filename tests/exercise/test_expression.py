"""The launch rule's small language."""

from __future__ import annotations

import pytest

from ascend_lab.exercise.expression import ExpressionError, evaluate, names_in

NAMES = {"n": 1000, "blocks": 8}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("n // blocks", 125),
        ("n % 3 + -1", 0),
        ("ceildiv(n, 256)", 4),
        ("align(n, 64)", 1024),
        ("max(n, 2) if n > 64 else 1", 1000),
        ("n / 8", 125.0),
        ("min(abs(-3), blocks)", 3),
        (7, 7),
        (0.5, 0.5),
    ],
)
def test_what_it_computes(text: str | float, value: float) -> None:
    assert evaluate(text, NAMES) == value


@pytest.mark.parametrize(
    "text",
    [
        "__import__('os')",
        "n.bit_length()",
        "n ** 9",
        "[1][0]",
        "m + 1",
        "1 // 0",
        "'a' * 3",
        "lambda: 1",
        "max(n, key=abs)",
        "n +",
        "",
    ],
)
def test_what_it_refuses(text: str) -> None:
    with pytest.raises(ExpressionError):
        evaluate(text, NAMES)


def test_names_an_expression_needs() -> None:
    assert names_in("ceildiv(n, tile) if n > 1 else blocks") == ("blocks", "n", "tile")
