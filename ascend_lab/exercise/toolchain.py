"""The files of the C++ compiler: what a child may read and run when it compiles an answer."""

from __future__ import annotations

import functools
import os
from contextlib import suppress
from pathlib import Path

from ascend_lab.ascendc.building import INCLUDE, NoCompiler, compiler, made

_PARTS = ("bin", "lib", "lib64", "lib32", "libexec", "include", "local/include", "local/bin")


@functools.cache
def readable() -> tuple[str, ...]:
    """The compiler's own folders, our headers, and what we have built for it; none without a compiler."""
    try:
        found = compiler()
    except NoCompiler:
        return ()
    root = Path(found).parents[1], Path(os.path.realpath(found)).parents[1]
    ours = made(found)
    with suppress(OSError):  # then C++ cannot be judged, and Python can
        ours.mkdir(parents=True, exist_ok=True)
    paths = [place / part for place in dict.fromkeys(root) for part in _PARTS]
    paths += [*_targets(root[-1]), Path("/bin"), Path("/etc/alternatives"), ours, INCLUDE.parent]
    return tuple(str(path) for path in dict.fromkeys(paths) if path.is_dir())


def _targets(root: Path) -> list[Path]:
    """Folders such as ``x86_64-conda-linux-gnu``, where a cross compiler keeps its system."""
    return [path for path in root.glob("*-linux-gnu*") if path.is_dir()]
