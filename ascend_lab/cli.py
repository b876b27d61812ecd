"""The command ``ascend-lab``. Each subcommand is a module of `ascend_lab.commands`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from ascend_lab.commands import COMMANDS


def main(argv: Sequence[str] | None = None) -> int:
    """Run ``ascend-lab`` with ``argv``; returns its exit code (2: wrong usage)."""
    parser = argparse.ArgumentParser(
        prog="ascend-lab",
        description="Run operators for Ascend NPUs on a model of the chip. "
        "在芯片模型上运行昇腾算子，不需要 NPU。",
    )
    subparsers = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for command in COMMANDS:
        command.add_parser(subparsers)
    try:
        arguments = parser.parse_args(sys.argv[1:] if argv is None else argv)
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else 2
    code: int = arguments.run(arguments)
    return code


if __name__ == "__main__":
    sys.exit(main())
