"""Cases: the open set beside this file, or a file of the same form."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ascend_lab.profile.figures import INDICATIVE as ROUGH
from benchmarks.silicon_cases.checking import figures, refuse
from benchmarks.silicon_cases.samples import MODELS, QUICK
from benchmarks.silicon_cases.vocabulary import Model, model

OPEN_SET = Path(__file__).with_name("published.json")
CLASSES = {
    "elementwise": "whole kernel", "nd2nz": "whole kernel", "copy": "DMA only",
    "stream": "bank conflicts", "empty": "launch",
}  # fmt: skip
#: The time that counts for a kind of kernel: the first that was published.
MAIN = {
    "elementwise": ("aiv_time_us", "task_duration_us"),
    "nd2nz": ("aiv_time_us", "task_duration_us"),
    "copy": ("aiv_time_us", "aiv_mte2_time_us", "task_duration_us"),
    "stream": ("system_cycles_50MHz",),
    "empty": ("task_duration_us",),
}
BUSY = {
    "aiv_vec_time_us": "V busy", "aiv_scalar_time_us": "S busy",
    "aiv_mte2_time_us": "MTE2 busy", "aiv_mte3_time_us": "MTE3 busy",
}  # fmt: skip
#: Shown, and said to be indicative: published counters do not add up to published totals.
INDICATIVE = tuple(f"{pipe.upper()} busy" for pipe in ROUGH)
#: A pipe that was busy for less is not judged by its busy time.
_LEAST_US = 1.0


@dataclass(frozen=True)
class Case:
    """One published measurement and its kernel."""

    id: str
    chip: str
    model: Model
    metrics: Mapping[str, float]
    source: str = ""
    paired_with: str = ""
    speedup: float = 0.0

    @property
    def kind(self) -> str:
        """The class it is reported in."""
        return CLASSES[self.model.kind]

    @property
    def main(self) -> str:
        """The quantity that counts."""
        return next((name for name in MAIN[self.model.kind] if name in self.metrics), "")

    @property
    def judged(self) -> dict[str, str]:
        """Quantity -> class, of all that are compared."""
        busy = {
            name: kind
            for name, kind in BUSY.items()
            if self.metrics.get(name, 0.0) >= _LEAST_US
            and self.model.kind not in ("copy", "stream")
        }
        return ({self.main: self.kind} if self.metrics.get(self.main) else {}) | busy


def read(path: Path = OPEN_SET, quick: bool = False) -> list[Case]:
    """The cases of a file. Raises ValueError for one whose kernel cannot be named."""
    rows = json.loads(path.read_text(encoding="utf-8"))
    if not isinstance(rows, list) or not all(isinstance(r, dict) and "id" in r for r in rows):
        raise ValueError('a list of objects with "id"\n应为对象的列表，每个对象有 "id"')
    found = [_case(row) for row in rows if _known(row)]
    return [quicker(case) for case in found] if quick else found


def _known(row: Mapping[str, Any]) -> bool:
    """Whether the row says, or the samples know, which kernel it is: others are passed over."""
    return isinstance(row.get("model"), dict) or row["id"] in MODELS


def _case(row: Mapping[str, Any]) -> Case:
    words = row["model"] if isinstance(row.get("model"), dict) else MODELS[row["id"]]
    try:
        kernel = model(words)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{row['id']}: {error}") from None
    refuse(row["id"], kernel)
    return Case(
        id=row["id"],
        chip=_chip(str(row.get("soc", ""))),
        model=kernel,
        metrics=figures(row["id"], row.get("metrics", {})),
        source=row.get("source", ""),
        paired_with=row.get("paired_with") or "",
        speedup=row.get("speedup") or 0.0,
    )


def _chip(soc: str) -> str:
    return soc if soc.startswith("Ascend") and "950" not in soc else "Ascend910B1"


def quicker(case: Case) -> Case:
    share = QUICK.get(case.id, 1)
    return replace(case, model=replace(case.model, share=max(share, case.model.share)))


def partners(cases: Iterable[Case]) -> dict[str, Model]:
    """The kernels that others are paired with and that are not cases themselves."""
    cases = list(cases)
    ids = {case.id for case in cases}
    wanted = {case.paired_with for case in cases if case.paired_with not in ids}
    return {name: model(MODELS[name]) for name in sorted(wanted) if name in MODELS}
