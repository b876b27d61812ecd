"""From the trace to bars: what both renderers of the timeline draw."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ascend_lab.engine.instruction import Pipe
from ascend_lab.engine.trace import SPACES, Row, Trace
from ascend_lab.profile.lanes import SYNC_OPS, Span, in_order, lanes, producers
from ascend_lab.view.words import Lang, say

KINDS: Mapping[Pipe, str] = {
    Pipe.S: "scalar",
    Pipe.V: "compute",
    Pipe.M: "compute",
    Pipe.MTE1: "in",
    Pipe.MTE2: "in",
    Pipe.MTE3: "out",
    Pipe.FIX: "out",
}
#: More buffers than this behind one line are an address that walks, not ping and pong.
MOST_BUFFERS = 4
_LISTED = 4
_LONGEST_RUN = 4


#: (core, pipe) -> share of the core's time.
Busy = Mapping[tuple[int, int], float]


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar of a lane, in cycles. ``buffer`` of ``buffers``: which of a line's UB buffers it uses.

    ``rows`` has one row, or all rows of a merged bar; ``share`` is how much of a merged bar is work.
    """

    kind: str
    begin: float
    end: float
    buffer: int
    buffers: int
    rows: tuple[Row, ...]
    share: float = 1.0

    @property
    def waiting(self) -> bool:
        return self.kind == "wait"


@dataclass(frozen=True, slots=True)
class Lane:
    """A pipe of a core: its bars in order, and the share of the core's time in which it worked."""

    core: int
    pipe: Pipe
    bars: tuple[Bar, ...]
    busy: float


@dataclass(frozen=True, slots=True)
class Score:
    """Everything a timeline shows: lanes, the end in cycles, and what was left out."""

    trace: Trace
    lanes: tuple[Lane, ...]
    end: float
    all_cores: int
    instructions: int
    giver: Mapping[int, Row]
    rows: Mapping[int, Row]

    @property
    def cores(self) -> tuple[int, ...]:
        return tuple(dict.fromkeys(lane.core for lane in self.lanes))

    @property
    def count(self) -> int:
        return sum(len(lane.bars) for lane in self.lanes)


def score(trace: Trace, cores: Sequence[int], busy: Busy | None = None) -> Score:
    """The lanes of ``cores`` (those that exist in the trace), one bar per instruction or wait.

    ``busy`` gives the shares that the metrics have; without it they are what is drawn.
    """
    end = float(trace.end.max()) if len(trace) else 0.0
    rows = in_order(trace, cores)
    drawn = []
    instructions = 0
    for (core, pipe), spans in lanes(trace, rows).items():
        instructions += sum(not span.waiting for span in spans)
        bars = tuple(_bars(spans, Pipe(pipe)))
        share = _share(bars, end) if busy is None else busy.get((core, pipe), 0.0)
        drawn.append(Lane(core, Pipe(pipe), bars, share))
    every = len({*trace.core.tolist()})
    by_serial = {row.serial: row for row in rows}
    return Score(trace, tuple(drawn), end, every, instructions, producers(trace, rows), by_serial)


def _share(bars: Sequence[Bar], end: float) -> float:
    work = sum(bar.end - bar.begin for bar in bars if not bar.waiting)
    return work / end if end else 0.0


def _bars(spans: Iterable[Span], pipe: Pipe) -> Iterable[Bar]:
    spans = [span for span in spans if span.end > span.begin]
    slots = _slots(spans)
    for span in spans:
        if span.waiting:
            yield Bar("wait", span.begin, span.end, 0, 1, (span.row,))
            continue
        places = slots.get((span.row.block, span.row.where), [])
        many = len(places) if 1 < len(places) <= MOST_BUFFERS else 1
        buffer = places.index(_local(span.row)) if many > 1 else 0
        yield Bar(KINDS[pipe], span.begin, span.end, buffer, many, (span.row,))


def _slots(spans: Sequence[Span]) -> Mapping[tuple[int, int], list[int]]:
    """(block, line) -> the local addresses it used, by first use, when they come again and again.

    Two lines of a ping-pong kernel alternate between two addresses: those are the buffers.
    """
    uses: dict[tuple[int, int], Counter[int]] = {}
    for span in spans:
        address = _local(span.row)
        if not span.waiting and address >= 0 and span.row.pipe != Pipe.S:
            uses.setdefault((span.row.block, span.row.where), Counter())[address] += 1
    return {
        line: list(count)
        for line, count in uses.items()
        if len(count) <= MOST_BUFFERS and max(count.values()) > 1
    }


def _local(row: Row) -> int:
    """The address of the local buffer an instruction fills, or empties; -1 for none."""
    if row.dst_space >= 0 and SPACES[row.dst_space] != "GM":
        return row.dst_addr
    if row.src_space >= 0 and SPACES[row.src_space] != "GM":
        return row.src_addr
    return -1


def merged(lane: Lane, narrow: float) -> Lane:
    """``lane`` with runs of bars narrower than ``narrow`` cycles joined, waits among them included.

    A joined bar knows which share of it is work, and is at most a few times ``narrow`` long, so that the
    lane still shows when there was much to do and when little. A wide bar always stays by itself.
    """
    out: list[Bar] = []
    run: list[Bar] = []
    for bar in lane.bars:
        if run and not _joins(run, bar, narrow):
            out.append(_join(run))
            run = []
        run.append(bar)
    if run:
        out.append(_join(run))
    return Lane(lane.core, lane.pipe, tuple(out), lane.busy)


def _joins(run: Sequence[Bar], bar: Bar, narrow: float) -> bool:
    last = run[-1]
    return (
        bar.end - bar.begin < narrow
        and last.end - last.begin < narrow
        and bar.begin - last.end < narrow
        and bar.end - run[0].begin < _LONGEST_RUN * narrow
    )


def _join(run: Sequence[Bar]) -> Bar:
    """One bar for a run; waits at its ends are kept in it, as the space they are."""
    work = [bar for bar in run if not bar.waiting]
    if len(run) == 1 or not work:
        rows = tuple(row for bar in run for row in bar.rows)
        return run[0] if len(run) == 1 else Bar("wait", run[0].begin, run[-1].end, 0, 1, rows)
    rows = tuple(row for bar in work for row in bar.rows)
    begin, end = run[0].begin, run[-1].end
    share = sum((bar.end - bar.begin) * bar.share for bar in work) / (end - begin)
    return Bar(work[0].kind, begin, end, 0, 1, rows, share)


# --- what a bar says when pointed at --------------------------------------------------------


def describe(score: Score, bar: Bar, mhz: float, lang: Lang) -> list[str]:
    """The lines of a bar's tooltip: instruction, place, times, bytes, buffer, what it waited for."""
    row = bar.rows[0]
    head = [_place(score.trace, row)] if len(bar.rows) == 1 else []
    times = _times(bar, mhz, lang)
    if bar.waiting:
        return [_waited(bar, lang), *_reason(score, row, lang), *head, *times]
    if len(bar.rows) > 1:
        share = say("share", lang, share=f"{bar.share:.0%}")
        return [_summary(score.trace, bar, lang), share, *times]
    lines = [_name(score.trace, row, lang), *head, *times]
    if row.read_bytes or row.write_bytes:
        lines.append(say("moved", lang, r=f"{row.read_bytes:,}", w=f"{row.write_bytes:,}"))
    if _local(row) >= 0:
        lines.append(_memory(bar, lang))
    if row.auto:
        lines.append(say("auto", lang))
    return lines


def _name(trace: Trace, row: Row, lang: Lang) -> str:
    core = f"{say('core', lang)} {row.core}"
    return f"{trace.ops[row.op]} · {Pipe(row.pipe).name} · {core} · block {row.block}"


def _place(trace: Trace, row: Row) -> str:
    if not 0 <= row.where < len(trace.sources):
        return "?"
    place = trace.sources[row.where]
    return f"{place.file}:{place.line}" + (f"  {place.function}()" if place.function else "")


def _times(bar: Bar, mhz: float, lang: Lang) -> list[str]:
    begin, end = bar.begin, bar.end
    if not bar.waiting and len(bar.rows) == 1:
        begin, end = bar.rows[0].start, bar.rows[0].end
    return times(begin, end, mhz, lang)


def times(begin: float, end: float, mhz: float, lang: Lang) -> list[str]:
    """From when to when, in cycles and in microseconds: two lines."""
    exact = {"a": f"{begin:,.6g}", "b": f"{end:,.6g}", "c": f"{end - begin:,.6g}"}
    micro = {"a": f"{begin / mhz:.3f}", "b": f"{end / mhz:.3f}", "c": f"{(end - begin) / mhz:.3f}"}
    return [say("cycles", lang, **exact), say("micro", lang, **micro)]


def _memory(bar: Bar, lang: Lang) -> str:
    row = bar.rows[0]
    space = row.dst_space if row.dst_space >= 0 and SPACES[row.dst_space] != "GM" else row.src_space
    text = f"{SPACES[space]} 0x{_local(row):x}"
    if bar.buffers > 1:
        text += " · " + say("buffer", lang, k=bar.buffer + 1, n=bar.buffers)
    return text


def _waited(bar: Bar, lang: Lang) -> str:
    unit = Pipe(bar.rows[0].pipe).name
    return say("waited", lang, unit=unit, c=f"{bar.end - bar.begin:,.6g}")


def _reason(score: Score, row: Row, lang: Lang) -> list[str]:
    trace = score.trace
    cause = score.rows.get(row.cause)
    if cause is None:
        name = trace.ops[row.op]
        if name in SYNC_OPS and name != "WaitFlag":
            return [say("for_all" if name == "SyncAll" else "for_drain", lang)]
        return []
    work = score.giver.get(row.cause, cause)
    place = _place(trace, work).split("  ")[0]
    unit = Pipe(work.pipe).name
    lines = [say("for_work", lang, op=trace.ops[work.op], unit=unit, place=place)]
    if work is not cause:
        lines.append(say("for_flag", lang, place=_place(trace, cause).split("  ")[0]))
    if row.auto:
        lines.append(say("auto", lang))
    return lines


def _summary(trace: Trace, bar: Bar, lang: Lang) -> str:
    ops = Counter(trace.ops[row.op] for row in bar.rows)
    common = sorted(ops.items(), key=lambda item: (-item[1], item[0]))
    listed = ", ".join(f"{name} × {n}" for name, n in common[:_LISTED])
    return say(
        "merged", lang, n=len(bar.rows), ops=listed + (", …" if len(common) > _LISTED else "")
    )
