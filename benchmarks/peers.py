"""nbgrader and otter-grader at work on notebooks with trivial checks, each in a virtual environment of its own."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks.synthetic_class import notebook

#: The answer that all three graders judge; the kernel is left out where the lab is not installed.
ANSWER = """\
try:
    import ascend_lab.asc as asc
except ImportError:
    asc = None


def double(x):
    return 2 * x


if asc is not None:

    @asc.jit
    def trivial(z: asc.GlobalAddress):
        z_gm = asc.GlobalTensor()
        z_gm.set_global_buffer(z, 8)
        pipe = asc.TPipe()
        out = asc.TQue(asc.TPosition.VECOUT, 1)
        pipe.init_buffer(out, 1, 32)
        local = out.alloc_tensor(z.dtype)
        asc.duplicate(local, 1.0, 8)
        out.enque(local)
        local = out.deque(z.dtype)
        asc.data_copy(z_gm, local, 8)
        out.free_tensor(local)
"""
TASK = """
id = "00/trivial"
kernel = "trivial"
blocks = 1
golden = "np.ones(8)"
reference = "trivial.py"
title = { zh = "写一", en = "Ones" }
points = { values = 1 }
schedules = []

[[parameters]]
name = "z"
role = "out"
shape = [8]

[[cases]]
name = "only"
"""
_CHECK = "assert double(2) == 4\nassert double(3) == 6"
_OTTER = """\
OK_FORMAT = True
test = {
    "name": "q1",
    "points": 1,
    "suites": [
        {
            "cases": [{"code": ">>> double(2) == 4\\nTrue", "hidden": False, "locked": False}],
            "scored": True,
            "setup": "",
            "teardown": "",
            "type": "doctest",
        }
    ],
}
"""


class Missing(Exception):
    """A peer that cannot be installed or run here; ``str()`` says why."""


def install(folder: Path, package: str) -> Path:
    """The ``bin`` of a virtual environment with ``package``; an existing one is taken as it is."""
    place = folder / package
    bin = place / ("Scripts" if sys.platform == "win32" else "bin")
    if not (bin / "jupyter").exists():
        _run([sys.executable, "-m", "venv", str(place)], folder)
        pip = [str(bin / "pip"), "install", "--quiet", "--disable-pip-version-check"]
        _run([*pip, package, "ipykernel"], folder)
    return bin


def nbgrader(folder: Path, bin: Path, answers: Sequence[str]) -> float:
    """Seconds for each of ``answers`` that ``nbgrader autograde`` takes."""
    course = folder / "course"
    (course / "source/ps1").mkdir(parents=True)
    (course / "nbgrader_config.py").write_text(
        "c = get_config()\nc.CourseDirectory.course_id = 'bench'\n"
    )
    locked = {"grade": False, "grade_id": "double", "locked": False, "schema_version": 3}
    check = {"grade": True, "grade_id": "check", "locked": True, "schema_version": 3, "points": 1}
    metadata = {
        0: {"nbgrader": locked | {"solution": True, "task": False}},
        1: {"nbgrader": check | {"solution": False, "task": False}},
    }
    (course / "source/ps1/p1.ipynb").write_text(notebook([ANSWER, _CHECK], metadata))
    _run([str(bin / "nbgrader"), "generate_assignment", "ps1", "--force"], course, bin)
    for number, answer in enumerate(answers):
        place = course / f"submitted/s{number:02}/ps1"
        place.mkdir(parents=True)
        (place / "p1.ipynb").write_text(notebook([answer, _CHECK], metadata))
    began = time.perf_counter()
    _run([str(bin / "nbgrader"), "autograde", "ps1"], course, bin)
    took = time.perf_counter() - began
    done = len(list((course / "autograded").glob("*/ps1/p1.ipynb")))
    if done != len(answers):
        raise Missing(f"nbgrader graded {done} of {len(answers)}")
    return took / len(answers)


def otter(folder: Path, bin: Path, answers: Sequence[str]) -> float:
    """Seconds for each of ``answers`` that ``otter run`` takes."""
    (folder / "tests").mkdir()
    (folder / "tests/q1.py").write_text(_OTTER)
    _run([str(bin / "otter"), "generate", "-t", "tests", "-o", "autograder.zip"], folder, bin)
    began = time.perf_counter()
    for number, answer in enumerate(answers):
        (folder / f"s{number:02}.ipynb").write_text(notebook([answer]))
        _run(
            [str(bin / "otter"), "run", "-a", "autograder.zip", f"s{number:02}.ipynb"], folder, bin
        )
    return (time.perf_counter() - began) / len(answers)


def _run(command: list[str], folder: Path, bin: Path | None = None) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    path = os.pathsep.join([*([str(bin)] if bin is not None else []), os.environ["PATH"]])
    ran = subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, "PATH": path, "JUPYTER_PLATFORM_DIRS": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    if ran.returncode != 0:
        last = (ran.stderr.strip() or ran.stdout.strip() or "-").splitlines()[-1]
        raise Missing(f"{Path(command[0]).name} {command[1]}: {last}")
