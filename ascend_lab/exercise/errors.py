"""What is said when a task of the bank is not what it should be. For its author, not for students."""

from __future__ import annotations

from collections.abc import Iterable

from ascend_lab.chips.errors import near


class TaskError(Exception):
    """A task file is wrong: ``file`` (its name), ``key`` (dotted, with list positions) and why.

    ``str()`` is one line in English with the near names; ``message(lang)`` gives zh or en.
    """

    def __init__(self, file: str, key: str, en: str, zh: str, near: Iterable[str] = ()) -> None:
        super().__init__(file, key, en, zh)
        self.file = file
        self.key = key
        self.near = tuple(near)
        self._texts = {"en": en, "zh": zh}

    def message(self, lang: str) -> str:
        """The text in ``lang`` ("zh" or "en"): file, key, what is wrong, names it may have meant."""
        place = f"{self.file}: {self.key}: " if self.key else f"{self.file}: "
        return place + self.text(lang)

    def text(self, lang: str) -> str:
        """What is wrong, and names it may have meant; without the place."""
        text = self._texts[lang]
        if self.near:
            names = ", ".join(self.near)
            text += f" 你是不是想写：{names}？" if lang == "zh" else f" Did you mean {names}?"
        return text

    def __str__(self) -> str:
        return self.message("en")


def unknown(file: str, key: str, name: str, known: Iterable[str]) -> TaskError:
    """A key or name that is not among ``known``."""
    listed = sorted(known)
    return TaskError(
        file,
        key,
        f"unknown name {name!r}; known are {', '.join(listed)}.",
        f"未知的名字 {name!r}；可用的有 {', '.join(listed)}。",
        near(name, listed),
    )
