"""What of a source is executed: the kernel, and what it needs, found by name."""

from __future__ import annotations

import ast
from collections.abc import Sequence

import pytest

from ascend_lab.exercise import slicing
from ascend_lab.exercise.wire import Cell


def sliced(*cells: str, kernel: str = "k", live: bool = False) -> list[tuple[int, str]]:
    source = slicing.parse([Cell(str(i), text) for i, text in enumerate(cells)])
    found = slicing.choose(source, kernel, live)
    assert found is not None
    return [(cell, ast.unparse(node)) for cell, nodes in found.parts for node in nodes]


def lines(found: Sequence[tuple[int, str]]) -> list[str]:
    return [text.splitlines()[0] for _, text in found]


def test_only_what_the_kernel_needs() -> None:
    found = sliced(
        "import asc\nimport torch\nA = 1\nB = A + 1\nC = 9\nprint('no')\n"
        "def helper():\n    return B\n"
        "@asc.jit\ndef k(x: asc.Tensor):\n    y = helper()\n"
        "if __name__ == '__main__':\n    k()\n"
    )
    assert lines(found) == ["import asc", "A = 1", "B = A + 1", "def helper():", "@asc.jit"]


def test_broken_cells_elsewhere_do_no_harm() -> None:
    found = sliced("import asc", "def (:", "%matplotlib inline\n!ls\nx?", "def k():\n    asc.add()")
    assert lines(found) == ["import asc", "def k():"]


def test_lines_keep_their_numbers_behind_magics() -> None:
    cell = "%time\n!ls\n\ndef k():\n    pass; x = 1\n"
    source = slicing.parse([Cell("c", cell)])
    found = slicing.choose(source, "k", live=False)
    assert found is not None
    assert found.parts[0][1][0].lineno == 4


@pytest.mark.parametrize(("magic", "kept"), [("%%time", True), ("%%bash", False)])
def test_cell_magics(magic: str, kept: bool) -> None:
    source = slicing.parse([Cell("c", f"{magic}\ndef k():\n    return 1")])
    assert (slicing.choose(source, "k", live=False) is not None) == kept


def test_names_are_those_of_the_moment_the_cell_ran() -> None:
    cells = (
        "def h():\n    return 1",
        "def k():\n    return h()",
        "def h():\n    return 2",
    )
    assert "return 1" in sliced(*cells)[0][1]
    assert "return 2" in sliced(*cells, live=True)[-1][1]


def test_a_name_that_is_defined_only_later() -> None:
    assert lines(sliced("def k():\n    return TILE", "TILE = 4")) == ["def k():", "TILE = 4"]


def test_the_last_definition_that_is_not_empty() -> None:
    cells = (
        "def k():\n    return 1",
        "def k():\n    return 2",
        "def k():\n    raise NotImplementedError",
    )
    assert sliced(*cells) == [(1, "def k():\n    return 2")]
    source = slicing.parse([Cell(str(i), text) for i, text in enumerate(cells)])
    found = slicing.choose(source, "k", live=False)
    assert found is not None
    assert found.defined_in == (0, 1, 2)


@pytest.mark.parametrize(
    "body",
    [
        "pass",
        "...",
        '"""Doc."""',
        '"""Doc."""\n    raise NotImplementedError("write me")',
        "return",
        "raise NotImplementedError",
    ],
)
def test_empty_bodies(body: str) -> None:
    source = slicing.parse([Cell("c", f"def k():\n    {body}\n")])
    found = slicing.choose(source, "k", live=False)
    assert found is not None
    assert found.empty


@pytest.mark.parametrize("body", ["x = 1", "raise ValueError", "print()", "pass; y = 2"])
def test_bodies_that_are_not_empty(body: str) -> None:
    source = slicing.parse([Cell("c", f"def k():\n    {body}\n")])
    found = slicing.choose(source, "k", live=False)
    assert found is not None
    assert not found.empty


@pytest.mark.parametrize(
    "text",
    [
        "try:\n    T = 1\nexcept E:\n    T = 2",
        "if True:\n    T = 1",
        "(T, U) = (1, 2)",
        "T: int = 1",
        "for T in range(3):\n    pass",
        "with open('x') as T:\n    pass",
        "import a.b as T",
        "from a import b as T",
        "class T:\n    pass",
    ],
)
def test_every_way_to_bind_a_name(text: str) -> None:
    assert len(sliced(f"{text}\ndef k():\n    return T")) == 2


def test_all_steps_of_a_value_are_kept() -> None:
    found = sliced("T = 8\nT //= 2\nT = T + 1\ndef k():\n    return T")
    assert lines(found) == ["T = 8", "T //= 2", "T = T + 1", "def k():"]


def test_star_imports_for_names_that_nothing_else_binds() -> None:
    assert lines(sliced("from asc import *\ndef k():\n    return add(len([]))")) == [
        "from asc import *",
        "def k():",
    ]
    assert lines(sliced("from asc import *\ndef k():\n    return len([])")) == ["def k():"]


def test_names_in_annotations_as_text() -> None:
    found = sliced("from __future__ import annotations\nT = int\ndef k(x: 'T'):\n    return x")
    assert lines(found) == ["from __future__ import annotations", "T = int", "def k(x: 'T'):"]


def test_a_kernel_that_is_no_def() -> None:
    assert lines(sliced("import asc\ndef f():\n    return 1\nk = asc.jit(f)")) == [
        "import asc",
        "def f():",
        "k = asc.jit(f)",
    ]


def test_same_as_given_whatever_the_comments() -> None:
    given = "T = 4\ndef k():\n    return T\n"
    source = slicing.parse([Cell("c", "T = 4  # tile\n\n\ndef k():\n    # todo\n    return T\n")])
    found = slicing.choose(source, "k", live=False)
    assert found is not None
    assert slicing.same(found, given, "k")
    assert not slicing.same(found, given.replace("4", "8"), "k")
