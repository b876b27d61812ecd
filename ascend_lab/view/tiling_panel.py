"""The tiling explorer: sliders over a plan, each choice run once on the model of the chip."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ascend_lab import chips
from ascend_lab.device import Device
from ascend_lab.view.palette import Theme
from ascend_lab.view.tiling_views import Outcome, html, summary
from ascend_lab.view.tilings import DTYPES, Tiling, check, plan
from ascend_lab.view.words import Lang, say

#: More tiles than this take too long while a slider moves.
MOST_TILES = 1200
_TOTALS = (1000, 4096, 10000, 16384, 65536, 100000, 262144, 1000000, 1048576)
_TILES = (64, 128, 256, 512, 1000, 1024, 2048, 4096, 8192, 16384, 32768)


@dataclass(slots=True)
class TilingPanel:
    """The choices and what came of them; a `ascend_lab.view.board.Panel`."""

    tiling: Tiling
    device: Device
    theme: Theme
    lang: Lang
    keys: Mapping[str, str] = field(default_factory=dict)
    _known: dict[Tiling, Outcome] = field(default_factory=dict)

    @property
    def outcome(self) -> Outcome:
        """The plan of the present choice and its run, which is made once."""
        if self.tiling not in self._known:
            self._known[self.tiling] = self._made()
        return self._known[self.tiling]

    def _made(self) -> Outcome:
        from ascend_lab.view import tiling_kernel

        spec = self.device.spec
        made = plan(self.tiling, spec)
        if made.tiles > MOST_TILES and not made.excess:
            return Outcome(made, spec, None, MOST_TILES)
        return Outcome(made, spec, tiling_kernel.run(self.tiling, self.device), MOST_TILES)

    @property
    def summary(self) -> str:
        return summary(self.outcome)

    def copy(self) -> TilingPanel:
        """Another panel with the same choice."""
        return TilingPanel(
            self.tiling, self.device, self.theme, self.lang, _known=dict(self._known)
        )

    def html(self) -> str:
        return html(self.outcome, self.theme, self.lang)

    # --- controls -------------------------------------------------------------------------

    def _options(self) -> dict[str, Sequence[Any]]:
        """What can be chosen; the values the panel was made with are among it."""
        t = self.tiling
        step = 1 if plan(t, self.device.spec).pad else t.per_block
        totals = sorted({t.total, *(-(-total // step) * step for total in _TOTALS)})
        tiles = sorted({t.tile, *(-(-tile // step) * step for tile in _TILES)})
        return {
            "total": totals,
            "cores": range(1, self.device.spec.vector_cores + 1),
            "tile": tiles,
            "buffers": (1, 2),
            "dtype": DTYPES,
            "operands": (2, 3),
        }

    def controls(self) -> list[list[dict[str, Any]]]:
        options, lang = self._options(), self.lang
        first, second = [], []
        labels = {"total": "tiling_total", "cores": "tiling_core_count", "tile": "tiling_tile"}
        for name, key in labels.items():
            text = f"{getattr(self.tiling, name):,}"
            last = len(options[name]) - 1
            slider = {"kind": "slider", "name": name, "label": say(key, lang)}
            first.append({**slider, "last": last, "text": text})
        kinds = [say("tiling_unary", lang), say("tiling_binary", lang)]
        shown = {"buffers": ["1", "2"], "dtype": list(DTYPES), "operands": kinds}
        keys = {"buffers": "tiling_buffers", "dtype": "tiling_type", "operands": "tiling_operands"}
        for name, listed in shown.items():
            choice = {"kind": "choice", "name": name, "label": say(keys[name], lang)}
            second.append({**choice, "options": listed})
        return [first, second]

    def values(self) -> dict[str, int]:
        return {
            name: list(listed).index(getattr(self.tiling, name))
            for name, listed in self._options().items()
        }

    def set(self, name: str, value: int) -> None:
        changed = replace(self.tiling, **{name: self._options()[name][value]})
        if not plan(changed, self.device.spec).pad:  # what fits one type need not fit the next
            step = changed.per_block
            total, tile = (-(-n // step) * step for n in (changed.total, changed.tile))
            changed = replace(changed, total=total, tile=tile)
        self.tiling = changed

    def press(self, name: str) -> None:
        """There are no buttons."""


def prepare(tiling: Tiling, chip: str, theme: Theme, lang: Lang) -> TilingPanel:
    """The panel for a choice. Raises ValueError for numbers that are no tiling, ChipError for a chip."""
    spec = chips.shared(chip)
    wrong = check(tiling, spec)
    if wrong:
        raise ValueError(" ".join(say(key, lang, **values) for key, values in wrong))
    device = Device(spec, checks=True)
    return TilingPanel(tiling, device, theme, lang)
