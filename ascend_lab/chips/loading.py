"""Finds the chip files and makes `ChipSpec`s of them. A file that has not changed is read once."""

from __future__ import annotations

import functools
import tomllib
from pathlib import Path
from typing import Any

from ascend_lab.chips import apis, errors
from ascend_lab.chips.errors import ChipError
from ascend_lab.chips.reading import Reader
from ascend_lab.chips.spec import ChipSpec

DEFAULT = "Ascend910B1"
FOLDER = Path(__file__).parent


def names(folder: Path = FOLDER) -> tuple[str, ...]:
    """The chips there are, in alphabetical order."""
    return tuple(sorted(path.stem for path in folder.glob("*.toml") if path.name != apis.FILE))


def load(name: str = DEFAULT, folder: Path = FOLDER) -> ChipSpec:
    """The chip `name` as `folder` describes it.

    Raises ChipError for an unknown name, and for a file with a key that is missing, superfluous,
    of the wrong type, out of range, in the wrong unit or without a source.
    """
    data = _chip_data(name, folder)
    explained = _sources(name, data)
    origins = _inherit(name, data, folder, explained)
    reader = Reader(f"{name}.toml", explained)
    values = reader.table(ChipSpec, data, skip=("apis", "sources"))
    if values["name"] != name:
        raise errors.wrong_type(reader.file, "name", f'"{name}"', values["name"])
    table = apis.read(_parse(folder / apis.FILE), str(values["npu_arch"]))
    return ChipSpec(**values, apis=table, sources=_with_origin(reader.sources, origins))


def shared(name: str = DEFAULT) -> ChipSpec:
    """The chip `name`, read once and the same object for everybody: not to be changed. Errors as `load`."""
    return _kept(name, tuple((p.name, p.stat().st_mtime_ns) for p in sorted(FOLDER.glob("*.toml"))))


@functools.lru_cache(maxsize=16)
def _kept(name: str, ages: tuple[tuple[str, int], ...]) -> ChipSpec:
    return load(name)


def _chip_data(name: str, folder: Path) -> dict[str, Any]:
    known = names(folder)
    if name not in known:
        listed = ", ".join(known)
        raise ChipError(
            name, "", f"no such chip; there are {listed}.", f"没有这个芯片；已有 {listed}。",
            errors.near(name, known),
        )  # fmt: skip
    return _parse(folder / f"{name}.toml")


def _parse(path: Path) -> dict[str, Any]:
    try:
        with path.open("rb") as file:
            return tomllib.load(file)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ChipError(
            path.name, "", f"not valid TOML: {error}.", f"不是合法的 TOML：{error}。"
        ) from None
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise ChipError(
            path.name, "", f"cannot be read: {reason}.", f"无法读取：{reason}。"
        ) from None


def _sources(name: str, data: dict[str, Any]) -> dict[str, str]:
    explained = data.pop("sources", None)
    if explained is None:
        raise errors.missing(f"{name}.toml", "sources")
    if not isinstance(explained, dict) or not all(
        isinstance(text, str) for text in explained.values()
    ):
        raise errors.wrong_type(f"{name}.toml", "sources", "table of str", explained)
    return explained


def _inherit(
    name: str, data: dict[str, Any], folder: Path, explained: dict[str, str]
) -> dict[str, str]:
    """Fill the tables that `[inherit]` names from another chip; own keys win.

    Returns dotted path -> chip for what was taken over.
    """
    rule = data.pop("inherit", None)
    if rule is None:
        return {}
    file = f"{name}.toml"
    if not _is_rule(rule):
        raise errors.wrong_type(file, "inherit", '{ from = "chip", tables = [...] }', rule)
    base = _chip_data(rule["from"], folder)
    for key, text in _sources(rule["from"], base).items():
        explained.setdefault(key, text)
    origins: dict[str, str] = {}
    for path in rule["tables"]:
        given = _at(base, path, rule["from"])
        own = _at(data, path, name, create=True)
        for key, value in given.items():
            if key not in own:
                own[key] = value
                origins[f"{path}.{key}"] = rule["from"]
    return origins


def _is_rule(rule: object) -> bool:
    if not isinstance(rule, dict) or set(rule) != {"from", "tables"}:
        return False
    words = [rule["from"], *rule["tables"]] if isinstance(rule["tables"], list) else [None]
    return all(isinstance(word, str) for word in words)


def _at(data: dict[str, Any], path: str, name: str, create: bool = False) -> dict[str, Any]:
    here = data
    for key in path.split("."):
        if create:
            here.setdefault(key, {})
        if not isinstance(here.get(key), dict):
            raise errors.missing(f"{name}.toml", path)
        here = here[key]
    return here


def _with_origin(sources: dict[str, str], origins: dict[str, str]) -> dict[str, str]:
    """Say of a figure that was taken over whose it is."""

    def text(path: str, source: str) -> str:
        here = path
        while here:
            if here in origins:
                return f"as {origins[here]} ({source})"
            here = here.rpartition(".")[0]
        return source

    return {path: text(path, source) for path, source in sources.items()}
