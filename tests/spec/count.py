"""``python -m tests.spec.count``: how many instructions the spec tests cover, and with how many examples."""

from __future__ import annotations

import contextlib
import io
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from ascend_lab.engine.semantics import SEMANTICS


class Counted(NamedTuple):
    """Instructions with a semantic, those drawn at random, tests, and examples of all tests."""

    semantics: int
    drawn: int
    tests: int
    examples: int


class Counter:
    """Adds up what pytest collects."""

    def __init__(self) -> None:
        self.tests = self.examples = 0

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        for item in items:
            drawn = getattr(getattr(item, "obj", None), "_hypothesis_internal_use_settings", None)
            self.tests += 1
            self.examples += 1 if drawn is None else drawn.max_examples


def count() -> Counted:
    """Collect the spec tests without running them."""
    counter = Counter()
    with contextlib.redirect_stdout(io.StringIO()):
        code = pytest.main(
            ["--collect-only", "-q", "-p", "no:cacheprovider", str(Path(__file__).parent)],
            plugins=[counter],
        )
    if code != pytest.ExitCode.OK:
        raise SystemExit(f"the spec tests cannot be collected: {code!r}")
    # pytest wants to be the first that imports hypothesis.
    from tests.spec.instructions import OPS

    return Counted(len(SEMANTICS), len(set(OPS)), counter.tests, counter.examples)


def main() -> int:
    """Print the figures."""
    found = count()
    print(
        f"{found.semantics} instructions with a semantic, {found.drawn} of them drawn at random; "
        f"{found.tests} spec tests, {found.examples} examples"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
