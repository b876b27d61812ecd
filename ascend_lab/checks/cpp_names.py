"""What a student calls things in a C++ source: the counterpart of `names.SourceFile`, by searching the text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property

from ascend_lab.checks.names import LONGEST, Flagging, SourceFile

_NOT_CODE = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])'", re.DOTALL)
_NEAR = 3  # lines that a call may reach beyond the one the compiler gives it
_FLAG = re.compile(r"\b(Set|Wait)Flag\s*<\s*(?:\w+\s*::\s*)*(\w+)\s*>")
_BRANCH = re.compile(r"\b(?:if\s*(?:constexpr\s*)?(?=\()|else\b)")
_HOLDER = re.compile(
    r"\b(GlobalTensor|TQue|TQueBind|TBuf)\s*<[^;{}()]*>\s*(\w+(?:\s*,\s*\w+)*)\s*;"
)
_BOUND = re.compile(r"\b(\w+)\s*\.\s*SetGlobalBuffer\b")
_GIVEN = re.compile(r"\bInitBuffer\s*\(\s*(?:this->)?(\w+)")
_TRANSPARENT = re.compile(r"\bnamespace\b[\w\s:]*$|\bextern\s*$")
_CALL = re.compile(r"\b(\w+)\s*(?:<[^;{}()]*>)?\s*\(")
_METHODS = ("GetValue", "SetValue")
#: Ops -> what a C++ source may call them.
_CALLED = {
    "CompareScalar": ("CompareScalar", "Compares"),
    "MulAddRelu": ("FusedMulAddRelu",),
    "CastDequant": ("CastDequant", "CastDeq"),
    "WholeReduceSum": ("WholeReduceSum", "RepeatReduceSum", "ReduceRepeat"),
    "WholeReduceMax": ("WholeReduceMax", "ReduceRepeat"),
    "WholeReduceMin": ("WholeReduceMin", "ReduceRepeat"),
    "BlockReduceSum": ("BlockReduceSum", "ReduceDataBlock"),
    "BlockReduceMax": ("BlockReduceMax", "ReduceDataBlock"),
    "BlockReduceMin": ("BlockReduceMin", "ReduceDataBlock"),
    "PairReduceSum": ("PairReduceSum", "ReducePairElem"),
}


class CppSource(SourceFile):
    """A C++ file of the student's. Nothing is parsed: calls are found by name near their line."""

    def __init__(self, lines: Sequence[str]) -> None:
        super().__init__(lines)
        self._text = "".join(lines)

    @cached_property
    def tree(self) -> None:
        """There is no Python tree."""
        return None

    @cached_property
    def _code(self) -> str:
        """The text with comments and strings as spaces."""
        return _NOT_CODE.sub(lambda m: re.sub(r"[^\n]", " ", m[0]), self._text)

    @cached_property
    def _starts(self) -> list[int]:
        starts = [0]
        for line in self.lines:
            starts.append(starts[-1] + len(line))
        return starts

    def _line(self, at: int) -> int:
        return self._text.count("\n", 0, at) + 1

    def argument(self, line: int, op: str, position: int) -> str:
        """The text of one operand of the call of ``op`` on or near ``line``, "" when it is not found."""
        names = "|".join(_CALLED.get(op, (op,)))
        pattern = re.compile(rf"([\w.\->\[\]]*?)\b(?:{names})\s*(?:<[^;{{}}()]*>)?\s*\(")
        low = self._starts[min(max(line - 1 - _NEAR, 0), len(self.lines))]
        high = self._starts[min(line + _NEAR, len(self.lines))]
        calls = list(pattern.finditer(self._code, low, high))
        if not calls:
            return ""
        call = min(calls, key=lambda found: abs(self._line(found.end()) - line))
        if op in _METHODS:
            return self._method(call)
        parts = list(self._arguments(call.end()))
        return self._short(parts[position]) if position < len(parts) else ""

    def _method(self, call: re.Match[str]) -> str:
        owner = call[1].rstrip(".").removesuffix("->")
        index = next(self._arguments(call.end()), "")
        return self._short(f"{owner}[{index}]") if owner else ""

    def _arguments(self, at: int) -> Iterator[str]:
        """The arguments of the call whose bracket has opened before ``at``."""
        depth, begin = 0, at
        for position in range(at, len(self._code)):
            character = self._code[position]
            if character in "([{":
                depth += 1
            elif character in ")]}":
                if depth == 0:
                    yield self._text[begin:position]
                    return
                depth -= 1
            elif character == "," and depth == 0:
                yield self._text[begin:position]
                begin = position + 1

    def _short(self, text: str) -> str:
        found = " ".join(text.split()).removeprefix("this->")
        return found if len(found) <= LONGEST else found[: LONGEST - 3] + "..."

    def flaggings(self) -> Iterator[Flagging]:
        """Every SetFlag and WaitFlag whose event stands in the call."""
        for found in _FLAG.finditer(self._code):
            call = "set_flag" if found[1] == "Set" else "wait_flag"
            yield Flagging(call, found[2], self._line(found.start()))

    def scope(self, line: int) -> tuple[int, int]:
        """First and last line of the outermost function or class that ``line`` lies in; else of the file."""
        found = (span for span in self._scopes if span[0] <= line <= span[1])
        return next(found, (1, len(self.lines)))

    @cached_property
    def _scopes(self) -> list[tuple[int, int]]:
        """The outermost blocks, those of namespaces and of extern "C" left out."""
        found, at = [], 0
        while (opening := self._code.find("{", at)) >= 0:
            before = self._code[at:opening]
            head = before[max(before.rfind(";"), before.rfind("}")) + 1 :]
            if _TRANSPARENT.search(head):
                at = opening + 1
                continue
            closing = self._closing(opening)
            start = opening - len(head.lstrip())
            found.append((self._line(start), self._line(closing)))
            at = closing + 1
        return found

    def without_memory(self, line: int) -> tuple[str, dict[str, str]] | None:
        """Class and numbers for a tensor or queue used on ``line`` that its function, class or file never gives memory."""
        first, last = self.scope(line)
        own = self._code[self._starts[first - 1] : self._starts[last]]
        for code in dict.fromkeys((own, self._code)):
            found = self._unbound(code, line)
            if found is not None:
                return found
        return None

    def _unbound(self, code: str, line: int) -> tuple[str, dict[str, str]] | None:
        bound = set(_BOUND.findall(code)) | set(_GIVEN.findall(code))
        made = {n: kind for kind, names in _holders(code) for n in names if n not in bound}
        lines = self._code.splitlines()[max(line - 1, 0) :][
            :_NEAR
        ]  # an operator has no line of its own
        for text in lines:
            op = _CALL.search(text)
            for name in re.findall(r"\w+", text) if op is not None else ():
                if name in made and op is not None:
                    is_global = made[name] == "GlobalTensor"
                    numbers = {"op": op[1], "operand" if is_global else "queue": name}
                    return ("C2" if is_global else "C3"), numbers
        # where the last instruction is far above, the first such tensor that is indexed
        for name in (n for n, kind in made.items() if kind == "GlobalTensor"):
            if re.search(rf"\b{name}\s*\[", code):
                return "C2", {"op": "operator[]", "operand": name}
        return None

    def branches(self, line: int) -> tuple[tuple[int, int], ...]:
        """First and last line of every branch of an `if` that ``line`` lies in, outermost first."""
        return tuple(span for span in self._branches if span[0] <= line <= span[1])

    @cached_property
    def _branches(self) -> list[tuple[int, int]]:
        found = []
        for keyword in _BRANCH.finditer(self._code):
            start = keyword.end()
            if start < len(self._code) and self._code[start] == "(":
                start = self._closing(start) + 1
            body = re.compile(r"\s*").match(self._code, start)
            at = body.end() if body else start
            if self._code[at : at + 1] == "{":
                found.append((self._line(at), self._line(self._closing(at))))
            elif not self._code.startswith("if", at):
                end = self._code.find(";", at)
                found.append((self._line(at), self._line(max(end, at))))
        return found

    def _closing(self, at: int) -> int:
        depth = 0
        for position in range(at, len(self._code)):
            if self._code[position] in "([{":
                depth += 1
            elif self._code[position] in ")]}":
                depth -= 1
                if depth == 0:
                    return position
        return len(self._code) - 1


def _holders(code: str) -> Iterator[tuple[str, list[str]]]:
    """(kind, names) of every declaration of tensors in GM, queues and buffers."""
    for found in _HOLDER.finditer(code):
        yield found[1], re.findall(r"\w+", found[2])
