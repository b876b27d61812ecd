"""Draw the fault hunts of a lab: right kernels with a fault put in by the injector.

``labs/src/NN_hunts.toml`` says which kernels and classes each hunt is drawn from. Every drawn kernel has been run:
its fault is alive and the model names it. Another seed gives other hunts of the same kind::

    python labs/hunts.py 04 --seed spring    draw, and write kernels, answers and the cells of the source
    python labs/build.py 04                  then build the notebooks again

Written are ``exam_bank/kernels/NN/hunts/hunt_K.py``, ``exam_bank/hunts/NN.toml`` and the cells ``hunt-K`` of
``labs/src/NN_*.py``. With ``arena = true`` there are no cells; instead each kernel gets its task, what its user
reports, and its hints in a file beside it. A hunt may have an ``id``, and kernels in Ascend C ("reference/add_queues.asc").
"""

from __future__ import annotations

import argparse
import re
import sys
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from random import Random

from ascend_lab.exercise import Both
from grader import faults
from grader.faults.wording import Wording

LABS = Path(__file__).resolve().parent
BANK = LABS.parent / "exam_bank"
_IMPORT = "import ascend_lab.asc as asc\n"
_HEADER = """\
# Fault hunts of lab {lab}: what is wrong where. Practice; the grader does not read this file.
# Drawn by `python labs/hunts.py {lab} --seed {seed}` from labs/src/{lab}_hunts.toml: edit that, not this.
"""
_HUNT = """
[[hunts]]
id = "{id}"
kernel = "{kernel}"
title.zh = {title_zh}
title.en = {title_en}

[[hunts.faults]]
id = "{fault}"
lines = {lines}
zh = {zh}
en = {en}
"""


class NoHunt(Exception):
    """Nothing can be drawn; ``str()`` says for which hunt."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """One hunt. ``source`` is the text of its cell; ``lines`` are counted in it."""

    id: str
    name: str
    source: str
    fault: str
    lines: tuple[int, ...]
    kernel: str
    title: Both
    story: Both
    why: Both
    hints: tuple[Both, ...] = ()

    @property
    def file(self) -> str:
        """Name of the file that holds the kernel."""
        return self.name + (Path(self.kernel).suffix or ".py")


def draw(lab: str, seed: str) -> list[Drawn]:
    """The hunts of ``lab`` that ``seed`` decides: no class twice, and no kernel if that can be avoided.

    Raises NoHunt when no kernel of a hunt has a place where a fault is found under its own name.
    """
    spec = tomllib.loads((LABS / "src" / f"{lab}_hunts.toml").read_text(encoding="utf-8"))
    drawn: list[Drawn] = []
    with faults.Verifier() as verifier:
        for number, hunt in enumerate(spec["hunts"], 1):
            random = Random(f"{seed}/{lab}/{number}")
            pairs = list(product(hunt["kernels"], hunt["classes"]))
            random.shuffle(pairs)
            seen = {each.kernel for each in drawn}
            used = {each.fault for each in drawn}
            tries = [pair for pair in pairs if pair[1] not in used]
            tries.sort(key=lambda pair: pair[0] in seen)
            id = hunt.get("id", f"hunt-{number}")
            found = next(_caught(verifier, tries, f"{lab}/{id}", seed), None)
            if found is None:
                raise NoHunt(f"{lab}: nothing can be drawn for {id}")
            drawn.append(found)
    return drawn


def _caught(
    verifier: faults.Verifier, tries: Sequence[tuple[str, str]], id: str, seed: str
) -> Iterator[Drawn]:
    """Mutants whose fault does harm and is named, the first drawn first."""
    for name, class_id in tries:
        reference = _reference(name)
        for mutant in faults.mutants(reference.source, class_id, f"{seed}/{id}"):
            verified = verifier.verify(mutant, reference)
            caught = verified.status is faults.Status.CAUGHT and verified.leading == class_id
            if caught and verified.severity == "error":  # a note: the values are right all the same
                yield _drawn(id, name, reference, mutant, verified.line)


def _reference(name: str) -> faults.Reference:
    path = BANK / "kernels" / f"{name}.py"
    return faults.chosen(str(path))[0] if path.is_file() else faults.reference(name)


def _drawn(
    id: str, kernel: str, reference: faults.Reference, mutant: faults.Mutant, found: int
) -> Drawn:
    name = id.partition("/")[2].replace("-", "_")
    before, _, text = mutant.source.partition(_IMPORT)
    source = before + text.lstrip("\n")
    gone = mutant.source.count("\n") - source.count("\n")
    words = faults.CLASSES[mutant.class_id].words
    title = reference.task.title
    return Drawn(
        id=id,
        name=name,
        source=re.sub(rf"\b{reference.task.kernel}\b", name, source),
        fault=mutant.class_id,
        lines=tuple(sorted({line - gone for line in (*mutant.lines, found)})),
        kernel=kernel,
        title=Both(f"{name}：{title.zh}", f"{name}: {title.en}"),
        story=words.story,
        hints=words.hints,
        why=Both(_why(words, "zh"), _why(words, "en")),
    )


def _why(words: Wording, lang: str) -> str:
    """What is told to who has found it: the name of the fault, and the last two hints."""
    stop, blank = ("。", "") if lang == "zh" else (".", " ")
    parts = [words.title.text(lang) + stop, *(hint.text(lang) for hint in words.hints[1:])]
    return blank.join(parts)


# --- writing -----------------------------------------------------------------------------------------


def answers(lab: str, seed: str, drawn: Sequence[Drawn]) -> str:
    """The text of ``exam_bank/hunts/NN.toml``."""
    hunts = (
        _HUNT.format(
            id=each.id,
            kernel=f"kernels/{lab}/hunts/{each.file}",
            title_zh=_toml(each.title.zh),
            title_en=_toml(each.title.en),
            fault=each.fault,
            lines=list(each.lines),
            zh=_toml(each.why.zh),
            en=_toml(each.why.en),
        )
        for each in drawn
    )
    return _HEADER.format(lab=lab, seed=seed) + "".join(hunts)


def _toml(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def described(lab: str, drawn: Drawn) -> str:
    """The task of a right kernel for the one with the fault, with what its user reports and hints."""
    stem = Path(drawn.kernel).with_suffix("").as_posix()
    text = (BANK / "kernels" / f"{stem}.toml").read_text(encoding="utf-8")
    text = text.partition("\n")[2] if text.startswith("#") else text
    place = f"kernels/{lab}/hunts/{drawn.file}"
    for key, value in (("id", drawn.id), ("kernel", drawn.name), ("reference", place)):
        text = re.sub(rf'^{key} = ".*"$', f'{key} = "{value}"', text, count=1, flags=re.MULTILINE)
    parts = [
        f"# Drawn by `python labs/hunts.py {lab}` from {drawn.kernel}: edit labs/src/{lab}_hunts.toml, not this.",
        text.rstrip(),
        f"\n[text]\nzh = {_toml(drawn.story.zh)}\nen = {_toml(drawn.story.en)}",
    ]
    for level, hint in enumerate(drawn.hints, 1):
        words = f"zh = {_toml(hint.zh)}\nen = {_toml(hint.en)}"
        parts.append(f"\n[[hints]]\nlevel = {level}\n{words}")
    return "\n".join(parts) + "\n"


def with_cells(source: str, drawn: Sequence[Drawn]) -> str:
    """The source of a lab with the drawn kernels in its cells ``hunt-K``, and their symptoms in its texts.

    A symptom stands in a line ``# - **hunt_K**: ...`` of each language.
    """
    for each in drawn:
        key = each.id.partition("/")[2]
        cell = re.compile(rf'(?<=# %% key="{key}"\n).*?(?=\n# %% )', re.DOTALL)
        source = _once(cell, f"{each.source.strip()}\n\n", source)
        for colon, title, story in (
            ("：", each.title.zh, each.story.zh),
            (": ", each.title.en, each.story.en),
        ):
            what = title.partition(colon)[2]
            stop = "。" if colon == "：" else ". "
            line = re.compile(rf"^# - \*\*{each.name}\*\*{colon}.*$", re.MULTILINE)
            source = _once(line, f"# - **{each.name}**{colon}{what}{stop}{story}", source)
    return source


def _once(pattern: re.Pattern[str], text: str, source: str) -> str:
    source, count = pattern.subn(lambda _: text, source)
    if count != 1:
        raise NoHunt(f"the source has {count} places for {pattern.pattern}")
    return source


def write(lab: str, seed: str) -> list[Drawn]:
    """Draw, and write the kernels, the answers and the cells. Raises NoHunt."""
    drawn = draw(lab, seed)
    folder = BANK / "kernels" / lab / "hunts"
    folder.mkdir(parents=True, exist_ok=True)
    for each in drawn:
        (folder / each.file).write_text(each.source, encoding="utf-8")
    (BANK / "hunts" / f"{lab}.toml").write_text(answers(lab, seed, drawn), encoding="utf-8")
    if tomllib.loads((LABS / "src" / f"{lab}_hunts.toml").read_text("utf-8")).get("arena"):
        for each in drawn:
            (folder / f"{each.name}.toml").write_text(described(lab, each), encoding="utf-8")
        return drawn
    for path in (LABS / "src").glob(f"{lab}_*.py"):
        text = path.read_text(encoding="utf-8")
        path.write_text(with_cells(text, drawn), encoding="utf-8")
    return drawn


def main(arguments: Sequence[str] | None = None) -> int:
    """Command line; exit code 1 when nothing can be drawn."""
    parser = argparse.ArgumentParser(description="Draw the fault hunts of a lab with the injector.")
    parser.add_argument("lab", help="number of the lab, as 04")
    parser.add_argument("--seed", default="0", help="decides kernels, classes and places")
    options = parser.parse_args(arguments)
    try:
        drawn = write(options.lab, options.seed)
    except NoHunt as error:
        print(error, file=sys.stderr)
        return 1
    for each in drawn:
        print(f"{each.id}: {each.fault}, line {', '.join(map(str, each.lines))}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
