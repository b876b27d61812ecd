"""The same kernel as somebody else would have written it: names, order of declarations, blank lines, a heading.

Nothing of it changes what the kernel does, and papers of different students then differ in words and line numbers
even where a kernel has a single place for the fault.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from random import Random

import libcst as cst
import libcst.matchers as m

from grader.faults.cpp.source import CppSource
from grader.faults.injecting import read
from grader.faults.source import Change, Source, instead

#: Words that names of variables are made of, and what others call the same.
_WORDS: Mapping[str, tuple[str, ...]] = {
    "local": ("local", "tile", "ub", "part"),
    "queue": ("queue", "que"),
    "buf": ("buf", "buffer", "scratch"),
    "wide": ("wide", "full", "fp32"),
    "count": ("count", "todo", "elements"),
    "left": ("left", "rest", "remaining"),
    "own": ("own", "mine", "share"),
    "start": ("start", "base", "at"),
    "total": ("total", "acc", "summed"),
    "move": ("move", "shape", "layout"),
    "pad": ("pad", "padding", "filling"),
    "index": ("index", "number", "which"),
    "row": ("row", "line"),
    "first": ("first", "begin"),
    "last": ("last", "end"),
    "result": ("result", "outcome"),
    "size": ("size", "nbytes"),
}
#: Lines of a heading, each of which may be there.
_HEADING = (
    "{kernel}",
    "target: Ascend 910B",
    "layout: ND",
    "tiles go through the UB",
    "status: open",
    "tested: see the report",
    "reviewed: not yet",
    "inputs and outputs: see the operator list",
)
#: Lines of a kind that may stand in any order where they follow each other.
_ORDERLESS = tuple(
    re.compile(pattern)
    for pattern in (
        r"\s+\w+ = asc\.GlobalTensor\(\)$",
        r"\s+\w+\.set_global_buffer\([^#]*\)$",
        r"\s+\w+ = asc\.(?:TQue|TBuf)\([^#]*\)$",
        r"\s+\w+\.SetGlobalBuffer\(.*\);$",
        r"\s+GlobalTensor<.*> \w+;$",
        r"\s+TQue<.*> \w+;$",
        r"\s+TBuf<.*> \w+;$",
    )
)
_LOOP = re.compile(r"\s+for\b")
_OPENS = (":", "{", ",", "(")


def laid_out(source: str, kernel: str, secret: str) -> str:
    """``source`` with a heading, and with lines moved and blank lines where that changes nothing."""
    random = Random(f"{secret}/layout")
    cpp = isinstance(read(source), CppSource)
    mark = "//" if cpp else "#"
    heading = [f"{mark} {line}".format(kernel=kernel) for line in _HEADING if random.random() < 0.5]
    lines = [*_apart(_shuffled(source.splitlines(), random), random)]
    return "\n".join([*heading, *lines]) + "\n"


def _shuffled(lines: list[str], random: Random) -> Iterator[str]:
    """Declarations that follow each other, in another order."""
    group: list[str] = []
    kind = None
    for line in (*lines, None):
        own = next((n for n, each in enumerate(_ORDERLESS) if each.match(line or "")), None)
        if own != kind:
            random.shuffle(group)
            yield from group
            group = []
        kind = own
        if own is None and line is not None:
            yield line
        elif line is not None:
            group.append(line)


def _apart(lines: Iterator[str], random: Random) -> Iterator[str]:
    """Some loops with a blank line before them."""
    before = ""
    for line in lines:
        apart = before.strip() and not before.rstrip().endswith(_OPENS)
        if _LOOP.match(line) and apart and random.random() < 0.5:
            yield ""
        yield line
        before = line


# --- names -----------------------------------------------------------------------------------------


def new_names(source: str, secret: str) -> dict[str, str]:
    """What the variables of a kernel are called instead; its parameters keep the names of the task."""
    random = Random(f"{secret}/names")
    chosen = {word: random.choice(others) for word, others in _WORDS.items()}
    taken = set(re.findall(r"\w+", source))
    found: dict[str, str] = {}
    for name in sorted(_variables(read(source))):
        new = "".join(
            chosen_as(part, chosen) for part in re.findall(r"[A-Z]?[a-z0-9]+|[A-Z]+|_+", name)
        )
        if new not in taken:
            taken.add(new)
            found[name] = new
    return found


def chosen_as(part: str, chosen: Mapping[str, str]) -> str:
    """``Local`` of ``xLocal`` as ``Tile``."""
    new = chosen.get(part.lower(), "")
    if not new or part.isupper():
        return part
    return new.capitalize() if part[0].isupper() else new


def renamed(source: str, names: Mapping[str, str]) -> str:
    """``source`` with other names of variables. What is called so elsewhere (a method, a keyword) is not touched."""
    parsed = read(source)
    if isinstance(parsed, CppSource):
        if not names:
            return source
        words = "|".join(map(re.escape, names))
        return re.sub(rf"(?<!::)\b({words})\b", lambda found: names[found[0]], source)
    changes: dict[cst.CSTNode, Change] = {
        node: instead(cst.Name(names[node.value]))
        for node in parsed.find(m.Name())
        if node.value in names and not _is_label(parsed, node)
    }
    return parsed.rewritten(changes)


def _is_label(source: Source, node: cst.Name) -> bool:
    around = source.parent(node)
    if isinstance(around, cst.Attribute):
        return around.attr is node
    return isinstance(around, cst.Arg) and around.keyword is node


def _variables(source: Source | CppSource) -> set[str]:
    """Names that the kernel gives itself: variables, and parameters of its helpers."""
    if isinstance(source, CppSource):
        return _cpp_variables(source)
    inner = {
        node.value
        for node in source.find(m.Name())
        if source.function(node) is not None
        and isinstance(source.parent(node), cst.AssignTarget | cst.For)
    }
    helpers: set[str] = set()
    entry: set[str] = set()
    for function in source.find(m.FunctionDef()):
        params = {param.name.value for param in function.params.params}
        is_entry = any(
            m.findall(p, m.Attribute(attr=m.Name("GlobalAddress"))) for p in function.params.params
        )
        (entry if is_entry else helpers).update(params)
    return (inner | helpers) - entry


def _cpp_variables(source: CppSource) -> set[str]:
    """Declared names, without those of constants, of the kernel's parameters and of fields of something else."""
    text = source.text
    entry = set(re.findall(r"\w+", " ".join(re.findall(r"__global__[^{;]*", text))))
    fields = set(re.findall(r"(?<!this)(?:\.|->)\s*(\w+)", text))
    names = {each.name for each in source.declared}
    for function in source.all("function_definition"):
        names |= {source.parameter_name(p) for p in source.parameters_of(function)}
    return {name for name in names if name} - entry - fields - set(source.constants)
