"""What judging costs beyond the engine's own work: the child, the wire, the checks of what it sends.

    python benchmarks/grading.py

The smallest public case of a task is launched in this process and from a child; the difference counts. Times are
the best of several in one run.
"""

from __future__ import annotations

import linecache
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from ascend_lab import Device, chips
from ascend_lab.exercise import Judge, RemoteKernel, Task, from_text, open_bank
from ascend_lab.exercise.golden import settings
from ascend_lab.exercise.launcher import ForkLauncher

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


def main() -> None:
    """Print the figures."""
    bank = open_bank()
    task = bank.load(TASK)
    here, far, whole = measure(task, bank.source(task.reference))
    print(f"{TASK}, case {task.public_cases[0].name}")
    print(f"  launch in this process      {here:6.1f} ms")
    print(f"  loaded and launched remote  {far:6.1f} ms")
    print(f"  beyond the engine's work    {far - here:6.1f} ms  (to hold: 50)")
    print(f"  all public checks, 6 runs   {whole:6.1f} ms")


if __name__ == "__main__":
    main()
