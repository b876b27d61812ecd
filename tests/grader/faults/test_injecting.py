"""A mutant is a natural file: one fault, and nothing else of it has changed."""

from __future__ import annotations

import ast

import pytest

from grader import faults
from grader.faults.wording import told, wording

NAMES = ("reference/add_queues", "reference/quantise", "reference/mask_add")
SOURCES = {name: faults.reference(name).source for name in NAMES}


def _unused(text: str) -> set[str]:
    tree = ast.parse(text)
    names = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
    read = {node.id for node in names if isinstance(node.ctx, ast.Load)}
    return {node.id for node in names if isinstance(node.ctx, ast.Store)} - read


@pytest.mark.parametrize("name", NAMES)
def test_files_look_as_if_written_so(name: str) -> None:
    source = SOURCES[name]
    made = [m for id in faults.CLASSES for m in faults.mutants(source, id)]
    assert len({m.class_id for m in made}) >= 15
    for mutant in made:
        tree = ast.parse(mutant.source)
        assert _unused(mutant.source) <= _unused(source), mutant.class_id
        assert "#" not in mutant.source
        assert {n.name for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)} == {
            name.partition("/")[2]
        }
        assert 1 <= mutant.line <= len(mutant.source.splitlines()) + 1
        assert mutant.line in mutant.lines or mutant.blocks
        assert mutant.sites


def test_what_is_not_changed_stays_to_the_last_blank() -> None:
    source = (
        "import ascend_lab.asc as asc\n\n\n"
        "@asc.jit\n"
        "def kernel( x : asc.GlobalAddress ):   # odd blanks\n"
        "    q = asc.TQue(asc.TPosition.VECOUT,1)\n"
        "    for  i in range(3):\n"
        "        t = q.alloc_tensor( x.dtype )  # taken\n"
        "        asc.adds(t, t, 1.0,  8)\n\n"
        "        # given back\n"
        "        q.free_tensor(t)\n"
        "        asc.printf('%d', i)\n"
    )
    mutant = faults.inject(source, "F1")
    assert mutant.source == source.replace("        # given back\n        q.free_tensor(t)\n", "")
    assert mutant.line == 11


def test_a_name_without_a_use_goes_too() -> None:
    source = SOURCES["reference/add_queues"]
    mutant = faults.inject(source, "B3")
    assert "left = own - start" in source
    assert "left" not in mutant.source
    assert "        count = TILE_LENGTH\n" in mutant.source


def test_the_seed_decides() -> None:
    source = SOURCES["reference/add_queues"]
    assert faults.inject(source, "A1", 5) == faults.inject(source, "A1", 5)
    assert len({faults.inject(source, "A1", seed).source for seed in range(12)}) > 3
    assert len(faults.places(source, "A1")) == 3


def test_a_kernel_may_have_no_place() -> None:
    with pytest.raises(faults.DoesNotApply):
        faults.inject(SOURCES["reference/add_queues"], "D4")
    with pytest.raises(KeyError):
        faults.inject(SOURCES["reference/add_queues"], "Z9")
    with pytest.raises(SyntaxError):
        faults.inject("def", "A1")


@pytest.mark.parametrize("suffix", ["", ".asc"])
def test_no_division_of_work_no_remainder(suffix: str) -> None:
    """A share that is rounded up, or divided by, is left; so is the limit of a tile that all cores have."""
    source = faults.reference(f"exam/cumulative-sum{suffix}").source
    lines = source.splitlines()
    (line,) = faults.places(source, "E3")
    assert "strips = (cols + width - 1)" in lines[line - 1]
    assert faults.places(source, "E4") == ()
    for name in ("exam/rope", "exam/gather-rows"):
        source = faults.reference(f"{name}{suffix}").source
        (line,) = faults.places(source, "E4")
        assert "last" in source.splitlines()[line - 1]


def test_an_end_that_is_limited_by_its_own_name_is_found() -> None:
    source = faults.reference("04/join").source
    (line,) = faults.places(source, "E4")
    assert source.splitlines()[line - 1].strip() == "end = rows if end > rows else end"


def test_a_lab_in_ascend_c() -> None:
    names = [each.name for each in faults.chosen("exam.asc")]
    assert len(names) >= 7
    assert all(name.startswith("exam/") and name.endswith(".asc") for name in names)
    assert [each.name for each in faults.chosen("exam/sinh.asc")] == ["exam/sinh.asc"]
    with pytest.raises(faults.NoReference):
        faults.chosen("02.asc")


def test_every_class_has_its_words() -> None:
    assert set(told()) == set(faults.CLASSES)
    for id in faults.CLASSES:
        words = wording(id)
        for text in (words.title, words.story, *words.hints):
            assert any("\u4e00" <= letter <= "\u9fff" for letter in text.zh) or text.zh.rstrip(
                "。"
            ) == text.en.rstrip("."), id
            assert not any("\u4e00" <= letter <= "\u9fff" for letter in text.en), id
        assert words.title.en not in words.story.en
        assert id not in words.story.en


def test_every_class_of_the_waves_is_there_or_says_why() -> None:
    waves = {
        1: "A1 A2 A3 A4 B1 B3 C1 C6 D1 D2 D3 D9 D11 E1 E2 E3 F1 F4 G1 H3",
        2: "A6 B2 B6 B8 C4 C7 D4 D6 D10 E4 E6 E8 E10 F2 F5 G7 G9 H1 I1 I10",
        3: "D12 D14 E5 E9 H4 H6 I5 I11 J4 J5 K1 K3",
    }
    known = {fault.id: fault.wave for fault in (*faults.CLASSES.values(), *faults.ABSENT)}
    for wave, ids in waves.items():
        assert {id: known.get(id) for id in ids.split()} == dict.fromkeys(ids.split(), wave)
