"""The public cases as fixtures: `python -m tests.checks.cases.table` runs each and says what it finds.

A module has FINDS (the id that leads; "" when only the output shows it) and ``launch(device, mended)``; it may
name a HINT, narrow SCHEDULES, or turn AUTO_SYNC off.
"""

from __future__ import annotations

import importlib
from pathlib import Path
from types import ModuleType

from ascend_lab import Device, Result

#: Cases that no kernel of the Python door can have, and why.
NOT_EXPRESSED = {
    "Q15": "int32 offsets: a tensor of 2^31 elements has no room, and Python's integers do not wrap",
    "Q39": "copy direction and size of a tiling struct: host calls of aclrt, outside the kernel",
    "Q41": "versions of CANN, torch and torch_npu: an environment, no kernel",
    "Q43": "an operator that falls back to the CPU: a framework, no kernel",
}
FOLDER = Path(__file__).parent


def names() -> list[str]:
    """The cases that are expressed, in order."""
    return sorted(path.stem.upper() for path in FOLDER.glob("q*.py"))


def load(name: str) -> ModuleType:
    """The module of one case."""
    return importlib.import_module(f"tests.checks.cases.{name.lower()}")


def launch(module: ModuleType, mended: bool, schedule: str = "realistic") -> Result:
    """One run of a case."""
    auto_sync = getattr(module, "AUTO_SYNC", True)
    result: Result = module.launch(Device(schedule=schedule, auto_sync=auto_sync), mended)
    return result


def text() -> str:
    """The table."""
    lines = [f"{'case':5} {'expected':9} {'found':9} {'mended':7} what"]
    for name in names():
        module = load(name)
        found = launch(module, False).findings.ids[:1]
        clean = "clean" if not launch(module, True).findings else "DIRTY"
        what = (module.__doc__ or "").partition(": ")[2].partition("\n")[0]
        expected = module.FINDS or "output"
        lines.append(f"{name:5} {expected:9} {(*found, 'output')[0]:9} {clean:7} {what}")
    lines += [f"{name:5} {'-':9} {'-':9} {'-':7} {why}" for name, why in NOT_EXPRESSED.items()]
    return "\n".join(lines)


if __name__ == "__main__":
    print(text())
