"""What keeps a command from being carried out, as a sentence in both languages."""

from __future__ import annotations

from grader.release.words import word


class Problem(Exception):
    """``message`` says what is wrong, where, and what to do next."""

    def __init__(self, key: str, **values: object) -> None:
        super().__init__(word(key, "en", **values))
        self.key = key
        self._values = values

    def message(self, lang: str) -> str:
        """The sentence in ``lang``."""
        return word(self.key, lang, **self._values)
