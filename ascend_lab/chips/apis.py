"""Reads api.toml: which API exists on which architecture, with which types."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ascend_lab.chips import errors
from ascend_lab.chips.spec import Api

FILE = "api.toml"
ARCHITECTURES = ("2201", "2002")
ROUND_MODES = ("NONE", "RINT", "FLOOR", "CEIL", "ROUND", "TRUNC", "ODD")
DTYPES = (
    *("int4", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"),
    *("float16", "bfloat16", "float32", "float64"),
)
KEYS = ("pyasc", "page", "arch", "dtypes", "operands", "pairs", "modes", "notes")


def read(data: dict[str, Any], arch: str) -> dict[str, Api]:
    """All APIs as architecture `arch` ("2201") has them. Raises ChipError for a broken table."""
    _keys("", data, ("folders", "api"), required=("folders", "api"))
    folders, tables = _table("folders", data["folders"]), _table("api", data["api"])
    return {name: _api(name, _table(name, table), folders, arch) for name, table in tables.items()}


def _api(name: str, table: dict[str, Any], folders: dict[str, Any], arch: str) -> Api:
    _keys(name, table, KEYS, required=("pyasc", "page"))
    archs = table.get("arch", " ".join(ARCHITECTURES))
    return Api(
        name=name,
        pyasc=_text(f"{name}.pyasc", table["pyasc"]),
        page=_page(f"{name}.page", table["page"], folders),
        supported=arch in _words(f"{name}.arch", archs, ARCHITECTURES),
        dtypes=_words(f"{name}.dtypes", _of(table.get("dtypes", ""), name, "dtypes", arch), DTYPES),
        operands=_words_by_name(f"{name}.operands", table.get("operands", {}), DTYPES),
        pairs=_pairs(f"{name}.pairs", _of(table.get("pairs", {}), name, "pairs", arch)),
        modes=_words_by_name(f"{name}.modes", _of(table.get("modes", {}), name, "modes", arch)),
        notes=_text(f"{name}.notes", table.get("notes", "")),
    )


def _of(value: object, name: str, key: str, arch: str) -> object:
    """`value`, or its part for `arch` when it is given by architecture."""
    if not isinstance(value, dict) or not any(part.isdigit() for part in value):
        return value
    _keys(f"{name}.{key}", value, ARCHITECTURES)
    return value.get(arch, {} if key != "dtypes" else "")


def _table(path: str, value: object) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise errors.wrong_type(FILE, path, "table", value)
    return value


def _keys(
    path: str, table: dict[str, Any], known: tuple[str, ...], required: tuple[str, ...] = ()
) -> None:
    dot = f"{path}." if path else ""
    for key in table:
        if key not in known:
            raise errors.unknown(FILE, f"{dot}{key}", known)
    for key in required:
        if key not in table:
            raise errors.missing(FILE, f"{dot}{key}")


def _text(path: str, value: object) -> str:
    if not isinstance(value, str):
        raise errors.wrong_type(FILE, path, "str", value)
    return value


def _page(path: str, value: object, folders: dict[str, Any]) -> str:
    folder, _, page = _text(path, value).partition("/")
    if folder not in folders:
        raise errors.unknown(FILE, f"{path}.{folder}", folders)
    return f"{_text(f'folders.{folder}', folders[folder])}/{page}"


def _words(path: str, value: object, known: Iterable[str] | None = None) -> tuple[str, ...]:
    """The words of a string, each one of `known`."""
    words = tuple(_text(path, value).split())
    for word in words:
        if known is not None and word not in known:
            raise errors.unknown(FILE, f"{path}.{word}", known)
    return words


def _words_by_name(
    path: str, value: object, known: Iterable[str] | None = None
) -> dict[str, tuple[str, ...]]:
    table = _table(path, value)
    return {key: _words(f"{path}.{key}", words, known) for key, words in table.items()}


def _pairs(path: str, value: object) -> dict[tuple[str, str], tuple[str, ...]]:
    pairs: dict[tuple[str, str], tuple[str, ...]] = {}
    for key, modes in _words_by_name(path, value, ROUND_MODES).items():
        src, arrow, dst = key.partition(">")
        if not arrow:
            raise errors.wrong_type(FILE, path, '"source>destination"', key)
        for dtype in (src, dst):
            if dtype not in DTYPES:
                raise errors.unknown(FILE, f"{path}.{key}.{dtype}", DTYPES)
        pairs[src, dst] = tuple(f"CAST_{mode}" for mode in modes)
    return pairs
