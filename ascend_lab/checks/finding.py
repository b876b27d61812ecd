"""A finding: which rule was broken, where, with which numbers; and the order findings are told in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, overload

from ascend_lab.checks.spoken import SUFFIXES, in_cpp
from ascend_lab.checks.texts import Entry, Say, entry, fill, roles

SEVERITIES = ("error", "note", "performance")
_LABELS = {
    "zh": {
        "core": "核",
        "cycle": "周期",
        "rule": "规则",
        "next": "下一步",
        "times": "共 {n} 次",
        "comma": "，",
        "colon": "：",
        "uncalibrated": "（未校准）",
    },
    "en": {
        "core": "core",
        "cycle": "cycle",
        "rule": "Rule",
        "next": "Next",
        "times": "{n} times",
        "comma": ", ",
        "colon": ": ",
        "uncalibrated": " (Not calibrated.)",
    },
}


class Place(NamedTuple):
    """Another place that belongs to a finding; ``role`` is a key of catalogue/roles.toml."""

    file: str
    line: int
    role: str


@dataclass(frozen=True, slots=True)
class Finding:
    """One broken rule. The text is made from the catalogue on demand.

    ``file`` is a base name ("" when there is no line to show); ``block`` is what get_block_idx() returns
    (-1: the whole launch), ``core`` the physical core; ``pipe`` a name ("MTE2"), ``time`` in cycles.
    ``count`` says how often it happened at this line; the numbers are those of the first time.
    ``cpp``: the texts name APIs as a C++ kernel does; a C++ file makes it true.
    ``hints`` are ids of classes whose sentence is added. ``fatal``: the chip stops here.
    """

    id: str
    severity: str
    file: str = ""
    line: int = 0
    block: int = -1
    core: int = -1
    pipe: str = ""
    time: float = 0.0
    numbers: Mapping[str, Any] = field(default_factory=dict, hash=False)
    related: tuple[Place, ...] = ()
    variant: str = ""
    hints: tuple[str, ...] = ()
    count: int = 1
    fatal: bool = False
    consequences: tuple[Finding, ...] = field(default=(), hash=False, repr=False)
    cpp: bool = field(default=False, hash=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        if self.file.endswith(
            SUFFIXES
        ):  # stays true when the file is called as a cell of a notebook
            object.__setattr__(self, "cpp", True)

    @property
    def entry(self) -> Entry:
        """The class in the catalogue."""
        return entry(self.id)

    @property
    def npuchk(self) -> str:
        """What npuchk calls it ("ErrorRead1"), "" when it has no name there."""
        return self.entry.npuchk

    @property
    def sanitizer(self) -> str:
        """What msSanitizer says, "" when it says nothing."""
        return self.entry.sanitizer

    @property
    def page(self) -> str:
        """The page of asc-devkit that has the rule."""
        return str(self.numbers.get("page") or self.entry.page)

    def title(self, lang: str = "en") -> str:
        """The class in one line."""
        return self._spoken(self.entry.text("title", lang, self.variant))

    def part(self, part: str, lang: str = "en") -> str:
        """One part of the message: "text" (what, where, numbers), "rule" or "next"."""
        template = self._spoken(self.entry.text(part, lang, self.variant))
        found = fill(template, self._values(), lang)
        if part == "text" and self.numbers.get("calibrated") is False:
            found += _LABELS[lang]["uncalibrated"]
        return found

    def message(self, lang: str = "en") -> str:
        """What happened, where, the numbers, the rule, and one next step."""
        labels = _LABELS[lang]
        lines = [f"{self.id}  {self.title(lang)}", self.where(lang), self.part("text", lang)]
        hints = [self._spoken(entry(hint).text("text", lang)) for hint in self.hints]
        lines += [fill(hint, self._values(), lang) for hint in hints]
        lines += [
            f"  {place.file}:{place.line}: {roles()[place.role][lang]}" for place in self.related
        ]
        colon = labels["colon"]
        lines.append(f"{labels['rule']}{colon}{self.part('rule', lang)}")
        lines.append(f"{labels['next']}{colon}{self.part('next', lang)}")
        return "\n".join(line for line in lines if line)

    def where(self, lang: str = "en") -> str:
        """File and line, core, pipe, cycle: "add.py:31, core 0, MTE3, cycle 812"."""
        labels = _LABELS[lang]
        found = [f"{self.file}:{self.line}"] if self.file else []
        if self.block >= 0:
            found.append(f"{labels['core']} {self.block}")
        if self.pipe:
            found.append(self.pipe)
        if self.block >= 0:
            found.append(f"{labels['cycle']} {self.time:.0f}")
        if self.count > 1:
            found.append(labels["times"].format(n=self.count))
        return labels["comma"].join(found)

    def as_dict(self) -> dict[str, Any]:
        """Plain values for JSON, with both texts."""
        return {
            "id": self.id,
            "severity": self.severity,
            "file": self.file,
            "line": self.line,
            "block": self.block,
            "core": self.core,
            "pipe": self.pipe,
            "time": self.time,
            "count": self.count,
            "numbers": {name: _plain(value) for name, value in self.numbers.items()},
            "related": [list(place) for place in self.related],
            "hints": list(self.hints),
            "npuchk": self.npuchk,
            "sanitizer": self.sanitizer,
            "page": self.page,
            "zh": self.message("zh"),
            "en": self.message("en"),
            "consequences": [finding.as_dict() for finding in self.consequences],
        }

    def _spoken(self, template: str) -> str:
        return in_cpp(template) if self.cpp else template

    def _values(self) -> dict[str, Any]:
        called = self.numbers.get("call")
        if self.cpp and isinstance(called, str):
            return {**self._own(), **self.numbers, "call": in_cpp(called)}
        return {**self._own(), **self.numbers}

    def _own(self) -> dict[str, Any]:
        return {"line": self.line, "block": self.block, "pipe": self.pipe, "time": self.time}

    def __str__(self) -> str:
        return self.message("en")


def _plain(value: Any) -> Any:
    if isinstance(value, Say):
        return {"en": value.en, "zh": value.zh}
    return value


class Findings(Sequence[Finding]):
    """Findings in the order they are told: causes, each with its consequences folded under it.

    Indexing and iterating give the causes. ``all`` has every finding.
    """

    def __init__(self, found: Iterable[Finding] = ()) -> None:
        self.all = tuple(sorted(_merged(found), key=_order))
        self._causes = _folded(self.all)

    @property
    def errors(self) -> tuple[Finding, ...]:
        """The causes that make the kernel wrong on the chip."""
        return tuple(f for f in self._causes if f.severity == "error")

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of the causes, in order."""
        return tuple(f.id for f in self._causes)

    def merged(self, *others: Findings) -> Findings:
        """These findings and those of other runs of the same launch; equal ones are counted once."""
        seen: dict[tuple[Any, ...], Finding] = {}
        for findings in (self, *others):
            for finding in findings.all:
                known = seen.get(_key(finding))
                if known is None or finding.time < known.time:
                    seen[_key(finding)] = finding
        return Findings(seen.values())

    @overload
    def __getitem__(self, index: int) -> Finding: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[Finding, ...]: ...

    def __getitem__(self, index: int | slice) -> Finding | tuple[Finding, ...]:
        return self._causes[index]

    def __len__(self) -> int:
        return len(self._causes)

    def __iter__(self) -> Iterator[Finding]:
        return iter(self._causes)

    def __repr__(self) -> str:
        return f"Findings({', '.join(f'{f.id} {f.file}:{f.line}' for f in self._causes)})"


def _key(finding: Finding) -> tuple[Any, ...]:
    return finding.id, finding.variant, finding.file, finding.line, finding.numbers.get("array")


def _order(finding: Finding) -> tuple[Any, ...]:
    severity = SEVERITIES.index(finding.severity)
    return severity, finding.time, finding.file, finding.line, finding.id, finding.block


def _merged(found: Iterable[Finding]) -> Iterator[Finding]:
    """One finding per class and line, counted; the earliest speaks."""
    kept: dict[tuple[Any, ...], Finding] = {}
    for finding in found:
        key = _key(finding)
        first = kept.get(key)
        if first is None:
            kept[key] = finding
        elif finding.time < first.time:
            kept[key] = replace(finding, count=first.count + finding.count)
        else:
            kept[key] = replace(first, count=first.count + finding.count)
    return iter(kept.values())


def _folded(found: Sequence[Finding]) -> tuple[Finding, ...]:
    """Causes in order, each with what it supersedes; a cause may itself be folded under another."""
    owner: dict[int, int] = {}
    for index, finding in enumerate(found):
        for cause, other in enumerate(found):
            if other is not finding and _explains(other, finding) and _root(cause, owner) != index:
                owner[index] = cause
                break
    under: dict[int, list[Finding]] = {}
    for index in owner:
        under.setdefault(_root(index, owner), []).append(found[index])
    return tuple(
        replace(finding, consequences=tuple(under.get(index, ())))
        for index, finding in enumerate(found)
        if index not in owner
    )


def _root(index: int, owner: Mapping[int, int]) -> int:
    while index in owner:
        index = owner[index]
    return index


def _explains(cause: Finding, symptom: Finding) -> bool:
    """Whether ``symptom`` is told under ``cause``."""
    if SEVERITIES.index(cause.severity) > SEVERITIES.index(symptom.severity):
        return False
    if cause.fatal and _after(cause, symptom):
        return True
    if symptom.fatal and cause.time > symptom.time:
        return False
    here = (cause.file, cause.line) == (symptom.file, symptom.line)
    if here and symptom.id in cause.entry.supersedes_here:
        return True
    if symptom.id not in cause.entry.supersedes or cause.id in symptom.entry.supersedes:
        return False
    return _related(cause, symptom)


def _after(trap: Finding, other: Finding) -> bool:
    """Whether the core, or the whole launch, had stopped at ``trap`` by then."""
    if other.fatal:
        return other.time > trap.time
    same_line = (trap.file, trap.line) == (other.file, other.line)
    return other.time > trap.time or other.block < 0 or (same_line and other.time == trap.time)


def _related(cause: Finding, symptom: Finding) -> bool:
    """Findings about two different arrays have nothing to do with each other."""
    arrays = cause.numbers.get("array"), symptom.numbers.get("array")
    return not (all(arrays) and arrays[0] != arrays[1])
