"""Papers in Ascend C: the same form, another door."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from ascend_lab.ascendc import NoCompiler
from ascend_lab.ascendc.building import compiler
from ascend_lab.exercise import AnswerFault
from grader.faults import Verifier
from grader.troubleshooting import Drawn, draw, mark, read_answer, template, write_paper
from tests.grader.troubleshooting.conftest import given, right_words


@pytest.fixture(scope="module")
def paper(verifier: Verifier) -> Drawn:
    """A store that does not wait."""
    try:
        compiler()
    except NoCompiler as error:
        pytest.skip(error.message("en").splitlines()[0])
    return draw(template("old-results"), "s1", verifier=verifier)


def test_what_the_student_gets(paper: Drawn, tmp_path: Path) -> None:
    write_paper(paper, tmp_path, "en")
    files = sorted(path.name for path in tmp_path.iterdir())
    assert files == ["add_pingpong.asc", "answer.toml", "paper.md", "repaired.asc"]
    text = (tmp_path / "paper.md").read_text("utf-8")
    assert "repaired.asc" in text
    assert "DTYPE_X" not in text
    came_back = read_answer(tmp_path)
    assert came_back.repaired is not None
    assert mark(paper, came_back).points == 0


def test_a_paper_says_what_the_names_of_types_in_its_kernel_are(
    paper: Drawn, tmp_path: Path
) -> None:
    text = paper.source.replace("float", "DTYPE_X")
    write_paper(replace(paper, source=text), tmp_path, "en")
    assert "used here: `DTYPE_X`." in (tmp_path / "paper.md").read_text("utf-8")


def test_from_the_paper_to_full_marks(paper: Drawn) -> None:
    marks = mark(paper, given(paper, right_words(paper), paper.reference.source))
    assert [each.points for each in marks.marks] == [30, 20, 40, 10]


def test_a_repair_that_does_not_compile_gets_nothing_and_is_told_why(paper: Drawn) -> None:
    broken = paper.source.replace("GetBlockIdx()", "BlockIdx()", 1)
    marks = mark(paper, given(paper, (), broken))
    assert marks.points == 0
    assert "repaired.asc" in marks.marks[2].text.en


def test_a_link_or_a_heap_of_bytes_is_no_answer(paper: Drawn, tmp_path: Path) -> None:
    write_paper(paper, tmp_path, "en")
    place = tmp_path / "repaired.asc"
    place.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(AnswerFault):
        read_answer(tmp_path)
    place.write_bytes(b"x" * (2 << 20))
    with pytest.raises(AnswerFault):
        read_answer(tmp_path)
    place.unlink()
    place.symlink_to(tmp_path / "paper.md")
    with pytest.raises(AnswerFault):
        read_answer(tmp_path)


def test_python_text_is_never_compiled_because_of_a_word_in_it(verifier: Verifier) -> None:
    """The door is that of the paper, whatever a repaired kernel says of itself."""
    drawn = draw(template("never-ends"), "s1", verifier=verifier)
    source = drawn.reference.source + "\n# __global__ __aicore__\n"
    assert mark(drawn, given(drawn, (), source)).of("fix") == 40
