"""The words of words.toml."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources


@cache
def _words() -> Mapping[str, Mapping[str, str]]:
    text = resources.files(__package__).joinpath("words.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def word(key: str, lang: str, **values: object) -> str:
    """The sentence or word ``key`` in ``lang``, filled in."""
    return _words()[key][lang].format(**values)


def clock_face(seconds: float) -> str:
    """Seconds as 1:59:07."""
    whole = int(abs(seconds))
    return f"{whole // 3600}:{whole // 60 % 60:02}:{whole % 60:02}"
