"""The little of CMake that samples are described with: variables, conditions, sources, definitions.

CMake itself is not needed, and an Ascend C toolkit for it is not here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

_COMMAND = re.compile(r"\s*([A-Za-z_]\w*)\s*\(")
_VARIABLE = re.compile(r"\$\{(\w+)\}")
_GENERATED = re.compile(r"^\$<")
_KEYWORDS = {"PRIVATE", "PUBLIC", "INTERFACE", "SYSTEM", "BEFORE", "AFTER"}
_LIBRARY = {"SHARED", "STATIC", "OBJECT", "MODULE", "EXCLUDE_FROM_ALL"}
_TESTS = ("STREQUAL", "EQUAL", "MATCHES", "IN_LIST", "LESS", "GREATER")
_GLOB_OPTIONS = {"CONFIGURE_DEPENDS", "LIST_DIRECTORIES", "true", "false"}
_SOURCE = re.compile(r"\.(asc|cpp|cc|cxx|cce|c)$")


class Refused(Exception):
    """``message(FATAL_ERROR ...)``: the project does not take these settings."""


class OtherChip(Refused):
    """The project is for chips that are not modelled."""


@dataclass(slots=True)
class Target:
    """An executable or a library of a project."""

    name: str
    program: bool
    sources: list[Path] = field(default_factory=list)
    defines: list[str] = field(default_factory=list)
    includes: list[Path] = field(default_factory=list)
    links: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Project:
    """What a CMakeLists.txt says with given settings; ``cached`` are the settings one may choose, with their texts."""

    folder: Path
    variables: dict[str, str]
    targets: dict[str, Target] = field(default_factory=dict)
    defines: list[str] = field(default_factory=list)
    includes: list[Path] = field(default_factory=list)
    cached: dict[str, str] = field(default_factory=dict)

    def programs(self) -> list[Target]:
        """The executables, in order; each with the sources of the project's libraries that it links."""
        made = [target for target in self.targets.values() if target.program]
        for target in made:
            for name in target.links:
                library = self.targets.get(name)
                if library is not None and library is not target:
                    target.sources += [s for s in library.sources if s not in target.sources]
        return made


def evaluate(folder: Path, settings: Mapping[str, str]) -> Project:
    """Read ``folder/CMakeLists.txt`` with ``settings`` (-D). Raises Refused."""
    project = Project(
        folder,
        {
            "CMAKE_ASC_ARCHITECTURES": "dav-2201",
            "CMAKE_CURRENT_SOURCE_DIR": str(folder),
            "CMAKE_SOURCE_DIR": str(folder),
            "PROJECT_SOURCE_DIR": str(folder),
            **settings,
        },
    )
    _Reader(project).read((folder / "CMakeLists.txt").read_text("utf-8", "replace"))
    return project


def _commands(text: str) -> list[tuple[str, list[str]]]:
    """(name in lower case, words) of each command."""
    found, at = [], 0
    text = re.sub(r'"(?:\\.|[^"\\])*"|#[^\n]*', lambda m: m[0] if m[0][0] == '"' else "", text)
    while (match := _COMMAND.search(text, at)) is not None:
        depth, end = 1, match.end()
        while end < len(text) and depth:
            if text[end] == '"':
                end = text.find('"', end + 1)
                end = len(text) - 1 if end < 0 else end
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            end += 1
        words = re.findall(r'"(?:\\.|[^"\\])*"|\(|\)|[^\s()"]+', text[match.end() : end - 1])
        found.append((match[1].lower(), words))
        at = end
    return found


def _loop_end(commands: Sequence[tuple[str, list[str]]], at: int) -> int:
    """Where the loop ends whose first command stands at ``at``."""
    depth = 1
    for place in range(at, len(commands)):
        depth += {"foreach": 1, "endforeach": -1}.get(commands[place][0], 0)
        if not depth:
            return place
    return len(commands)


class _Reader:
    def __init__(self, project: Project) -> None:
        self._project = project
        self._open: list[list[bool]] = []  # of each open if: [this branch runs, one has run]

    def read(self, text: str) -> None:
        self._run(_commands(text))

    def _run(self, commands: Sequence[tuple[str, list[str]]]) -> None:
        at = 0
        while at < len(commands):
            name, words = commands[at]
            at += 1
            if name == "foreach":
                end = _loop_end(commands, at)
                if all(branch[0] for branch in self._open):
                    self._repeat(words, commands[at:end])
                at = end + 1
            elif name in ("if", "elseif", "else", "endif"):
                self._branch(name, words)
            elif all(branch[0] for branch in self._open):
                act = getattr(self, f"on_{name}", None)
                if act is not None:
                    act(self._expanded(words))

    def _repeat(self, words: list[str], body: Sequence[tuple[str, list[str]]]) -> None:
        """``foreach(x a b)``, ``foreach(x IN LISTS l)``, ``foreach(x IN ITEMS a b)``."""
        name, *items = self._expanded(words)
        if items[:1] == ["IN"]:
            lists, items = items[1:2] == ["LISTS"], items[2:]
            if lists:
                values = [self._project.variables.get(item, "") for item in items]
                items = [part for value in values for part in value.split(";") if part]
        for item in items:
            self._project.variables[name] = item
            self._run(body)

    def _branch(self, name: str, words: list[str]) -> None:
        if name == "endif":
            self._open.pop()
            return
        outer = all(branch[0] for branch in (self._open if name == "if" else self._open[:-1]))
        if name == "if":
            holds = outer and self._holds(words)
            self._open.append([holds, holds])
            return
        branch = self._open[-1]
        branch[0] = outer and not branch[1] and (name == "else" or self._holds(words))
        branch[1] = branch[1] or branch[0]

    # --- words ---------------------------------------------------------------------------------------

    def _text(self, word: str) -> str:
        plain = word[1:-1] if word.startswith('"') else word
        return _VARIABLE.sub(lambda m: self._project.variables.get(m[1], ""), plain)

    def _expanded(self, words: list[str]) -> list[str]:
        found: list[str] = []
        for word in words:
            text = self._text(word)
            found += [text] if word.startswith('"') else [part for part in text.split(";") if part]
        return found

    def _value(self, word: str) -> str:
        """A word of a condition: the value of the variable of that name, or itself."""
        if word.startswith('"'):
            return self._text(word)
        text = self._text(word)
        return self._project.variables.get(text, text)

    def _holds(self, words: list[str]) -> bool:
        words = list(words)

        def either() -> bool:
            value = both()
            while words and words[0] == "OR":
                words.pop(0)
                value = both() or value
            return value

        def both() -> bool:
            value = one()
            while words and words[0] == "AND":
                words.pop(0)
                value = one() and value
            return value

        def one() -> bool:
            if not words:
                return False
            word = words.pop(0)
            if word == "NOT":
                return not one()
            if word == "(":
                value = either()
                if words:
                    words.pop(0)
                return value
            if word in ("DEFINED", "EXISTS", "COMMAND", "TARGET"):
                name = words.pop(0)
                return word == "DEFINED" and name in self._project.variables
            if words and words[0] in _TESTS:
                return self._test(words.pop(0), word, words.pop(0))
            return self._value(word).upper() not in ("", "0", "OFF", "NO", "FALSE", "N", word)

        return either()

    def _test(self, test: str, left: str, right: str) -> bool:
        value = self._value(left)
        if test == "MATCHES":
            return re.search(self._text(right), value) is not None
        if test == "IN_LIST":
            return value in self._project.variables.get(right, "").split(";")
        other = self._value(right)
        if test == "STREQUAL":
            return value == other
        try:
            numbers = float(value), float(other)
        except ValueError:
            return False
        return {
            "EQUAL": numbers[0] == numbers[1],
            "LESS": numbers[0] < numbers[1],
            "GREATER": numbers[0] > numbers[1],
        }[test]

    # --- commands ------------------------------------------------------------------------------------

    def on_set(self, words: list[str]) -> None:
        if not words:
            return
        name, values = words[0], words[1:]
        if "CACHE" in values:
            at = values.index("CACHE")
            self._project.cached[name] = " ".join(values[at + 2 :])
            self._project.variables.setdefault(name, ";".join(values[:at]))
            return
        self._project.variables[name] = ";".join(values)

    def on_list(self, words: list[str]) -> None:
        if words[:1] == ["APPEND"] and len(words) > 1:
            before = self._project.variables.get(words[1], "")
            self._project.variables[words[1]] = ";".join(filter(None, (before, *words[2:])))

    def on_string(self, words: list[str]) -> None:
        if words[:1] == ["REPLACE"] and len(words) > 4:
            old, new, name = words[1:4]
            self._project.variables[name] = "".join(words[4:]).replace(old, new)

    def on_file(self, words: list[str]) -> None:
        if words[:1] not in (["GLOB"], ["GLOB_RECURSE"]) or len(words) < 2:
            return
        patterns = [word for word in words[2:] if word not in _GLOB_OPTIONS]
        found = [path for pattern in patterns for path in self._found(pattern, words[0])]
        self._project.variables[words[1]] = ";".join(found)

    def _found(self, pattern: str, how: str) -> list[str]:
        """The files that fit, below the project's folder alone."""
        folder = self._project.folder
        below = pattern.removeprefix(f"{folder}/")
        if Path(below).is_absolute() or ".." in Path(below).parts:
            return []
        walk = folder.rglob if how == "GLOB_RECURSE" else folder.glob
        return sorted(str(path) for path in walk(below) if path.is_file())

    def on_get_filename_component(self, words: list[str]) -> None:
        if len(words) < 3:
            return
        name, path = words[0], Path(words[1])
        found = {
            "NAME": path.name,
            "NAME_WE": path.name.partition(".")[0],
            "EXT": "." + path.name.partition(".")[2] if "." in path.name else "",
            "DIRECTORY": str(path.parent) if path.parent != Path() else "",
            "PATH": str(path.parent) if path.parent != Path() else "",
            "ABSOLUTE": str(self._project.folder / path),
        }
        self._project.variables[name] = found.get(words[2], str(path))

    def on_cann_sample_check_arch(self, words: list[str]) -> None:
        """cann-samples: which chips a sample is for."""
        if self._project.variables["CMAKE_ASC_ARCHITECTURES"] not in words:
            raise OtherChip(f"for {', '.join(words)} only")

    def on_message(self, words: list[str]) -> None:
        if words[:1] == ["FATAL_ERROR"]:
            raise Refused(" ".join(words[1:]))

    def _paths(self, words: list[str]) -> list[Path]:
        kept = [w for w in words if w not in _KEYWORDS and not _GENERATED.match(w)]
        return [self._project.folder / word for word in kept]

    def _add(self, words: list[str], program: bool) -> None:
        name, *rest = words
        sources = [w for w in rest if w not in _LIBRARY and _SOURCE.search(w)]
        self._project.targets[name] = Target(name, program, self._paths(sources))

    def on_add_executable(self, words: list[str]) -> None:
        self._add(words, True)

    def on_add_library(self, words: list[str]) -> None:
        self._add(words, False)

    def on_add_definitions(self, words: list[str]) -> None:
        self._project.defines += [w.removeprefix("-D") for w in words if w.startswith("-D")]

    def on_add_compile_definitions(self, words: list[str]) -> None:
        self._project.defines += [w.removeprefix("-D") for w in words]

    def on_include_directories(self, words: list[str]) -> None:
        self._project.includes += [path for path in self._paths(words) if path.is_dir()]

    def _target(self, words: list[str]) -> tuple[Target, list[str]]:
        target = self._project.targets.setdefault(words[0], Target(words[0], False))
        return target, [word for word in words[1:] if word not in _KEYWORDS]

    def on_target_sources(self, words: list[str]) -> None:
        target, rest = self._target(words)
        target.sources += self._paths([w for w in rest if _SOURCE.search(w)])

    def on_target_compile_definitions(self, words: list[str]) -> None:
        target, rest = self._target(words)
        target.defines += [w.removeprefix("-D") for w in rest if not _GENERATED.match(w)]

    def on_target_compile_options(self, words: list[str]) -> None:
        target, rest = self._target(words)
        target.defines += [w.removeprefix("-D") for w in rest if w.startswith("-D")]

    def on_target_include_directories(self, words: list[str]) -> None:
        target, rest = self._target(words)
        target.includes += [path for path in self._paths(rest) if path.is_dir()]

    def on_target_link_libraries(self, words: list[str]) -> None:
        target, rest = self._target(words)
        target.links += rest
