"""Which line of a source an address of a program belongs to, by the table that the compiler leaves (-g1)."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

from ascend_lab.engine.instruction import Where

_SECONDS = 20
#: A precompiled header may come from another copy of the project.
_NOT_THEIRS = re.compile(r"^(?:\?|/usr/)|/ascend_lab/ascendc/")


class Lines:
    """Asks addr2line, which comes with the linker; None where it is not, or knows nothing.

    ``run`` runs a command and gives what it printed: a program that nobody trusts is not read by this process.
    """

    def __init__(self, program: Path, run: Callable[[list[str]], str] | None = None) -> None:
        self._program = program
        self._run = run or _run

    def __call__(self, code: int) -> Where | None:
        """The innermost place that is neither ours nor the compiler's."""
        tool = shutil.which("addr2line")
        if tool is None:
            return None
        lines = self._run(
            [tool, "-e", str(self._program), "-f", "-i", "-C", hex(code)]
        ).splitlines()
        for function, place in zip(lines[::2], lines[1::2], strict=False):
            file, _, number = place.partition(" ")[0].rpartition(":")
            if number.isdigit() and int(number) and not _NOT_THEIRS.search(file):
                return Where(file, int(number), _plain(function))
        return None


def _run(command: list[str]) -> str:
    try:
        said = subprocess.run(command, capture_output=True, check=False, timeout=_SECONDS).stdout
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return said.decode("utf-8", "replace")


def _plain(function: str) -> str:
    """``KernelAdd<half>::Init(unsigned char*)`` as __builtin_FUNCTION has it: Init."""
    return function.partition("(")[0].rpartition("::")[2].partition("<")[0]
