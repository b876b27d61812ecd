"""Build the notebooks: ``labs/src/NN_topic.py`` -> ``labs/en/NN_topic.ipynb`` and ``labs/zh/NN_topic.ipynb``.

One source holds both languages. A cell is marked in jupytext's percent format::

    # %% [markdown] key="targets" lang="zh"
    # %% [markdown] key="targets" lang="en"
    # %% key="answer-seed-add" answer="03/seed-add"
    # %% key="cpp-seed" ascendc="03_seed_add.asc"

Text cells come in pairs with one key, code cells are the same in both editions. The key becomes the
cell's id. A cell with ``ascendc`` is the file of that name in ``src/ascendc/``, whose first line is the magic
behind ``//``. ``{{ numbered FILE }}`` in a text stands for that file with line numbers, and a picture from
``pictures/`` is put into the cell. Building runs the notebook and keeps its outputs, so that ``pytest --nbval labs/`` can
compare them; nothing that differs between two runs may be shown.

    python labs/build.py              build all labs
    python labs/build.py 03           build one
    python labs/build.py --check      only say whether the notebooks are what the sources give
"""

from __future__ import annotations

import argparse
import base64
import os
import re
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jupytext
import nbformat
from nbformat import NotebookNode

LABS = Path(__file__).resolve().parent
LANGS = ("zh", "en")
RUN_TIMEOUT_S = 180
_KERNEL = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
_KEY = re.compile(r"[a-z0-9][a-z0-9-]{0,62}")
_NUMBERED = re.compile(r"^\{\{ numbered (?P<file>[\w./-]+) \}\}$", re.MULTILINE)
_PICTURE = re.compile(r"!\[(?P<text>[^\]]*)\]\((?P<file>pictures/[\w.-]+\.png)\)")
_MAGIC = "// %%ascendc"
_EXTRA = ("answer", "tags")
_DECIDES_LANGUAGE = ("ASCEND_LAB_LANG", "JPY_SESSION_NAME")


class SourceError(Exception):
    """The source of a lab breaks a rule; the message names the file and the key."""


@dataclass(frozen=True, slots=True)
class Lab:
    """One lab: its number, the name of its files, and its source."""

    number: str
    name: str
    source: Path

    def notebook(self, lang: str) -> Path:
        """Where the edition in ``lang`` stands."""
        return LABS / lang / f"{self.name}.ipynb"


def labs(only: Sequence[str] = ()) -> list[Lab]:
    """The labs that have a source, in order. Raises SourceError for a number that has none."""
    found = [
        Lab(path.stem.split("_", 1)[0], path.stem, path)
        for path in sorted((LABS / "src").glob("[0-9][0-9]_*.py"))
    ]
    missing = sorted(set(only) - {lab.number for lab in found})
    if missing:
        raise SourceError(f"no source for lab {', '.join(missing)} in labs/src")
    return [lab for lab in found if not only or lab.number in only]


def editions(lab: Lab) -> dict[str, NotebookNode]:
    """The notebooks of a lab as its source gives them, without outputs."""
    _, mark, text = lab.source.read_text(encoding="utf-8").partition("\n# %%")
    text = (
        mark.strip("\n") + text
    )  # what stands above the first cell is for the reader of the source
    cells = list(_cells(lab, jupytext.reads(text, fmt="py:percent").cells))
    _require_pairs(lab, cells)
    return {lang: _edition(lab, lang, cells) for lang in LANGS}


def _cells(lab: Lab, cells: Sequence[NotebookNode]) -> Iterator[NotebookNode]:
    for number, cell in enumerate(cells, 1):
        key = cell.metadata.get("key")
        if not isinstance(key, str) or not _KEY.fullmatch(key):
            raise SourceError(f'{lab.source.name}: cell {number} needs key="...", got {key!r}')
        if cell.cell_type == "markdown" and cell.metadata.get("lang") not in LANGS:
            raise SourceError(f'{lab.source.name}: text "{key}" needs lang="zh" or lang="en"')
        yield cell


def _require_pairs(lab: Lab, cells: Sequence[NotebookNode]) -> None:
    seen: dict[str, list[str]] = {}
    for cell in cells:
        seen.setdefault(cell.metadata["key"], []).append(cell.metadata.get("lang", "code"))
    for key, kinds in seen.items():
        if kinds != ["code"] and sorted(kinds) != sorted(LANGS):
            missing = ", ".join(lang for lang in LANGS if lang not in kinds)
            what = f"lacks {missing}" if missing else f"occurs as {', '.join(kinds)}"
            raise SourceError(f'{lab.source.name}: "{key}" {what}')
    for lang in LANGS:
        order = [c.metadata["key"] for c in cells if c.metadata.get("lang", lang) == lang]
        if order != list(seen):
            raise SourceError(f"{lab.source.name}: the {lang} texts stand in another order")


def _edition(lab: Lab, lang: str, cells: Sequence[NotebookNode]) -> NotebookNode:
    source = lab.source.relative_to(LABS.parent).as_posix()
    notebook = nbformat.v4.new_notebook()
    notebook.metadata = nbformat.from_dict(
        {
            "ascend_lab": {
                "generated": f"from {source} by labs/build.py; edit the source, not this file",
                "lab": lab.number,
                "lang": lang,
                "source": source,
            },
            "kernelspec": _KERNEL,
            "language_info": {"name": "python"},
        }
    )
    notebook.cells = [_cell(lab, c) for c in cells if c.metadata.get("lang", lang) == lang]
    notebook.cells[0].source = f"<!-- Generated from {source} by labs/build.py. -->\n" + (
        notebook.cells[0].source
    )
    nbformat.validate(notebook)
    return notebook


def _cell(lab: Lab, cell: NotebookNode) -> NotebookNode:
    new = nbformat.v4.new_code_cell if cell.cell_type == "code" else nbformat.v4.new_markdown_cell
    made = new(_source(lab, cell), id=cell.metadata["key"])
    extra = {name: cell.metadata[name] for name in _EXTRA if name in cell.metadata}
    if "answer" in extra:
        made.metadata["ascend_lab"] = {"answer": extra.pop("answer")}
    made.metadata.update(extra)
    if cell.cell_type == "markdown":
        made.source = _NUMBERED.sub(lambda found: _listing(lab, found["file"]), made.source)
        _attach_pictures(lab, made)
    return made


def _source(lab: Lab, cell: NotebookNode) -> str:
    """The text of a cell: its own, or a C++ file's."""
    name = cell.metadata.get("ascendc")
    if name is None:
        return str(cell.source)
    path = lab.source.parent / "ascendc" / name
    if not path.is_file() or cell.source.strip():
        raise SourceError(f"{lab.source.name}: no file {path.name}, or text beside it")
    text = path.read_text(encoding="utf-8").rstrip("\n")
    if not text.startswith(_MAGIC):
        raise SourceError(f"{path.name} begins with {_MAGIC}")
    return text.removeprefix("// ")


def _listing(lab: Lab, file: str) -> str:
    """A file of the repository as a code block with line numbers."""
    path = LABS.parent / file
    if not path.is_file():
        raise SourceError(f"{lab.source.name}: no file {file}")
    lines = path.read_text(encoding="utf-8").splitlines()
    numbered = [f"{number:3}  {line}".rstrip() for number, line in enumerate(lines, 1)]
    return "\n".join(["```python", *numbered, "```"])


def _attach_pictures(lab: Lab, cell: NotebookNode) -> None:
    """Put the pictures of a text into its cell: a notebook that is moved keeps them.

    JupyterLab shows attachments that are PNG, not SVG.
    """

    def attach(match: re.Match[str]) -> str:
        path = lab.source.parent / match["file"]
        if not path.is_file():
            raise SourceError(f"{lab.source.name}: no picture {match['file']}")
        data = base64.b64encode(path.read_bytes()).decode("ascii")
        attachments[path.name] = {"image/png": data}
        return f"![{match['text']}](attachment:{path.name})"

    attachments: dict[str, dict[str, str]] = {}
    cell.source = _PICTURE.sub(attach, cell.source)
    if attachments:
        cell.attachments = attachments


def run(notebook: NotebookNode, folder: Path) -> NotebookNode:
    """Execute ``notebook`` in ``folder`` with a progress file of its own; returns it with outputs.

    Raises nbclient's CellExecutionError when a cell fails.
    """
    from nbclient import NotebookClient

    with tempfile.TemporaryDirectory() as kept:
        env = {name: value for name, value in os.environ.items() if name not in _DECIDES_LANGUAGE}
        env["ASCEND_LAB_PROGRESS"] = str(Path(kept) / "progress.json")
        client = NotebookClient(
            notebook,
            timeout=RUN_TIMEOUT_S,
            kernel_name=_KERNEL["name"],
            resources={"metadata": {"path": str(folder)}},
            record_timing=False,
        )
        executed: NotebookNode = client.execute(env=env)
    executed.metadata["language_info"] = {"name": "python"}
    for cell in executed.cells:
        if cell.cell_type == "code":
            cell.outputs = _joined(cell.outputs)
    return executed


def _joined(outputs: Sequence[NotebookNode]) -> list[NotebookNode]:
    """Outputs with printed text in one piece: where a kernel flushes depends on the clock."""
    joined: list[NotebookNode] = []
    for output in outputs:
        last = joined[-1] if joined else {}
        if output.output_type == "stream" and last.get("name") == output.name:
            joined[-1].text += output.text
        else:
            joined.append(output)
    return joined


def sources(notebook: NotebookNode) -> dict[str, Any]:
    """What of a notebook comes from the source: everything but outputs and execution counts."""
    kept = ("cell_type", "id", "source", "metadata", "attachments")
    return {
        "metadata": notebook.metadata,
        "cells": [{name: c[name] for name in kept if name in c} for c in notebook.cells],
    }


def is_current(lab: Lab) -> bool:
    """Whether both notebooks of ``lab`` are what its source gives (outputs are left to nbval)."""
    for lang, wanted in editions(lab).items():
        path = lab.notebook(lang)
        if not path.is_file():
            return False
        if sources(nbformat.read(path, as_version=4)) != sources(wanted):
            return False
    return True


def build(lab: Lab) -> None:
    """Write and run both notebooks of ``lab``."""
    for lang, notebook in editions(lab).items():
        path = lab.notebook(lang)
        path.parent.mkdir(parents=True, exist_ok=True)
        text = nbformat.writes(run(notebook, path.parent), version=4)
        path.write_text(text.rstrip("\n") + "\n", encoding="utf-8", newline="\n")
        print(f"{path.relative_to(LABS.parent).as_posix()}: {len(notebook.cells)} cells")


def main(arguments: Sequence[str] | None = None) -> int:
    """Command line; exit code 1 when ``--check`` finds a notebook that is not current."""
    parser = argparse.ArgumentParser(description="Build the lab notebooks from labs/src.")
    parser.add_argument("lab", nargs="*", help="numbers of labs, as 03; all when none is given")
    parser.add_argument("--check", action="store_true", help="write nothing, only compare")
    options = parser.parse_args(arguments)
    try:
        chosen = labs(options.lab)
        stale = [lab.name for lab in chosen if options.check and not is_current(lab)]
        if not options.check:
            for lab in chosen:
                build(lab)
    except SourceError as error:
        print(error, file=sys.stderr)
        return 2
    for name in stale:
        print(f"{name}: the notebooks are not what the source gives; run labs/build.py")
    return 1 if stale else 0


if __name__ == "__main__":
    raise SystemExit(main())
