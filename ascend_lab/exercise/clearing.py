"""Removes what a child has left in its folder, however deep, and whatever rights it took away."""

from __future__ import annotations

import os
import shutil
import subprocess
from contextlib import suppress


def clear(folder: str) -> None:
    """Remove ``folder`` and everything below it; links are not followed."""
    with suppress(RecursionError):
        shutil.rmtree(folder, ignore_errors=True)
    if os.path.isdir(folder) and os.name == "posix":
        for command in (("chmod", "-R", "u+rwX"), ("rm", "-rf")):
            with suppress(OSError):
                subprocess.run(
                    [*command, "--", folder],
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    check=False,
                )
