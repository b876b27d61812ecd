"""One sample from copy to verdict. What kind it is shows in its path."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

from ascend_lab.conform import cases, document, operators
from ascend_lab.conform.cmake import OtherChip, Refused
from ascend_lab.conform.document import Call, Write
from ascend_lab.conform.ladder import Entry
from ascend_lab.conform.own_data import OwnData, for_program
from ascend_lab.conform.shell import Shell
from ascend_lab.conform.verdict import Verdict, together

_ID = re.compile(r"\b([A-N]\d{1,2})\b")
_IGNORED = shutil.ignore_patterns("figures", "images", "*.png", "*.gif")


def drive(root: Path, entry: Entry, scratch: Path, schedule: str = "realistic") -> list[Verdict]:
    """Run every case of ``entry`` of the repositories in ``root``; ``scratch`` is an empty folder."""
    path = root / entry.path
    if not path.exists():
        return [Verdict("not driven", "it is not in the folder of repositories")]
    if path.suffix == ".py":
        return [_python(path, schedule)]
    if path.suffix == ".ipynb":
        return _notebook(path, scratch, schedule)
    return _folder(path, scratch, schedule)


def verdict_on(entry: Entry, verdicts: list[Verdict]) -> Verdict:
    """The cases of ``entry`` taken together; of a sample that is wrong on purpose a finding is what is right."""
    merged = together(verdicts)
    if entry.matrix and merged.status == "not modelled":
        return Verdict("needs matrix", merged.reason, "", merged.findings, merged.notes)
    if (
        entry.faulty
        and merged.status in ("finding", "too long", "wrong", "pass")
        and merged.findings
    ):
        reason = f"wrong on purpose, and named: {', '.join(merged.findings)}"
        return Verdict("pass", reason, "", merged.findings, merged.notes)
    if entry.faulty and merged.status == "pass" and len(verdicts) > 1:
        return Verdict("wrong", "wrong on purpose, and nothing was found")
    return merged


# --- kinds -------------------------------------------------------------------------------------------


def _notebook(path: Path, scratch: Path, schedule: str) -> list[Verdict]:
    for beside in path.parent.iterdir():
        if beside.name in ("src", "Sources"):
            shutil.copytree(beside, scratch / beside.name, ignore=_IGNORED)
    shell = Shell(scratch, schedule=schedule)
    shell.follow(document.of_notebook(path))
    return shell.verdicts


def _folder(path: Path, scratch: Path, schedule: str) -> list[Verdict]:
    if path.name == "op_kernel" and (path.parent / "op_host").is_dir():
        return operators.run_project(path.parent, schedule)
    alone = _without_main(path)
    if alone is not None:
        return operators.run_kernels(alone, schedule)
    called = operators.with_program(path)
    if called is not None:
        return [operators.run_program(*called, scratch, schedule)]
    own = None
    if not (path / "CMakeLists.txt").is_file():
        own = _own_data(path)
        path = _with_its_exercise(path, scratch / "exercise")
    steps = document.of_readme(path) or document.of_script(path) or _usual(path)
    if not steps:
        return [Verdict("not driven", "no document says how to build and run it")]
    text = "\n".join(step.text for step in steps)
    if cases.for_another_chip(path):
        return [Verdict("other chip", "its README names Ascend 950 alone")]
    verdicts: list[Verdict] = []
    others = cases.not_here(path)
    for number, chosen in enumerate(cases.of_sample(path, text)):
        if others & set(chosen.values()):
            case = " ".join(f"{name}={value}" for name, value in chosen.items())
            verdicts.append(Verdict("other chip", "for Ascend 950 only", case))
            continue
        work = scratch / str(number)
        shutil.copytree(path, work, ignore=_IGNORED)
        verdicts.append(_case(work, list(steps), chosen, own, schedule))
    return verdicts


def _without_main(path: Path) -> Path | None:
    """The one Ascend C source of a folder that has kernels and no host program, None when there is one."""
    sources = sorted(path.glob("*.asc"))
    if len(sources) != 1 or (path / "README.md").is_file():
        return None
    return None if "main(" in sources[0].read_text("utf-8", "replace") else sources[0]


def _own_data(path: Path) -> OwnData | None:
    """Data for an answer whose exercise is about another operator: its source has another name."""
    sources = sorted(path.glob("*.asc"))
    exercise = path.parent.parent / "src" / path.name
    if len(sources) != 1 or (exercise / sources[0].name).is_file():
        return None
    return for_program(sources[0])


def _with_its_exercise(path: Path, work: Path) -> Path:
    """An answer laid over the exercise of the same number, which has the scripts: ``answer/N``, ``src/N``."""
    exercise = path.parent.parent / "src" / path.name
    if not exercise.is_dir():
        return path
    shutil.copytree(exercise, work, ignore=_IGNORED)
    described = work / "CMakeLists.txt"
    for file in sorted(path.rglob("*")):
        if not file.is_file():
            continue
        shutil.copy2(file, work / file.name)
        others = [other for other in sorted(work.glob("*.asc")) if other.name != file.name]
        if file.suffix == ".asc" and described.is_file() and len(others) == 1:
            text = described.read_text("utf-8").replace(others[0].name, file.name)
            described.write_text(text, "utf-8")
    return work


def _case(
    work: Path,
    steps: list[Write | Call],
    chosen: dict[str, str],
    own: OwnData | None,
    schedule: str,
) -> Verdict:
    begun = time.perf_counter()
    case = " ".join(f"{name}={value}" for name, value in chosen.items())
    shell = Shell(work, case, chosen, own=own, schedule=schedule)
    try:
        shell.follow(steps)
    except OtherChip as refused:
        return Verdict("other chip", str(refused)[:160], case)
    except Refused as refused:
        return Verdict("not driven", str(refused)[:160], case)
    merged = together(shell.verdicts)
    if merged.status == "pass" and _unverified(work, shell):
        merged = Verdict("not driven", "its verification was not reached", case)
    seconds = time.perf_counter() - begun
    return Verdict(merged.status, merged.reason, case, merged.findings, merged.notes, seconds)


def _unverified(work: Path, shell: Shell) -> bool:
    return (work / "scripts" / "verify_result.py").is_file() and not shell.verified


def _usual(path: Path) -> list[Call]:
    """What is usual, when the document does not say."""
    if not (path / "CMakeLists.txt").is_file():
        sources = sorted(path.glob("*.asc"))
        return [Call(f"bisheng {sources[0].name} -o demo\n./demo")] if len(sources) == 1 else []
    lines = ["mkdir -p build", "cd build", "cmake ..", "make"]
    if (path / "scripts" / "gen_data.py").is_file():
        lines.append("python3 ../scripts/gen_data.py")
    text = (path / "CMakeLists.txt").read_text("utf-8", "replace")
    lines += [f"./{name}" for name in re.findall(r"add_executable\(\s*(\w+)", text)]
    if (path / "scripts" / "verify_result.py").is_file():
        lines.append("python3 ../scripts/verify_result.py output/output.bin output/golden.bin")
    return [Call("\n".join(lines))]


def _python(path: Path, schedule: str) -> Verdict:
    test = path.name.startswith("test_")
    words = ["run", "--findings", "report", *(["--pytest"] if test else []), "--lang", "en"]
    words = [*words, "--schedule", schedule, str(path), *(["-q"] if test else [])]
    command = [sys.executable, "-m", "ascend_lab.cli", *words]
    done = subprocess.run(command, cwd=path.parent, capture_output=True, check=False)
    said = (done.stdout + done.stderr).decode("utf-8", "replace")
    if done.returncode == 0:
        return Verdict("pass")
    refused = re.search(r"(\w[\w. ]*) is not modelled yet", said)
    if refused is not None:
        return Verdict("not modelled", refused[1])
    last = (said.strip().splitlines() or [f"exit code {done.returncode}"])[-1]
    return Verdict("wrong", last[:200])
