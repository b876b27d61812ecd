"""A kernel in a child is to the device what it is in this process."""

from __future__ import annotations

import linecache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ascend_lab.asc.runtime.jit import JITFunction
from ascend_lab.device import Device
from ascend_lab.exercise import RemoteKernel, from_text
from ascend_lab.exercise.launcher import ForkLauncher
from tests.exercise import kernels

SCALAR = kernels.changed(
    "        out_z.enque(z_local)\n",
    "        if z_local.get_value(3) > 0.0:\n"
    "            z_local.set_value(3, 7.0)\n"
    "        asc.printf('%f', z_local.get_value(3))\n"
    "        out_z.enque(z_local)\n",
)
CROSS = kernels.changed(
    "        out_z.enque(z_local)\n",
    "        asc.cross_core_set_flag(3, 0, asc.PipeID.PIPE_V)\n"
    "        asc.cross_core_wait_flag(3)\n"
    "        out_z.enque(z_local)\n",
)


def here(text: str) -> JITFunction:
    """The kernel of ``text`` in this process."""
    linecache.cache["s01.py"] = (len(text), None, text.splitlines(keepends=True), "s01.py")
    namespace: dict[str, Any] = {"__name__": "answer"}
    exec(compile(text, "s01.py", "exec"), namespace)
    kernel = namespace["add"]
    assert isinstance(kernel, JITFunction)
    return kernel


def launch(kernel: Any, schedule: str, path: Path) -> tuple[bytes, bytes, str]:
    """Bytes of the saved trace and of the output, and what was found."""
    rng = np.random.default_rng(0)
    x, y = (rng.normal(size=512).astype(np.float32) for _ in range(2))
    z = np.full(512, np.nan, np.float32)
    result = Device(schedule=schedule).launch(kernel, 2, x, y, z, 512, outputs=["z"])
    result.trace.save(path)
    return path.read_bytes(), z.tobytes(), result.stdout + str(list(map(str, result.findings)))


@pytest.mark.parametrize("schedule", ["realistic", "adversarial"])
@pytest.mark.parametrize(
    "text", [kernels.ADD, SCALAR, CROSS, kernels.changed("], TILE)", "], TILE - 4)")]
)
def test_the_same_trace_output_and_findings(text: str, schedule: str, tmp_path: Path) -> None:
    launcher = ForkLauncher()
    try:
        remote = RemoteKernel(launcher, from_text(text, "s01.py"), "add", ("x", "y", "z", "n"))
        far = launch(remote, schedule, tmp_path / "far.npz")
    finally:
        launcher.close()
    near = launch(here(text), schedule, tmp_path / "near.npz")
    assert far[1:] == near[1:]
    assert far[0] == near[0]
