"""The command ``grader faults``."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from enum import IntEnum
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from ascend_lab.ascendc import NoCompiler
from ascend_lab.exercise import TaskError, open_bank
from grader.faults.classes import CLASSES
from grader.faults.injecting import read
from grader.faults.matrices import Matrix, matrix
from grader.faults.references import NoReference, Reference, chosen, references
from grader.faults.reports import listing, numbered, page, summary, table, write_json, write_mutants
from grader.faults.words import word

Lang = Literal["zh", "en"]


class Exit(IntEnum):
    """Exit codes of ``grader faults``."""

    CAUGHT = 0
    USAGE = 2
    ESCAPED = 4


class Usage(Exception):
    """The command cannot be carried out as it was given; ``str()`` says why."""


def faults(
    kernel: str | None = None,
    /,
    *,
    classes: Annotated[
        list[str] | None, Parameter(name=("--class", "-c"), consume_multiple=True)
    ] = None,
    seed: str = "0",
    matrix: bool = False,
    every: bool = False,
    json: Path | None = None,
    html: Path | None = None,
    out: Path | None = None,
    lang: Lang = "en",
    bank: Annotated[Path | None, Parameter(name="--bank")] = None,
) -> int:
    """Put realistic faults into right kernels, and check that each is there and is found.

    KERNEL is a .py, .asc or .cpp file with a task description beside it, a task ("03/seed-add"), a lab ("03"; what it
    has in Ascend C: "exam.asc") or a reference kernel ("reference/add_queues", "add_queues.asc"); "ascendc" means all reference kernels in
    Ascend C, which need a C++ compiler; --matrix and nothing else means all Python ones.

    Exit codes: 0 every living fault was caught under its own id, 2 wrong usage, 4 one escaped.

    Parameters
    ----------
    kernel
        Where faults are put in.
    classes
        Only these classes, by id (D2).
    seed
        Decides where each fault goes.
    matrix
        Show classes against kernels.
    every
        Try every place for each class, not only the first that is alive.
    json
        File for the results.
    html
        File for a page with every fault, its story and its hints.
    out
        Folder for the faulty kernels.
    lang
        Language of the console, and the one that the page opens in.
    bank
        Another exam bank.
    """
    try:
        kernels = _kernels(kernel, matrix, bank, lang)
        found = _run(kernels, _classes(classes, lang), seed, every, lang)
        _show(found, matrix or len(kernels) > 1, lang)
        _write(found, json, html, out, lang)
    except (Usage, TaskError, NoCompiler) as error:
        text = str(error) if isinstance(error, Usage) else error.message(lang)
        Console(stderr=True).print(text, markup=False, highlight=False)
        return Exit.USAGE
    return Exit.CAUGHT if found.is_good else Exit.ESCAPED


def _kernels(
    name: str | None, matrix: bool, folder: Path | None, lang: Lang
) -> tuple[Reference, ...]:
    if name is None and not matrix:
        raise Usage(word("what", lang))
    bank = open_bank(folder)
    try:
        kernels = references(bank) if name is None else chosen(name, bank)
    except NoReference as error:
        raise Usage(word("no_reference", lang, name=error.args[0])) from None
    for each in kernels:
        try:
            read(each.source)
        except SyntaxError as error:
            raise Usage(word("syntax", lang, name=each.file, detail=error.msg)) from None
    return kernels


def _classes(asked: Sequence[str] | None, lang: Lang) -> list[str] | None:
    if asked is None:
        return None
    wanted = [id.strip().upper() for text in asked for id in text.split(",") if id.strip()]
    for id in wanted:
        if id not in CLASSES:
            raise Usage(word("no_class", lang, name=id, known=", ".join(CLASSES)))
    return wanted


def _run(
    kernels: Sequence[Reference],
    classes: Sequence[str] | None,
    seed: str,
    every: bool,
    lang: Lang,
) -> Matrix:
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        bar = progress.add_task(word("working", lang), total=None)

        def tick(done: int, total: int) -> None:
            progress.update(bar, completed=done, total=total)

        return matrix(kernels, classes, seed, every=every, tick=tick)


def _show(found: Matrix, as_matrix: bool, lang: Lang) -> None:
    console = Console(width=None if sys.stdout.isatty() else 200)
    console.print(table(found, lang) if as_matrix else listing(found, lang))
    for line in (*(numbered(found, lang) if as_matrix else ()), *summary(found, lang)):
        console.print(line, markup=False, highlight=False)


def _write(
    found: Matrix, json: Path | None, html: Path | None, out: Path | None, lang: Lang
) -> None:
    try:
        if json is not None:
            write_json(found, json)
        if html is not None:
            html.parent.mkdir(parents=True, exist_ok=True)
            html.write_text(page(found, lang), encoding="utf-8")
        if out is not None:
            write_mutants(found, out)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise Usage(word("in_the_way", lang, path=error.filename or "", reason=reason)) from None
    for path in (json, html, out):
        if path is not None:
            text = word("written", lang, path=path)
            Console().print(text, markup=False, highlight=False)
