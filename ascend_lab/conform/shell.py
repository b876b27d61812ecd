"""The commands that documents of samples use, done with our own compiler and device.

Neither CMake nor a shell is called: ``cmake`` reads the description, ``make`` and ``bisheng`` compile through the
C++ door, ``./demo`` runs on the model; scripts are run as they are.
"""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from ascend_lab.acl.host_device import HostDevice
from ascend_lab.ascendc.building import Build, CompileError, Options, build
from ascend_lab.ascendc.process import Limits
from ascend_lab.ascendc.program import run
from ascend_lab.conform.cmake import Project, evaluate
from ascend_lab.conform.document import Call, Write
from ascend_lab.conform.judging import of_outcome
from ascend_lab.conform.own_data import OwnData
from ascend_lab.conform.printed import says_right, says_wrong
from ascend_lab.conform.verdict import RIGHT, Verdict

_SOURCES = (".asc", ".cpp", ".cc", ".cxx")
_BLANK = re.compile("待补充|请补充")  # an exercise of a notebook, for the learner to fill in
_VARIABLE = re.compile(r"\$\{?(\w+)\}?")
_ASSIGN = re.compile(r"^(\w+)=(.*)$")
_WRAPPERS = {"msprof", "mssanitizer", "msopprof", "time", "gdb"}
_PRODUCES = re.compile(r"gen|data", re.I)
_VERIFIES = re.compile(r"verif|compare|check", re.I)
#: Of one launch. More take the model longer than anybody waits, and more memory than most have.
INSTRUCTIONS = 3_000_000
#: Samples were tried on cards whose memory nobody had used yet: what they do not write is 0 there.
FRESH = 0


class Stop(Exception):
    """The rest of the document makes no sense after this."""

    def __init__(self, verdict: Verdict) -> None:
        super().__init__(verdict.reason)
        self.verdict = verdict


class Shell:
    """A scratch folder and what happens in it. ``chosen``: settings that win over the document's."""

    def __init__(
        self,
        root: Path,
        case: str = "",
        chosen: Mapping[str, str] | None = None,
        limits: Limits | None = None,
        own: OwnData | None = None,
        schedule: str = "realistic",
    ) -> None:
        self.root = root.resolve()
        self.case = case
        self.chosen = dict(chosen or {})
        self.limits = limits or Limits()
        self.verdicts: list[Verdict] = []
        self.verified = False
        self._own = own
        self._schedule = schedule
        self._cwd = self.root
        self._variables: dict[str, str] = {}
        self._projects: dict[Path, Project] = {}
        self._built: dict[Path, Build | None] = {}
        self._runs = 0

    def follow(self, steps: list[Write | Call]) -> None:
        """Do the steps of a document."""
        try:
            for step in steps:
                self._cwd = self.root
                if isinstance(step, Write):
                    self._write(step)
                else:
                    for line in step.text.splitlines():
                        self.line(line)
        except Stop as stop:
            self.verdicts.append(stop.verdict)
        if self.verified and not any(v.status == "wrong" for v in self.verdicts):
            self.verdicts = [_right(v) if v.status == "finding" else v for v in self.verdicts]

    def line(self, text: str) -> None:
        """One line of commands."""
        try:
            words = shlex.split(text.replace("&&", " ; ").replace(";", " ; "), comments=True)
        except ValueError:
            return
        command: list[str] = []
        for word in [*words, ";"]:
            if word != ";":
                command.append(word)
                continue
            self._command(command)
            command = []

    # --- commands ------------------------------------------------------------------------------------

    def _command(self, words: list[str]) -> None:
        while words and _ASSIGN.match(words[0]):
            name, value = words.pop(0).split("=", 1)
            self._variables[name] = self.chosen.get(name, value)
        words = [_VARIABLE.sub(lambda m: self._variables.get(m[1], ""), word) for word in words]
        if not words:
            return
        name = Path(words[0]).name
        act: Callable[[list[str]], None] | None = getattr(self, f"_do_{name}", None)
        if name in _WRAPPERS:
            words = [w for w in words[1:] if w.startswith("./")][:1]
            self._run(words)
        elif words[0].startswith("./") or words[0].startswith("Sources/"):
            self._run(words)
        elif act is not None:
            act(words[1:])

    def _at(self, name: str) -> Path:
        return (self._cwd / name).resolve()

    def _write(self, step: Write) -> None:
        path = self._at(step.path)
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a" if step.append else "w", encoding="utf-8") as file:
            file.write(step.text + ("" if step.text.endswith("\n") else "\n"))

    def _do_cd(self, words: list[str]) -> None:
        folder = self._at(words[0]) if words else self.root
        if folder.is_dir():
            self._cwd = folder

    def _do_mkdir(self, words: list[str]) -> None:
        for word in words:
            if not word.startswith("-"):
                self._at(word).mkdir(parents=True, exist_ok=True)

    def _do_rm(self, words: list[str]) -> None:
        for word in words:
            path = self._at(word)
            if self.root in path.parents and path.is_file():
                path.unlink()

    def _do_cp(self, words: list[str]) -> None:
        *sources, target = [word for word in words if not word.startswith("-")]
        for source in map(self._at, sources):
            if source.is_file():
                shutil.copy2(source, self._at(target))

    def _do_cat(self, words: list[str]) -> None:
        if ">>" in words:
            at = words.index(">>")
            with self._at(words[at + 1]).open("a", encoding="utf-8") as file:
                for word in words[:at]:
                    file.write(self._at(word).read_text("utf-8"))

    def _do_export(self, words: list[str]) -> None:
        self._command([word for word in words if _ASSIGN.match(word)])

    def _do_cmake(self, words: list[str]) -> None:
        settings = dict(
            w.removeprefix("-D").split("=", 1) for w in words if w.startswith("-D") and "=" in w
        )
        settings |= {name: value for name, value in self.chosen.items() if name in settings}
        places = [w for w in words if not w.startswith("-")]
        folder = self._at(places[0]) if places else self._cwd
        if "-B" in words:
            self._cwd = self._at(words[words.index("-B") + 1])
            self._cwd.mkdir(parents=True, exist_ok=True)
        if (folder / "CMakeLists.txt").is_file():
            merged = {**self.chosen, **settings}
            self._projects[self._cwd.resolve()] = evaluate(folder, merged)

    def _do_make(self, words: list[str]) -> None:
        project = self._projects.get(self._cwd.resolve())
        if project is None:
            return
        cpu = project.variables.get("CMAKE_ASC_RUN_MODE") == "cpu"
        more = ["ASCENDC_CPU_DEBUG=1"] if cpu else []
        for target in project.programs():
            sources = [source for source in target.sources if source.suffix in _SOURCES]
            defines = tuple(dict.fromkeys([*project.defines, *target.defines, *more]))
            includes = (*project.includes, *target.includes)
            self._build(sources, Options(defines, includes), self._cwd / target.name)

    def _do_bisheng(self, words: list[str]) -> None:
        named = words[words.index("-o") + 1] if "-o" in words else "a.out"
        sources = [self._at(w) for w in words if Path(w).suffix in _SOURCES]
        defines = tuple(w.removeprefix("-D") for w in words if w.startswith("-D"))
        self._build(sources, Options(defines), self._at(named))

    def _build(self, sources: list[Path], options: Options, program: Path) -> None:
        if any(_BLANK.search(source.read_text("utf-8", "replace")) for source in sources):
            self._built[program.resolve()] = None
            return
        try:
            self._built[program.resolve()] = build(sources, options)
        except CompileError as error:
            first = next(
                (
                    line
                    for line in error.text.splitlines()
                    if "error" in line or "undefined" in line
                ),
                error.text.strip(),
            )
            raise Stop(Verdict("build error", first[:200], self.case)) from None

    def _run(self, words: list[str]) -> None:
        if not words or self._at(words[0]) not in self._built:
            return
        built = self._built[self._at(words[0])]
        if built is None:
            return
        self._runs += 1
        for name in ("input", "output"):
            (self._cwd / name).mkdir(exist_ok=True)
        said = self._cwd / f"printed_{self._runs}.txt"
        with said.open("wb") as file:
            device = HostDevice(schedule=self._schedule, limit=INSTRUCTIONS, fresh=FRESH)
            outcome = run(
                built,
                words[1:],
                device=device,
                folder=self._cwd,
                limits=self.limits,
                stdout=file,
            )
        text = said.read_text("utf-8", "replace")
        case = self.case if self._runs == 1 else f"{self.case} run {self._runs}".strip()
        self.verdicts.append(of_outcome(outcome, text, case, device.limit))
        self.verified = self.verified or says_right(text)

    def _do_python(self, words: list[str]) -> None:
        self._do_python3(words)

    def _do_python3(self, words: list[str]) -> None:
        if not words or not self._at(words[0]).is_file():
            return
        for name in ("input", "output"):
            (self._cwd / name).mkdir(exist_ok=True)
        if self._own is not None:
            self._own_script(Path(words[0]).name)
            return
        command = [sys.executable, "-m", "ascend_lab.conform.script", *words]
        done = subprocess.run(command, cwd=self._cwd, capture_output=True, check=False)
        said = (done.stdout + done.stderr).decode("utf-8", "replace")
        name = Path(words[0]).name
        if _VERIFIES.search(name):
            self._verified(name, done.returncode, said)
        elif done.returncode:
            last = (said.strip().splitlines() or [""])[-1]
            raise Stop(Verdict("not driven", f"{name}: {last[:160]}", self.case))

    def _own_script(self, name: str) -> None:
        """What a script of another operator does not do for this one."""
        assert self._own is not None
        if not _VERIFIES.search(name):
            self._own.generate(self._cwd)
            return
        self.verified = True
        wrong = self._own.wrong(self._cwd)
        if wrong:
            self.verdicts.append(Verdict("wrong", wrong, self.case))

    def _verified(self, name: str, code: int, said: str) -> None:
        self.verified = True
        wrong = says_wrong(said)
        if code or wrong:
            last = wrong or (said.strip().splitlines() or [f"exit code {code}"])[-1]
            self.verdicts.append(Verdict("wrong", f"{name}: {last[:160]}", self.case))


def _right(verdict: Verdict) -> Verdict:
    """A finding on a sample whose own verification passes."""
    return replace(verdict, reason=f"{RIGHT}; {verdict.reason}")
