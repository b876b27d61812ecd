"""The catalogue of findings: what each class is called, says, and asks for, in zh and en.

The texts are data, in ``catalogue/*.toml``: one table per class id.
"""

from __future__ import annotations

import string
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

LANGUAGES = ("zh", "en")
PARTS = ("title", "text", "rule", "next")
_ROLES = "roles.toml"


class Say(NamedTuple):
    """A word in both languages, for a number that is a phrase."""

    en: str
    zh: str


class CatalogueError(ValueError):
    """A class id or a text that the catalogue does not have, or a broken catalogue file."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One class of findings.

    ``severity`` is "error", "note" or "performance". ``outcome`` is what a card shows: "SILENT", "ABORT",
    "HANG", "HOST", "SLOW". ``npuchk`` and ``sanitizer`` are the names the official tools use, "" where they have
    none. ``page`` is a page of asc-devkit. ``supersedes`` are classes that fold under this one, with
    ``supersedes_here`` only at the same line. ``shown_by`` "output": only output can show the class.
    """

    id: str
    severity: str
    outcome: str
    npuchk: str
    sanitizer: str
    page: str
    supersedes: tuple[str, ...]
    supersedes_here: tuple[str, ...]
    shown_by: str
    texts: Mapping[str, Mapping[str, str]] = field(repr=False)
    variants: Mapping[str, Mapping[str, Mapping[str, str]]] = field(repr=False)

    def text(self, part: str, lang: str, variant: str = "") -> str:
        """The template of ``part`` ("title", "text", "rule", "next") in ``lang``."""
        if lang not in LANGUAGES:
            raise CatalogueError(f"no texts in {lang!r}; there are {' and '.join(LANGUAGES)}")
        own = self.variants[variant] if variant else {}
        return own.get(part, self.texts[part])[lang]


@cache
def catalogue() -> Mapping[str, Entry]:
    """Every class by id, A1 first. Raises CatalogueError for a broken file."""
    tables = _tables()
    order = sorted(tables, key=lambda name: (name[0], int(name[1:])))
    return {name: _entry(name, tables[name]) for name in order}


@cache
def roles() -> Mapping[str, Mapping[str, str]]:
    """What another place of a finding did, by key."""
    roles: dict[str, dict[str, str]] = tomllib.loads(_read(_ROLES))
    return roles


def entry(class_id: str) -> Entry:
    """The class called ``class_id``. Raises CatalogueError when there is none."""
    try:
        return catalogue()[class_id]
    except KeyError:
        known = " ".join(catalogue())
        raise CatalogueError(f"no class {class_id!r} of findings; there are: {known}") from None


def explain(class_id: str, lang: str = "en") -> str:
    """What the class is, its rule, and what the official tools call it: a few lines of text."""
    found = entry(class_id)
    lines = [f"{found.id}  {found.text('title', lang)}", found.text("rule", lang)]
    names = {"npuchk": found.npuchk, "msSanitizer": found.sanitizer, "asc-devkit": found.page}
    lines += [f"{tool}: {name}" for tool, name in names.items() if name]
    return "\n".join(lines)


class _Formatter(string.Formatter):
    """``{n:#word}`` is "1 word" or "2 words"; a :class:`Say` gives its word in ``lang``."""

    def __init__(self, lang: str) -> None:
        self.lang = lang

    def format_field(self, value: Any, format_spec: str) -> str:
        if isinstance(value, Say):
            value = getattr(value, self.lang)
        if format_spec.startswith("#"):
            noun = format_spec[1:]
            return f"{value} {noun}" if value == 1 else f"{value} {noun}s"
        return str(super().format_field(value, format_spec))


def fill(template: str, numbers: Mapping[str, Any], lang: str) -> str:
    """``template`` with its placeholders filled. Raises CatalogueError for one without a number."""
    try:
        return _Formatter(lang).vformat(template, (), numbers)
    except KeyError as error:
        raise CatalogueError(f"nothing given for {error} in {template!r}") from None


def _tables() -> dict[str, dict[str, Any]]:
    tables: dict[str, dict[str, Any]] = {}
    for file in sorted(files("ascend_lab.checks").joinpath("catalogue").iterdir(), key=str):
        if file.name.endswith(".toml") and file.name != _ROLES:
            for name, table in tomllib.loads(_read(file.name)).items():
                if name in tables:
                    raise CatalogueError(f"{file.name}: {name} is there twice")
                tables[name] = table
    return tables


def _read(name: str) -> str:
    return files("ascend_lab.checks").joinpath("catalogue", name).read_text(encoding="utf-8")


def _entry(name: str, table: dict[str, Any]) -> Entry:
    try:
        return Entry(
            id=name,
            severity=table["severity"],
            outcome=table["outcome"],
            npuchk=table["npuchk"],
            sanitizer=table["sanitizer"],
            page=table["page"],
            supersedes=tuple(table["supersedes"]),
            supersedes_here=tuple(table.get("supersedes_here", ())),
            shown_by=table.get("shown_by", "check"),
            texts={part: table[part] for part in PARTS},
            variants=table.get("variant", {}),
        )
    except KeyError as error:
        raise CatalogueError(f"catalogue: {name} has no {error}") from None
