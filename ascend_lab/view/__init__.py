"""Views of a run, for notebooks and reports.

>>> view.timeline(result)                # SVG in the notebook
>>> view.timeline(result).interactive()  # plotly: zoom, tooltips
>>> view.coverage(result), view.metrics_table(result), view.findings(result)

Static views need no package beyond the device's; ``figure()`` and ``interactive()`` need plotly.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ascend_lab.view import coverages, timelines
from ascend_lab.view.cards import Sources, findings_html
from ascend_lab.view.palette import Theme
from ascend_lab.view.picture import Interactive, Picture
from ascend_lab.view.tables import metrics_html
from ascend_lab.view.timelines import timeline_svg
from ascend_lab.view.words import Lang

if TYPE_CHECKING:
    from ascend_lab.device import Result
    from ascend_lab.engine.trace import Trace
    from ascend_lab.engine.written import Coverage

__all__ = [
    "Interactive",
    "Picture",
    "coverage",
    "coverage_svg",
    "findings",
    "findings_html",
    "metrics_html",
    "metrics_table",
    "timeline",
    "timeline_svg",
]


def timeline(
    source: Result | Trace,
    cores: Sequence[int] | None = None,
    theme: Theme = "auto",
    lang: Lang = "zh",
    findings: bool = True,
) -> Picture:
    """What every pipe of every core did and what it waited for.

    ``cores`` None shows at most four: those with findings, the first and the slowest. ``theme`` is "light",
    "dark" or "auto" (follows the notebook). ``findings`` marks the places of findings.
    """
    show = timelines.prepare(source, cores, theme, lang, findings)

    def figure() -> Any:
        from ascend_lab.view import timelines_plotly

        return timelines_plotly.figure(show)

    return Picture(timelines.summary(show), timelines.draw(show), figure)


def coverage(
    source: Result | Sequence[Coverage], theme: Theme = "auto", lang: Lang = "zh"
) -> Picture:
    """Which block wrote which part of each output; gaps are hatched, double writes red."""
    outputs = _outputs(source)

    def figure() -> Any:
        from ascend_lab.view import coverages_plotly

        return coverages_plotly.figure(outputs, theme, lang)

    return Picture(coverages.summary(outputs), coverage_svg(outputs, theme, lang), figure)


def coverage_svg(
    source: Result | Sequence[Coverage], theme: Theme = "auto", lang: Lang = "zh"
) -> str:
    """The map of :func:`coverage` as one ``<svg>`` element."""
    return coverages.coverage_svg(_outputs(source), theme, lang)


def metrics_table(result: Result, theme: Theme = "auto", lang: Lang = "zh") -> Picture:
    """The figures msprof op shows, under its names, and how far to trust them."""
    figures = result.metrics
    summary = (
        f"Metrics({figures.op_name}: {figures.task_duration_us:.3f} us, "
        f"bottleneck {figures.bottleneck or 'none'})"
    )
    return Picture(summary, metrics_html(figures, lang, theme))


def findings(
    result: Result, lang: Lang = "zh", theme: Theme = "auto", sources: Sources | None = None
) -> Picture:
    """A card for each finding: what, where, the rule, the next step.

    ``sources`` maps base names of files to their text, for lines that cannot be read here.
    """
    found = result.findings
    ids = ", ".join(finding.id for finding in found) or "none"
    return Picture(f"Findings({ids})", findings_html(found, lang, theme, sources))


def _outputs(source: Result | Sequence[Coverage]) -> Sequence[Coverage]:
    return source if isinstance(source, Sequence) else source.coverage
