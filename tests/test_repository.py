"""What the repository promises as a whole: versions, names, texts, and nothing that does not belong."""

from __future__ import annotations

import ast
import importlib
import importlib.metadata
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[1]
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
EXTRAS: dict[str, list[str]] = PROJECT["optional-dependencies"]

#: What conda must bring that pip does not.
CONDA_ONLY = {"python", "pip", "make"}
#: Distributions whose import name is not their own.
DISTRIBUTION_OF = {"yaml": "pyyaml", "IPython": "ipykernel", "jupyter_client": "ipykernel"}
#: Rooms that must do with the runtime dependencies.
LIGHT = ("chips", "engine", "checks", "profile", "device.py", "acl", "asc")


def requirements(*groups: str) -> dict[str, Requirement]:
    """Requirements of the runtime ("") and of extras, without references to the project itself."""
    lines = [line for g in groups for line in (EXTRAS[g] if g else PROJECT["dependencies"])]
    parsed = [Requirement(line) for line in lines if not line.startswith("ascend-lab[")]
    return {str(canonicalize_name(r.name)): r for r in parsed}


EVERYTHING = requirements("", "lab", "grader", "dev")


def test_environment_lists_the_ranges_of_pyproject() -> None:
    environment = yaml.safe_load((ROOT / "environment.yml").read_text("utf-8"))
    lines = [line for line in environment["dependencies"] if isinstance(line, str)]
    listed = {str(canonicalize_name(r.name)): r for r in map(Requirement, lines)}
    assert str(listed["python"].specifier) == PROJECT["requires-python"]
    ranges = {name: r.specifier for name, r in listed.items() if name not in CONDA_ONLY}
    assert ranges == {name: r.specifier for name, r in EVERYTHING.items()}
    assert environment["dependencies"][-1] == {"pip": ["-e ."]}


def pins() -> dict[str, str]:
    lines = (ROOT / "constraints.txt").read_text("utf-8").splitlines()
    found = [line for line in lines if line and not line.startswith("#")]
    for line in found:
        assert re.fullmatch(r"[A-Za-z0-9._-]+==[A-Za-z0-9.+!]+", line), line
    return {canonicalize_name(name): version for name, version in (f.split("==") for f in found)}


def test_every_requirement_has_a_tested_version_in_its_range() -> None:
    tested = pins()
    wanted = EVERYTHING | requirements("browser")
    assert [n for n, r in wanted.items() if n not in tested or tested[n] not in r.specifier] == []


def test_what_is_installed_is_in_range() -> None:
    version = importlib.metadata.version
    assert [n for n, r in EVERYTHING.items() if version(n) not in r.specifier] == []


def test_all_is_everything() -> None:
    assert EXTRAS["all"] == ["ascend-lab[lab,grader,dev]"]
    assert not any(name.startswith("torch") for name in EVERYTHING)


def imported(files: list[Path]) -> dict[str, str]:
    """Top-level third-party modules -> one file that imports them."""
    ours = {"ascend_lab", "grader", "tests", "labs", "benchmarks", "asc", "__future__"}
    found: dict[str, str] = {}
    for file in files:
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            for name in _modules(node):
                top = name.partition(".")[0]
                if top not in ours and top not in sys.stdlib_module_names:
                    found[top] = str(file.relative_to(ROOT))
    return found


def _modules(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom) and node.module and not node.level:
        return [node.module]
    return []


def sources(*places: str) -> list[Path]:
    found: list[Path] = []
    for place in places:
        path = ROOT / place
        found += [path] if path.is_file() else sorted(path.rglob("*.py"))
    return [file for file in found if "samples" not in file.parts]


def undeclared(files: list[Path], allowed: dict[str, Requirement]) -> dict[str, str]:
    return {
        module: file
        for module, file in imported(files).items()
        if canonicalize_name(DISTRIBUTION_OF.get(module, module)) not in allowed
    }


def test_light_rooms_import_the_runtime_dependencies_only() -> None:
    files = sources(*(f"ascend_lab/{room}" for room in LIGHT))
    assert len(files) > 20
    assert undeclared(files, requirements("")) == {}


def test_every_import_is_declared() -> None:
    allowed = requirements("", "lab", "grader")
    missing = undeclared(sources("ascend_lab", "grader"), allowed)
    missing.pop("pytest", None)  # `ascend-lab run --pytest` asks for it by name
    assert missing == {}
    tools = EVERYTHING | requirements("browser")
    optional = {"packaging"}  # comes with pytest
    missing = undeclared(sources("tests", "benchmarks"), tools)
    assert {m: f for m, f in missing.items() if m not in optional} == {}


def packages() -> list[str]:
    """Modules of ours that say what is public."""
    files = sources("ascend_lab", "grader")
    public = [f for f in files if re.search(r"^__all__\b", f.read_text("utf-8"), re.MULTILINE)]
    names = [".".join(f.relative_to(ROOT).with_suffix("").parts) for f in public]
    return [name.removesuffix(".__init__") for name in names]


@pytest.mark.parametrize("name", packages())
def test_all_names_what_is_there(name: str) -> None:
    module = importlib.import_module(name)
    listed = list(module.__all__)
    assert len(set(listed)) == len(listed)
    assert [entry for entry in listed if not hasattr(module, entry)] == []
    if module.__file__ and module.__file__.endswith("__init__.py"):
        assert sorted(_public(module) - set(listed)) == []


def _public(module: ModuleType) -> set[str]:
    """Names that a package shows and that are ours."""
    return {
        name
        for name, value in vars(module).items()
        if not name.startswith("_")
        and not isinstance(value, ModuleType)
        and str(getattr(value, "__module__", "")).startswith(("ascend_lab", "grader"))
    }


def fences(file: str, language: str) -> list[str]:
    text = (ROOT / file).read_text("utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.DOTALL | re.MULTILINE)


def without_comments(code: str) -> str:
    return re.sub(r" *#.*", "", code).replace('message("zh")', 'message("en")')


@pytest.mark.parametrize("language", ["sh", "python"])
def test_both_readmes_give_the_same_commands(language: str) -> None:
    en, zh = fences("README.md", language), fences("README.zh.md", language)
    assert len(en) == 1
    assert [without_comments(code) for code in en] == [without_comments(code) for code in zh]
    assert len((ROOT / "README.md").read_text("utf-8").split("\n## ")) == len(
        (ROOT / "README.zh.md").read_text("utf-8").split("\n## ")
    )


def test_the_first_two_commands_are_targets_of_make() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    commands = re.findall(r"^make (\w+)", fences("README.md", "sh")[0], re.MULTILINE)
    assert commands == ["lab", "test"]
    for target in commands:
        assert re.search(rf"^{target}:", makefile, re.MULTILINE)
    assert "make test" in (ROOT / ".ci" / "run").read_text("utf-8")


def test_the_first_kernel_runs_as_printed(tmp_path: Path) -> None:
    script = tmp_path / "first.py"
    script.write_text(fences("README.md", "python")[0], "utf-8")
    run = subprocess.run(
        [sys.executable, "-W", "error", str(script)],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        env={"PYTHONPATH": str(ROOT)},
    )
    assert run.stderr == ""
    assert re.fullmatch(r"Result\([0-9.]+ us, findings: none\) True\n", run.stdout), run.stdout


def test_the_readmes_name_files_that_exist() -> None:
    for readme in ("README.md", "README.zh.md"):
        text = (ROOT / readme).read_text("utf-8")
        named = re.findall(
            r"`((?:labs|exam_bank|ascend_lab|grader|docs|benchmarks)/[\w./]*)`", text
        )
        assert len(named) > 5
        assert [path for path in named if not (ROOT / path).exists()] == []


def tracked() -> list[Path]:
    """What git knows of; without git (an unpacked archive) there is nothing to check."""
    run = subprocess.run(["git", "ls-files", "-z"], capture_output=True, check=False, cwd=ROOT)
    if run.returncode:
        pytest.skip("not a git checkout")
    return [ROOT / name for name in run.stdout.decode().split("\0") if name]


#: Written in pieces, so that this file does not find itself.
FORBIDDEN = [
    "/" + "work/",
    "/tmp/" + "(ref|brief)",
    "/" + "root/",
    r"/home/" + r"(?!student\b)\w+/",
    "pyenv/" + "versions",
    r"pypi\." + "org|python" + "hosted|registry\\.npm" + r"js|anaconda\." + "org",
    r"\bissue" + r"s? #?\d",
    r"\b(sub-?" + "agent|found" + r"er)\b",
    r"\b(cla" + r"ude|anth" + r"ropic|chat" + r"gpt)\b",
]


def test_the_repository_speaks_of_the_project_alone() -> None:
    pattern = re.compile("|".join(FORBIDDEN), re.IGNORECASE)
    found = []
    for file in tracked():
        try:
            text = file.read_text("utf-8")
        except (UnicodeDecodeError, FileNotFoundError, IsADirectoryError):
            continue
        name = file.relative_to(ROOT)
        found += [f"{name}: {match[0]}" for match in [pattern.search(text)] if match]
    assert found == []


def test_no_tracked_file_is_large() -> None:
    sizes = {f.relative_to(ROOT).as_posix(): f.stat().st_size for f in tracked() if f.is_file()}
    assert {name: size for name, size in sizes.items() if size > 1_000_000} == {}


def test_licence_is_the_whole_text() -> None:
    text = (ROOT / "LICENSE").read_text("utf-8")
    assert "Version 2.0, January 2004" in text
    assert "9. Accepting Warranty or Additional Liability" in text
    assert PROJECT["license"] == "Apache-2.0"
