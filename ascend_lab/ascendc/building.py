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
from typing import Protocol

from ascend_lab.ascendc.cleaning import cleaned
from ascend_lab.ascendc.device_text import foreign
from ascend_lab.ascendc.process import Limits, Link, Process
from ascend_lab.ascendc.rewriting import needs_rewriting, rewrite
from ascend_lab.ascendc.wording import chinese
from ascend_lab.engine.errors import InternalError

_HERE = Path(__file__).resolve().parent
INCLUDE = _HERE / "include"
RUNTIME = _HERE / "runtime"
#: Functions that mean something else in a kernel: the linker gives their calls to the runtime.
WRAPPED = ("main", "exit", "_exit", "printf", "vprintf", "puts", "putchar", "__assert_fail")
_FLAGS = (
    *("-std=c++17", "-O1", "-fno-strict-aliasing", "-fno-builtin-printf"),
    *("-Wno-narrowing", "-Wno-multichar", "-Winvalid-pch"),
    "-g1",  # lines alone: what touches GM through a pointer, or prints, has no other place
)
#: The processor's own conversions of half, where the machine has them; the bits are the same without.
_CONVERTS = ("-mf16c",)
_PRELUDE = "ascend_lab/prelude.h"
_PREFIX = "ascend-lab-"
_SECONDS = 120
_MEMORY_MB = 4096
#: Limits of a compiler: a source can make it loop or eat all memory.
_LIMITED: tuple[str, ...] = (
    ("/bin/sh", "-c", f'ulimit -t {_SECONDS}; ulimit -v {_MEMORY_MB << 10}; exec "$@"', "sh")
    if os.name == "posix"
    else ()
)
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
        if lang == "zh":
            return f"编译失败：\n{chinese(self.text)}"
        return f"It does not compile:\n{self.text}"


class Site(Protocol):
    """Where sources are compiled and programs run that nobody trusts. Without one: here, as this user.

    At a site sources include only what lies beside them, and nothing is kept for another run.
    """

    def folder(self) -> Path:
        """A new folder, that a compiler may write."""
        ...

    def place(self, files: dict[str, str]) -> Path:
        """A new folder with these files (text by path), that a compiler may read."""
        ...

    def compile(
        self, arguments: Sequence[str], folder: Path, readable: Sequence[Path]
    ) -> tuple[int, str]:
        """Run a compiler in ``folder``; its exit code and what it said."""
        ...

    def start(self, program: Path, limits: Limits | None) -> Link:
        """Start a program, without arguments."""
        ...


@dataclass(frozen=True, slots=True)
class Build:
    """A program built from ``sources``. ``fresh``: it was not in the cache. ``warnings``: cleaned."""

    program: Path
    sources: tuple[Path, ...]
    fresh: bool
    warnings: str = ""
    site: Site | None = None

    def start(self, folder: Path | None = None, limits: Limits | None = None) -> Process:
        """Run it, in ``folder`` unless its site has one of its own."""
        link = None if self.site is None else self.site.start(self.program, limits)
        return Process(self.program, folder=folder, limits=limits, link=link)


@dataclass(frozen=True, slots=True)
class Options:
    """How to compile: names to define, further folders of headers, further flags; and where."""

    defines: tuple[str, ...] = ()
    includes: tuple[Path, ...] = ()
    flags: tuple[str, ...] = ()
    site: Site | None = None

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


def made(cxx: str) -> Path:
    """The folder of what is ours and built once for a compiler: runtime, precompiled header."""
    return cache() / _stamp(cxx) / "made"


def build(sources: Sequence[Path | str], options: Options | None = None) -> Build:
    """Compile and link ``sources`` to one program, or take it from the cache.

    Raises CompileError for the student's errors, NoCompiler, FileNotFoundError for a source.
    """
    paths = [Path(source).resolve() for source in sources]
    return _Builder(compiler(), options or Options()).build(paths)


@functools.lru_cache(maxsize=1)
def _flags() -> tuple[str, ...]:
    """Our flags, and what this machine's processor adds."""
    try:
        told = Path("/proc/cpuinfo").read_text("utf-8")
    except OSError:
        return _FLAGS
    return (*_FLAGS, *_CONVERTS) if re.search(r"^flags\b.*\bf16c\b", told, re.MULTILINE) else _FLAGS


@functools.lru_cache(maxsize=8)
def _stamp(cxx: str) -> str:
    """What everything built depends on: the compiler, our flags, headers and runtime."""
    version = subprocess.run([cxx, "--version"], capture_output=True, check=False).stdout
    parts = [version, cxx.encode(), " ".join(_flags()).encode()]
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
        self.made = made(cxx)
        self.site = options.site
        self._own: list[Path] = [folder.resolve() for folder in options.includes]

    def build(self, sources: list[Path]) -> Build:
        self._own += [source.parent for source in sources]
        if self.site is not None:
            folder = self.site.folder()
            warnings = self._compile(sources, folder)
            return Build(folder / "program", tuple(sources), True, warnings, self.site)
        named = [str(source).encode() + b"\0" + source.read_bytes() for source in sources]
        options = " ".join(self.options.arguments).encode()
        folder = self.root / "programs" / _digest([options, *named])
        program = folder / "program"
        if program.exists() and _unchanged(folder / "read.json"):
            return Build(program, tuple(sources), fresh=False)
        with tempfile.TemporaryDirectory(prefix=_PREFIX) as name:
            warnings = self._compile(sources, Path(name))
            _keep(Path(name), folder)
        return Build(program, tuple(sources), fresh=True, warnings=warnings)

    def _compile(self, sources: list[Path], folder: Path) -> str:
        runtime = _Once(self, self.made / "runtime.o")
        runtime.start(_included(sorted(RUNTIME.glob("*.cpp"))), [f"-I{INCLUDE}", f"-I{RUNTIME}"])
        header = self._header()
        only = None if self.site is None else self._own
        written = _Writer(folder, self.options.includes, only)
        objects, said, read = [], [], set(sources)
        try:
            for number, source in enumerate(sources):
                made = folder / f"{number}.o"
                arguments = [
                    *self._arguments(header, source.parent),
                    *("-MMD", "-MF", f"{made}.d", "-x", "c++", "-c", str(written.of(source))),
                ]
                said.append(self.call([*arguments, "-o", str(made)], folder))
                if self.site is None:
                    read |= set(_read_from(Path(f"{made}.d")))
                objects.append(str(made))
        finally:
            made_runtime = runtime.finish()
        self._link([*objects, str(made_runtime)], folder / "program", folder)
        self._precompile(header)
        if self.site is not None:  # nothing is kept
            return "".join(filter(None, said))
        read |= written.read
        _write_read(folder / "read.json", (p for p in read if folder not in p.parents))
        return "".join(filter(None, said))

    def _arguments(self, header: Path, own: Path) -> list[str]:
        first = ["-include", str(header)]
        return [
            *_flags(),
            *first,
            "-iquote",
            str(own),
            *self.options.arguments,
            "-isystem",
            str(INCLUDE),
        ]

    def start(self, arguments: list[str], folder: Path) -> subprocess.Popen[bytes]:
        """Start the compiler under its limits."""
        return subprocess.Popen(
            [*_LIMITED, self.cxx, *arguments],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            cwd=folder,
            env={**os.environ, "LC_ALL": "C"},
        )

    def finish(self, running: subprocess.Popen[bytes]) -> str:
        """Wait for a compiler; its warnings, cleaned. Raises CompileError."""
        try:
            _, errors = running.communicate(timeout=_SECONDS)
        except subprocess.TimeoutExpired:
            running.kill()
            _, errors = running.communicate()
        return self._told(running.returncode, errors.decode("utf-8", "replace"))

    def _told(self, code: int, said: str) -> str:
        shown = cleaned(said, self._own, (INCLUDE, RUNTIME))
        if code:
            raise CompileError(shown or _ended(code), said)
        return shown

    def call(self, arguments: list[str], folder: Path) -> str:
        """Run the compiler to its end."""
        if self.site is None:
            return self.finish(self.start(arguments, folder))
        readable = [*self._own, self.made, INCLUDE, RUNTIME]
        code, said = self.site.compile([self.cxx, *arguments], folder, readable)
        return self._told(code, said)

    def _link(self, objects: list[str], program: Path, folder: Path) -> None:
        wraps = [f"-Wl,--wrap={name}" for name in WRAPPED]
        self.call([*objects, *wraps, "-lm", "-lpthread", "-o", str(program)], folder)

    # --- built once ----------------------------------------------------------------------------------

    def _header(self) -> Path:
        """The header that everything includes first."""
        made = self.made / "prelude.h"
        if not made.exists():
            self.made.mkdir(parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile("w", dir=self.made, delete=False) as file:
                file.write(f'#include "{_PRELUDE}"\n')
            os.chmod(file.name, 0o644)
            os.replace(file.name, made)
        return made

    def _precompile(self, header: Path) -> None:
        """Precompile the header for the next source, while nobody waits for it."""
        made = header.with_name("prelude.h.gch")
        if made.exists() or os.name != "posix" or "clang" in Path(self.cxx).name:
            return
        making = header.with_name("prelude.h.making")
        try:
            os.close(os.open(making, os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            return
        part = header.with_name("prelude.h.part")
        arguments = [self.cxx, *_flags(), "-isystem", str(INCLUDE), "-x", "c++-header", str(header)]
        script = '(nice "$@" && mv "$0.part" "$0.gch"; rm -f "$0.making" "$0.part") &'
        subprocess.run(
            ["/bin/sh", "-c", script, str(header), *arguments, "-o", str(part)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            check=False,
        )


class _Once:
    """Something built once for a compiler: started, and waited for when it is needed."""

    def __init__(self, builder: _Builder, made: Path) -> None:
        self._builder = builder
        self._made = made
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._running: subprocess.Popen[bytes] | None = None

    def start(self, text: str, arguments: list[str]) -> None:
        """Start to build it from ``text`` unless it is there."""
        if self._made.exists():
            return
        self._made.parent.mkdir(parents=True, exist_ok=True)
        self._folder = tempfile.TemporaryDirectory(dir=self._made.parent)
        folder = Path(self._folder.name)
        source = folder / "source.cpp"
        source.write_text(text, "utf-8")
        flags = [*_flags(), *arguments, "-c", str(source), "-o", str(folder / self._made.name)]
        self._running = self._builder.start(flags, folder)

    def finish(self) -> Path:
        """Where it is. Raises InternalError: it is not the student's."""
        if self._running is not None and self._folder is not None:
            with self._folder as folder:
                try:
                    self._builder.finish(self._running)
                except CompileError as error:
                    what = f"{self._builder.cxx} does not compile {self._made.name}"
                    raise InternalError(what, error.raw) from None
                os.replace(Path(folder) / self._made.name, self._made)
        return self._made


def _included(files: Iterable[Path]) -> str:
    return "".join(f'#include "{file}"\n' for file in files)


def _ended(code: int) -> str:
    return f"the compiler ended with {code} (time or memory)\n"


class _Writer:
    """Rewritten copies of sources and of the local headers that need it."""

    def __init__(
        self, folder: Path, includes: Sequence[Path], only: Sequence[Path] | None = None
    ) -> None:
        self._folder = folder
        self._includes = includes
        self._only = only  # nothing else is read here
        self._copies: dict[Path, Path | None] = {}
        self.read: set[Path] = set()

    def of(self, source: Path) -> Path:
        """The text of ``source`` for the compiler, in a file of its own."""
        self.read.add(source)
        text = source.read_text("utf-8", "replace")
        _demand_device(text, source.name)
        copy = self._folder / f"{len(self._copies)}_{source.name}.cpp"
        self._copies[source] = copy
        text = _INCLUDED.sub(lambda m: self._included(m, source), text)
        copy.write_text(f'#line 1 "{source}"\n{rewrite(text, str(source)).text}\n', "utf-8")
        return copy

    def _included(self, match: re.Match[str], source: Path) -> str:
        for folder in (source.parent, *self._includes):
            found = (folder / match[2]).resolve()
            if found.is_file() and self._may(found):
                copy = self._header(found)
                return match[0] if copy is None else f'{match[1]}"{copy}"'
        launcher = _LAUNCHER.search(match[2])
        if launcher is not None:
            return f'{match[1]}"{self._launcher(launcher[1])}"'
        return match[0]

    def _may(self, file: Path) -> bool:
        return self._only is None or any(file.is_relative_to(own) for own in self._only)

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
            rewritten = [self._header(path) for path in inner if path.is_file() and self._may(path)]
            if needs_rewriting(text) or any(rewritten):
                once = "#pragma once\n" if "#pragma once" in text else ""
                copy = self.of(header)
                copy.write_text(once + copy.read_text("utf-8"), "utf-8")
        return self._copies[header]


def _demand_device(text: str, name: str) -> None:
    """Raises CompileError for what a function for the core cannot have."""
    told = [
        f"{name}:{line}: error: {what} in a kernel: a core has neither heap nor host\n"
        for line, what in foreign(text)
    ]
    if told:
        raise CompileError("".join(dict.fromkeys(told)), "")


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
