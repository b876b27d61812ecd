"""One drawn paper of each kind, and what a student may make of it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ascend_lab.exercise import from_text
from grader.faults import Verifier
from grader.troubleshooting import Drawn, Found, Given, draw, template


@pytest.fixture(scope="session")
def verifier() -> Iterator[Verifier]:
    """One zygote for all drawings."""
    with Verifier("drawing") as made:
        yield made


@pytest.fixture(scope="session")
def race(verifier: Verifier) -> Drawn:
    """One fault."""
    return draw(template("right-at-times"), "s1", verifier=verifier)


@pytest.fixture(scope="session")
def two(verifier: Verifier) -> Drawn:
    """Two faults; the first hides the second."""
    return draw(template("two-mistakes"), "s1", verifier=verifier)


def right_words(drawn: Drawn) -> tuple[Found, ...]:
    """What is to be said of the faults."""
    return tuple(
        Found(class_id=truth.names[0], line=truth.lines[0], why=truth.why) for truth in drawn.truths
    )


def given(drawn: Drawn, faults: tuple[Found, ...] = (), source: str | None = None) -> Given:
    """An answer to ``drawn``."""
    repaired = None if source is None else from_text(source, "repaired.py")
    return Given(drawn.template.id, drawn.fingerprint, faults, repaired)
