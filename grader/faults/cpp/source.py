"""An Ascend C source as the fault classes see it: what stands in it, and text edits at byte ranges."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from tree_sitter import Node

from grader.faults.cpp.content import Content
from grader.faults.cpp.tree import Span

#: What stands in place of each range; an empty range is a place to put something in.
Edits = dict[Span, str]


class CppSource(Content):
    """A parsed file that can be rewritten. Raises SyntaxError for text that is no C++."""

    def put(self, node: Node, text: str) -> Edits:
        """The edit that puts ``text`` in a node's place."""
        return {(node.start_byte, node.end_byte): text}

    def indent(self, node: Node) -> str:
        """The blanks in front of the line that ``node`` starts in."""
        start = self._line_start(node.start_byte)
        line = self._bytes[start : node.start_byte].decode()
        return line[: len(line) - len(line.lstrip())]

    def before(self, node: Node, text: str) -> Edits:
        """The edit that puts a line in front of a statement."""
        return {(node.start_byte, node.start_byte): f"{text}\n{self.indent(node)}"}

    def after(self, node: Node, text: str) -> Edits:
        """The edit that puts a line behind a statement."""
        return {(node.end_byte, node.end_byte): f"\n{self.indent(node)}{text}"}

    def under(self, statement: Node, condition: str) -> Edits:
        """The edit that puts a statement under ``if (condition)``."""
        pad = self.indent(statement)
        text = f"if ({condition}) {{\n{pad}    {self.code(statement)}\n{pad}}}"
        return self.put(statement, text)

    def removal(self, statements: Iterable[Node]) -> Edits:
        """The edits that take statements away, with their lines."""
        return {self._lines(statement): "" for statement in statements}

    def _lines(self, node: Node) -> Span:
        start, end = self._line_start(node.start_byte), node.end_byte
        behind = self._bytes.find(b"\n", end)
        alone = not self._bytes[start : node.start_byte].strip()
        if alone and behind >= 0 and not self._bytes[end:behind].strip():
            return start, behind + 1
        return node.start_byte, end

    def empties(self, statements: Iterable[Node]) -> bool:
        """Whether a block would be left with nothing in it, or a branch without its statement."""
        gone = list(statements)
        return any(all(s in gone for s in self.siblings(statement)) for statement in gone)

    def rewritten(self, changes: Mapping[Span, str]) -> str:
        """The text with ``changes`` made; an edit inside a range that another one covers is dropped."""
        parts: list[bytes] = []
        at = 0
        for (start, end), text in sorted(changes.items(), key=_reading_order):
            if start < at:
                continue
            parts += [self._bytes[at:start], text.encode()]
            at = end
        made = b"".join([*parts, self._bytes[at:]]).decode()
        return _tidied(made, self.text)


def _reading_order(edit: tuple[Span, str]) -> tuple[int, bool, int]:
    """What is put in comes before what stands there, and a range before those inside it."""
    start, end = edit[0]
    return start, end > start, -end


def _tidied(text: str, before: str) -> str:
    """Without the blank lines that a removal left doubled, or at the start or end of a block."""
    for pattern, new in (
        (r"\n(?:[ \t]*\n){2,}", "\n\n"),
        (r"\{\n\s*\n", "{\n"),
        (r"\n\s*\n(\s*\})", r"\n\1"),
    ):
        if not re.search(pattern, before):
            text = re.sub(pattern, new, text)
    return text
