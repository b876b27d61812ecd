"""What is said when a chip, a file or a key is not what it should be."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def near(name: str, known: Iterable[str]) -> tuple[str, ...]:
    """The known names that `name` may have been meant for, closest first; case does not count."""
    by_folded = {candidate.casefold(): candidate for candidate in known}
    found = difflib.get_close_matches(name.casefold(), by_folded, n=3, cutoff=0.5)
    return tuple(by_folded[folded] for folded in found)


class ChipError(ValueError):
    """A chip that does not exist, or a chip file that breaks its schema.

    `file` is the base name of the file, `key` the dotted path in it ("" when the file as a whole is
    meant), `near` the names that may have been meant. `message("zh")` and `message("en")` give the
    text; `str()` gives both.
    """

    def __init__(
        self, file: str, key: str, en: str, zh: str, near_names: tuple[str, ...] = ()
    ) -> None:
        super().__init__(file, key, en, zh, near_names)
        self.file = file
        self.key = key
        self.near = near_names
        self._text = {"en": en, "zh": zh}

    def message(self, lang: str) -> str:
        """The error in `lang` ("zh" or "en"), with file, key and near names."""
        place = f"{self.file}: {self.key}" if self.key else self.file
        text = f"{place}: {self._text[lang]}"
        if not self.near:
            return text
        names = ", ".join(self.near)
        return f"{text} Did you mean {names}?" if lang == "en" else f"{text}是否指 {names}？"

    def __str__(self) -> str:
        return f"{self.message('en')}\n{self.message('zh')}"

    def _render_traceback_(self) -> list[str]:
        """What a notebook prints: the text, and no traceback of ours."""
        return str(self).splitlines()


def unknown(file: str, key: str, known: Iterable[str]) -> ChipError:
    """A key that the schema does not have."""
    names = near(key.rpartition(".")[2], known)
    return ChipError(file, key, "this key is unknown.", "没有这个键。", names)


def missing(file: str, key: str) -> ChipError:
    """A key that the schema demands."""
    return ChipError(file, key, "this key is missing.", "缺少这个键。")


def wrong_type(file: str, key: str, wanted: str, got: object) -> ChipError:
    """A value of another type than the schema's."""
    kind = type(got).__name__
    return ChipError(
        file,
        key,
        f"expected {wanted}, got {got!r} ({kind}).",
        f"应为 {wanted}，实际为 {got!r}（{kind}）。",
    )


def out_of_range(file: str, key: str, got: float, zero: bool) -> ChipError:
    """A figure that must be positive (or at least not negative) and is not."""
    en, zh = ("at least 0", "不小于 0") if zero else ("greater than 0", "大于 0")
    return ChipError(file, key, f"must be {en}, got {got}.", f"必须{zh}，实际为 {got}。")


def wrong_unit(file: str, key: str, wanted: str, got: object) -> ChipError:
    """A figure in another unit than the engine computes with."""
    return ChipError(
        file,
        key,
        f'unit must be "{wanted}", got {got!r}.',
        f"单位必须为“{wanted}”，实际为 {got!r}。",
    )


def bad_source(file: str, key: str, src: object, known: Iterable[str]) -> ChipError:
    """A figure without a source, or with one that the file's [sources] does not explain."""
    names = near(str(src).partition(":")[0], known) if isinstance(src, str) and src else ()
    return ChipError(
        file,
        key,
        f"src must start with a name explained in [sources], got {src!r}.",
        f"src 必须以 [sources] 中说明过的名称开头，实际为 {src!r}。",
        names,
    )
