"""Compiling a student's sources with the compiler of the machine, once.

What was built is kept under the user's cache folder, by the content of every file that went into it. The
runtime and the precompiled header are built once for a compiler.
"""

from __future__ import annotations

import functools
import hashlib
import json
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from ascend_lab.ascendc.cleaning import cleaned
from ascend_lab.ascendc.rewriting import needs_rewriting, rewrite
from ascend_lab.engine.errors import InternalError

_HERE = Path(__file__).resolve().parent
INCLUDE = _HERE / "include"
RUNTIME = _HERE / "runtime"
#: Functions that mean something else in a kernel: the linker gives their calls to the runtime.
WRAPPED = ("main", "exit", "_exit", "printf", "vprintf", "puts", "putchar", "__assert_fail")
_FLAGS = (
    *("-std=c++17", "-O1", "-fno-strict-aliasing", "-fno-builtin-printf"),
    *("-Wno-narrowing", "-Wno-multichar", "-Winvalid-pch"),
)
_PRELUDE = "ascend_lab/prelude.h"
_SECONDS = 120
_MEMORY_MB = 4096
_INCLUDED = re.compile(r'^([ \t]*#[ \t]*include[ \t]*)"([^"\n]+)"', re.MULTILINE)
_LAUNCHER = re.compile(r"aclrtlaunch_(\w+)\.h$")
_INSTALL = {
    "conda": "conda install -c conda-forge gxx",
    "apt": "sudo apt install g++",
    "brew": "brew install gcc",
}


class NoCompiler(Exception):
    """There is no C++ compiler on PATH."""

    def message(self, lang: str) -> str:
        """The text in ``lang`` ("zh" or "en")."""
        lines = "\n".join(f"  {name}: {line}" for name, line in _INSTALL.items())
        if lang == "zh":
            return f"没有找到 C++ 编译器（g++ 或 clang++，也可用 CXX 指定）。安装：\n{lines}"
        return f"There is no C++ compiler (g++ or clang++, or what CXX names). Install:\n{lines}"


class CompileError(Exception):
    """The student's source does not compile; ``text`` speaks of the student's lines only."""

    def __init__(self, text: str, raw: str) -> None:
        super().__init__(text)
        self.text = text
        self.raw = raw

    def message(self, lang: str) -> str:
        """The text in ``lang`` ("zh" or "en")."""
        head = "编译失败：" if lang == "zh" else "It does not compile:"
        return f"{head}\n{self.text}"


@dataclass(frozen=True, slots=True)
class Build:
    """A program built from ``sources``. ``fresh``: it was not in the cache. ``warnings``: cleaned."""

    program: Path
    sources: tuple[Path, ...]
    fresh: bool
    warnings: str = ""


@dataclass(frozen=True, slots=True)
class Options:
    """How to compile: names to define, further folders of headers, further flags."""

    defines: tuple[str, ...] = ()
    includes: tuple[Path, ...] = ()
    flags: tuple[str, ...] = ()

    @property
    def arguments(self) -> list[str]:
        """As the compiler takes them."""
        folders = [f"-I{folder.resolve()}" for folder in self.includes]
        return [*(f"-D{name}" for name in self.defines), *folders, *self.flags]


def compiler() -> str:
    """The compiler: CXX, else g++, else clang++. Raises NoCompiler."""
    told = os.environ.get("CXX", "").split()
    for name in [*told[:1], "g++", "clang++"]:
        found = shutil.which(name)
        if found is not None:
            return found
    raise NoCompiler


def cache() -> Path:
    """The folder for what was built: the user's, outside of the repository."""
    root = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(root) / "ascend-lab" / "ascendc"


def build(sources: Sequence[Path | str], options: Options | None = None) -> Build:
    """Compile and link ``sources`` to one program, or take it from the cache.

    Raises CompileError for the student's errors, NoCompiler, FileNotFoundError for a source.
    """
    paths = [Path(source).resolve() for source in sources]
    return _Builder(compiler(), options or Options()).build(paths)


@functools.lru_cache(maxsize=8)
def _stamp(cxx: str) -> str:
    """What everything built depends on: the compiler, our flags, headers and runtime."""
    version = subprocess.run([cxx, "--version"], capture_output=True, check=False).stdout
    parts = [version, cxx.encode(), " ".join(_FLAGS).encode()]
    ours = [p for root in (INCLUDE, RUNTIME, _HERE) for p in sorted(root.rglob("*.h"))]
    ours += [*sorted(RUNTIME.glob("*.cpp")), _HERE / "rewriting.py", Path(__file__)]
    parts += [path.read_bytes() for path in dict.fromkeys(ours)]
    return _digest(parts)


def _digest(parts: Iterable[bytes]) -> str:
    found = hashlib.sha256()
    for part in parts:
        found.update(len(part).to_bytes(8, "little") + part)
    return found.hexdigest()[:24]


class _Builder:
    def __init__(self, cxx: str, options: Options) -> None:
        self.cxx = cxx
        self.options = options
        self.root = cache() / _stamp(cxx)

    def build(self, sources: list[Path]) -> Build:
        named = [str(source).encode() + b"\0" + source.read_bytes() for source in sources]
        options = " ".join(self.options.arguments).encode()
        folder = self.root / "programs" / _digest([options, *named])
        program = folder / "program"
        if program.exists() and _unchanged(folder / "read.json"):
            return Build(program, tuple(sources), fresh=False)
        with tempfile.TemporaryDirectory(prefix="ascend-lab-") as name:
            warnings = self._compile(sources, Path(name))
            _keep(Path(name), folder)
        return Build(program, tuple(sources), fresh=True, warnings=warnings)

    def _compile(self, sources: list[Path], folder: Path) -> str:
        runtime, header = self._runtime(), self._header()
        written = _Writer(folder, self.options.includes)
        objects, said, read = [], [], set(sources)
        for number, source in enumerate(sources):
            made = folder / f"{number}.o"
            arguments = [
                *self._arguments(header, source.parent),
                *("-MMD", "-MF", str(made) + ".d", "-x", "c++", "-c", str(written.of(source))),
            ]
            said.append(self._call([*arguments, "-o", str(made)], folder))
            read |= set(_read_from(Path(f"{made}.d")))
            objects.append(str(made))
        self._link([*objects, str(runtime)], folder / "program", folder)
        read |= written.read
        _write_read(folder / "read.json", (p for p in read if folder not in p.parents))
        return "".join(filter(None, said))

    def _arguments(self, header: Path, own: Path) -> list[str]:
        first = ["-include", str(header)]
        return [
            *_FLAGS,
            *first,
            "-iquote",
            str(own),
            *self.options.arguments,
            "-isystem",
            str(INCLUDE),
        ]

    def _call(self, arguments: list[str], folder: Path) -> str:
        done = subprocess.run(
            [self.cxx, *arguments],
            capture_output=True,
            check=False,
            cwd=folder,
            timeout=_SECONDS,
            preexec_fn=_limit if os.name == "posix" else None,
            env={**os.environ, "LC_ALL": "C"},
        )
        said = done.stderr.decode("utf-8", "replace")
        if done.returncode:
            raise CompileError(cleaned(said, (folder, self.root, INCLUDE)), said)
        return cleaned(said, (folder, self.root, INCLUDE))

    def _link(self, objects: list[str], program: Path, folder: Path) -> None:
        wraps = [f"-Wl,--wrap={name}" for name in WRAPPED]
        self._call([*objects, *wraps, "-lm", "-lpthread", "-o", str(program)], folder)

    # --- built once ----------------------------------------------------------------------------------

    def _runtime(self) -> Path:
        made = self.root / "runtime.o"
        if not made.exists():
            lines = [f'#include "{path}"\n' for path in sorted(RUNTIME.glob("*.cpp"))]
            self._once(made, "".join(lines), ["-c", f"-I{INCLUDE}", f"-I{RUNTIME}"])
        return made

    def _header(self) -> Path:
        """The header that everything includes first, with its precompiled form beside it."""
        made = self.root / "prelude.h"
        if not made.exists():
            self.root.mkdir(parents=True, exist_ok=True)
            made.write_text(f'#include "{_PRELUDE}"\n')
        precompiled = self.root / "prelude.h.gch"
        if not precompiled.exists() and "clang" not in Path(self.cxx).name:
            text = made.read_text("utf-8")
            self._once(precompiled, text, ["-isystem", str(INCLUDE)], "c++-header")
        return made

    def _once(self, made: Path, text: str, arguments: list[str], kind: str = "c++") -> None:
        made.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=made.parent) as name:
            source, product = Path(name) / f"{made.stem}.src", Path(name) / made.name
            source.write_text(text, "utf-8")
            flags = [*_FLAGS, *arguments, "-x", kind, str(source), "-o", str(product)]
            try:
                self._call(flags, Path(name))
            except CompileError as error:
                raise InternalError(f"{self.cxx} does not compile {made.name}", error.raw) from None
            os.replace(product, made)


class _Writer:
    """Rewritten copies of sources and of the local headers that need it."""

    def __init__(self, folder: Path, includes: Sequence[Path]) -> None:
        self._folder = folder
        self._includes = includes
        self._copies: dict[Path, Path | None] = {}
        self.read: set[Path] = set()

    def of(self, source: Path) -> Path:
        """The text of ``source`` for the compiler, in a file of its own."""
        self.read.add(source)
        text = source.read_text("utf-8", "replace")
        copy = self._folder / f"{len(self._copies)}_{source.name}.cpp"
        self._copies[source] = copy
        text = _INCLUDED.sub(lambda m: self._included(m, source), text)
        copy.write_text(f'#line 1 "{source}"\n{rewrite(text, str(source)).text}\n', "utf-8")
        return copy

    def _included(self, match: re.Match[str], source: Path) -> str:
        for folder in (source.parent, *self._includes):
            found = (folder / match[2]).resolve()
            if found.is_file():
                copy = self._header(found)
                return match[0] if copy is None else f'{match[1]}"{copy}"'
        launcher = _LAUNCHER.search(match[2])
        if launcher is not None:
            return f'{match[1]}"{self._launcher(launcher[1])}"'
        return match[0]

    def _launcher(self, kernel: str) -> Path:
        """The header that a project's build would make for ``ACLRT_LAUNCH_KERNEL(kernel)``."""
        made = self._folder / f"aclrtlaunch_{kernel}.h"
        made.write_text(f"#pragma once\nAL_LAUNCHER({kernel})\n", "utf-8")
        return made

    def _header(self, header: Path) -> Path | None:
        if header not in self._copies:
            self._copies[header] = None
            text = header.read_text("utf-8", "replace")
            inner = [(header.parent / m[2]).resolve() for m in _INCLUDED.finditer(text)]
            rewritten = [self._header(path) for path in inner if path.is_file()]
            if needs_rewriting(text) or any(rewritten):
                once = "#pragma once\n" if "#pragma once" in text else ""
                copy = self.of(header)
                copy.write_text(once + copy.read_text("utf-8"), "utf-8")
        return self._copies[header]


def _limit() -> None:
    """Limits of a compiler: a source can make it loop or eat all memory."""
    import resource

    for name, amount in ((resource.RLIMIT_CPU, _SECONDS), (resource.RLIMIT_AS, _MEMORY_MB << 20)):
        hard = resource.getrlimit(name)[1]
        wanted = amount if hard == resource.RLIM_INFINITY else min(amount, hard)
        resource.setrlimit(name, (wanted, hard))


def _read_from(depfile: Path) -> list[Path]:
    """The student's files in a dependency file: what is not the system's or ours."""
    if not depfile.exists():
        return []
    words = depfile.read_text("utf-8").replace("\\\n", " ").split()[1:]
    return [Path(word).resolve() for word in words if os.path.exists(word)]


def _write_read(file: Path, read: Iterable[Path]) -> None:
    found = {str(path): _digest([path.read_bytes()]) for path in sorted(read) if path.is_file()}
    file.write_text(json.dumps(found), "utf-8")


def _unchanged(file: Path) -> bool:
    try:
        known = json.loads(file.read_text("utf-8"))
    except (OSError, ValueError):
        return False
    for name, digest in known.items():
        path = Path(name)
        if not path.is_file() or _digest([path.read_bytes()]) != digest:
            return False
    return True


def _keep(made: Path, folder: Path) -> None:
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent) as name:
        kept = Path(name) / "kept"
        kept.mkdir()
        for part in ("program", "read.json"):
            shutil.copy2(made / part, kept / part)
        shutil.rmtree(folder, ignore_errors=True)
        try:
            os.replace(kept, folder)
        except OSError:  # another process has kept the same
            if not (folder / "program").exists():
                raise
