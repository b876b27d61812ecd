"""The run as a Chrome trace: open it in Perfetto or chrome://tracing.

A process is a core, a thread is a pipe, an arrow leads from what was waited for to who waited.
Source: Trace Event Format (phases X, M, s, f).
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ascend_lab import chips
from ascend_lab.engine.instruction import Pipe
from ascend_lab.engine.trace import SPACES, Row, Trace
from ascend_lab.profile.lanes import PIPE_ORDER, Span, in_order, lanes, producers

Event = dict[str, Any]

#: Pipe -> thread name, as the msprof simulator writes them.
THREADS = {
    Pipe.S: "SCALAR",
    Pipe.MTE2: "MTE2",
    Pipe.MTE1: "MTE1",
    Pipe.M: "CUBE",
    Pipe.V: "VECTOR",
    Pipe.FIX: "FIXP",
    Pipe.MTE3: "MTE3",
}


#: Behind the name of every core of a chip without measurements.
NOTE = " (not calibrated 未校准)"


def chrome_trace(trace: Trace, clock_mhz: float | None = None) -> dict[str, Any]:
    """The Chrome trace of ``trace``, JSON-ready; ``ts`` and ``dur`` in microseconds.

    ``clock_mhz`` defaults to the clock in the trace's meta. Slices of a thread do not overlap; the exact
    cycles of an instruction stand in its args.
    """
    mhz = float(clock_mhz if clock_mhz is not None else trace.meta["clock_mhz"])
    rows = in_order(trace)
    by_lane = lanes(trace, rows)
    writer = _Writer(trace, mhz, {row.serial: row for row in rows}, producers(trace, rows))
    note = "" if calibrated(trace) else NOTE
    events = list(_names(list(by_lane), note))
    for spans in by_lane.values():
        events += [writer.slice(span) for span in spans if span.end > span.begin]
    for spans in by_lane.values():
        events += writer.arrows(spans)
    other = {**trace.meta, **({"calibrated": note.strip()} if note else {})}
    return {"displayTimeUnit": "ns", "otherData": other, "traceEvents": events}


def calibrated(trace: Trace) -> bool:
    """Whether the times of the trace's chip were ever compared with measured ones."""
    name = str(trace.meta.get("chip", ""))
    return name not in chips.names() or chips.shared(name).calibrated


def save_chrome_trace(
    trace: Trace, path: str | os.PathLike[str], clock_mhz: float | None = None
) -> None:
    """Write :func:`chrome_trace` as JSON. Equal traces give equal files."""
    text = json.dumps(chrome_trace(trace, clock_mhz), sort_keys=True, ensure_ascii=False)
    Path(path).write_text(text + "\n", encoding="utf-8")


def _names(keys: list[tuple[int, int]], note: str) -> Iterator[Event]:
    """Names and order of processes and threads."""
    for core in dict.fromkeys(core for core, _ in keys):
        yield _meta("process_name", core, 0, {"name": f"core {core}{note}"})
        yield _meta("process_sort_index", core, 0, {"sort_index": core})
    for core, pipe in keys:
        yield _meta("thread_name", core, pipe, {"name": THREADS[Pipe(pipe)]})
        rank = PIPE_ORDER.index(Pipe(pipe))
        yield _meta("thread_sort_index", core, pipe, {"sort_index": rank})


def _meta(name: str, pid: int, tid: int, args: Event) -> Event:
    return {"name": name, "ph": "M", "pid": pid, "tid": tid, "args": args}


@dataclass(frozen=True, slots=True)
class _Writer:
    trace: Trace
    mhz: float
    rows: dict[int, Row]
    producers: Mapping[int, Row]

    def slice(self, span: Span) -> Event:
        row = span.row
        name = self.trace.ops[row.op]
        return {
            "name": f"wait ({name})" if span.waiting else name,
            "cat": "wait" if span.waiting else "instruction",
            "ph": "X",
            "pid": row.core,
            "tid": row.pipe,
            "ts": span.begin / self.mhz,
            "dur": (span.end - span.begin) / self.mhz,
            "args": self.args(row),
        }

    def args(self, row: Row) -> Event:
        args: Event = {"serial": row.serial, "block": row.block, "cycles": [row.start, row.end]}
        if 0 <= row.where < len(self.trace.sources):
            args["line"] = self.line(row)
        if row.read_bytes or row.write_bytes:
            args |= {"read_bytes": row.read_bytes, "write_bytes": row.write_bytes}
        for side in ("dst", "src"):
            space = getattr(row, f"{side}_space")
            if space >= 0:
                args[side] = f"{SPACES[space]} 0x{getattr(row, f'{side}_addr'):x}"
        giver = self.giver(row)
        if giver is not None:
            pipe = THREADS[Pipe(giver.pipe)]
            args["waited_for"] = (
                f"{self.trace.ops[giver.op]} ({pipe}, core {giver.core}) {self.line(giver)}"
            )
            args["cause"] = self.trace.causes[row.cause_kind]
        if row.auto:
            args["auto_sync"] = True
        return args

    def line(self, row: Row) -> str:
        place = self.trace.sources[row.where]
        return f"{place.file}:{place.line}"

    def giver(self, row: Row) -> Row | None:
        """What ``row`` waited for: the work behind a flag, or the instruction itself."""
        cause = self.rows.get(row.cause)
        return self.producers.get(row.cause, cause) if cause is not None else None

    def arrows(self, spans: list[Span]) -> list[Event]:
        """From the end of each giver to the first work after the wait."""
        found: list[list[Event]] = []
        released: Span | None = None
        for span in reversed(spans):
            released = span if not span.waiting else released
            giver = self.giver(span.row) if span.waiting else None
            if giver is not None:
                found.append(self.arrow(span.row, giver, released or span))
        return [event for pair in reversed(found) for event in pair]

    def arrow(self, waiter: Row, giver: Row, released: Span) -> list[Event]:
        common = {"name": self.trace.causes[waiter.cause_kind], "cat": "sync", "id": waiter.serial}
        # Half a cycle inside the slices, so that a viewer binds the arrow to them.
        leave = max(giver.start, giver.end - 0.5) / self.mhz
        arrive = min(released.end, released.begin + 0.5) / self.mhz
        return [
            {**common, "ph": "s", "pid": giver.core, "tid": giver.pipe, "ts": leave},
            {**common, "ph": "f", "bp": "e", "pid": waiter.core, "tid": waiter.pipe, "ts": arrive},
        ]
