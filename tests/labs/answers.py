"""What the tests of labs 02 and 04 share: their tasks, predictions, and reading a notebook."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

BANK = Path(__file__).resolve().parents[2] / "exam_bank"


@dataclass(frozen=True, slots=True)
class Answers:
    """A lab: its notebook, cell -> task, cell -> kernel file, and the predictions that come true."""

    number: str
    name: str
    tasks: dict[str, str]
    kernels: dict[str, str]
    checks: dict[str, str]
    predictions: dict[str, str | list[str]]
    here: int

    def text(self, file: str) -> str:
        """The source of a kernel of the lab."""
        return (BANK / "kernels" / self.number / file).read_text(encoding="utf-8")

    def task_kernel(self, cell: str) -> str:
        """Only what belongs into the answer cell: helpers stand in other cells."""
        whole = self.text(f"{self.kernels[cell]}.py").partition("asc\n")[2].strip()
        given = self.text(f"{self.kernels[cell]}.start.py").partition("asc\n")[2]
        constants = given.partition("@asc.jit")[0].strip()
        kernel = "@asc.jit\n" + whole[whole.rindex(f"def {self.kernels[cell]}(") :]
        return f"{constants}\n\n\n{kernel}".strip()


LAB_02 = Answers(
    number="02",
    name="02_many_cores.ipynb",
    tasks={"hello": "02/hello", "fill": "02/fill", "uneven": "02/uneven"},
    kernels={"hello": "hello", "fill": "fill_blocks", "uneven": "stamp"},
    checks={"hello": "hello-check", "fill": "fill-check", "uneven": "uneven-check"},
    predictions={"same": "B", "waves": "C", "cuda": ["E13", "E3", "E8"], "scalar": "C"},
    here=66,
)
LAB_04 = Answers(
    number="04",
    name="04_moving_data.ipynb",
    tasks={"bytes": "04/bytes", "copy-any": "04/copy", "join": "04/join"},
    kernels={"bytes": "count_bytes", "copy-any": "copy_any", "join": "join"},
    checks={"bytes": "bytes-check", "copy-any": "copy-check", "join": "join-check"},
    predictions={"aligned": "A", "slot": "C", "gap": "B", "cost": "C"},
    here=67,
)
LABS = (LAB_02, LAB_04)


def cell(notebook: Any, id: str) -> Any:
    """The cell ``id``."""
    return next(cell for cell in notebook.cells if cell.id == id)


def shown(notebook: Any, id: str) -> str:
    """What the outputs of a cell say, as text."""
    texts = [
        output.text if output.output_type == "stream" else output.data["text/plain"]
        for output in cell(notebook, id).outputs
    ]
    return "\n".join(texts)


def changed(source: str, *edits: tuple[str, str]) -> str:
    """``source`` after edits, each of which must find its place exactly once."""
    for old, new in edits:
        assert source.count(old) == 1, old
        source = source.replace(old, new)
    return source
