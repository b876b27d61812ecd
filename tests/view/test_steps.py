"""A run step by step: which steps there are, the state after each, and where the buttons lead."""

from __future__ import annotations

import linecache
from typing import Any

import pytest

from ascend_lab import view
from ascend_lab.engine.instruction import Pipe
from ascend_lab.view.origin import origin
from ascend_lab.view.replay import Replay, State
from ascend_lab.view.steppers import StepPanel, key_steps, prepare
from tests.view import kernels, make
from tests.view.picture import parse, texts

ADD = kernels.line(kernels.racy_add, "asc.add(")
LOAD_Y = kernels.line(kernels.racy_add, "asc.data_copy(y_local")
STEPS = 59
RACE = 15  # Add and the load of y start at the same moment


@pytest.fixture(scope="module")
def racy() -> Replay:
    return Replay(origin(kernels.racy()), 0)


@pytest.fixture(scope="module")
def stuck() -> Replay:
    return Replay(origin(kernels.stuck()), 0)


def units(replay: Replay, state: State) -> dict[str, tuple[list[str], int, str]]:
    """Pipe -> what runs, how many wait, why nothing may start."""
    return {
        unit.pipe.name: (
            [replay.op(row) for row in unit.running],
            len(unit.queue),
            unit.held,
        )
        for unit in state.units
    }


def panel(**change: Any) -> StepPanel:
    made = prepare(origin(kernels.racy()), None, "auto", "en", {})
    for name, value in change.items():
        setattr(made, name, value)
    return made


def test_a_step_is_a_moment_with_all_its_events_in_order(racy: Replay) -> None:
    step = racy.steps[RACE]
    told = [(e.kind, racy.source.label(e.row) if e.row else "D1") for e in step.events]
    assert told == [
        ("finding", "D1"),
        ("set", f"SetFlag :{LOAD_Y - 1}"),
        ("wait", f"WaitFlag :{LOAD_Y + 1}"),
        ("start", f"Add :{ADD}"),
    ]
    assert len(racy.steps) == STEPS
    times = [step.time for step in racy.steps]
    assert times == sorted(set(times))


def test_every_instruction_of_a_pipe_starts_and_ends_once(racy: Replay) -> None:
    starts = [e.row for s in racy.steps for e in s.events if e.kind == "start"]
    ends = [e.row for s in racy.steps for e in s.events if e.kind == "end"]
    moved = [row for row in racy.rows if row.read_bytes or row.write_bytes]
    assert sorted(starts, key=str) == sorted(ends, key=str) == sorted(moved, key=str)


def test_units_at_the_race(racy: Replay) -> None:
    assert units(racy, racy.at(RACE)) == {
        "S": (["AllocTensor"], 0, ""),
        "MTE2": (["DataCopy"], 0, ""),
        "V": (["Add"], 3, "own"),
        "MTE3": ([], 3, "flag"),
    }


def test_buffers_at_the_race(racy: Replay) -> None:
    found = {
        b.buffer.label: (b.mark, len(b.reading), len(b.writing), len(b.races))
        for b in racy.at(RACE).buffers
    }
    assert found == {
        "in_x": ("AllocTensor", 1, 0, 0),
        "in_y": ("FreeTensor", 1, 1, 1),
        "out_z": ("FreeTensor", 0, 1, 0),
    }
    content = {b.buffer.label: b.content for b in racy.at(RACE).buffers}
    assert content["in_y"] is None
    assert content["in_x"] is not None
    assert racy.source.label(content["in_x"]) == f"DataCopy :{LOAD_Y - 2}"


def test_buffers_exist_from_init_buffer_on(racy: Replay) -> None:
    assert [b.mark for b in racy.at(0).buffers] == ["AllocTensor", "", ""]
    last = racy.at(len(racy.steps) - 1)
    assert [b.mark for b in last.buffers] == ["FreeTensor"] * 3


def test_flags_count_sets_less_waits(racy: Replay) -> None:
    """At no moment is a flag down that the chip could not have; all are down at the end."""
    for number in range(len(racy.steps)):
        time = racy.steps[number].time
        for state in racy.at(number).flags:
            rows = [row for row in racy.rows if racy.flag_of(row) == state.flag]
            up = sum(racy.op(row) == "SetFlag" and row.end <= time for row in rows)
            down = sum(racy.op(row) == "WaitFlag" and row.end <= time for row in rows)
            assert state.count == up - down >= 0
    assert all(state.count == 0 for state in racy.at(len(racy.steps) - 1).flags)
    ups = [s.count for n in range(len(racy.steps)) for s in racy.at(n).flags]
    assert max(ups) == 1
    owners = {s.flag: s.owner for s in racy.at(RACE).flags}
    assert owners[int(Pipe.MTE2), int(Pipe.V), 0] == "in_x"


def test_a_flag_of_two_buffers_bears_the_name_of_the_one_that_is_waited_for() -> None:
    replay = Replay(origin(kernels.good()), 0)
    seen = set()
    for number, step in enumerate(replay.steps):
        for event in step.events:
            if event.kind == "stall" and event.row is not None and replay.flag_of(event.row):
                states = {s.flag: s.owner for s in replay.at(number).flags}
                line = replay.source.line(event.row.where)
                seen.add((line, states[replay.flag_of(event.row) or (0, 0, 0)].split()[0]))
    deque_x = kernels.line(kernels.queued_add, "in_x.deque")
    assert (deque_x, "in_x") in seen
    assert not [name for line, name in seen if line == deque_x and name != "in_x"]


def test_queued_is_what_was_issued_and_has_not_begun(racy: Replay) -> None:
    for number in (5, RACE, 30):
        state, time = racy.at(number), racy.steps[number].time
        for unit in state.units:
            begun = [row for row in racy.rows if row.pipe == unit.pipe and row.issue <= time]
            waiting = [
                row
                for row in begun
                if (row.end > time if racy.op(row).endswith("Flag") else row.start > time)
                and racy.op(row) != "PipeBarrier"
            ]
            assert [row.serial for row in unit.queue] == [row.serial for row in waiting]


def test_a_deadlock_ends_with_what_never_happened(stuck: Replay) -> None:
    state = stuck.at(len(stuck.steps) - 1)
    found = {u.pipe.name: (u.held, u.flag, len(u.queue), u.finished) for u in state.units}
    assert found == {
        "S": ("", None, 0, True),
        "MTE2": ("", None, 0, True),
        "V": ("flag", (int(Pipe.MTE2), int(Pipe.V), 1), 3, False),
        "MTE3": ("flag", (int(Pipe.V), int(Pipe.MTE3), 0), 2, False),
    }
    assert {s.flag: s.count for s in state.flags} == {
        (int(Pipe.MTE2), int(Pipe.V), 0): 1,
        (int(Pipe.MTE2), int(Pipe.V), 1): 0,
        (int(Pipe.V), int(Pipe.MTE3), 0): 0,
    }
    stalls = [e for step in stuck.steps for e in step.events if e.kind == "stall"]
    assert len(stalls) == 3  # one is the time a flag takes to be seen


def test_state_does_not_depend_on_how_it_was_reached() -> None:
    one, other = Replay(origin(kernels.good()), 1), Replay(origin(kernels.good()), 1)
    forwards = [one.at(n) for n in range(len(one.steps))]
    backwards = [other.at(n) for n in reversed(range(len(other.steps)))]
    assert forwards == backwards[::-1]


def test_a_trace_without_names_still_steps() -> None:
    replay = Replay(origin(make.result()), 1)
    assert len(replay.steps) > 50
    state = replay.at(20)
    assert state.buffers == ()
    assert state.flags == ()
    svg = view.steps(make.result(), core=1, lang="en").html
    assert "The trace has no ids of flags and no states of queues." in svg


# --- buttons ---------------------------------------------------------------------------------


def test_to_the_next_stall_and_back() -> None:
    made = panel()
    seen = []
    for _ in range(3):
        made.press("stall")
        seen.append(made.number)
    steps = made.replay.steps
    assert seen == [n for n, step in enumerate(steps) if step.has("stall")][:3]
    made.press("stall_back")
    assert made.number == seen[1]


def test_to_the_finding_from_anywhere() -> None:
    made = panel(number=40)
    made.press("finding")
    assert made.number == RACE
    made.number = 0
    made.press("finding")
    assert made.number == RACE


def test_to_the_next_instruction_of_a_line() -> None:
    made = panel()
    lines = (0, *made.replay.lines)
    made.set("lines", lines.index(ADD))
    seen = []
    for _ in range(6):
        made.press("line")
        seen.append(made.number)
    kinds = [
        [
            e.kind
            for e in made.replay.steps[n].events
            if e.row and made.source.line(e.row.where) == ADD
        ]
        for n in seen
    ]
    assert kinds == [["start"], ["end"]] * 3
    made.press("line")
    assert made.number == seen[-1]
    made.press("line_back")
    assert made.number == seen[-2]


def test_forwards_backwards_and_to_the_ends() -> None:
    made = panel()
    made.press("back")
    assert made.number == 0
    made.press("next")
    made.press("next")
    assert made.number == 2
    made.press("last")
    assert made.number == len(made.replay.steps) - 1
    made.press("next")
    assert made.number == len(made.replay.steps) - 1
    made.press("first")
    assert made.number == 0


def test_another_core_at_the_same_time() -> None:
    made = prepare(origin(kernels.good()), 0, "auto", "en", {})
    made.set("step", 50)
    time = made.replay.steps[50].time
    made.set("core", 1)
    assert made.core == 1
    assert made.replay.steps[made.number].time <= time
    assert made.replay.steps[made.number + 1].time > time


def test_controls_match_the_values() -> None:
    made = prepare(origin(kernels.good()), 1, "auto", "zh", {})
    controls = {c["name"]: c for row in made.controls() for c in row}
    assert controls["core"]["options"] == ["0", "1"]
    assert made.values()["core"] == 1
    assert controls["step"]["last"] == len(made.replay.steps) - 1
    assert controls["lines"]["options"][0] == "任意行"
    assert controls["back"]["disabled"]
    assert controls["finding"]["disabled"]


# --- pictures --------------------------------------------------------------------------------


def test_key_moments_have_the_finding_and_both_ends(racy: Replay) -> None:
    chosen = key_steps(racy, 4)
    assert chosen == tuple(sorted(chosen))
    assert RACE in chosen
    assert key_steps(racy, 5)[-1] == len(racy.steps) - 1
    assert key_steps(racy, 1) == (RACE,)


def test_a_frame_says_what_happens() -> None:
    linecache.clearcache()  # of several files called kernels.py none is shown
    linecache.getlines(kernels.__file__)
    made = panel(number=RACE)
    svg = made.html()
    assert texts(svg, "head")[0].startswith(f"step {RACE + 1} of {STEPS} · core 0 · cycle ")
    assert (
        f"D1  Vector reads data that is still being loaded (MTE2→V missing) · kernels.py:{ADD}"
        in (texts(svg, "bad-text"))
    )
    assert "D1 · V reads · MTE2 writes" in texts(svg, "bad-text")
    assert "waits for flag V→MTE3 0" in texts(svg, "small")
    assert texts(svg, "code")[2] == "asc.add(z_local, x_local, y_local, TILE)"
    assert "V→MTE3 0 · out_z: 0" in texts(svg, "chip")


def test_frames_of_a_run_are_equally_high() -> None:
    made = panel()
    heights = set()
    for number in (0, 5, RACE, 21, 54):
        made.number = number
        heights.add(parse(made.html()).get("viewBox"))
    assert len(heights) == 1


def test_a_deadlock_is_told_in_red() -> None:
    made = prepare(origin(kernels.stuck()), None, "light", "en", {})
    made.press("last")
    svg = made.html()
    assert {"waits for flag MTE2→V 1", "waits for flag V→MTE3 0"} <= set(texts(svg, "bad-text"))


def test_sources_can_be_given() -> None:
    sources = {"kernels.py": "\n".join(f"line {n}" for n in range(1, 200))}
    html = view.steps(kernels.racy(), sources=sources, frames=1).html
    assert f"line {ADD}" in html


def test_repr_core_and_errors() -> None:
    assert (
        repr(view.steps(kernels.racy())) == f"Steps(core 0, {STEPS} steps, 17 stalls, 1 findings)"
    )
    with pytest.raises(ValueError, match="core 3 executed nothing"):
        view.steps(kernels.racy(), core=3, lang="en")
    with pytest.raises(TypeError, match="this view is a widget"):
        view.steps(kernels.racy()).figure()
