"""Which language a command speaks."""

from __future__ import annotations

import argparse
import os


def add_option(parser: argparse.ArgumentParser) -> None:
    """``--lang zh|en``."""
    parser.add_argument(
        "--lang",
        choices=("zh", "en"),
        default=from_environment(),
        help="language of messages (default: that of LC_ALL, LC_MESSAGES or LANG) / 提示语言",
    )


def from_environment() -> str:
    """ "zh" when the environment asks for Chinese, else "en"."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        value = os.environ.get(name)
        if value:
            return "zh" if value.startswith("zh") else "en"
    return "en"
