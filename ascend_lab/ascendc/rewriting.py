"""Ascend C text -> C++ text: launches, and a registration behind each kernel. Lines stay where they are.

`kernel<T><<<blocks, l2ctrl, stream>>>(args)` becomes a call of the runtime, `__global__` functions are
registered where they end. Everything else the headers do. The text is only searched, not parsed: comments,
strings and characters are blanked out first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

_NOT_CODE = re.compile(
    r"""//[^\n]*(?:\\\n[^\n]*)*|/\*.*?\*/|R"([^()\\\s]{0,16})\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'""",
    re.DOTALL,
)
_QUALIFIER = re.compile(
    r"__global__|__aicore__|__vector__|__cube__|__mix__\s*\(\s*\d+\s*,\s*\d+\s*\)"
    r"|__schedmode__\s*\([^)]*\)|__simt_vf__|__simd_vf__"
)
_NAME = re.compile(r"\bvoid\s+(?:" + _QUALIFIER.pattern + r"|\s)*([A-Za-z_]\w*)\s*\(")
_LAST_WORD = re.compile(r"([A-Za-z_]\w*)\s*(?:\[[^\]]*\]\s*)*$")
_PAIRS = {"(": ")", "[": "]", "{": "}"}
_LIMIT = 4000


@dataclass(frozen=True, slots=True)
class KernelText:
    """A kernel's definition: how it is called, its parameters, qualifiers, first and last line."""

    name: str
    parameters: tuple[str, ...]
    qualifiers: str
    is_template: bool
    line: int
    end: int


class Rewritten(NamedTuple):
    """The text for the compiler, and the kernels it defines."""

    text: str
    kernels: tuple[KernelText, ...]


class _Edit(NamedTuple):
    start: int
    end: int
    text: str


def blanked(text: str) -> str:
    """``text`` with comments, strings and characters as spaces; same length, same lines."""

    def blank(match: re.Match[str]) -> str:
        found = match[0]
        if found[0] == "'" and match.start() and text[match.start() - 1].isalnum():
            return found  # 1'000: no character
        return re.sub(r"[^\n]", " ", found)

    return _NOT_CODE.sub(blank, text)


def needs_rewriting(text: str) -> bool:
    """Whether a file defines kernels or launches them."""
    return "__global__" in text or "<<<" in text


def rewrite(text: str, file: str) -> Rewritten:
    """The text of ``file`` for the compiler."""
    code = blanked(text)
    edits: list[_Edit] = []
    kernels: list[KernelText] = []
    for found, edit in _kernels(text, code, file):
        kernels.append(found)
        edits += edit
    templates = {kernel.name for kernel in kernels if kernel.is_template}
    edits += _launches(text, code, templates)
    return Rewritten(_apply(text, edits), tuple(kernels))


def _apply(text: str, edits: list[_Edit]) -> str:
    parts, at = [], 0
    for edit in sorted(edits):
        if edit.start < at:
            continue
        lost = text.count("\n", edit.start, edit.end) - edit.text.count("\n")
        parts += [text[at : edit.start], edit.text, "\n" * max(lost, 0)]
        at = edit.end
    return "".join([*parts, text[at:]])


# --- kernels ---------------------------------------------------------------------------------------------


def _kernels(text: str, code: str, file: str) -> Iterator[tuple[KernelText, list[_Edit]]]:
    at = 0
    while (at := code.find("__global__", at)) >= 0:
        name = _NAME.search(code, at, at + _LIMIT)
        at += len("__global__")
        if name is None or re.search(r"[;{}]", code[at : name.start()]):
            continue
        closing = closing_of(code, name.end() - 1)
        start = _declaration(code, at)
        body = re.compile(r"\s*(?:#[^\n]*\n\s*)*([{;])").match(code, closing + 1)
        if closing < 0 or body is None:
            continue
        edits = list(_without_linkage(text, start, at))
        if body[1] == ";":
            yield from ()
            if edits:
                yield _declared(name[1]), edits
            continue
        end = closing_of(code, body.end() - 1)
        if end < 0:
            continue
        head = code[start : name.start()]
        kernel = KernelText(
            name=name[1],
            parameters=tuple(_parameters(text, code, name.end(), closing)),
            qualifiers=" ".join(
                match[0] for match in _QUALIFIER.finditer(code[start : name.end()])
            ),
            is_template=bool(re.search(r"\btemplate\s*<", head)),
            line=code.count("\n", 0, name.start()) + 1,
            end=code.count("\n", 0, end) + 1,
        )
        edits.append(_Edit(end + 1, end + 1, _registration(kernel, file, end)))
        yield kernel, edits
        at = end


def _declared(name: str) -> KernelText:
    return KernelText(name, (), "", False, 0, 0)


def _declaration(code: str, at: int) -> int:
    """Where the declaration around ``at`` begins."""
    start = max(code.rfind(mark, 0, at) for mark in (";", "}", "{"))
    directive = code.rfind("\n#", 0, at)
    if directive > start:
        line_end = code.find("\n", directive + 1)
        start = max(start, line_end)
    return start + 1


def _without_linkage(text: str, start: int, at: int) -> Iterator[_Edit]:
    """A kernel called as a C function (asinh, div) would clash with it: its linkage goes."""
    found = re.compile(r'extern\s+"C"').search(text, start, at)
    if found is not None:
        yield _Edit(found.start(), found.end(), " " * (found.end() - found.start()))


def _parameters(text: str, code: str, start: int, end: int) -> Iterator[str]:
    for part in _split(code[start:end]):
        plain = part.split("=")[0].strip()
        found = _LAST_WORD.search(plain)
        if plain and plain != "void":
            yield found[1] if found is not None else ""


def _split(code: str) -> Iterator[str]:
    """The parts between commas that stand in no bracket."""
    depth, begin = 0, 0
    for at, character in enumerate(code):
        if character in "(<[{":
            depth += 1
        elif character in ")>]}":
            depth -= 1
        elif character == "," and depth == 0:
            yield code[begin:at]
            begin = at + 1
    yield code[begin:]


def _registration(kernel: KernelText, file: str, at: int) -> str:
    """What stands behind a kernel: its description, and how to call it unless it is a template."""
    names = ",".join(kernel.parameters)
    quoted = file.replace("\\", "\\\\").replace('"', '\\"')
    tail = f'"{kernel.qualifiers}", "{quoted}", {kernel.line}, {kernel.end}'
    if kernel.is_template:
        return f' static ::al::Kernel al_registered_{at}("{kernel.name}", "{names}|", {tail}, nullptr);'
    return f' static ::al::Registered al_registered_{at}("{kernel.name}", {kernel.name}, "{names}", {tail});'


# --- launches --------------------------------------------------------------------------------------------


def _launches(text: str, code: str, templates: set[str]) -> Iterator[_Edit]:
    at = 0
    while (at := code.find("<<<", at)) >= 0:
        edit = _launch(text, code, at, templates)
        at += 3
        if edit is not None:
            yield edit
            at = edit.end


def _launch(text: str, code: str, at: int, templates: set[str]) -> _Edit | None:
    start = _callee(code, at)
    close = _closing_launch(code, at + 3)
    if start is None or close < 0:
        return None
    opening = re.compile(r"\s*\(").match(code, close + 3)
    if opening is None:
        return None
    end = closing_of(code, opening.end() - 1)
    if end < 0:
        return None
    callee = text[start:at].rstrip()
    config = text[at + 3 : close].strip()
    arguments = text[opening.end() : end].strip()
    shown = re.sub(r"\s+", " ", code[start:at]).strip()
    quoted = shown.replace("\\", "\\\\").replace('"', '\\"')
    tail = f", {arguments}" if arguments else ""
    plain = shown.split("::")[-1]
    if plain in templates:
        how = f'::al::LaunchDeduced(::al::Config({config}), "{quoted}", '
        how += f"[](auto... al_values) {{ {callee}(al_values...); }}, ::al::Here::now(){tail})"
    else:
        how = f'::al::LaunchKernel(::al::Config({config}), "{quoted}", {callee}, ::al::Here::now(){tail})'
    return _Edit(start, end + 1, how)


def _callee(code: str, at: int) -> int | None:
    """Where the called expression before ``at`` begins: a qualified name with template arguments."""
    position = at - 1
    while position >= 0 and code[position].isspace():
        position -= 1
    if position >= 0 and code[position] == ">":
        position = _opening_angle(code, position) - 1
        while position >= 0 and code[position].isspace():
            position -= 1
    name = re.compile(r"(?:[A-Za-z_]\w*\s*::\s*|::\s*)*[A-Za-z_]\w*$")
    found = name.search(code, max(0, position - 200), position + 1)
    return None if found is None else found.start()


def _opening_angle(code: str, at: int) -> int:
    depth, position = 0, at
    while position >= 0:
        character = code[position]
        if character == ">" and code[position - 1] != "-":
            depth += 1
        elif character == "<" and code[position - 1] == "<":
            position -= 1  # a shift
        elif character == "<":
            depth -= 1
            if depth == 0:
                return position
        elif character in ")]}":
            position = _opening(code, position)
        elif character in ";{":
            return -1
        position -= 1
    return -1


def _opening(code: str, at: int) -> int:
    depth = 0
    for position in range(at, -1, -1):
        if code[position] in ")]}":
            depth += 1
        elif code[position] in "([{":
            depth -= 1
            if depth == 0:
                return position
    return 0


def _closing_launch(code: str, at: int) -> int:
    position = at
    while position < len(code):
        if code.startswith(">>>", position):
            return position
        if code[position] in _PAIRS:
            position = closing_of(code, position)
            if position < 0:
                return -1
        elif code[position] == ";":
            return -1
        position += 1
    return -1


def closing_of(code: str, at: int) -> int:
    """Where the bracket at ``at`` closes, -1 when it does not."""
    depth = 0
    for position in range(at, len(code)):
        if code[position] in "([{":
            depth += 1
        elif code[position] in ")]}":
            depth -= 1
            if depth == 0:
                return position
    return -1
