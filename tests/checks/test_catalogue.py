"""The catalogue says the same in both languages, for every class, and points at real things."""

from __future__ import annotations

import string

import pytest

from ascend_lab import checks
from ascend_lab.checks import CatalogueError, Entry
from ascend_lab.checks.texts import PARTS, Say, fill, roles
from tests.checks import fixtures
from tests.checks.table import EXPLAINED, WAVE_1, WAVE_2, WAVE_3

ENTRIES = list(checks.catalogue().values())


def _placeholders(template: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(template) if name}


def _texts(entry: Entry) -> list[tuple[str, str, str]]:
    """(what, en, zh) of every text."""
    found = [(part, entry.texts[part]["en"], entry.texts[part]["zh"]) for part in PARTS]
    for variant, texts in entry.variants.items():
        found += [(f"{variant}.{part}", text["en"], text["zh"]) for part, text in texts.items()]
    return found


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.id)
def test_languages_agree(entry: Entry) -> None:
    for what, en, zh in _texts(entry):
        assert _placeholders(en) == _placeholders(zh), f"{entry.id}.{what}"
        assert any("\u4e00" <= letter <= "\u9fff" for letter in zh) or en == zh
        assert not any("\u4e00" <= letter <= "\u9fff" for letter in en), f"{entry.id}.{what}"


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.id)
def test_titles_and_rules_need_no_numbers(entry: Entry) -> None:
    """`explain` shows them without a finding."""
    for part in ("title", "rule"):
        assert not _placeholders(entry.texts[part]["en"])
    for lang in ("zh", "en"):
        text = checks.explain(entry.id, lang)
        assert text.startswith(f"{entry.id}  {entry.text('title', lang)}\n")


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.id)
def test_fields(entry: Entry) -> None:
    assert entry.severity in ("error", "note", "performance")
    assert entry.outcome in ("SILENT", "ABORT", "HANG", "HOST", "SLOW")
    assert entry.shown_by in ("check", "output")
    assert {*entry.supersedes, *entry.supersedes_here} <= set(checks.catalogue())
    assert not entry.page or (entry.page.startswith("docs/zh/") and entry.page.endswith(".md"))


def test_waves_are_complete() -> None:
    """Every class of the three waves is caught, or the table says why no kernel here can have it."""
    assert (len(WAVE_1), len(WAVE_2), len(WAVE_3)) == (20, 20, 12)
    assert {*WAVE_1, *WAVE_2, *WAVE_3} <= {*checks.catalogue(), *EXPLAINED}
    assert {*checks.catalogue()} & {*EXPLAINED} <= fixtures.of_the_host()
    assert set(WAVE_1) <= set(checks.catalogue())


def test_causes_have_no_cycle() -> None:
    def walk(class_id: str, above: tuple[str, ...]) -> None:
        assert class_id not in above, (*above, class_id)
        found = checks.entry(class_id)
        for symptom in (*found.supersedes, *found.supersedes_here):
            walk(symptom, (*above, class_id))

    for class_id in checks.catalogue():
        walk(class_id, ())


def test_ids_are_in_order() -> None:
    ids = list(checks.catalogue())
    assert ids == sorted(ids, key=lambda name: (name[0], int(name[1:])))


def test_unknown() -> None:
    with pytest.raises(CatalogueError, match="no class 'Z9'"):
        checks.entry("Z9")
    with pytest.raises(CatalogueError, match="zh and en"):
        checks.explain("A1", "fr")
    with pytest.raises(CatalogueError, match="nothing given for 'count'"):
        fill("{count}", {}, "en")


def test_plurals_and_words() -> None:
    assert fill("{n:#buffer}, {m:#buffer}", {"n": 1, "m": 2}, "en") == "1 buffer, 2 buffers"
    assert fill("{who}", {"who": Say("reads", "读")}, "zh") == "读"


def test_roles_speak_both_languages() -> None:
    for role, text in roles().items():
        assert set(text) == {"zh", "en"}, role


def test_claims_that_sound_right_are_not_repeated() -> None:
    """Section 13 of the taxonomy: what our texts must not say."""
    a2 = checks.entry("A2")
    assert "crash" not in (a2.texts["text"]["en"] + a2.texts["rule"]["en"]).lower()
    assert "without any error" in a2.texts["rule"]["en"]
    a4 = checks.entry("A4")
    assert not any("illegal" in en.lower() for _, en, _ in _texts(a4))
    b1 = checks.entry("B1")
    assert "not GM" in b1.texts["rule"]["en"]
    assert "GM address only needs the element size" in checks.entry("A1").texts["rule"]["en"]
    assert "PipeBarrier orders one core only" in checks.entry("E7").texts["rule"]["en"]
