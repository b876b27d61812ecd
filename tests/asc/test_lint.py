"""The lint: each rule on its smallest kernel, silence on right ones, and on pyasc's own."""

from __future__ import annotations

import os
import string
from pathlib import Path

import pytest

from ascend_lab.asc.codegen import Note, lint
from ascend_lab.asc.codegen.additions import ADDITIONS, ADV_ADDITIONS
from ascend_lab.asc.codegen.notes import catalogue
from ascend_lab.checks.texts import fill
from tests.asc.test_names import ADDED, ADDED_ADV

ROOT = Path(__file__).parents[2]

HEAD = """
import numpy as np
import math
import asc

SIZE = 4
TABLE = [1, 2, 3]


def on_the_host(n):
    return [i for i in range(n) if i % 2 and n not in (1, 2, 3)]


@asc.jit
def helper(x: asc.GlobalTensor, i: int):
    return i * 2


"""

#: rule -> kernels that break it, and nothing else, in the line marked with <-.
BAD = {
    "break": ["for i in range(n):\n    break  # <-"],
    "continue": ["for i in range(n):\n    continue  # <-"],
    "try": ["try:  # <-\n    a = 1\nexcept ValueError:\n    pass"],
    "raise": ["raise ValueError  # <-"],
    "del": ["a = 1\ndel a  # <-"],
    "import": ["import os  # <-", "from os import path  # <-"],
    "scope-statement": ["global SIZE  # <-"],
    "class": ["class A:  # <-\n    pass"],
    "match": ["match n:  # <-\n    case 1:\n        pass"],
    "yield": ["yield n  # <-"],
    "lambda": ["f = lambda a: a  # <-"],
    "comprehension": ["a = [i for i in TABLE]  # <-", "a = tuple(i for i in TABLE)  # <-"],
    "nested-function": ["def inner():  # <-\n    pass"],
    "display": ["a = {1: 2}  # <-", "a = {1, 2}  # <-"],
    "walrus": ["a = (b := 1)  # <-"],
    "star": ["helper(*TABLE)  # <-", "helper(**n)  # <-", "a = [1, *TABLE]  # <-"],
    "loop-else": [
        "for i in range(n):\n    pass\nelse:\n    a = 1  # <-",
        "while n > 0:\n    pass\nelse:\n    a = 1  # <-",
    ],
    "loop-over": ["for i in TABLE:  # <-\n    pass", "for i in [1, 2]:  # <-\n    pass"],
    "loop-target": ["for x_gm.a in range(n):  # <-\n    pass"],
    "chained-comparison": ["if 0 < n < 4:  # <-\n    a = 1"],
    "membership": ["if n in TABLE:  # <-\n    a = 1"],
    "chained-bool": ["if n > 1 and n > 2 and n > 3:  # <-\n    a = 1"],
    "assign-chain": ["a = b = 1  # <-"],
    "assign-target": ["a, (b, c) = n  # <-", "[a, b] = 1, 2  # <-", "x_gm.a += 1  # <-"],
    "slice": ["y = x_gm[0:n]  # <-", "y = x_gm[::2]  # <-", "y = x_gm[:]  # <-"],
    "element": ["x_gm[0] = n  # <-", "x_gm[0] += n  # <-"],
    "bound-queue": [
        "q = asc.TQueBind(asc.TPosition.VECIN, asc.TPosition.VECOUT, 1)\n"
        "pipe = asc.TPipe()\npipe.init_buffer(q, 2, 64)  # <-"
    ],
    "negated-float": [
        "f = asc.number(1.0, asc.float32)\nx_gm.set_value(0, -f)  # <-",
        "f = asc.number(1.0, asc.float32)\nfor i in range(n):\n    f = f * 2.0\nx_gm.set_value(0, -f)  # <-",
    ],
    "operator": ["a = x_gm @ x_gm  # <-", "a = n**2  # <-", "a = ~n  # <-"],
    "builtin": ["print(n)  # <-", "a = min(n, SIZE)  # <-", "with open('f') as f:  # <-\n    pass"],
    "host-call": ["a = on_the_host(n)  # <-", "a = math.ceil(n)  # <-"],
    "recursion": ["kernel(x, n, 1)  # <-"],
    "ours": ["a = asc.bfloat16  # <-", "asc.adv.gelu(x, x)  # <-"],
    "return-in-block": [
        "if asc.get_block_idx() >= n:\n    return  # <-",
        "for i in range(n):\n    return  # <-",
        "if n > k:\n    pass\nelse:\n    return  # <-",
    ],
    "return-value": ["return n  # <-", "return x_gm  # <-"],
    "type-change": [
        "a = 0\nfor i in range(n):\n    a += i  # <-",
        "count = SIZE\nif n < SIZE:\n    count = n  # <-",
        "a = None\nif n > 1:\n    a = 1  # <-",
        "a = 0\nfor i in range(n):\n    if i > 1:\n        a = i  # <-",
        "a = k\nwhile n > 0:\n    a = n  # <-",
        "i = 0\nfor i in range(n):  # <-\n    pass",
    ],
    "carried-constant": [
        "a = 0\nfor i in range(n):\n    a += 1  # <-",
        "a = 1.0\nwhile n > 0:\n    a = a * 2.0  # <-",
    ],
    "block-name": [
        "if n > 1:\n    a = 1\nb = a  # <-",
        "if n > 1:\n    a = 1\nelse:\n    a = 2\nb = a  # <-",
        "for i in range(n):\n    a = i\nasc.printf('%d', a)  # <-",
        "for i in range(n):\n    pass\nasc.printf('%d', i)  # <-",
    ],
    "not-constant": ["if not k:  # <-\n    pass"],
    "bool-constants": ["if k and SIZE:  # <-\n    pass", "if k > 1 or SIZE == 2:  # <-\n    pass"],
    "assert": ["assert n > 0  # <-"],
    "static-range": ["for i in asc.static_range(n):  # <-\n    pass"],
    "conversion": ["a = float(n)  # <-", "a = int(x_gm.get_value(0))  # <-"],
    "if-expression": [
        "a = None if n > 1 else 1  # <-",
        "a = 1 if n > 1 else 0.0  # <-",
    ],
    "with": ["with a(), b():  # <-\n    pass"],
}

#: rule -> whole files.
BAD_FILES = {
    "async": ["import asc\n@asc.jit\nasync def kernel(n: int):  # <-\n    pass\n"],
    "signature": [
        "import asc\n@asc.jit\ndef kernel(*a):  # <-\n    pass\n",
        "import asc\n@asc.jit\ndef kernel(**a):  # <-\n    pass\n",
    ],
    "default": [
        "import asc\n@asc.jit\ndef kernel(x, n=1):  # <-\n    pass\n\nkernel[8](x)\nkernel[8](x, n=2)\n"
    ],
    "closure": [
        "import asc\ndef host(n):\n    m = n\n    @asc.jit\n    def kernel(x):\n"
        "        asc.printf('%d', m)  # <-\n    kernel[1](n)\n"
    ],
    "method": ["import asc\nclass A:\n    @asc.jit\n    def kernel(self):  # <-\n        pass\n"],
    "future-annotations": [
        "from __future__ import annotations\nimport asc\n@asc.jit\ndef kernel(n: int):  # <-\n    pass\n",
        "import asc\n@asc.jit\ndef kernel(n: 'int'):  # <-\n    pass\n",
    ],
    "syntax": ["import asc\n@asc.jit\ndef kernel(:  # <-\n    pass\n"],
}

#: Kernels that pyasc takes.
GOOD = [
    "",
    "'''A docstring.'''\npass",
    "return",
    "return None",
    "a = 1 if n > 1 else 0",
    "a = n if n > SIZE else SIZE",
    "if k:\n    a = 1\nelse:\n    a = 2.0\nb = a",
    "if k > 1:\n    return",
    "for i in asc.static_range(SIZE):\n    a = i\nb = a",
    "a = asc.number(0, asc.int32)\nfor i in range(n):\n    a += i\nb = a",
    "a = 0\nfor i in range(n):\n    a = 1\n    b = a",
    "a = 0\nif n > 1:\n    a = 1\nb = a + n",
    "for i in range(n):\n    a = i\nfor i in range(n):\n    a = i + 1",
    "a = n\nwhile a > 0:\n    a -= 1",
    "i, j = 1, 2\nx_gm[i:].set_value(j, 1)",
    "y = x_gm[n:]\nz = x_gm[n]",
    "part = TABLE[1:3]\nlast = [1, 2, 3][0:2]",
    "if not (n > 1):\n    a = 1",
    "if (n > 1 and n > 2) and n > 3:\n    a = 1",
    "if k and n > 1:\n    a = 1",
    "if x_gm.dtype == asc.float16:\n    a = 1\nelse:\n    a = None\nb = a",
    "a = helper(x_gm, n)\nb = helper(x_gm, i=1)",
    "asc.printf(f'{SIZE}')",
    "assert k > 0, f'{k}'",
    "a: int = 3\na = float('inf')\nb = len(TABLE)\nc = math.pi",
    "a = 2 ** SIZE\nb = -1",
    "x_gm.set_value(0, -n)\nf = asc.number(1.0, asc.float32)\nx_gm.set_value(0, 0.0 - f)",
    "if n > 1:\n    b = None\n    b = 1",
]


#: Kernels still to be written: nothing is said of them.
STUBS = ["raise NotImplementedError", "raise NotImplementedError('still to be written')"]


def source(body: str) -> str:
    lines = body.splitlines() or ["pass"]
    inside = "\n".join(f"    {line}" for line in lines)
    kernel = (
        f"@asc.jit\ndef kernel(x: asc.GlobalAddress, n: int, k: asc.ConstExpr[int]):\n"
        f"    x_gm = asc.GlobalTensor()\n    x_gm.set_global_buffer(x)\n    helper(x_gm, n)\n{inside}\n"
    )
    return HEAD + kernel


def found(text: str) -> list[Note]:
    return list(lint([("kernel.py", text)], apis=True))


def marked(text: str) -> list[int]:
    return [number for number, line in enumerate(text.splitlines(), 1) if "<-" in line]


@pytest.mark.parametrize(
    ("rule", "text"),
    [(rule, source(body)) for rule, bodies in BAD.items() for body in bodies]
    + [(rule, text) for rule, texts in BAD_FILES.items() for text in texts],
)
def test_a_rule_finds_its_line_and_nothing_else(rule: str, text: str) -> None:
    assert [(note.rule, note.line) for note in found(text)] == [(rule, n) for n in marked(text)]


@pytest.mark.parametrize("body", [*GOOD, *STUBS])
def test_right_kernels_are_left_alone(body: str) -> None:
    assert [note.message() for note in found(source(body))] == []


def test_every_rule_has_a_kernel_that_breaks_it() -> None:
    assert set(catalogue()) == set(BAD) | set(BAD_FILES)


@pytest.mark.parametrize("rule", catalogue())
def test_texts_are_there_in_both_languages_and_use_what_the_lint_gives(rule: str) -> None:
    bodies = [source(body) for body in BAD.get(rule, [])] + BAD_FILES.get(rule, [])
    notes = [note for text in bodies for note in found(text)]
    for lang in ("zh", "en"):
        for part in ("text", "next"):
            template = catalogue()[rule][lang][part]
            wanted = {name for _, name, _, _ in string.Formatter().parse(template) if name}
            for note in notes:
                assert wanted <= set(note.numbers), (rule, part)
                assert (
                    fill(template, note.numbers, lang) in note.message(lang)[:1000]
                    or part == "next"
                )
    zh, en = notes[0].message("zh"), notes[0].message("en")
    assert zh.startswith("kernel.py:")
    assert "下一步：" in zh
    assert "Next: " in en
    assert en.isascii() or "…" in en


def test_host_code_is_never_looked_at() -> None:
    host = "for a, b in zip([1], [2]):\n    assert a < b < 3, lambda: {}\n    break\n"
    assert found(source("pass") + host) == []


def test_only_kernels_asked_for_and_what_they_call() -> None:
    text = "import asc\n" + "".join(
        f"@asc.jit\ndef {name}(n: int):\n    {body}\n"
        for name, body in {
            "inner": "del n",
            "wanted": "inner(n)",
            "other": "yield n",
        }.items()
    )
    assert [n.rule for n in lint([("a", text)], ["wanted"])] == ["del"]
    assert [n.rule for n in lint([("a", text)])] == ["del", "yield"]
    assert lint([("a", text)], ["unknown"]) == ()


def test_cells_of_a_notebook_are_read_together() -> None:
    cells = [
        ("nb [1]", "%matplotlib inline\nimport ascend_lab.asc as asc\nSIZE = 8"),
        ("nb [2]", "this is no Python"),
        ("nb [3]", "@asc.jit\ndef k(n: int):\n    del SIZE"),
        ("nb [4]", "@asc.jit\ndef k(n: int):\n    if SIZE and 1:\n        pass"),
    ]
    assert [(n.file, n.rule) for n in lint(cells, ["k"])] == [("nb [4]", "bool-constants")]
    everything = [(n.file, n.rule) for n in lint(cells)]
    assert everything == [("nb [2]", "syntax"), ("nb [3]", "del"), ("nb [4]", "bool-constants")]


def test_other_jit_decorators_make_no_kernel() -> None:
    assert found("import asc\nimport numba\n@numba.jit\ndef f(n):\n    del n\n") == []
    assert [n.rule for n in found("from asc import jit\n@jit\ndef f(n):\n    del n\n")] == ["del"]
    alias = "from ascend_lab import asc as a\n@a.jit(insert_sync=True)\ndef f(n):\n    del n\n"
    assert [n.rule for n in found(alias)] == ["del"]


def test_what_only_pyascs_apis_refuse_is_said_when_asked() -> None:
    text = source("q = asc.MASK_PLACEHOLDER")
    assert lint([("a", text)]) == ()
    assert [note.rule for note in lint([("a", text)], apis=True)] == ["ours"]


def test_source_that_is_nested_too_deeply_ends_in_a_note() -> None:
    deep = source("a = " + "(" * 90 + "1" + ")" * 90)
    assert lint([("a", deep)]) == ()
    deeper = source("a = " + "-" * 5000 + "1")
    assert {note.rule for note in lint([("a", deeper)])} <= {"syntax"}
    assert lint([("a", deeper)]) != ()


def test_additions_are_those_of_the_door() -> None:
    assert sorted(ADDITIONS) == sorted(ADDED)
    assert sorted(ADV_ADDITIONS) == sorted(ADDED_ADV)


# --- silence ---------------------------------------------------------------------------------------

KERNELS = sorted((ROOT / "exam_bank" / "kernels").rglob("*.py"))


@pytest.mark.parametrize("path", KERNELS, ids=lambda p: p.name)
def test_silent_on_the_kernels_of_the_bank(path: Path) -> None:
    name = str(path.relative_to(ROOT / "exam_bank" / "kernels"))
    notes = lint([(name, path.read_text("utf-8"))])
    assert [note.message() for note in notes] == []


@pytest.mark.parametrize("path", sorted((ROOT / "labs" / "src").glob("*.py")), ids=lambda p: p.name)
def test_silent_on_the_labs(path: Path) -> None:
    assert [note.message() for note in lint([(path.name, path.read_text("utf-8"))])] == []


#: pyasc's tests of its own refusals.
REFUSED = {"func_error_test_str": "return-value", "func_error_test_print": "builtin"}
#: Compiled there and never run: the body's numbers are read once.
COMPILED_ONLY = {"func_visit_while_kernel": "carried-constant"}


def test_silent_on_pyasc_itself() -> None:
    root = os.environ.get("PYASC_ROOT")
    if not root:
        pytest.skip("PYASC_ROOT does not name a checkout of pyasc")
    python = Path(root) / "python"
    paths = [
        path for part in ("tutorials", "test") for path in sorted((python / part).rglob("*.py"))
    ]
    assert len(paths) > 60
    notes = [note for path in paths for note in found(path.read_text("utf-8"))]
    expected = {**REFUSED, **COMPILED_ONLY}
    assert {note.function: note.rule for note in notes} == expected, [n.message() for n in notes]
