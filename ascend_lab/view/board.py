"""A widget for JupyterLab, VS Code and Colab: controls over a picture that Python draws anew.

Needs anywidget, which is an optional package; nothing else of this room does.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

import anywidget
import traitlets

_HERE = Path(__file__).parent


class Panel(Protocol):
    """What a board shows and how it reacts. The value of a slider or choice is its position, from 0 on."""

    @property
    def summary(self) -> str:
        """One line for a terminal."""
        ...

    @property
    def keys(self) -> Mapping[str, str]:
        """Key -> the button it presses."""
        ...

    def controls(self) -> list[list[dict[str, Any]]]:
        """Rows of controls, each with ``kind``, ``name`` and ``label``.

        "slider" has ``last``, its last position, and ``text`` for the present one; "choice" has ``options``;
        "button" may be ``disabled``.
        """
        ...

    def values(self) -> dict[str, int]:
        """The position of each slider and choice."""
        ...

    def set(self, name: str, value: int) -> None:
        """A slider or choice was moved to position ``value``."""
        ...

    def press(self, name: str) -> None:
        """A button was pressed."""
        ...

    def html(self) -> str:
        """The picture for the present values."""
        ...


class Board(anywidget.AnyWidget):
    """One panel on the screen. In a terminal and in exported pages it is its picture."""

    _esm = _HERE / "board.js"
    _css = _HERE / "board.css"
    controls: Any = traitlets.List().tag(sync=True)
    values = traitlets.Dict().tag(sync=True)
    shortcuts = traitlets.Dict().tag(sync=True)
    html = traitlets.Unicode().tag(sync=True)
    drawn = traitlets.Int().tag(sync=True)

    def __init__(self, panel: Panel) -> None:
        super().__init__(**_shown(panel), shortcuts=dict(panel.keys))
        self.panel = panel
        self.on_msg(self._message)

    def _message(self, _: object, message: Any, __: object) -> None:
        if "set" in message:
            self.panel.set(str(message["set"]), int(message["value"]))
        elif "press" in message:
            self.panel.press(str(message["press"]))
        with self.hold_sync():
            for name, value in _shown(self.panel).items():
                setattr(self, name, value)
            self.drawn = int(message.get("asked", self.drawn + 1))

    def __repr__(self) -> str:
        return self.panel.summary

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        bundle = super()._repr_mimebundle_(**kwargs)
        data, *rest = bundle if isinstance(bundle, tuple) else (bundle,)
        own = {"text/plain": self.panel.summary, "text/html": self.html}
        data = {**(data or {}), **own}
        return (data, *rest) if rest else data


def _shown(panel: Panel) -> dict[str, Any]:
    return {"controls": panel.controls(), "values": panel.values(), "html": panel.html()}
