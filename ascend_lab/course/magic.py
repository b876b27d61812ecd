"""``%%ascendc``: a cell in Ascend C, compiled and run on the model.

A cell with ``main()`` runs as a program. A cell without is kernels, which Python then calls by their names:
``add_custom[8](x, y, z)``. The C++ runs in a process of its own, so nothing it does ends the notebook.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import shlex
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from ascend_lab.acl.host_device import HostDevice
from ascend_lab.ascendc import Build, CompileError, CppKernel, NoCompiler, Outcome, build, run
from ascend_lab.ascendc.building import Options, cache
from ascend_lab.ascendc.kernel import kernels
from ascend_lab.ascendc.process import Limits, Process, ProcessDied
from ascend_lab.ascendc.telling import ending
from ascend_lab.chips import ChipError
from ascend_lab.course import cells, edition
from ascend_lab.course.card import Card, Line
from ascend_lab.course.edition import Lang
from ascend_lab.course.runs import run_card
from ascend_lab.course.words import listed, say
from ascend_lab.device import SCHEDULES, Result
from ascend_lab.engine.errors import LabError, NotModelled

NAME = "ascendc"
#: A program that a notebook waits for.
LIMITS = Limits(cpu_s=30, memory_mb=4096, silence_s=60.0)
_MOST_PRINTED = 32_768  # bytes of a program's output that a notebook shows
_MOST_CARDS = 4  # launches of a program that get a card


def register(shell: Any) -> None:
    """Give ``shell`` the magic. A second time changes nothing."""
    shell.register_magic_function(_Magic(shell), magic_kind="cell", magic_name=NAME)


class _Usage(Exception):
    """The line of the magic cannot be read."""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise _Usage(message)


def _parser() -> _Parser:
    parser = _Parser(prog=f"%%{NAME}", add_help=False, allow_abbrev=False)
    parser.add_argument("-n", "--name", default="")
    parser.add_argument("--call", default="")
    parser.add_argument("--chip", default="")
    parser.add_argument("--schedule", choices=SCHEDULES, default="realistic")
    parser.add_argument("--timeline", action="store_true")
    parser.add_argument("--metrics", action="store_true")
    parser.add_argument("--no-checks", action="store_true")
    parser.add_argument("-D", dest="defines", action="append", default=[])
    parser.add_argument("args", nargs="*")
    return parser


@dataclass(frozen=True, slots=True)
class _Cell:
    """One cell: its options, its file, and what people call it."""

    options: argparse.Namespace
    source: Path
    called: str
    lang: Lang

    def say(self, key: str, **values: object) -> str:
        return say(key, self.lang, **values)

    def renamed(self, text: str) -> str:
        """A compiler's text with the name of the cell."""
        return text.replace(self.source.name, self.called)


class _Magic:
    """The magic of one shell."""

    def __init__(self, shell: Any) -> None:
        self._shell = shell

    def __call__(self, line: str, cell: str) -> None:
        """Compile the cell and run it.

        %%ascendc [-n NAME] [--call EXPRESSION] [--chip CHIP] [--schedule adversarial] [--timeline]
                  [--metrics] [--no-checks] [-D NAME=VALUE] [arguments of the program]

        NAME is what Python calls the kernel of the cell, or the outcome of its program. EXPRESSION is Python
        and may use the kernels of the cell, as "add_custom[8](x, y, z)"; a Result that it gives is shown.
        """
        lang = edition.language(os.environ, namespace=cells.namespace())
        try:
            options = _parser().parse_args(shlex.split(line))
        except (_Usage, ValueError) as error:
            text = say("cpp_usage", lang, what=str(error))
            cells.show(Card(f"%%{NAME}", tone="note", lines=[Line(text, "note")]))
            return
        self._run(_written(line, cell, options, lang))

    def _run(self, cell: _Cell) -> None:
        folders = (Path.cwd(),)
        options = Options(tuple(cell.options.defines), folders)
        try:
            built = build([cell.source], options)
        except CompileError as error:
            cells.show(_broken(cell, error))
            return
        except NoCompiler as error:
            head, *lines = error.message(cell.lang).splitlines()
            cells.show(Card(cell.say("cpp_skipped"), "", "open", [Line(head), *map(Line, lines)]))
            return
        if built.warnings:
            cells.show(_warned(cell, built.warnings))
        try:
            if _has_main(built):
                self._program(cell, built)
            else:
                self._kernels(cell, kernels(cell.source, options, LIMITS))
        except (LabError, NotModelled, ChipError) as error:
            cells.show(Card(cell.called, "", "bad", [Line(error.message(cell.lang), "bad")]))

    # --- a program -----------------------------------------------------------------------------

    def _program(self, cell: _Cell, built: Build) -> None:
        chosen = cell.options
        chip = {"chip": chosen.chip} if chosen.chip else {}
        device = HostDevice(schedule=chosen.schedule, checks=not chosen.no_checks, **chip)
        with _heard() as (descriptor, printed):
            outcome = run(
                built,
                chosen.args,
                device=device,
                folder=Path.cwd(),
                limits=LIMITS,
                stdout=descriptor,
            )
        print(printed(cell.lang), end="")
        if chosen.name:
            self._shell.user_ns[chosen.name] = outcome
        for _, result in outcome.results[:_MOST_CARDS]:
            self._show(cell, result)
        cells.show(_ended(cell, outcome))

    # --- kernels -------------------------------------------------------------------------------

    def _kernels(self, cell: _Cell, found: dict[str, CppKernel]) -> None:
        name: str = cell.options.name
        if name and len(found) != 1:
            text = cell.say("cpp_one_kernel", name=name, known=listed(list(found), cell.lang))
            cells.show(Card(cell.called, tone="note", lines=[Line(text, "note")]))
            return
        bound = {name or own: kernel for own, kernel in found.items()}
        self._shell.user_ns.update(bound)
        if cell.options.call:
            self._call(cell)
            return
        lines = [Line(_usable(kernel, own), code=True) for own, kernel in bound.items()]
        cells.show(Card(cell.say("cpp_compiled"), "", "good", lines))

    def _call(self, cell: _Cell) -> None:
        given = eval(cell.options.call, self._shell.user_ns)  # the student's own line
        if isinstance(given, Result):
            self._show(cell, given)

    def _show(self, cell: _Cell, result: Result) -> None:
        from ascend_lab import view

        cells.show(run_card(result, cell.lang))
        if cell.options.metrics:
            cells.show(view.metrics_table(result, lang=cell.lang))
        if cell.options.timeline:
            cells.show(view.timeline(result, lang=cell.lang))


def _written(line: str, text: str, options: argparse.Namespace, lang: Lang) -> _Cell:
    """Put the cell into a file whose lines are those of the cell."""
    file = cells.running()
    shown = f"%%{NAME} {line}".rstrip() + "\n" + text
    source = f"// %%{NAME}\n{text}"
    folder = cache() / "cells" / hashlib.sha256(source.encode()).hexdigest()[:24]
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / (cells.cpp_name(file) if file else "cell.asc")
    path.write_text(source, "utf-8")
    if file:
        cells.as_written(file, shown)
    return _Cell(options, path, cells.names().get(path.name, path.name), lang)


def _has_main(built: Build) -> bool:
    """Whether the program has a ``main``: the first thing it says."""
    with Process(built.program, limits=LIMITS) as process:
        try:
            return bool(process.call().values[0])
        except ProcessDied:
            return True  # it died before main: running it tells how


def _usable(kernel: CppKernel, name: str) -> str:
    return f"{name}[blocks]({', '.join(kernel.parameters)})"


def _broken(cell: _Cell, error: CompileError) -> Card:
    lines = [Line(text, code=True) for text in cell.renamed(error.text).splitlines()]
    return Card(cell.say("cpp_broken"), cell.called, "bad", lines)


def _warned(cell: _Cell, warnings: str) -> Card:
    lines = [Line(text, code=True) for text in cell.renamed(warnings).splitlines()]
    return Card(cell.say("cpp_warned"), cell.called, "note", lines)


def _ended(cell: _Cell, outcome: Outcome) -> Card:
    """How a program ended, and the findings of its host code."""
    from ascend_lab import view

    found = [cells.renamed(finding) for finding in outcome.host]
    lines = list(_endings(cell, outcome))
    left = len(outcome.results) - _MOST_CARDS
    foot = [cell.say("cpp_more_launches", count=left)] if left > 0 else []
    views = []
    if found:
        cards = view.findings_html(found, cell.lang, sources=cells.texts())
        views.append((cards, "\n".join(finding.message(cell.lang) for finding in found)))
    ids = ", ".join(finding.id for finding in found)
    badge = ids or cell.say("clean" if outcome.ok else "cpp_failed")
    tone = "good" if outcome.ok else "bad"
    return Card(cell.say("cpp_program"), badge, tone, lines, views, foot)


def _endings(cell: _Cell, outcome: Outcome) -> Iterator[Line]:
    if outcome.error is not None:
        yield Line(cell.renamed(outcome.error.message(cell.lang)), "bad")
        return
    told = ending(outcome, cell.lang)
    if told:
        yield Line(cell.renamed(told), "bad")
    elif outcome.code >= 0:
        mark = "good" if outcome.code == 0 else "bad"
        yield Line(cell.say("cpp_exit", code=outcome.code), mark)


@contextmanager
def _heard() -> Iterator[tuple[int, Callable[[Lang], str]]]:
    """A descriptor for a program to print to, and what arrived there; only the start of it is kept."""
    reading, writing = os.pipe()
    kept = bytearray()
    dropped = [0]

    def listen() -> None:
        while chunk := os.read(reading, 1 << 16):
            room = max(_MOST_PRINTED - len(kept), 0)
            kept.extend(chunk[:room])
            dropped[0] += len(chunk[room:])

    def printed(lang: Lang) -> str:
        text = bytes(kept).decode("utf-8", "replace")
        if dropped[0]:
            text += f"\n{say('cpp_cut', lang, count=_MOST_PRINTED >> 10)}\n"
        return text if not text or text.endswith("\n") else text + "\n"

    listener = threading.Thread(target=listen, daemon=True)
    listener.start()
    try:
        yield writing, printed
    finally:
        os.close(writing)
        listener.join(timeout=5)
        os.close(reading)


__all__: Sequence[str] = ["register"]
