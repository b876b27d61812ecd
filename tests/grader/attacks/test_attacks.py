"""Attacks on the grader: contained, without a point, called what they are; and nothing is left of them."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from grader.cli import main
from tests.grader.attacks import cpp_attacks, python_attacks
from tests.grader.attacks.conftest import (
    HONEST,
    adopt_orphans,
    children,
    judge_one,
    left,
    make_class,
    marks,
    student,
    told,
    untouched,
)
from tests.grader.attacks.python_attacks import Attack

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Linux confines")
SEED = "a-seed-that-nobody-may-see"
#: The attacks in C++ have instructions of this processor in them.
CPP = shutil.which("g++") is not None and platform.machine() == "x86_64"


def all_attacks(root: Path) -> list[Attack]:
    """Every attack that this machine can judge."""
    bank, others = str(root / "bank"), str(root / "in")
    found = python_attacks.attacks(bank, others)
    return found + (cpp_attacks.attacks(bank, others) if CPP else [])


def names(slow: bool) -> list[str]:
    """What an attack is called: the file's stem is what the grader calls the student."""
    return [attack.name for attack in all_attacks(Path("/")) if slow or not attack.slow]


# --- the daily part ----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    root = tmp_path_factory.mktemp("attacks")
    quick = [attack for attack in all_attacks(root) if not attack.slow]
    make_class(root, quick)
    before, running = untouched(root), children()
    adopt_orphans()
    code = main(
        ["grade", str(root / "in"), "--bank", str(root / "bank"), "--out", str(root / "out")]
        + ["--seed", SEED, "-j", "2"]
    )
    assert code == 3
    return {
        "marks": marks(root / "out"),
        "attacks": {attack.name: attack for attack in quick},
        "left": left(running),
        "same": untouched(root) == before,
        "out": root / "out",
    }


def test_there_are_enough() -> None:
    assert len(names(slow=True)) >= 30 + 27 * CPP
    assert len(set(names(slow=True))) == len(names(slow=True))


def test_each(graded: dict[str, Any]) -> None:
    for attack in graded["attacks"].values():
        judge_one(attack, graded["marks"][student(attack)])


def test_files_that_are_no_answers(graded: dict[str, Any]) -> None:
    assert "symbolic link" in told(graded["marks"]["link"])
    assert "200 MB" in told(graded["marks"]["large"])


def test_the_honest_student_has_full_marks(graded: dict[str, Any]) -> None:
    mark = graded["marks"][HONEST]
    assert mark["result"]["points"] == mark["possible"]


def test_nothing_is_left(graded: dict[str, Any]) -> None:
    assert not graded["left"]
    assert graded["same"]


def test_pages_are_harmless_and_secrets_stay(graded: dict[str, Any]) -> None:
    for page in sorted(graded["out"].rglob("*.html")):
        text = page.read_text(encoding="utf-8")
        assert "<script>alert" not in text
        assert "root:x:0" not in text
    for name in ("reads-secrets", "includes-passwd")[: 1 + CPP]:
        mark = graded["marks"][name]
        assert SEED not in mark["result"]["stdout"]
        assert "root:x:0" not in told(mark)


# --- all of it, as root and as an ordinary user, with a box and without ------------------------------------


def _python(user: list[str]) -> list[str]:
    """A Python that ``user`` can run, with our packages."""
    for python in (sys.executable, "/usr/bin/python3"):
        paths = os.pathsep.join(path for path in sys.path if path)
        command = [*user, "env", f"PYTHONPATH={paths}", python, "-B"]
        tried = subprocess.run(
            [*command, "-c", "import numpy, msgspec, grader.cli"], capture_output=True, check=False
        )
        if tried.returncode == 0:
            return command
    pytest.skip("no Python that an ordinary user can run")


_RUN = """
import sys
from tests.grader.attacks.conftest import adopt_orphans, left
from grader.cli import main
adopt_orphans()
code = main(sys.argv[1:])
print("LEFT", left(set()))
sys.exit(code)
"""


@pytest.mark.nightly
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("box", ["bubblewrap", "no bubblewrap"])
@pytest.mark.parametrize("user", ["root", "ordinary"])
def test_everywhere(user: str, box: str, repository: Path) -> None:
    if box == "bubblewrap" and shutil.which("bwrap") is None:
        pytest.skip("bubblewrap is not installed")
    if user == "root" and os.geteuid() != 0:
        pytest.skip("not root")
    become = []
    if user == "ordinary" and os.geteuid() == 0:
        become = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    root = Path("/tmp") / f"attacks-{os.getpid()}-{user}-{box.split(maxsplit=1)[0]}"
    root.mkdir()
    try:
        attacks = all_attacks(root)
        make_class(root, attacks)
        (root / "home").mkdir()
        if become:
            subprocess.run(["chown", "-hR", "65534:65534", str(root)], check=True)
        before = untouched(root)
        ran = subprocess.run(
            [*_python(become), "-c", _RUN, "grade", str(root / "in"), "--bank", str(root / "bank")]
            + ["--out", str(root / "out"), "--seed", SEED],
            capture_output=True,
            text=True,
            cwd=repository,
            check=False,
            env={
                "PATH": os.environ["PATH"],
                "HOME": str(root / "home"),
                "TMPDIR": str(root),
                "ASCEND_LAB_WITHOUT": "" if box == "bubblewrap" else "bubblewrap",
            },
        )
        assert ran.returncode == 3, ran.stderr
        assert "LEFT []" in ran.stdout
        found = marks(root / "out")
        layers = found[HONEST]["result"]["provenance"]["layers"]
        assert ("bubblewrap" in layers) == (box == "bubblewrap")
        assert ("no rights" in layers) == (user == "root")
        wrong = []
        for attack in attacks:
            try:
                judge_one(attack, found[student(attack)])
            except AssertionError as error:
                wrong.append(str(error))
        assert not wrong, "\n".join(wrong)
        assert found[HONEST]["result"]["points"] == found[HONEST]["possible"]
        assert untouched(root) == before
        assert sorted(p.name for p in root.iterdir()) == ["bank", "home", "in", "out"]
    finally:
        shutil.rmtree(root)
