"""What a view is made from: a result, or a bare trace."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ascend_lab import chips
from ascend_lab.engine.trace import Row, Trace
from ascend_lab.view.words import Lang, say

if TYPE_CHECKING:
    from ascend_lab.checks.finding import Finding
    from ascend_lab.chips import ChipSpec
    from ascend_lab.device import Result


@dataclass(frozen=True, slots=True)
class Origin:
    """The trace of a run, its chip and its findings (none for a bare trace)."""

    trace: Trace
    spec: ChipSpec
    findings: tuple[Finding, ...]

    @property
    def mhz(self) -> float:
        return float(self.spec.clock_mhz)

    @property
    def kernel(self) -> str:
        return str(self.trace.meta.get("kernel", ""))

    @property
    def cores(self) -> tuple[int, ...]:
        """The cores that executed anything, ascending."""
        return tuple(sorted({*self.trace.core.tolist()}))

    def us(self, cycles: float) -> str:
        """Cycles as microseconds, three decimals."""
        return f"{cycles / self.mhz:,.3f}"

    def chip(self, lang: Lang) -> str:
        return chip_and_clock(self.spec, lang)

    def marked(self, text: str) -> str:
        """``text`` with a word that its figures are not calibrated, when they are not."""
        return marked(text, self.spec.calibrated)

    def on(self, core: int) -> tuple[Finding, ...]:
        """The findings of one core, in order of time."""
        mine = [finding for finding in self.findings if finding.core == core]
        return tuple(sorted(mine, key=lambda finding: finding.time))

    def place(self, where: int) -> str:
        """ "add.py:40", "?" for a row without a place."""
        if not 0 <= where < len(self.trace.sources):
            return "?"
        source = self.trace.sources[where]
        return f"{source.file}:{source.line}"

    def line(self, where: int) -> int:
        """The line of a place, 0 when it has none."""
        known = 0 <= where < len(self.trace.sources)
        return self.trace.sources[where].line if known else 0

    def label(self, row: Row) -> str:
        """ "Add :40": the instruction and its line."""
        line = self.line(row.where)
        return self.trace.ops[row.op] + (f" :{line}" if line else "")


def origin(source: Result | Trace, findings: bool = True) -> Origin:
    """The parts of a result, or of a bare trace, whose meta then names the chip."""
    if not isinstance(source, Trace):
        return Origin(source.trace, source.spec, tuple(source.findings) if findings else ())
    return Origin(source, chips.shared(str(source.meta.get("chip", chips.DEFAULT))), ())


def chip_and_clock(spec: ChipSpec, lang: Lang) -> str:
    """The chip, its clock, and that its times were never measured when they were not."""
    key = "chip_clock" if spec.calibrated else "chip_clock_uncalibrated"
    return say(key, lang, chip=spec.name, mhz=f"{spec.clock_mhz:g}")


def marked(text: str, calibrated: bool) -> str:
    """A line for a terminal, with a word that its figures are not calibrated, when they are not."""
    return text if calibrated else f"{text} ({say('uncalibrated', 'en')})"


def one_core(known: Sequence[int], core: int, lang: Lang) -> int:
    """``core`` if it is among ``known``. Raises ValueError with those there are."""
    if core in known or not known:
        return core
    listed = ", ".join(str(other) for other in known[:8]) + (", …" if len(known) > 8 else "")
    raise ValueError(say("no_core", lang, core=core, cores=listed))


def with_core(source: Result | Trace, core: int, lang: Lang) -> tuple[Origin, int]:
    """:func:`origin` and a core of it. Raises ValueError for a core that executed nothing."""
    found = origin(source)
    return found, one_core(found.cores, core, lang)
