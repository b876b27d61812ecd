"""The subcommands of ``ascend-lab``, one a module.

A command has ``add_parser(subparsers)``, which adds its parser and sets ``run`` on it: a function of the
parsed arguments that returns the exit code. To add one, name its module in `COMMANDS`.
"""

from __future__ import annotations

from ascend_lab.commands import bottleneck, cc, check, conform, export, lint, op, prof, run

COMMANDS = (check, run, cc, prof, bottleneck, lint, export, conform, op)
