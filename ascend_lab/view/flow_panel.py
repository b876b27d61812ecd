"""The dataflow in a notebook: core and tile to choose."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ascend_lab.view.flow_views import draw, summary
from ascend_lab.view.flows import Flow, flow, stores
from ascend_lab.view.origin import Origin
from ascend_lab.view.palette import Theme
from ascend_lab.view.words import Lang, say


@dataclass(slots=True)
class FlowPanel:
    """Core and tile to choose; a `ascend_lab.view.board.Panel`."""

    source: Origin
    core: int
    tile: int
    theme: Theme
    lang: Lang
    keys: Mapping[str, str] = field(
        default_factory=lambda: {"ArrowLeft": "back", "ArrowRight": "next"}
    )

    @property
    def tiles(self) -> int:
        return len(stores(self.source.trace, self.core))

    @property
    def summary(self) -> str:
        return summary(self._flow())

    def _flow(self) -> Flow:
        return flow(self.source, self.core, self.tile)

    def copy(self) -> FlowPanel:
        """Another panel of the same run."""
        return FlowPanel(self.source, self.core, self.tile, self.theme, self.lang)

    def controls(self) -> list[list[dict[str, Any]]]:
        last = max(self.tiles - 1, 0)
        row: list[dict[str, Any]] = []
        if len(self.source.cores) > 1:
            options = [str(core) for core in self.source.cores]
            label = say("go_core", self.lang)
            row.append({"kind": "choice", "name": "core", "label": label, "options": options})
        ends = {"back": self.tile == 0, "next": self.tile == last}
        row += [
            {"kind": "button", "name": n, "label": {"back": "◀", "next": "▶"}[n], "disabled": off}
            for n, off in ends.items()
        ]
        text, label = f"{self.tile + 1} / {last + 1}", say("go_tile", self.lang)
        row.append({"kind": "slider", "name": "tile", "label": label, "last": last, "text": text})
        return [row]

    def values(self) -> dict[str, int]:
        return {"core": self.source.cores.index(self.core), "tile": self.tile}

    def set(self, name: str, value: int) -> None:
        if name == "core":
            self.core = self.source.cores[value]
            value = self.tile
        self.tile = min(max(value, 0), max(self.tiles - 1, 0))

    def press(self, name: str) -> None:
        self.set("tile", self.tile + (1 if name == "next" else -1))

    def html(self) -> str:
        return draw(self._flow(), self.theme, self.lang)


def prepare(source: Origin, core: int, tile: int, theme: Theme, lang: Lang) -> FlowPanel:
    """The panel of a core. Raises ValueError for a tile the core did not store."""
    count = len(stores(source.trace, core))
    if count and not 0 <= tile < count:
        text = say("flow_no_tile", lang, core=core, n=count, last=count - 1, tile=tile)
        raise ValueError(text)
    return FlowPanel(source, core, tile, theme, lang)
