"""The widget: what it sends, what it answers, and that it stays the same text in a notebook file."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

from ascend_lab import view
from tests.view import kernels

pytest.importorskip("anywidget")


def board(picture: view.Picture) -> Any:
    return picture.interactive()


def test_it_shows_the_first_step_and_answers_a_button() -> None:
    shown = board(view.steps(kernels.racy(), lang="en"))
    assert "step 1 of 59" in shown.html
    assert shown.values["step"] == 0
    shown._message(None, {"press": "finding", "asked": 4}, None)
    assert "step 16 of 59" in shown.html
    assert (shown.values["step"], shown.drawn) == (15, 4)
    shown._message(None, {"set": "step", "value": 3, "asked": 5}, None)
    assert "step 4 of 59" in shown.html


def test_two_widgets_of_one_view_do_not_disturb_each_other() -> None:
    picture = view.steps(kernels.racy())
    one, other = board(picture), board(picture)
    one._message(None, {"press": "last", "asked": 1}, None)
    assert other.values["step"] == 0


@pytest.mark.parametrize(
    "picture",
    [view.steps(kernels.racy()), view.dataflow(kernels.racy()), view.tiling(total=4096)],
    ids=["steps", "dataflow", "tiling"],
)
def test_notebook_output_has_the_picture_and_a_stable_text(picture: view.Picture) -> None:
    made = [board(picture)._repr_mimebundle_() for _ in range(2)]
    bundles = [bundle[0] if isinstance(bundle, tuple) else bundle for bundle in made]
    kept = [{k: v for k, v in b.items() if "widget-view" not in k} for b in bundles]
    assert kept[0] == kept[1]
    assert kept[0]["text/plain"] == repr(picture)
    assert kept[0]["text/html"].startswith("<")
    assert repr(board(picture)) == repr(picture)


def test_every_control_has_a_kind_the_script_knows() -> None:
    script = (board(view.tiling(total=4096)))._esm
    for picture in (
        view.steps(kernels.good()),
        view.dataflow(kernels.good()),
        view.tiling(total=4096),
    ):
        for row in board(picture).controls:
            for control in row:
                assert f"function {control['kind']}(" in str(script)
                assert {"name", "label"} <= set(control)


def test_shortcuts_press_buttons_that_exist() -> None:
    shown = board(view.steps(kernels.good()))
    names = {c["name"] for row in shown.controls for c in row if c["kind"] == "button"}
    assert set(shown.shortcuts.values()) <= names


def test_static_views_do_not_load_anywidget_or_plotly() -> None:
    code = (
        "import sys; sys.modules['plotly'] = sys.modules['anywidget'] = None\n"
        "from tests.view import kernels\nfrom ascend_lab import view\n"
        "r = kernels.racy()\n"
        "print([len(p.html) > 500 for p in (view.memory(r), view.banks(r), view.steps(r),\n"
        "    view.balance(r), view.dataflow(r), view.tiling(total=4096))])"
    )
    run = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert run.stdout.strip() == str([True] * 6)
