"""The sentences of texts.toml, filled in."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any

LANGS = ("zh", "en")


@cache
def _texts() -> Mapping[str, Mapping[str, str]]:
    text = resources.files(__package__).joinpath("texts.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def say(key: str, lang: str, **numbers: Any) -> str:
    """The sentence ``key`` in ``lang``; a pair among ``numbers`` is a word in (zh, en)."""
    chosen = {
        name: value[LANGS.index(lang)] if isinstance(value, tuple) else value
        for name, value in numbers.items()
    }
    return _texts()[key][lang].format(**chosen).strip()


def keys() -> tuple[str, ...]:
    """The names of all sentences."""
    return tuple(_texts())
