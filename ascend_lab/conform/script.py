"""``python -m ascend_lab.conform.script FILE [args]``: a sample's own script, with a stand-in for torch when absent."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

from ascend_lab.asc.registering import register_torch


def main(argv: list[str]) -> None:
    """Run ``argv[0]`` as ``__main__`` with the rest as its arguments."""
    register_torch()
    sys.argv = argv
    sys.path[0] = str(Path(argv[0]).resolve().parent)
    runpy.run_path(argv[0], run_name="__main__")


if __name__ == "__main__":
    main(sys.argv[1:])
