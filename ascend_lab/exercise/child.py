"""The child: executes the answer and runs its door; it has neither data nor device.

Everything here runs beside the student's code and can be tampered with by it. Nothing here is trusted:
the worst a tampered child can do is to send instructions, which the judge checks and runs.
"""

from __future__ import annotations

import ast
import difflib
import faulthandler
import inspect
import linecache
import os
import signal
import sys
import types
from collections.abc import Mapping, Sequence
from typing import Any

from ascend_lab import chips
from ascend_lab.asc.language.core.struct import Struct
from ascend_lab.asc.registering import register_asc
from ascend_lab.asc.runtime.jit import JITFunction
from ascend_lab.chips import ChipSpec
from ascend_lab.engine.errors import LabError, NotModelled
from ascend_lab.engine.instruction import Argument, Door
from ascend_lab.exercise import sandbox, slicing
from ascend_lab.exercise.wire import (
    Array,
    Cell,
    Execute,
    Failed,
    Fields,
    Job,
    Line,
    Loaded,
    NotLoaded,
    Open,
    Opened,
    Ready,
    Resume,
    ran,
)

MODULE = "answer"
_PRINTED = 64 << 10
_MESSAGE = 4000
#: How alike two names are when one may be the other misspelt; tasks of a lab are less alike.
_NEAR = 0.8


class Prints:
    """``sys.stdout`` of the answer: what is printed beyond the limit is dropped."""

    encoding = "utf-8"

    def __init__(self, fd: int, limit: int = _PRINTED) -> None:
        self._fd = fd
        self._left = limit

    def write(self, text: str) -> int:
        data = text.encode("utf-8", "replace")[: self._left]
        self._left -= len(data)
        while data:
            data = data[os.write(self._fd, data) :]
        return len(text)

    def flush(self) -> None: ...

    def isatty(self) -> bool:
        return False

    def fileno(self) -> int:
        return self._fd


def serve(line: Line, specs: Mapping[str, ChipSpec], prints: int) -> None:
    """Do one job: load the answer, then run at most one launch of it. Never raises."""
    try:
        job = line.receive()
        if isinstance(job, Job):
            _do(line, job, specs, prints)
        elif isinstance(job, Execute):
            _execute_program(line, job)
    except BrokenPipeError:
        return  # the judge has heard enough
    except Exception as error:
        line.send(Failed("InternalError", f"{type(error).__name__}: {_text(error)}"))


def _do(line: Line, job: Job, specs: Mapping[str, ChipSpec], prints: int) -> None:
    layers = sandbox.enter(sandbox.Bounds(job.folder, job.cpu_s, job.memory_mb))
    os.environ.clear()
    line.send(Ready(layers))
    _tell_where_it_dies(prints)
    sys.stdout = sys.stderr = Prints(prints)
    found = load(job.cells, job.kernel, job.live, job.given)
    if isinstance(found, NotLoaded):
        line.send(found)
        return
    kernel, loaded = found
    line.send(loaded)
    request = line.receive()
    if isinstance(request, Open):
        _launch(line, kernel, request, specs)


def _execute_program(line: Line, job: Execute) -> None:
    """Become a program. What it needs of the line is in its environment, or it has no use for it."""
    layers = sandbox.enter(job.bounds)
    line.send(Ready(layers))
    for number in (signal.SIGPIPE, signal.SIGXFSZ):  # Python ignores them
        signal.signal(number, signal.SIG_DFL)
    try:
        os.execve(job.arguments[0], job.arguments, job.environment)
    except OSError as error:
        os.write(2, f"{job.arguments[0]}: {error.strerror}".encode())
        os._exit(127)


def _tell_where_it_dies(prints: int) -> None:
    """On a fatal signal, or when its time is up, the child prints where it was."""
    faulthandler.enable(prints, all_threads=False)
    if sys.platform != "win32":
        faulthandler.register(signal.SIGXCPU, prints, all_threads=False, chain=True)


def spawned() -> None:
    """Entry of a child that was not forked: the line is stdin and stdout, prints go to stderr."""
    fds = [os.dup(fd) for fd in (0, 1, 2)]
    if sys.platform == "win32":
        import msvcrt

        for fd in fds:
            msvcrt.setmode(fd, os.O_BINARY)
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    os.dup2(2, 1)
    sandbox.die_with_parent()
    register_asc()
    serve(Line(fds[0], fds[1]), {}, fds[2])


def _launch(line: Line, kernel: Any, request: Open, specs: Mapping[str, ChipSpec]) -> None:
    spec = specs.get(request.chip) or chips.load(request.chip)
    try:
        pairs = zip(kernel.parameters, request.arguments, strict=True)
        arguments = [_argument(kernel, name, value) for name, value in pairs]
        door: Door = kernel.open(arguments, request.blocks, spec, request.batch_limit)
    except Exception as error:
        line.send(_failed(error))
        return
    line.send(Opened())
    told = 0
    while isinstance(step := line.receive(), Resume):
        told = _step(line, door, step, told)


def _argument(kernel: Any, name: str, value: Any) -> Any:
    if isinstance(value, Array):
        return Argument(value.name, value.addr, value.dtype, value.size)
    if isinstance(value, Fields):
        return _struct(kernel, name, value)
    return value


def _struct(kernel: Any, name: str, value: Fields) -> Struct:
    """The Struct that the kernel's parameter is annotated with. Raises LabError when it is none."""
    kind = inspect.get_annotations(kernel.fn, eval_str=True).get(name)
    if not (isinstance(kind, type) and issubclass(kind, Struct)):
        fields = ", ".join(value.values)
        raise LabError(
            f"参数 {name} 按值接收一个 Struct（字段 {fields}）：请用这个 Struct 的类标注它。",
            f"parameter {name} takes a Struct by value (fields {fields}): annotate it with its class.",
        )
    return kind(**value.values)


def _step(line: Line, door: Door, step: Resume, told: int) -> int:
    """Answer one Resume; returns how many source places the judge knows now."""
    try:
        batch = door.resume(step.block, step.answer)
        places = [tuple(place) for place in door.sources[told:]]
        line.send(ran(batch, places))  # type: ignore[arg-type]
    except (TypeError, OverflowError) as error:
        line.send(Failed("unsayable", str(error)[:_MESSAGE]))
    except Exception as error:
        line.send(_failed(error))
    return len(door.sources)


def _failed(error: BaseException) -> Failed:
    file, number = _place(error)
    return Failed(type(error).__name__, _text(error), file, number, _about(error))


def _about(error: BaseException) -> tuple[str, ...]:
    """What the lab's own errors are made of, so that they can be told in both languages."""
    if isinstance(error, LabError):
        return error.zh[:_MESSAGE], error.en[:_MESSAGE]
    if isinstance(error, NotModelled):
        return error.api[:_MESSAGE], error.argument[:_MESSAGE]
    return ()


# --- loading -------------------------------------------------------------------------------------


def load(
    cells: Sequence[Cell], kernel: str, live: bool, given: str | None
) -> tuple[Any, Loaded] | NotLoaded:
    """Execute what ``kernel`` needs and return it, or say why that cannot be."""
    try:
        source = slicing.parse(cells)
    except (RecursionError, MemoryError) as error:
        return NotLoaded("syntax", type(error).__name__, "", cells[0].name if cells else "")
    chosen = slicing.choose(source, kernel, live)
    if chosen is None:
        return _missing(source, cells, kernel)
    if chosen.empty or (given is not None and slicing.same(chosen, given, kernel)):
        return NotLoaded("empty")
    namespace = _module(cells)
    fault = _execute(chosen, cells, namespace)
    if fault is not None:
        return fault
    found = namespace.get(kernel)
    if not isinstance(found, JITFunction):
        return NotLoaded("not a kernel", type(found).__name__)
    defined_in = () if live else tuple(cells[index].name for index in chosen.defined_in)
    file = os.path.basename(found.file)
    return found, Loaded(
        name=found.name,
        parameters=tuple(found.parameters),
        insert_sync=found.insert_sync,
        auto_sync=found.auto_sync,
        file=file,
        line=found.line,
        cells=defined_in,
    )


def _missing(source: slicing.Source, cells: Sequence[Cell], kernel: str) -> NotLoaded:
    for index, error in source.errors:
        text = cells[index].text
        if kernel in text or len(cells) == 1:
            return NotLoaded("syntax", "", str(error.msg), cells[index].name, error.lineno or 0)
    names = difflib.get_close_matches(kernel, slicing.functions(source), n=3, cutoff=_NEAR)
    return NotLoaded("missing", names=tuple(names))


def _module(cells: Sequence[Cell]) -> dict[str, Any]:
    module = types.ModuleType(MODULE)
    sys.modules[MODULE] = module
    for cell in cells:
        lines = cell.text.splitlines(keepends=True)
        linecache.cache[cell.name] = (len(cell.text), None, lines, cell.name)
    return module.__dict__


def _execute(
    chosen: slicing.Slice, cells: Sequence[Cell], namespace: dict[str, Any]
) -> NotLoaded | None:
    for index, nodes in chosen.parts:
        name = cells[index].name
        namespace["__file__"] = name
        try:
            code = compile(ast.Module(list(nodes), []), name, "exec", dont_inherit=True)
            exec(code, namespace)
        except SyntaxError as error:
            return NotLoaded("syntax", "", str(error.msg), name, error.lineno or 0)
        except ImportError as error:
            return _not_loaded("import", error, error.name or "")
        except SystemExit as error:
            return _not_loaded("exit", error, str(error.code))
        except BaseException as error:  # the answer may raise anything, KeyboardInterrupt too
            return _not_loaded("exception", error, type(error).__name__)
    return None


def _not_loaded(kind: Any, error: BaseException, detail: str) -> NotLoaded:
    file, number = _place(error)
    return NotLoaded(kind, detail[:200], _text(error), file, number, about=_about(error))


def _text(error: BaseException) -> str:
    try:
        return str(error)[:_MESSAGE]
    except Exception:
        return ""


def _place(error: BaseException) -> tuple[str, int]:
    """The innermost line of the answer in a traceback."""
    found = ("", 0)
    trace = error.__traceback__
    while trace is not None:
        name = trace.tb_frame.f_code.co_filename
        if trace.tb_frame.f_globals.get("__name__") == MODULE:
            found = (name, trace.tb_lineno)
        trace = trace.tb_next
    return found
