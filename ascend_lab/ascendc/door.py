"""A C++ kernel as the engine sees it: each block a fiber in the student's process."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from typing import Any

from ascend_lab.ascendc import ends, names
from ascend_lab.ascendc.process import Process, ProcessDied
from ascend_lab.ascendc.records import Bound, Decoder, Garbled
from ascend_lab.engine.errors import NotModelled
from ascend_lab.engine.instruction import Argument, Batch, Crash, Where

_STATES = {"m": "more", "a": "ask", "d": "done", "c": "crash"}
_KERNEL, _END = "<kernel>", "<end>"  # places that the runtime does not know


class CppDoor:
    """A launch of one kernel in ``process``: satisfies `ascend_lab.engine.instruction.Door`.

    ``place`` and ``end`` are the first and the last line of the kernel, where its source is known.
    """

    def __init__(
        self,
        process: Process,
        launch: int,
        arguments: Sequence[Argument],
        place: Where,
        end: Where,
        bound: Bound | None = None,
    ) -> None:
        self.sources: list[Where] = []
        self.process = process
        self._launch = launch
        self._place = place
        self._end = end
        self._ended: set[int] = set()
        self._starts = sorted((a.addr, a.name) for a in arguments)
        self._decoder = Decoder(process.tables, names.named, self._argument, bound)
        self._note_places()

    def _argument(self, address: int) -> str:
        """The argument that lies at or before ``address``."""
        position = bisect_right(self._starts, (address, "\U0010ffff")) - 1
        return self._starts[position][1] if position >= 0 else ""

    def _note_places(self) -> None:
        known = self.process.tables.sources
        for where in known[len(self.sources) :]:
            if where.file == _KERNEL:
                where = self._place
            elif where.file == _END:
                where = self._end
            self.sources.append(where)

    def resume(self, block: int, answer: Any = None) -> Batch:
        """Run block ``block`` until it stops. The first call starts it."""
        if block in self._ended:
            return Batch([], "done")
        try:
            ran = self.process.resume(self._launch, block, answer)
        except ProcessDied:
            self._ended.add(block)
            return Batch([], "crash", _death(self.process))
        self._note_places()
        if ran.state in "dc":
            self._ended.add(block)
        try:
            instrs = self._decoder.decode(ran.records)
        except NotModelled as error:
            about = (error.api, error.argument)
            return Batch([], "crash", Crash("NotModelled", str(error), 0, about))
        except Garbled as error:
            zh, en = ends.garbled(error.op)
            return Batch([], "crash", Crash("Ended", en, error.site, (zh, en)))
        crash = _crash(ran.crash, ran.crash_site) if ran.crash else None
        return Batch(instrs, _STATES[ran.state], crash)

    def close(self) -> None:
        """Drop all blocks that have not finished."""
        try:
            self.process.drop(self._launch)
        except ProcessDied:
            return


def _crash(texts: tuple[str, ...], site: int) -> Crash:
    kind, message, first, second = texts
    if kind in ("LabError", "NotModelled"):
        return Crash(kind, message, site, (first, second))
    zh, en = ends.of_a_kernel(kind, message)
    return Crash("Ended", en, site, (zh, en))


def _death(process: Process) -> Crash:
    said = process.last_said
    kind = said.texts[0] if said is not None and said.kind == "X" else "ended"
    zh, en = ends.of_a_kernel(kind, f"address {said.number:#x}" if said is not None else "")
    return Crash("Ended", en, 0, (zh, en))


def parameters_of(text: str) -> tuple[tuple[str, str, int], ...]:
    """(name, kind, bytes) of each parameter, of a registration's ``names|kind:bytes;...``.

    A template has no kinds: they are "".
    """
    listed, _, kinds = text.partition("|")
    given = listed.split(",") if listed else []
    parts = [part for part in kinds.split(";") if part] or ["::0"] * len(given)
    found = []
    for position, part in enumerate(parts):
        kind, _, size = part.rpartition(":")
        name = given[position] if position < len(given) and given[position] else f"arg{position}"
        found.append((name, kind.strip(":") if not kind.startswith("p") else kind, int(size)))
    return tuple(found)


def core_type(qualifiers: str) -> str:
    """ "vector", "cube" or "mix" of a kernel's qualifiers."""
    mix = re.search(r"__mix__\s*\(\s*(\d+)\s*,\s*(\d+)\s*\)", qualifiers)
    if mix is not None:
        return "vector" if mix[1] == "0" else "mix"
    return "cube" if "__cube__" in qualifiers else "vector"
