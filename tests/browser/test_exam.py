"""A mock exam in a real browser: start, answer, submit; then marked and verified on the instructor's side.

The Chinese exam is answered in Ascend C, in the four files of the official judge, the English one in Python.

With ``ASCEND_LAB_SHOTS`` set to a folder, pictures of the timer and of the result are left there.
"""

from __future__ import annotations

import importlib.util
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
import pytest

from ascend_lab.exercise import open_bank
from grader.cli import main
from grader.exam import Exam, draw_exam, read_blueprint
from grader.release import open_course
from tests.browser.jupyter import Notebook, browser, chromium, server
from tests.grader.exam.conftest import BLUEPRINT
from tests.grader.exam.test_cpp_answers import files_of

pytestmark = [
    pytest.mark.browser,
    pytest.mark.nightly,
    pytest.mark.timeout(900),
    pytest.mark.skipif(
        chromium() is None or importlib.util.find_spec("playwright") is None,
        reason="needs chromium and playwright",
    ),
]
SHOTS = os.environ.get("ASCEND_LAB_SHOTS")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A course with an exam in each language."""
    place = tmp_path_factory.mktemp("mock")
    (place / "roster.csv").write_text("student,name\ns01,Ann\n", encoding="utf-8")
    (place / "blueprint.toml").write_text(BLUEPRINT, encoding="utf-8")
    (place / "course").mkdir()
    (place / "course/course.key").write_text("e4" * 32 + "\n")
    for lang in ("zh", "en"):
        new = ["exam", "new", str(place / "course"), "--students", str(place / "roster.csv")]
        plan = ["--blueprint", str(place / "blueprint.toml")]
        out = ["--edition", lang, "--out", str(place / "root" / lang)]
        assert main([*new, *plan, *out]) == 0
    return place


@pytest.fixture(scope="module")
def desk(folder: Path) -> Iterator[tuple[Any, str]]:
    """A page, and the address of a JupyterLab on the exams."""
    with server(folder / "root", folder / "progress.json") as address, browser() as page:
        yield page, address


def drawn(folder: Path, lang: str) -> Exam:
    course = open_course(folder / "course", open_bank())
    return draw_exam(course, read_blueprint(course.folder / "exam.toml"), open_bank(), "s01", lang)


def fill_in(folder: Path, lang: str, exam: Exam) -> Path:
    """Put the answers that are cells into the notebook."""
    path = folder / "root" / lang / "s01/exam.ipynb"
    document = json.loads(path.read_text("utf-8"))
    answers = {}
    if lang == "en":
        answers["practical-answer"] = f"%%exam practical\n{exam.baseline}"
    else:
        place = 1 + [cell["id"] for cell in document["cells"]].index("practical-answer")
        document["cells"][place:place] = [
            nbformat.v4.new_code_cell(f"%%exam {name}\n{text}", id=name.replace("_", "-"))
            for name, text in files_of(exam).items()
        ]
    for number, paper in enumerate(exam.papers, 1):
        answers[f"paper-{number}-repaired"] = f"%%exam repaired {number}\n{paper.reference.source}"
    for cell in document["cells"]:
        cell["source"] = answers.get(cell["id"], cell["source"])
    path.write_text(json.dumps(document, ensure_ascii=False), encoding="utf-8")
    return path


def shot(element: Any, name: str) -> None:
    if SHOTS:
        element.screenshot(path=str(Path(SHOTS) / f"{name}.png"))


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_a_mock_exam(desk: tuple[Any, str], folder: Path, lang: str, capsys: Any) -> None:
    page, address = desk
    exam = drawn(folder, lang)
    fill_in(folder, lang, exam)
    notebook = Notebook(page, address, f"{lang}/s01/exam.ipynb")
    notebook.run_all()

    # the timer counts down
    timer = notebook.show("start").locator(".al-exam-timer")
    timer.wait_for()
    before = timer.locator("b").inner_text()
    assert before.startswith("0:2") or before == "0:30:00"
    page.wait_for_function(
        "before => document.querySelector('.al-exam-timer b').textContent !== before", arg=before
    )
    assert timer.get_attribute("data-state") == "running"
    notebook.show("open")
    assert page.locator(".al-exam-corner").is_hidden()
    shot(page, f"exam_timer_{lang}")

    # the practical answer: in Ascend C it counts once all of it is there
    if lang == "zh":
        notebook.show("host-cpp").get_by_text("还缺 kernel_cpp").wait_for()
    card = notebook.show("kernel-cpp" if lang == "zh" else "practical-answer")
    card.get_by_text("22 / 22").first.wait_for()
    page.locator(".al-exam-corner").wait_for(state="visible")
    shot(page, f"exam_practical_{lang}")

    # theory: tick the right answers
    form = notebook.show("theory-form")
    for number, (_, question) in enumerate(exam.questions):
        box = form.locator(".al-exam-question").nth(number)
        for letter in question.key:
            if question.question.kind == "compute":
                box.locator("input[type=text]").fill(letter)
                box.locator("input[type=text]").press("Enter")
            else:
                kind = "checkbox" if question.question.kind == "multi" else "radio"
                place = "ABCDEFGH".index(letter)
                box.locator(f"input[type={kind}]").nth(place).check()
    count = len(exam.questions)
    said = f"已保存 {count} / {count} 题" if lang == "zh" else f"{count} of {count} answered"
    form.get_by_text(said).wait_for()
    shot(form, f"exam_theory_{lang}")

    # troubleshooting: class, line, reason
    for number, paper in enumerate(exam.papers, 1):
        form = notebook.show(f"paper-{number}-form")
        truth = paper.truths[0]
        fields = form.locator("input")
        fields.nth(0).fill(truth.names[0])
        fields.nth(0).press("Enter")
        fields.nth(1).fill(str(truth.lines[0]))
        fields.nth(1).press("Enter")
        form.locator("select").select_option(index=1 + "abcd".index(truth.why))
        shot(form, f"exam_paper_{lang}")

    # hand in, mark, verify
    page.evaluate(
        """async () => {
          const app = window.jupyterapp, view = app.shell.currentWidget.content;
          const cells = Array.from(view.model.cells);
          view.activeCellIndex = cells.findIndex(c => c.id === 'submit');
          await app.commands.execute('notebook:run-cell');
        }"""
    )
    notebook.show("submit").get_by_text("s01.exam.zip").wait_for()
    handed_in = folder / "root" / lang / "s01/s01.exam.zip"
    marks = folder / f"marks-{lang}"
    mark = ["exam", "mark", str(folder / "course"), str(handed_in), "--lang", lang]
    assert main([*mark, "--students", str(folder / "roster.csv"), "--out", str(marks)]) == 0
    assert ("Ann：100 分，通过" if lang == "zh" else "Ann: 100 points, passed") in (
        capsys.readouterr().out
    )
    record = marks / "s01.record.json"
    assert main(["verify", str(record), "--course", str(folder / "course")]) == 0

    result = page.context.browser.new_page()
    result.goto(f"file://{marks / 's01.html'}")
    shown = result.locator("h1.pass")
    assert ("通过" if lang == "zh" else "passed") in shown.inner_text()
    assert result.locator("table").count() == 5
    if SHOTS:
        result.screenshot(path=str(Path(SHOTS) / f"exam_result_{lang}.png"), full_page=True)
    result.close()

    changed = json.loads(record.read_text("utf-8"))
    changed["parts"]["theory"]["points"] = 19
    record.write_text(json.dumps(changed), encoding="utf-8")
    capsys.readouterr()
    assert main(["verify", str(record), "--course", str(folder / "course")]) == 1
    assert "parts.theory.points was changed to 19" in capsys.readouterr().out
