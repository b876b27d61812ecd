"""From a TOML table to a frozen dataclass, with every key, type, unit, range and source checked."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Any, get_args

from ascend_lab.chips import errors
from ascend_lab.chips.spec import VECTOR_OPS, Figure

LEAF_KEYS = ("v", "unit", "src")


class Reader:
    """Reads one file's tables; collects `sources` (dotted path -> text) on the way."""

    def __init__(self, file: str, explained: dict[str, str]) -> None:
        self.file = file
        self.explained = explained
        self.sources: dict[str, str] = {}

    def table(
        self, kind: type[Any], data: object, path: str = "", skip: tuple[str, ...] = ()
    ) -> Any:
        """`data` as `kind`; `skip` are fields that someone else fills (returned as a dict then)."""
        content = self._dict(path, data)
        wanted = [f for f in fields(kind) if f.name not in skip]
        self._keys(path, content, [f.name for f in wanted])
        values = {f.name: self._field(f.type, content[f.name], _join(path, f.name)) for f in wanted}
        return values if skip else kind(**values)

    def _field(self, hint: Any, data: object, path: str) -> Any:
        if is_dataclass(hint) and isinstance(hint, type):
            return self.table(hint, data, path)
        if hint in (str, bool):
            return self._plain(hint, data, path)
        kind, figure = get_args(hint)
        if kind in (int, float):
            return self._leaf(kind, figure, data, path)
        if kind == tuple[int, ...]:
            return self._integers(figure, data, path)
        return self._rows(figure, data, path)

    def _plain(self, hint: type, data: object, path: str) -> object:
        if type(data) is not hint:
            raise errors.wrong_type(self.file, path, hint.__name__, data)
        return data

    def _leaf(self, hint: type, figure: Figure, data: object, path: str) -> float:
        leaf = self._leaf_table(figure, data, path)
        self.sources[path] = self._source(path, leaf["src"])
        return self._number(hint, figure, leaf["v"], path)

    def _leaf_table(self, figure: Figure, data: object, path: str) -> dict[str, Any]:
        leaf = self._dict(path, data)
        self._keys(path, leaf, LEAF_KEYS)
        if leaf["unit"] != figure.unit:
            raise errors.wrong_unit(self.file, path, figure.unit, leaf["unit"])
        return leaf

    def _number(self, hint: type, figure: Figure, value: object, path: str) -> float:
        accepted = (int,) if hint is int else (int, float)
        if type(value) not in accepted:
            raise errors.wrong_type(self.file, path, hint.__name__, value)
        number: float = hint(value)
        low_enough = number >= 0 if figure.zero else number > 0
        if not low_enough or number == float("inf"):
            raise errors.out_of_range(self.file, path, number, figure.zero)
        return number

    def _integers(self, figure: Figure, data: object, path: str) -> tuple[int, ...]:
        leaf = self._leaf_table(figure, data, path)
        value = leaf["v"]
        if not isinstance(value, list) or any(type(item) is not int or item < 0 for item in value):
            raise errors.wrong_type(self.file, path, "list of int", value)
        self.sources[path] = self._source(path, leaf["src"])
        return tuple(value)

    def _rows(self, figure: Figure, data: object, path: str) -> dict[str, dict[str, float]]:
        """Rows that share one source: `Exp = { "*" = 2.0, float16 = 4.0, src = "..." }`."""
        content = self._dict(path, data)
        self._keys(path, content, VECTOR_OPS)
        return {op: self._row(figure, content[op], _join(path, op)) for op in VECTOR_OPS}

    def _row(self, figure: Figure, data: object, path: str) -> dict[str, float]:
        row = self._dict(path, data)
        for key in ("*", "src"):
            if key not in row:
                raise errors.missing(self.file, _join(path, key))
        source = self._source(path, row["src"])
        figures: dict[str, float] = {}
        for key, value in row.items():
            if key == "src":
                continue
            here = _join(path, key)
            figures[key] = self._number(float, figure, value, here)
            self.sources[here] = source
        return figures

    def _source(self, path: str, src: object) -> str:
        parts: list[Any] = src if isinstance(src, list) and src else [src]
        for part in parts:
            if not isinstance(part, str) or part.partition(":")[0] not in self.explained:
                raise errors.bad_source(self.file, path, part, self.explained)
        return "; ".join(parts)

    def _dict(self, path: str, data: object) -> dict[str, Any]:
        if not isinstance(data, dict):
            raise errors.wrong_type(self.file, path, "table", data)
        return data

    def _keys(self, path: str, data: dict[str, Any], wanted: Any) -> None:
        for key in data:
            if key not in wanted:
                raise errors.unknown(self.file, _join(path, key), wanted)
        for key in wanted:
            if key not in data:
                raise errors.missing(self.file, _join(path, key))


def _join(path: str, key: str) -> str:
    return f"{path}.{key}" if path else key
