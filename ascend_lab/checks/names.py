"""What the student calls things: operands from the source line, buffers, GM arguments.

Source text is read through linecache, so cells of a notebook work; without it a finding falls back
to the names of buffers and arguments.
"""

from __future__ import annotations

import ast
import linecache
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from ascend_lab.checks.spoken import SUFFIXES
from ascend_lab.engine.instruction import Ref, Where

ReadSource = Callable[[str], Sequence[str]]
LONGEST = 48
#: pyasc's names of operands, in the order an instruction has them.
_OPERANDS = ("dst", "sel_mask", "src", "src0", "src1", "shared_tmp_buffer")


class Names:
    """Names for places and operands of one run."""

    def __init__(self, sources: Sequence[Where], read: ReadSource | None = None) -> None:
        self._sources = sources
        self._read: ReadSource = read or _lines
        self._files: dict[str, SourceFile] = {}

    def place(self, where: int) -> Where:
        """The place that ``instr.where`` means; line 0 of "" when there is none."""
        if 0 <= where < len(self._sources):
            return self._sources[where]
        return Where("", 0)

    def source(self, file: str) -> SourceFile:
        """The parsed file."""
        found = self._files.get(file)
        if found is None:
            found = self._files[file] = _source(file, self._read(file))
        return found

    def operand(self, where: int, op: str, position: int) -> str:
        """The text of operand ``position`` (0 = dst, 1.. = srcs) of the call of ``op``, "" if unknown."""
        place = self.place(where)
        if not place.file:
            return ""
        return self.source(place.file).argument(place.line, op, position)


def _source(file: str, lines: Sequence[str]) -> SourceFile:
    from ascend_lab.checks.cpp_names import CppSource

    return CppSource(lines) if file.endswith(SUFFIXES) else SourceFile(lines)


class SourceFile:
    """A student's file: its calls by line. Everything is empty when there is no text, or no Python."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = lines

    @cached_property
    def tree(self) -> ast.Module | None:
        """The syntax tree, None for a file that is missing or no Python."""
        try:
            return ast.parse("".join(self.lines))
        except (SyntaxError, ValueError, RecursionError):
            return None

    def without_memory(self, line: int) -> tuple[str, dict[str, str]] | None:
        """See `without_memory`."""
        return _without_memory(self, line)

    @cached_property
    def calls(self) -> tuple[ast.Call, ...]:
        """All calls, in the order of the text."""
        if self.tree is None:
            return ()
        found = [node for node in ast.walk(self.tree) if isinstance(node, ast.Call)]
        return tuple(sorted(found, key=lambda node: (node.lineno, node.col_offset)))

    def call(self, line: int, op: str) -> ast.Call | None:
        """The call of ``op`` (Ascend C's name) that stands on ``line``."""
        wanted = _snake(op)
        near = [
            call
            for call in self.calls
            if call.lineno <= line <= (call.end_lineno or call.lineno) and called(call) == wanted
        ]
        return near[-1] if near else None

    def argument(self, line: int, op: str, position: int) -> str:
        """The text of one operand of the call of ``op`` on ``line``, "" when it is not found."""
        call = self.call(line, op)
        if call is None:
            return ""
        node = _operand(call, position)
        if node is None:
            return ""
        if called(call) in _METHODS and call.args:  # x.get_value(i) reads x[i]
            return f"{self.segment(node)}[{self.segment(call.args[0])}]"
        return self.segment(node)

    def segment(self, node: ast.AST) -> str:
        """The student's text of ``node``, on one line."""
        text = " ".join(self._between(node).split())
        return text if len(text) <= LONGEST else text[: LONGEST - 3] + "..."

    def _between(self, node: ast.AST) -> str:
        """The source of ``node``; its columns count bytes of UTF-8."""
        assert isinstance(node, ast.expr)
        first, last = node.lineno - 1, (node.end_lineno or node.lineno) - 1
        lines = [line.encode() for line in self.lines[first : last + 1]]
        lines[-1] = lines[-1][: node.end_col_offset]
        lines[0] = lines[0][node.col_offset :]
        return b" ".join(lines).decode(errors="replace")

    def flaggings(self) -> Iterator[Flagging]:
        """Every set_flag and wait_flag in the file."""
        for call in self.calls:
            name = called(call)
            if name in ("set_flag", "wait_flag") and call.args:
                yield Flagging(name, self.segment(call.args[0]).rsplit(".", 1)[-1], call.lineno)

    def scope(self, line: int) -> tuple[int, int]:
        """First and last line of the outermost function or class that ``line`` lies in; else of the file."""
        for node in self.tree.body if self.tree is not None else ():
            inside = isinstance(node, (ast.FunctionDef, ast.ClassDef))
            if inside and node.lineno <= line <= (node.end_lineno or node.lineno):
                return node.lineno, node.end_lineno or node.lineno
        return 1, len(self.lines)

    def branches(self, line: int) -> tuple[tuple[int, int], ...]:
        """First and last line of every `if` branch that ``line`` lies in, outermost first."""
        if self.tree is None:
            return ()
        return tuple(
            span
            for node in ast.walk(self.tree)
            if isinstance(node, ast.If)
            for span in _spans(node)
            if span[0] <= line <= span[1]
        )


class Flagging(NamedTuple):
    """A set_flag or wait_flag in the source: what it names, and where."""

    call: str
    event: str
    line: int


def flaggings(source: SourceFile) -> Iterator[Flagging]:
    """Every set_flag and wait_flag in the file; ``event`` is the name after HardEvent ("MTE2_V")."""
    return source.flaggings()


def without_memory(source: SourceFile, line: int) -> tuple[str, dict[str, str]] | None:
    """Class and numbers for a tensor or queue used on ``line`` that the file never gives memory."""
    return source.without_memory(line)


def _without_memory(source: SourceFile, line: int) -> tuple[str, dict[str, str]] | None:
    calls = [c for c in source.calls if c.lineno <= line <= (c.end_lineno or c.lineno)]
    if source.tree is None or not calls:
        return None
    made = {
        node.targets[0].id: called(node.value)
        for node in ast.walk(source.tree)
        if isinstance(node, ast.Assign)
        and isinstance(node.targets[0], ast.Name)
        and isinstance(node.value, ast.Call)
    }
    bound = _bound_names(source)
    used = [n.id for n in ast.walk(calls[0]) if isinstance(n, ast.Name)]
    for name in (*used, *made):
        kind = made.get(name, "")
        if name in bound:
            continue
        if kind == "GlobalTensor":
            return "C2", {"op": called(calls[0]), "operand": name}
        if kind in ("TQue", "TBuf", "TQueBind"):
            return "C3", {"op": called(calls[0]), "queue": name}
    return None


def _bound_names(source: SourceFile) -> set[str]:
    """Names that set_global_buffer is called on, or that init_buffer is given."""
    bound = set()
    for call in source.calls:
        if called(call) == "set_global_buffer" and isinstance(call.func, ast.Attribute):
            bound |= {n.id for n in ast.walk(call.func.value) if isinstance(n, ast.Name)}
        if called(call) == "init_buffer" and call.args:
            bound |= {n.id for n in ast.walk(call.args[0]) if isinstance(n, ast.Name)}
    return bound


def called(call: ast.Call) -> str:
    """The last name of what is called: "data_copy" of `asc.data_copy(...)`."""
    function = call.func
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def _spans(node: ast.If) -> Iterator[tuple[int, int]]:
    for body in (node.body, node.orelse):
        if body:
            yield body[0].lineno, body[-1].end_lineno or body[-1].lineno


def _operand(call: ast.Call, position: int) -> ast.AST | None:
    if isinstance(call.func, ast.Attribute) and called(call) in _METHODS:
        return call.func.value
    if position < len(call.args):
        return call.args[position]
    named = {keyword.arg: keyword.value for keyword in call.keywords}
    rest = [named[name] for name in _OPERANDS if name in named]
    place = position - len(call.args)
    return rest[place] if place < len(rest) else None


_METHODS = frozenset(("get_value", "set_value"))
_SPECIAL = {
    "And": "bitwise_and",
    "Or": "bitwise_or",
    "Not": "bitwise_not",
    "DeQue": "deque",
    "EnQue": "enque",
    "TransDataTo5HD": "trans_data_to_5hd",
    "MulAddRelu": "fused_mul_add_relu",
    "CastDequant": "cast_deq",
    "AscendQuant": "quant",
    "AscendDequant": "dequant",
    "ExpLibrary": "exp",
    "AxpyLibrary": "axpy",
    "SoftMax": "softmax",
    "LogSoftMax": "log_softmax",
    "RmsNorm": "rmsnorm",
    "LayerNorm": "layernorm",
    "IBSet": "ib_set",
    "IBWait": "ib_wait",
}


def _snake(op: str) -> str:
    """Ascend C's name as pyasc spells it: DataCopyPad -> data_copy_pad."""
    if op in _SPECIAL:
        return _SPECIAL[op]
    parts: list[str] = []
    for letter in op:
        if letter.isupper() and parts:
            parts.append("_")
        parts.append(letter.lower())
    return "".join(parts)


def span_text(ref: Ref) -> str:
    """A local operand without a name: "UB[0x1a0]"."""
    return f"{ref.space}[{ref.addr:#x}]"


def _lines(file: str) -> Sequence[str]:
    return linecache.getlines(file)
