"""Every view of the smallest failing kernel of every class: it draws, as one well-formed picture."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from ascend_lab import view
from ascend_lab.view.origin import origin
from ascend_lab.view.replay import Replay
from tests.checks import fixtures


@pytest.mark.parametrize("class_id", fixtures.all_ids())
def test_views_of_a_failing_kernel(class_id: str) -> None:
    fixture = fixtures.load(class_id)
    result = fixture.launch("bad", fixture.chips[0], fixture.schedules[0])
    source = origin(result)
    core = source.cores[-1] if source.cores else 0
    pictures = (
        view.memory(result, core),
        view.banks(result, core),
        view.balance(result),
        view.dataflow(result, core),
    )
    for picture in pictures:
        assert ElementTree.fromstring(picture.html).tag.endswith("svg")
    replay = Replay(source, core)
    told = {finding.id for finding in source.on(core)}
    marked = {e.finding.id for s in replay.steps for e in s.events if e.finding is not None}
    assert marked == told
    assert view.steps(result, core, frames=2).html.count("<svg") == min(2, len(replay.steps))
