"""One knob at a time: a log of runs that compares two only when they differ in one setting."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass, field

from ascend_lab.engine.errors import LabError
from ascend_lab.profile.advising import say

Knob = int | float | str | bool


@dataclass(frozen=True, slots=True)
class Entry:
    """One run: its name, its settings, and how long it took (us), on a chip that was measured or not."""

    name: str
    knobs: Mapping[str, Knob]
    time_us: float
    calibrated: bool = True


@dataclass(frozen=True, slots=True)
class Step:
    """Two runs that differ in one knob. ``gain``: share of the time that was saved (negative: lost)."""

    before: Entry
    after: Entry
    knob: str

    @property
    def gain(self) -> float:
        return 1.0 - self.after.time_us / self.before.time_us

    def text(self, lang: str = "en") -> str:
        """The step in a line."""
        old, new = self.before.knobs.get(self.knob), self.after.knobs.get(self.knob)
        return (
            f"{self.before.name} → {self.after.name}   {self.knob}: {old} → {new}   "
            f"{self.before.time_us:.2f} → {self.after.time_us:.2f} us   {-self.gain:+.1%}{self._mark(lang)}"
        )

    def _mark(self, lang: str) -> str:
        known = self.before.calibrated and self.after.calibrated
        return "" if known else say("uncalibrated", lang)


@dataclass(slots=True)
class Experiments:
    """Runs by name. ``add`` them with all their settings; ``compare`` says what one change did."""

    entries: dict[str, Entry] = field(default_factory=dict)

    def add(self, name: str, time_us: float, *, calibrated: bool = True, **knobs: Knob) -> Entry:
        """Note a run; ``calibrated``: ``result.spec.calibrated``, for a chip without measurements. Raises LabError for a name that is taken or settings that the others have not."""
        known = next(iter(self.entries.values()), None)
        if name in self.entries:
            raise LabError(
                f"实验 {name} 已经记录过；给这次运行另起一个名字。",
                f"experiment {name} is already in the log; give this run another name.",
            )
        if known is not None and set(knobs) != set(known.knobs):
            odd = ", ".join(sorted(set(knobs) ^ set(known.knobs)))
            raise LabError(
                f"{name} 与 {known.name} 记录的设置不同：{odd}。每次运行都要记录全部设置。",
                f"{name} and {known.name} do not note the same settings: {odd}. "
                "Note all of them for every run.",
            )
        self.entries[name] = entry = Entry(name, dict(knobs), time_us, calibrated)
        return entry

    def compare(self, before: str, after: str) -> Step:
        """The one change between two runs. Raises LabError when there is none, or more than one."""
        old, new = self._find(before), self._find(after)
        changed = [name for name, value in old.knobs.items() if new.knobs[name] != value]
        if not changed:
            raise LabError(
                f"{before} 和 {after} 的设置完全相同：没有可比较的改动。",
                f"{before} and {after} have the same settings: there is no change to compare.",
            )
        if len(changed) > 1:
            raise LabError(*self._too_many(old, new, changed))
        return Step(old, new, changed[0])

    def steps(self) -> list[Step]:
        """Each run against the one before it. Raises LabError where more than one knob was changed."""
        names = list(self.entries)
        return [self.compare(a, b) for a, b in itertools.pairwise(names)]

    def _find(self, name: str) -> Entry:
        found = self.entries.get(name)
        if found is None:
            known = ", ".join(self.entries) or "-"
            raise LabError(
                f"没有名为 {name} 的实验；有：{known}。",
                f"there is no experiment {name}; there are: {known}.",
            )
        return found

    @staticmethod
    def _too_many(old: Entry, new: Entry, changed: list[str]) -> tuple[str, str]:
        listed = ", ".join(f"{name}: {old.knobs[name]} → {new.knobs[name]}" for name in changed)
        first = changed[0]
        return (
            f"{old.name} 和 {new.name} 同时改了 {len(changed)} 个设置（{listed}），"
            f"分不清是哪一个起的作用。先加一次运行：只把 {first} 改成 {new.knobs[first]}，"
            "其余不变；再逐个比较。",
            f"{old.name} and {new.name} differ in {len(changed)} settings ({listed}), so it cannot be told "
            f"which one made the difference. Add a run that only sets {first} to {new.knobs[first]}, "
            "and compare step by step.",
        )
