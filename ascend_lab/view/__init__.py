"""Views of a run, for notebooks and reports.

>>> view.timeline(result)                # SVG in the notebook
>>> view.timeline(result).interactive()  # plotly: zoom, tooltips
>>> view.coverage(result), view.metrics_table(result), view.findings(result)
>>> view.memory(result), view.banks(result), view.balance(result), view.dataflow(result)
>>> view.steps(result).interactive()     # forwards, backwards, to the next stall
>>> view.tiling(total=65536, cores=8)    # what a tiling costs
>>> view.occupancy(result), view.roofline(result), view.silicon()

Static views need no package beyond the device's; ``figure()`` and ``interactive()`` need plotly or anywidget.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ascend_lab.view import (
    balances,
    bank_views,
    coverages,
    flow_panel,
    memories,
    memory_map,
    origin,
    steppers,
    tilings,
    timelines,
)
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
    "balance",
    "banks",
    "coverage",
    "coverage_svg",
    "dataflow",
    "findings",
    "findings_html",
    "memory",
    "metrics_html",
    "metrics_table",
    "occupancy",
    "roofline",
    "silicon",
    "steps",
    "tiling",
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
    return Picture(origin.marked(summary, figures.calibrated), metrics_html(figures, lang, theme))


def findings(
    result: Result, lang: Lang = "zh", theme: Theme = "auto", sources: Sources | None = None
) -> Picture:
    """A card for each finding: what, where, the rule, the next step.

    ``sources`` maps base names of files to their text, for lines that cannot be read here.
    """
    found = result.findings
    ids = ", ".join(finding.id for finding in found) or "none"
    return Picture(f"Findings({ids})", findings_html(found, lang, theme, sources))


def memory(
    source: Result | Trace,
    core: int = 0,
    theme: Theme = "auto",
    lang: Lang = "zh",
    span: tuple[float, float] | None = None,
) -> Picture:
    """The UB of a core over time: who has which bytes, who reads and writes them, which are in conflict.

    ``span`` (us, us) shows a part of a long run. Raises ValueError for a core that executed nothing.
    """
    known = memory_map.memory_map(*origin.with_core(source, core, lang), span)

    def figure() -> Any:
        from ascend_lab.view import memories_plotly

        return memories_plotly.figure(known, theme, lang)

    return Picture(memories.summary(known), memories.draw(known, theme, lang), figure)


def banks(
    source: Result | Trace, core: int = 0, theme: Theme = "auto", lang: Lang = "zh"
) -> Picture:
    """Which bank groups of the UB each vector line of a core reads and writes, and what collides.

    Raises ValueError for a core that executed nothing.
    """
    known = bank_views.prepare(*origin.with_core(source, core, lang))
    return Picture(bank_views.summary(known), bank_views.draw(known, theme, lang))


def steps(
    source: Result | Trace,
    core: int | None = None,
    theme: Theme = "auto",
    lang: Lang = "zh",
    frames: int = 4,
    sources: Sources | None = None,
) -> Picture:
    """A run moment by moment: what each unit does, its queue, the flags, the UB buffers, the source line.

    The picture has at most ``frames`` key moments; ``interactive()`` goes forwards, backwards, to the next
    stall, the next finding, the next instruction of a line. ``core`` None is that of the first finding.
    ``sources`` maps base names of files to their text. Raises ValueError for a core that executed nothing.
    """
    panel = steppers.prepare(origin.origin(source), core, theme, lang, sources or {})

    def widget() -> Any:
        from ascend_lab.view.board import Board

        return Board(panel.copy())

    html = steppers.static(panel.replay, panel.look, frames)
    return Picture(panel.summary, html, make_widget=widget)


def balance(source: Result | Trace, theme: Theme = "auto", lang: Lang = "zh") -> Picture:
    """When each core ended and how long its pipes were busy; mean, maximum, and the slowest core."""
    known = balances.prepare(source)

    def figure() -> Any:
        from ascend_lab.view import balances_plotly

        return balances_plotly.figure(known, theme, lang)

    return Picture(balances.summary(known), balances.draw(known, theme, lang), figure)


def occupancy(
    source: Result | Trace, core: int | None = None, theme: Theme = "auto", lang: Lang = "zh"
) -> Picture:
    """How much of its time each pipe works, waits and stands idle: of the mean core, or of ``core``.

    Raises ValueError for a core that executed nothing.
    """
    from ascend_lab.view import occupancies

    known = occupancies.prepare(source, core, lang)

    def figure() -> Any:
        return occupancies.figure(known, theme, lang)

    return Picture(occupancies.summary(known), occupancies.draw(known, theme, lang), figure)


def roofline(
    results: Result | Mapping[str, Result], theme: Theme = "auto", lang: Lang = "zh"
) -> Picture:
    """The chip's limits, and where one result, or several by name, stand below them.

    Raises ValueError for results of different chips.
    """
    from ascend_lab.view import rooflines

    if not isinstance(results, Mapping):
        results = {str(results.trace.meta.get("kernel", "kernel")): results}
    known = rooflines.prepare(results)

    def figure() -> Any:
        return rooflines.figure(known, theme, lang)

    return Picture(rooflines.summary(known), rooflines.draw(known, theme, lang), figure)


def silicon(
    cases: Sequence[str] | Mapping[str, str] | None = None,
    theme: Theme = "auto",
    lang: Lang = "zh",
    path: str | None = None,
) -> Picture:
    """Published measurements beside the model, from ``benchmarks/silicon.py``'s table or the file at ``path``.

    ``cases``: ids, or ids and what to call them; a case without a measurement is shown as that.
    """
    from ascend_lab.profile.silicon import silicon as measured
    from ascend_lab.view import silicons

    names = dict(cases) if isinstance(cases, Mapping) else {}
    ids = None if cases is None else list(cases)
    rows = measured(ids, path)
    known = {row.id for row in rows}
    missing = [id for id in ids or () if id not in known]
    return Picture(silicons.summary(rows), silicons.table(rows, names, missing, lang, theme))


def dataflow(
    source: Result | Trace,
    core: int = 0,
    tile: int = 0,
    theme: Theme = "auto",
    lang: Lang = "zh",
) -> Picture:
    """The way of one tile of a core from GM to GM: instructions, bytes, buffers, flags between, times.

    ``tile`` counts the core's stores to GM from 0. ``interactive()`` has sliders for core and tile. Raises
    ValueError for a core or tile that does not exist.
    """
    panel = flow_panel.prepare(*origin.with_core(source, core, lang), tile, theme, lang)

    def widget() -> Any:
        from ascend_lab.view.board import Board

        return Board(panel.copy())

    return Picture(panel.summary, panel.html(), make_widget=widget)


def tiling(
    total: int = 65536,
    cores: int = 8,
    tile: int = 2048,
    buffers: int = 2,
    dtype: str = "float32",
    operands: int = 3,
    chip: str = "Ascend910B1",
    theme: Theme = "auto",
    lang: Lang = "zh",
) -> Picture:
    """What a tiling of an element-wise operator means: cores, tiles, UB plan, and a run on the model.

    ``total`` and ``tile`` are elements, ``buffers`` 1 or 2 a queue, ``operands`` 2 (one in, one out) or 3.
    ``interactive()`` has sliders. Raises ValueError for numbers that are no tiling.
    """
    from ascend_lab.view import tiling_panel

    chosen = tilings.Tiling(total, cores, tile, buffers, dtype, operands)
    panel = tiling_panel.prepare(chosen, chip, theme, lang)

    def widget() -> Any:
        from ascend_lab.view.board import Board

        return Board(panel.copy())

    return Picture(panel.summary, panel.html(), make_widget=widget)


def _outputs(source: Result | Sequence[Coverage]) -> Sequence[Coverage]:
    return source if isinstance(source, Sequence) else source.coverage
