"""A C++ kernel in a child, as a device sees it: whatever its program says is doubted first.

The program is the student's. It may send anything on the wire; what cannot be understood ends the launch and is the
program's fault, never the lab's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ascend_lab.ascendc import CompileError, CppKernel
from ascend_lab.ascendc.building import NoCompiler
from ascend_lab.ascendc.door import CppDoor
from ascend_lab.ascendc.process import ProcessDied
from ascend_lab.chips import ChipSpec
from ascend_lab.engine.errors import InternalError, LabError, NotModelled
from ascend_lab.engine.instruction import Argument, Batch, Crash, Instr, Where
from ascend_lab.exercise.admission import Gate, Refused
from ascend_lab.exercise.confined import ConfinedLink, ConfinedSite
from ascend_lab.exercise.faults import ChildFault
from ascend_lab.exercise.remote import Record
from ascend_lab.exercise.wire import Fields

_PLACE, _MESSAGE, _TEXTS = 200, 4000, 4
_KNOWN_INSTRUCTIONS = 100_000


@contextmanager
def doubted(site: ConfinedSite, file: str, types: str = "", disk: str = "") -> Iterator[None]:
    """Whatever goes wrong with a program in here is a ChildFault.

    ``types``: what it is compiled for; ``disk``: what the compiler knows ``file`` as.
    """
    try:
        yield
    except (ChildFault, NotModelled):
        raise
    except LabError as error:
        message = (error.message("zh"), error.message("en"))
        raise ChildFault("host", message=message) from None
    except CompileError as error:
        text = error.text.replace(disk, file) if disk else error.text
        text = text.rstrip()[:_MESSAGE]
        shown = f" ({types})" if types else ""
        raise ChildFault("compile", file, types=shown, detail=text) from None
    except NoCompiler:
        raise ChildFault("no_compiler") from None
    except ProcessDied:
        raise why(site) from None
    except InternalError as error:
        if "does not compile" in str(error):  # our own runtime
            raise
        raise ChildFault("protocol") from None
    except OSError as error:  # of our own files: the program has none here
        raise ChildFault("internal", message=f"{type(error).__name__}: {error}") from None
    except Exception:
        raise ChildFault("protocol") from None


def why(site: ConfinedSite) -> ChildFault:
    """Why the last program of ``site`` has gone."""
    return site.links[-1].fault() if site.links else ChildFault("protocol")


class Guarded:
    """One compiled kernel of an answer; each launch is a child of its own. See `Kernel`.

    ``tiling`` is the parameter that has the tiling data: reading it is no GetValue of the kernel's own.
    ``called``: the name of a file, and what people call it.
    """

    insert_sync = False
    auto_sync = True

    def __init__(
        self,
        inner: CppKernel,
        site: ConfinedSite,
        record: Record,
        tiling: str = "",
        called: tuple[str, str] = ("", ""),
    ) -> None:
        self.name = inner.name[:_PLACE]
        self.parameters = tuple(name[:_PLACE] for name in inner.parameters)
        self.file = Path(inner.file).name[:_PLACE]
        self.line = inner.line
        self._inner = inner
        self._site = site
        self._record = record
        self._tiling = tiling
        self._called = called

    def open(
        self, arguments: list[Any], blocks: int, chip: ChipSpec, batch_limit: int = 256
    ) -> GuardedDoor:
        """Start the kernel in a child."""
        values = [dict(one.values) if isinstance(one, Fields) else one for one in arguments]
        with doubted(self._site, self.file):
            door = self._inner.open(values, blocks, chip, batch_limit)
        free = self._read_freely(arguments)
        return GuardedDoor(door, self._site, self._record, free, self._called)

    def _read_freely(self, arguments: list[Any]) -> range:
        """Where in GM the tiling data lies."""
        for name, given in zip(self.parameters, arguments, strict=False):
            if name == self._tiling and isinstance(given, Argument):
                return range(given.addr, given.addr + given.size)  # bytes
        return range(0)


class GuardedDoor:
    """A launch: satisfies `ascend_lab.engine.instruction.Door`. Raises ChildFault."""

    def __init__(
        self,
        door: CppDoor,
        site: ConfinedSite,
        record: Record,
        tiling: range,
        called: tuple[str, str],
    ) -> None:
        self.sources: list[Where] = []
        self._tiling = tiling
        self._called = dict([called])
        self._door = door
        self._site = site
        self._link: ConfinedLink = site.links[-1]
        self._record = record
        self._ops: Counter[str] = Counter()
        record.layers = site.layers
        record.launches.append(self._ops)
        self._gate = Gate()
        self._known: dict[int, Instr] = {}
        self._closed = False

    def resume(self, block: int, answer: Any = None) -> Batch:
        """Run block ``block`` in the child until it stops."""
        with doubted(self._site, ""):
            batch = self._door.resume(block, answer)
            self._place()
        if self._link.is_gone and self._door.process.last_said is None:
            raise self._link.fault()
        for instr in batch.instrs:
            self._admit(instr)
        return Batch(batch.instrs, batch.state, self._crash(batch.crash))

    def _place(self) -> None:
        for file, line, function in self._door.sources[len(self.sources) :]:
            short = Path(file[-_MESSAGE:]).name[:_PLACE]
            short = self._called.get(short, short)
            self.sources.append(Where(short, max(line, 0), function[:_PLACE]))
        self._gate.sources = len(self.sources)

    def _admit(self, instr: Instr) -> None:
        if id(instr) not in self._known:
            row = (instr.op, instr.pipe, instr.dst, instr.srcs, instr.params, instr.where)
            try:
                self._gate.admit(row)  # type: ignore[arg-type]
            except Refused as refused:
                raise self._refusal(instr, refused) from None
            if len(self._known) < _KNOWN_INSTRUCTIONS:
                self._known[id(instr)] = instr  # kept alive, so that its id stays its own
        ops = self._ops
        if instr.op != "GetValue" or instr.srcs[0].addr not in self._tiling:
            ops[instr.op] += 1
        if instr.op == "InitBuffer":
            ops["TBuf" if instr.params["kind"] == "buf" else "TQue"] += 1

    def _refusal(self, instr: Instr, refused: Refused) -> ChildFault:
        known = 0 <= instr.where < len(self.sources)
        place = self.sources[instr.where] if known else Where("", 0)
        return ChildFault("instruction", place.file, place.line, detail=str(refused))

    def _crash(self, crash: Crash | None) -> Crash | None:
        if crash is None:
            return None
        if not 0 <= crash.where < len(self.sources):
            raise ChildFault("protocol")
        about = tuple(part[:_MESSAGE] for part in crash.about[:_TEXTS])
        return Crash(crash.kind[:_PLACE], crash.message[:_MESSAGE], crash.where, about)

    def close(self) -> None:
        """End the child and keep what it printed."""
        if not self._closed:
            self._closed = True
            self._link.close()
            self._record.printed.append(self._link.printed())


def signature(own: tuple[str, ...], names: tuple[str, ...], kernel: str) -> ChildFault | None:
    """The fault of a kernel with another number of parameters than the task calls it with."""
    if len(own) == len(names):
        return None
    return ChildFault(
        "signature",
        kernel=kernel,
        got=len(own),
        want=len(names),
        got_names=", ".join(name[:_PLACE] for name in own[:20]),
        want_names=", ".join(names),
    )
