"""The lint against pyasc's own code generator: what one refuses, the other refuses.

PYASC_ROOT names a checkout of pyasc; without it everything here is skipped.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from ascend_lab.asc.codegen import lint
from tests.asc.test_lint import BAD, GOOD, STUBS, source

ROOT = Path(__file__).parents[2]
BANK = ROOT / "exam_bank" / "kernels"

#: Accepted by the generator, and compiled into something else than Python does.
ACCEPTED = {"carried-constant"}


def verdicts(cases: Sequence[tuple[str, str]]) -> list[str]:
    """What pyasc's generator says of each (source, kernel), "" when it takes it."""
    root = os.environ.get("PYASC_ROOT")
    if not root:
        pytest.skip("PYASC_ROOT does not name a checkout of pyasc")
    pytest.importorskip("typing_extensions")
    run = subprocess.run(
        [sys.executable, str(Path(__file__).with_name("generator.py")), root],
        input=json.dumps(list(cases)), capture_output=True, text=True, check=False, timeout=100,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    found: list[str] = json.loads(run.stdout)
    return found


def test_it_refuses_what_the_lint_notes() -> None:
    bodies = [(rule, body) for rule, bodies in BAD.items() for body in bodies]
    said = verdicts([(source(body), "kernel") for _, body in bodies])
    taken = {rule for (rule, _), text in zip(bodies, said, strict=True) if not text}
    refused = {rule for (rule, _), text in zip(bodies, said, strict=True) if text}
    assert taken == ACCEPTED
    assert refused == set(BAD) - ACCEPTED


def test_it_takes_what_the_lint_leaves_alone() -> None:
    said = verdicts([(source(body), "kernel") for body in GOOD])
    assert {body: text for body, text in zip(GOOD, said, strict=True) if text} == {}


def test_it_refuses_a_stub() -> None:
    assert all(verdicts([(source(body), "kernel") for body in STUBS]))


def kernels(path: Path) -> list[tuple[str, str]]:
    """(source for pyasc, kernel) of the functions of a bank file that no other one calls."""
    text = (
        path.read_text("utf-8")
        .replace("ascend_lab.asc as asc", "asc")
        .replace("ascend_lab.asc", "asc")
    )
    names = re.findall(r"@asc\.jit.*\ndef (\w+)", text)
    return [(text, name) for name in names if len(re.findall(rf"\b{name}\(", text)) == 1]


def test_kernels_of_the_bank_without_notes_go_through() -> None:
    cases = [
        (path, *case)
        for path in sorted(BANK.rglob("*.py"))
        if path.stat().st_size and re.search(r"^import ", path.read_text("utf-8"), re.MULTILINE)
        if "NotImplementedError" not in path.read_text("utf-8")
        for case in kernels(path)
    ]
    assert len(cases) > 30
    said = verdicts([(text, name) for _, text, name in cases])
    refused = {path.name: text for (path, _, _), text in zip(cases, said, strict=True) if text}
    noted = {
        path.name for path, _, _ in cases if lint([(path.name, path.read_text("utf-8"))], apis=True)
    }
    # A published kernel that is wrong in every way: it uses a name it never defines.
    refused.pop("cuda_add.sample.py")
    assert set(refused) == noted, refused
