"""Writes a paper for a student, and the truth for whoever marks it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

from ascend_lab.exercise import Task
from grader.troubleshooting.answers import ANSWER
from grader.troubleshooting.drawing import Drawn
from grader.troubleshooting.words import word


def write_paper(drawn: Drawn, folder: Path, lang: str) -> None:
    """The student's folder: ``paper.md``, the broken kernel, the same to be repaired, ``answer.toml``.

    Nothing in it tells the class, the place or the seed. What is there is overwritten.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in (
        ("paper.md", paper(drawn, lang)),
        (drawn.reference.file, drawn.source),
        (drawn.repaired, drawn.source),
        (ANSWER, form(drawn, lang)),
    ):
        (folder / name).write_text(text, encoding="utf-8")


def paper(drawn: Drawn, lang: str) -> str:
    """What the student reads, in Markdown."""
    template, task = drawn.template, drawn.reference.task
    count = len(drawn.truths)
    outcome = word(f"outcome_{template.outcome}", lang)
    sections = [
        f"# {template.title.text(lang)}",
        word("paper_intro", lang, kernel=drawn.reference.file, n=count),
        f"## {word('should', lang)}",
        *_task(task, lang),
        *_types(drawn.source, lang),
        f"## {word('report', lang)}",
        template.story.text(lang),
        word("seen", lang, outcome=outcome),
        f"## {word('reasons', lang)}",
        "\n".join(f"- {letter}: {text.text(lang)}" for letter, text in drawn.reasons),
        f"## {word('hand_in', lang)}",
        word(
            "hand_in_text",
            lang,
            answer=ANSWER,
            kernel=drawn.reference.file,
            repaired=drawn.repaired,
        ),
    ]
    return "\n\n".join(sections) + "\n"


def _task(task: Task, lang: str) -> list[str]:
    lines = [task.title.text(lang)]
    if task.text is not None:
        lines.append(task.text.text(lang))
    kinds = []
    for p in task.parameters:
        shape = f"{p.dtype} [{', '.join(map(str, p.shape))}]" if p.shape else str(p.value or "")
        kinds.append(f"- `{p.name}` ({p.role}): {shape}")
    lines.append(f"{word('parameters', lang)}\n\n" + "\n".join(kinds))
    formulas = [f"- `{name} = {line}`" for name, line in task.formulas.items()]
    lines.append(f"{word('computes', lang)}\n\n" + "\n".join(formulas))
    lines.append(word("launched", lang, blocks=task.blocks, chip=task.chip))
    if not task.auto_sync:
        lines.append(word("auto_sync_off", lang))
    return lines


def _types(source: str, lang: str) -> Iterator[str]:
    """What an Ascend C source means by the names of types in it."""
    names = sorted(set(re.findall(r"\bDTYPE_\w+", source)))
    if names:
        yield word("types", lang, names=", ".join(f"`{name}`" for name in names))


def form(drawn: Drawn, lang: str) -> str:
    """The empty answer form, in TOML."""
    head = [
        f"# {word('form_head', lang, kernel=drawn.reference.file)}",
        f'paper = "{drawn.template.id}"',
        f'fingerprint = "{drawn.fingerprint}"',
    ]
    blank = '\n[[faults]]\nclass = ""\nline = 0\nwhy = ""\nnote = ""'
    return "\n".join((*head, *(blank for _ in drawn.truths))) + "\n"


def write_truth(drawn: Drawn, path: Path) -> None:
    """The truth as JSON: for each fault its ids, lines and reason; the broken and the right source."""
    reasons = dict(drawn.reasons)
    faults = [
        {
            "class": truth.names[0],
            "names": truth.names,
            "lines": truth.lines,
            "why": truth.why,
            "reason": {"zh": reasons[truth.why].zh, "en": reasons[truth.why].en},
        }
        for truth in drawn.truths
    ]
    told = {
        "paper": drawn.template.id,
        "fingerprint": drawn.fingerprint,
        "kernel": drawn.reference.name,
        "leading": drawn.leading,
        "faults": faults,
        "broken": drawn.source,
        "fixed": drawn.reference.source,
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(told, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
