"""What is drawn is alive, is caught under its own id, and depends on the key alone."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from ascend_lab.exercise import TaskError, open_bank
from grader.faults import CLASSES, Status, Verifier
from grader.faults.injecting import read as read_source
from grader.troubleshooting import Drawn, NothingToDraw, draw, template, templates
from grader.troubleshooting.templates import read

TEMPLATES = tuple(templates())
KEYS = ("s1", "s2", "s3", "s4", "s5")
#: Drawn in every run of the tests; the others are left to the nightly one.
QUICK = ("first-copy", "never-ends", "rows-too-small", "several-cores")


def test_the_spread_of_the_bank() -> None:
    assert len(TEMPLATES) >= 24
    outcomes = Counter(each.outcome for each in TEMPLATES)
    assert min(outcomes[name] for name in ("silent", "abort", "hang")) >= 5
    assert [len(each.faults) for each in TEMPLATES].count(2) >= 3
    planted = {fault.class_id for each in TEMPLATES for fault in each.faults}
    assert {"A1", "B2", "C1", "D3", "D9", "E2", "F1", "H1"} <= planted
    assert len(planted) >= 20
    doors = Counter(Path(each.kernel).suffix for each in TEMPLATES)
    assert min(doors[".asc"], doors[""]) >= 8


def test_the_outcome_that_is_told_is_that_of_the_class() -> None:
    for each in TEMPLATES:
        assert CLASSES[each.faults[0].class_id].outcome == each.outcome, each.id


@pytest.mark.timeout(900)
@pytest.mark.parametrize(
    "id",
    [t.id if t.id in QUICK else pytest.param(t.id, marks=pytest.mark.nightly) for t in TEMPLATES],
)
@pytest.mark.parametrize(
    "keys", [KEYS[:1], pytest.param(KEYS[1:], marks=pytest.mark.nightly)], ids=["first", "others"]
)
def test_keys_draw_living_faults_that_are_caught(
    verifier: Verifier, id: str, keys: tuple[str, ...]
) -> None:
    chosen = template(id)
    for key in keys:
        drawn = draw(chosen, key, verifier=verifier)
        assert drawn.source != drawn.reference.source
        read_source(drawn.source)
        for truth, planted in zip(drawn.truths, chosen.faults, strict=True):
            if key == KEYS[0]:  # the drawing has seen it; here it is seen once more
                seen = verifier.verify(truth.alone, drawn.reference)
                assert seen.status is Status.CAUGHT
                assert seen.named in CLASSES[planted.class_id].expects
            assert truth.names[0] == planted.class_id
            assert truth.lines
            assert dict(drawn.reasons)[truth.why] == planted.why
        assert drawn.leading in drawn.truths[0].names
        total = len(drawn.source.splitlines())
        assert all(1 <= line <= total for truth in drawn.truths for line in truth.lines)


def test_the_same_key_draws_the_same(verifier: Verifier, race: Drawn) -> None:
    again = draw(template("right-at-times"), "s1", verifier=verifier)
    assert (again.source, again.fingerprint, again.secret) == (
        race.source,
        race.fingerprint,
        race.secret,
    )
    assert [truth.lines for truth in again.truths] == [truth.lines for truth in race.truths]


def test_keys_draw_different_papers(verifier: Verifier) -> None:
    drawn = [draw(template("never-ends"), key, verifier=verifier) for key in KEYS]
    assert len({each.source for each in drawn}) >= 3
    assert len({each.fingerprint for each in drawn}) == len(KEYS)
    assert len({each.secret for each in drawn}) == len(KEYS)


def test_two_faults_are_at_the_places_of_the_two(two: Drawn) -> None:
    """Each line of the truth names what the paper has there."""
    lines = two.source.splitlines()
    hung, lost = two.truths
    assert (hung.names[0], lost.names[0]) == ("F3", "A2")
    assert any("data_copy(" in lines[line - 1] for line in lost.lines)
    gone = set(two.reference.source.splitlines()) - set(hung.alone.source.splitlines())
    assert len(gone) == 1
    assert not gone & set(lines)


TEXT = """
id = "one"
kernel = "reference/add_queues"
outcome = "silent"
title = { zh = "一", en = "one" }
story = { zh = "二", en = "two" }

[[faults]]
class = "A1"
why = { zh = "甲", en = "a" }
wrong = [{ zh = "乙", en = "b" }, { zh = "丙", en = "c" }, { zh = "丁", en = "d" }]
"""


@pytest.mark.parametrize(
    ("old", "new", "key"),
    [
        ('class = "A1"', 'class = "A9"', "faults[0].class"),
        ('class = "A1"', 'klass = "A1"', "faults[0].klass"),
        ('kernel = "reference/add_queues"', 'kernel = "reference/add"', "kernel"),
        ('id = "one"', 'id = "two"', "id"),
        ('class = "A1"', 'class = "A1"\nplace = "("', "faults[0].place"),
        ('[{ zh = "乙", en = "b" }, ', "[", "faults[0].wrong"),
        ('outcome = "silent"', 'outcome = "quiet"', "outcome"),
    ],
)
def test_each_mistake_of_an_author_is_named(old: str, new: str, key: str) -> None:
    with pytest.raises(TaskError) as caught:
        read(TEXT.replace(old, new, 1).encode(), "one.toml")
    assert (caught.value.file, caught.value.key) == ("one.toml", key)
    assert all(caught.value.message(lang) for lang in ("zh", "en"))


def test_the_place_rule(verifier: Verifier) -> None:
    for place, expected in (("x_local, x_gm", "x_gm"), ("z_gm", "z_gm")):
        made = read(TEXT.replace('"A1"', f'"A1"\nplace = "{place}"').encode(), "one.toml")
        drawn = draw(made, "s1", verifier=verifier)
        line = drawn.source.splitlines()[drawn.truths[0].lines[0] - 1]
        assert expected in line
    nowhere = read(TEXT.replace('"A1"', '"A1"\nplace = "nothing"').encode(), "one.toml")
    with pytest.raises(NothingToDraw):
        draw(nowhere, "s1", verifier=verifier)


def test_an_unknown_paper_gets_near_names() -> None:
    with pytest.raises(TaskError) as caught:
        template("right-at-time", open_bank())
    assert caught.value.near[0] == "right-at-times"
