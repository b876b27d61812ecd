"""What grading costs: one case, a whole class, and the same notebooks graded by others.

    python -m benchmarks.grading [--students 200] [--notebooks 20] [--venvs FOLDER] [--json FILE]

One case: the smallest public case of a task is launched in this process and from a child; the difference counts, the
best of several. A class: notebooks that are made up, with right, wrong, crashing and hanging kernels. Others: the
time that nbgrader and otter-grader take for each submission with trivial checks, and ours; they are installed from
PyPI into environments of their own.
"""

from __future__ import annotations

import argparse
import json
import linecache
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ascend_lab import Device, chips
from ascend_lab.exercise import Judge, RemoteKernel, Task, from_text, open_bank
from ascend_lab.exercise.golden import settings
from ascend_lab.exercise.launcher import ForkLauncher
from benchmarks import peers
from benchmarks.synthetic_class import EXERCISES, make_bank, make_class, notebook

TASK = "03/seed-add"
ROUNDS = 9


def best(work: Callable[[], object]) -> float:
    """Milliseconds of the fastest of `ROUNDS`."""
    times = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times) * 1e3


def local_kernel(text: str, name: str) -> Any:
    """The kernel, in this process."""
    linecache.cache["here.py"] = (len(text), None, text.splitlines(keepends=True), "here.py")
    namespace: dict[str, Any] = {"__name__": "here"}
    exec(compile(text, "here.py", "exec"), namespace)
    return namespace[name]


def measure(task: Task, text: str) -> tuple[float, float, float]:
    """Milliseconds: launch in this process, load and launch in a child, a whole judgement."""
    setting = settings(task, task.public_cases[0], "bench")[0]
    spec = chips.load(task.chip)
    names = [parameter.name for parameter in task.parameters]
    near = local_kernel(text, task.kernel)

    def launch(kernel: Any) -> None:
        arguments = [a.copy() if isinstance(a, np.ndarray) else a for a in setting.arguments]
        outputs = [parameter.name for parameter in task.outputs]
        Device(spec).launch(kernel, setting.blocks, *arguments, outputs=outputs)

    launcher = ForkLauncher()
    answer = from_text(text)
    far_launch = lambda: launch(RemoteKernel(launcher, answer, task.kernel, names))  # noqa: E731
    far_launch()  # the zygote has started
    here, far = best(lambda: launch(near)), best(far_launch)
    launcher.close()
    with Judge() as judge:
        judge.check(task, answer)
        whole = best(lambda: judge.check(task, answer))
    return here, far, whole


# --- a whole class -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Whole:
    """A class graded: kinds of answers, seconds on ``cores``, the most memory that all processes had."""

    students: int
    exercises: int
    kinds: dict[str, int]
    cores: int
    seconds: float
    peak_mb: float
    exit: int


def whole_class(folder: Path, students: int, exercises: int) -> Whole:
    """Grade a class that is made up, with as many workers as there are processors."""
    bank = make_bank(folder / "bank", exercises)
    kinds = make_class(folder / "class", bank, students)
    began = time.perf_counter()
    code, peak = _graded(folder / "class", bank.folder, folder / "grades", "auto")
    seconds = time.perf_counter() - began
    return Whole(students, exercises, kinds, os.cpu_count() or 1, seconds, peak, code)


def _graded(work: Path, bank: Path, out: Path, jobs: str) -> tuple[int, float]:
    """Exit code of ``grader grade``, and the peak memory of it and all below it, in MB."""
    command = [sys.executable, "-m", "grader", "grade", str(work), "--bank", str(bank)]
    process = subprocess.Popen(
        [*command, "--out", str(out), "-j", jobs, "--seed", "bench"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    peak = 0.0
    while True:
        peak = max(peak, _memory(process.pid))
        with suppress(subprocess.TimeoutExpired):
            return process.wait(0.5), peak


def _memory(pid: int) -> float:
    """Megabytes of a process and all below it; what they share counts once. 0 where the system does not tell."""
    total, waiting = 0.0, [pid]
    while waiting:
        one = Path(f"/proc/{waiting.pop()}")
        try:
            found = re.search(r"^Pss:\s+(\d+)", (one / "smaps_rollup").read_text(), re.MULTILINE)
            total += int(found[1]) / 1024 if found else 0.0
            for task in (one / "task").iterdir():
                waiting += map(int, (task / "children").read_text().split())
        except OSError:
            continue
    return total


# --- beside others -------------------------------------------------------------------------------------


def ours(folder: Path, answers: Sequence[str]) -> float:
    """Seconds for each of ``answers`` that ``grader grade`` takes, with one worker."""
    (folder / "bank/tasks/00").mkdir(parents=True)
    (folder / "bank/tasks/00/trivial.toml").write_text(peers.TASK, encoding="utf-8")
    (folder / "bank/trivial.py").write_text(peers.ANSWER)
    (folder / "class").mkdir()
    for number, answer in enumerate(answers):
        (folder / f"class/s{number:02}.ipynb").write_text(notebook([answer]))
    began = time.perf_counter()
    code, _ = _graded(folder / "class", folder / "bank", folder / "grades", "1")
    if code != 0:
        raise peers.Missing(f"grader grade ended with {code}")
    return (time.perf_counter() - began) / len(answers)


def beside(folder: Path, venvs: Path, notebooks: int) -> dict[str, float | str]:
    """Seconds for each submission: ours, nbgrader's and otter's; a text where one could not be run."""
    answers = [f"{peers.ANSWER}\n\n# student {number}\n" for number in range(notebooks)]
    found: dict[str, float | str] = {"ours": ours(folder / "ours", answers)}
    for name, package, run in (
        ("nbgrader", "nbgrader", peers.nbgrader),
        ("otter", "otter-grader", peers.otter),
    ):
        try:
            bin = peers.install(venvs, package)
            (folder / name).mkdir()
            found[name] = run(folder / name, bin, answers)
        except (peers.Missing, OSError) as error:
            found[name] = f"skipped: {error}"
    return found


# --- the figures ---------------------------------------------------------------------------------------


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--students", type=int, default=200)
    parser.add_argument("--exercises", type=int, default=len(EXERCISES))
    parser.add_argument("--notebooks", type=int, default=20, help="for the comparison; 0: none")
    parser.add_argument("--venvs", type=Path, help="where the others are installed, or will be")
    parser.add_argument("--json", type=Path)
    asked = parser.parse_args()
    figures = {"case": _case()}
    with tempfile.TemporaryDirectory(prefix="ascend-lab-bench-") as name:
        folder = Path(name)
        if asked.students:
            figures["class"] = _class(folder / "whole", asked.students, asked.exercises)
        if asked.notebooks:
            venvs = asked.venvs or folder / "venvs"
            figures["beside"] = _beside(folder / "beside", venvs, asked.notebooks)
    if asked.json is not None:
        asked.json.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")


def _case() -> dict[str, float]:
    bank = open_bank()
    task = bank.load(TASK)
    here, far, whole = measure(task, bank.source(task.reference))
    print(f"{TASK}, case {task.public_cases[0].name}")
    print(f"  launch in this process      {here:6.1f} ms")
    print(f"  loaded and launched remote  {far:6.1f} ms")
    print(f"  beyond the engine's work    {far - here:6.1f} ms  (to hold: 50)")
    print(f"  all public checks, 6 runs   {whole:6.1f} ms")
    return {"here_ms": here, "remote_ms": far, "beyond_ms": far - here, "whole_ms": whole}


def _class(folder: Path, students: int, exercises: int) -> dict[str, Any]:
    found = whole_class(folder, students, exercises)
    answers = students * exercises
    kinds = ", ".join(f"{count} {kind}" for kind, count in found.kinds.items())
    print(f"class of {students} students x {exercises} exercises: {kinds}")
    print(f"  wall time on {found.cores} cores    {found.seconds:8.1f} s  (expected: 900 for 1600)")
    print(f"  for each answer         {found.seconds / answers * 1e3:8.1f} ms")
    print(f"  peak memory             {found.peak_mb:8.0f} MB")
    return asdict(found)


def _beside(folder: Path, venvs: Path, notebooks: int) -> dict[str, float | str]:
    found = beside(folder, venvs.resolve(), notebooks)
    print(f"{notebooks} notebooks with trivial checks, for each submission")
    for name, took in found.items():
        text = took if isinstance(took, str) else f"{took:6.2f} s"
        mine = found["ours"]
        if name != "ours" and isinstance(took, float) and isinstance(mine, float):
            text += f"  ours is 1/{took / mine:.1f} of it (expected: 1/10)"
        print(f"  {name:10} {text}")
    return found


if __name__ == "__main__":
    main()
