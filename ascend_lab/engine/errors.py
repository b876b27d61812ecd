"""What the lab raises, and whose fault it is.

```
Exception
├── LabError        the student's: the kernel, its arguments or the way it is launched
├── NotModelled     nobody's: the chip can do it, this model does not
└── InternalError   ours
```

All three speak zh and en; none is a kind of another, so each can be caught alone.
"""

from __future__ import annotations

from typing import Any

from ascend_lab.engine.instruction import Where
from ascend_lab.engine.shown import shown


class _Told(Exception):
    """Says what happened in full: a notebook shows the text and no traceback of ours."""

    def _render_traceback_(self) -> list[str]:
        """What IPython prints instead of a traceback."""
        return str(self).splitlines()


class LabError(_Told):
    """A fault of the kernel or of how it was called, explained in ``zh`` and ``en``.

    ``where`` is the place in the student's source, when there is one; ``finding`` is the check's
    finding, when a check found it. ``str()`` gives both languages, en first.
    """

    def __init__(self, zh: str, en: str, where: Where | None = None, finding: Any = None) -> None:
        super().__init__(zh, en, where, finding)
        self.zh = zh
        self.en = en
        self.where = where
        self.finding = finding

    def message(self, lang: str) -> str:
        """The text in ``lang`` ("zh" or "en"), led by file and line when they are known."""
        text = self.zh if lang == "zh" else self.en
        if self.where is None:
            return text
        return f"{shown(self.where.file)}:{self.where.line}: {text}"

    def __str__(self) -> str:
        return f"{self.message('en')}\n{self.message('zh')}"


class NotModelled(_Told):
    """The chip has it, the model has not: ``api`` by the name the student wrote, ``argument`` if one.

    Raised instead of a guess. ``str()`` gives both languages, en first.
    """

    def __init__(self, api: str, argument: str = "") -> None:
        super().__init__(api, argument)
        self.api = api
        self.argument = argument

    def message(self, lang: str) -> str:
        """The text in ``lang`` ("zh" or "en")."""
        if lang == "zh":
            what = f"{self.api} 的 {self.argument}" if self.argument else self.api
            return f"本实验室的芯片模型尚未实现 {what}：不给出猜测的结果。请在昇腾卡上运行，或改用已支持的写法。"
        what = f"{self.argument} of {self.api}" if self.argument else self.api
        return (
            f"{what} is not modelled yet, and the lab does not guess. "
            "Run it on a card, or write it another way."
        )

    def __str__(self) -> str:
        return f"{self.message('en')}\n{self.message('zh')}"


class InternalError(_Told):
    """A fault of the lab itself: ``what`` says which rule of ours was broken, ``dump`` where to look."""

    def __init__(self, what: str, dump: str = "") -> None:
        super().__init__(what, dump)
        self.what = what
        self.dump = dump

    def message(self, lang: str) -> str:
        """The text in ``lang`` ("zh" or "en")."""
        kept = ""
        if lang == "zh":
            if self.dump:
                kept = f"现场已保存到 {self.dump}。"
            return f"实验室自身出错，不是你的代码的问题，请报告：{self.what}。{kept}"
        if self.dump:
            kept = f" What it was doing is kept in {self.dump}."
        return f"The lab itself failed, not your code; please report it: {self.what}.{kept}"

    def __str__(self) -> str:
        return f"{self.message('en')}\n{self.message('zh')}"
