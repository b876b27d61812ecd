"""The Chrome trace: the schema Perfetto reads, lanes without overlap, arrows that mean something."""

from __future__ import annotations

import json
from collections import defaultdict
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from ascend_lab.engine.instruction import Pipe
from ascend_lab.engine.trace import Trace
from ascend_lab.profile import chrome_trace, save_chrome_trace
from ascend_lab.profile.lanes import Lanes, in_order, lanes
from tests.view import make

MHZ = 1850.0


def spans_of(trace: Trace) -> Lanes:
    return lanes(trace, in_order(trace))


def events(trace: Trace, phase: str) -> list[dict[str, Any]]:
    return [event for event in chrome_trace(trace)["traceEvents"] if event["ph"] == phase]


def test_every_event_has_what_the_format_asks_for() -> None:
    needed = {
        "X": {"name", "cat", "ph", "pid", "tid", "ts", "dur", "args"},
        "M": {"name", "ph", "pid", "tid", "args"},
        "s": {"name", "cat", "id", "ph", "pid", "tid", "ts"},
        "f": {"name", "cat", "id", "ph", "pid", "tid", "ts", "bp"},
    }
    document = chrome_trace(make.trace())
    assert set(document) == {"displayTimeUnit", "otherData", "traceEvents"}
    for event in document["traceEvents"]:
        assert set(event) == needed[event["ph"]]
    assert json.loads(json.dumps(document)) == document


def test_a_process_is_a_core_and_a_thread_a_pipe() -> None:
    named = [
        (e["pid"], e["tid"], e["args"]["name"])
        for e in events(make.trace(), "M")
        if "name" in e["args"]
    ]
    threads = [
        (int(Pipe.S), "SCALAR"),
        (int(Pipe.MTE2), "MTE2"),
        (int(Pipe.V), "VECTOR"),
        (int(Pipe.MTE3), "MTE3"),
    ]
    expected = [(core, 0, f"core {core}") for core in (0, 1)]
    expected += [(core, tid, name) for core in (0, 1) for tid, name in threads]
    assert named == expected


def test_slices_of_a_thread_do_not_overlap() -> None:
    lane: dict[tuple[int, int], list[tuple[float, float]]] = defaultdict(list)
    for event in events(make.trace(), "X"):
        lane[event["pid"], event["tid"]].append((event["ts"], event["ts"] + event["dur"]))
    assert len(lane) == 8
    for spans in lane.values():
        ordered = sorted(spans)
        for (_, before), (after, _) in pairwise(ordered):
            assert after >= before - 1e-9


def test_one_slice_in_full() -> None:
    add = next(e for e in events(make.trace(), "X") if e["name"] == "Add" and e["pid"] == 1)
    assert add == {
        "name": "Add",
        "cat": "instruction",
        "ph": "X",
        "pid": 1,
        "tid": 1,
        "ts": 526.0 / MHZ,
        "dur": pytest.approx(54.5 / MHZ),
        "args": {
            "serial": 105,
            "block": 1,
            "cycles": [526.0, 580.5],
            "line": "add.py:40",
            "read_bytes": 16384,
            "write_bytes": 8192,
            "dst": "UB 0x4000",
            "src": "UB 0x0",
        },
    }


def test_a_wait_tells_the_work_it_waited_for() -> None:
    wait = next(e for e in events(make.trace(), "X") if e["cat"] == "wait" and e["tid"] == 1)
    assert wait["name"] == "wait (WaitFlag)"
    assert wait["args"]["waited_for"] == "DataCopy (MTE2, core 0) add.py:35"
    assert wait["args"]["cause"] == "flag"


def test_arrows_lead_from_the_giver_to_the_released_work() -> None:
    trace = make.trace(tiles=2, blocks=1)
    slices = events(trace, "X")
    starts = {e["id"]: e for e in events(trace, "s")}
    ends = {e["id"]: e for e in events(trace, "f")}
    assert list(starts) == list(ends)
    found = []
    for key, start in starts.items():
        assert start["ts"] <= ends[key]["ts"]
        found.append((enclosing(slices, start), enclosing(slices, ends[key])))
    assert found == [
        (("DataCopy", 35), ("Add", 40)),
        (("DataCopy", 35), ("Add", 40)),
        (("Add", 40), ("DataCopy", 44)),
        (("Add", 40), ("DataCopy", 44)),
    ]


def enclosing(slices: list[dict[str, Any]], event: dict[str, Any]) -> tuple[str, int]:
    for found in slices:
        on = (found["pid"], found["tid"]) == (event["pid"], event["tid"])
        if on and found["ts"] <= event["ts"] <= found["ts"] + found["dur"]:
            return found["name"], int(found["args"]["line"].split(":")[1])
    raise AssertionError(f"no slice encloses {event}")


def test_saved_text_is_the_same_each_time(tmp_path: Path) -> None:
    save_chrome_trace(make.trace(), tmp_path / "a.json")
    save_chrome_trace(make.trace(), tmp_path / "b.json")
    assert (tmp_path / "a.json").read_bytes() == (tmp_path / "b.json").read_bytes()
    assert json.loads((tmp_path / "a.json").read_text("utf-8")) == chrome_trace(make.trace())


def test_the_clock_may_be_given() -> None:
    trace = Trace.from_rows(make.rows(1, 1), make.OPS, make.SOURCES, make.CAUSES, {})
    slow = chrome_trace(trace, clock_mhz=1.0)["traceEvents"]
    assert max(e["ts"] + e["dur"] for e in slow if e["ph"] == "X") == float(trace.end.max())


def test_lanes_are_in_the_order_data_passes() -> None:
    assert list(spans_of(make.trace())) == [
        (core, int(pipe)) for core in (0, 1) for pipe in (Pipe.S, Pipe.MTE2, Pipe.V, Pipe.MTE3)
    ]


def test_a_wait_begins_when_its_pipe_comes_to_it() -> None:
    spans = spans_of(make.trace(tiles=2, blocks=1))[0, int(Pipe.V)]
    assert [(s.begin, s.end, s.waiting) for s in spans if s.end > s.begin] == [
        (10.0, 526.0, True),
        (526.0, 580.5, False),
        (580.5, 886.0, True),
        (886.0, 940.5, False),
    ]


def test_an_instruction_held_by_automatic_sync_shows_its_wait() -> None:
    op, none = make.OPS.index("Add"), (-1, 0, 0, -1, 0, 0)
    rows = [
        (0, 0, 0, 1, op, 0.0, 0.0, 50.0, 0, 0, 0, -1, 0, 0, *none),
        (1, 0, 0, 1, op, 2.0, 60.0, 110.0, 0, 0, 0, 0, 2, 1, *none),
    ]
    trace = Trace.from_rows(rows, make.OPS, make.SOURCES, make.CAUSES, make.META)
    spans = spans_of(trace)[0, 1]
    assert [(s.begin, s.end, s.waiting) for s in spans] == [
        (0.0, 50.0, False),
        (50.0, 60.0, True),
        (60.0, 110.0, False),
    ]
    assert [e["args"].get("auto_sync") for e in events(trace, "X")] == [None, True, True]
