"""The source that is compiled for one combination of types: the project's kernel, with what its build would add.

That is the tiling structures of op_host as plain structures, DTYPE_X and its kin, and an instance of a kernel
that is a template of its tiling key.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ascend_lab.ascendc.building import Options, Site, build, cache
from ascend_lab.ascendc.kernel import CppKernel
from ascend_lab.ascendc.project.prototype import Prototype, Structure, TemplateArgument
from ascend_lab.ascendc.project.types import ElementType, by_code, macros
from ascend_lab.ascendc.rewriting import KernelText, needs_rewriting, rewrite
from ascend_lab.engine.errors import LabError, NotModelled

SUFFIXES = (".cpp", ".asc", ".cc", ".cxx", ".h", ".hpp")


@dataclass(frozen=True, slots=True)
class KernelFile:
    """Where a kernel is defined."""

    path: Path
    text: KernelText


def find(folder: Path, name: str) -> KernelFile | None:
    """The file under ``folder`` that defines kernel ``name``; sources are preferred to headers."""
    files = [p for p in sorted(folder.rglob("*")) if p.is_file() and p.suffix in SUFFIXES]
    for path in sorted(files, key=lambda p: SUFFIXES.index(p.suffix)):
        text = path.read_text("utf-8", "replace")
        if not needs_rewriting(text):
            continue
        for kernel in rewrite(text, str(path)).kernels:
            if kernel.name == name and kernel.line:
                return KernelFile(path, kernel)
    return None


def compiled(
    known: Prototype,
    file: KernelFile,
    types: Mapping[str, int],
    chosen: Sequence[int],
    key: int,
    options: Options,
) -> CppKernel:
    """The kernel for parameters of ``types`` (by name), template arguments ``chosen`` and a tiling key.

    Raises CompileError, NoCompiler, LabError when the template does not fit what tiling chose.
    """
    source = _written(known, file, chosen, key, options.site)
    folders = (file.path.parent, *options.includes)
    defines = (*options.defines, *_defines(types, file))
    given = replace(options, defines=defines, includes=folders)
    built = build([source], given)
    with built.start() as process:
        process.call()
        described = process.kernels()
    number = max(k for k, one in enumerate(described) if one[0] == file.text.name)
    return CppKernel(built, number, described[number])


def _written(
    known: Prototype, file: KernelFile, chosen: Sequence[int], key: int, site: Site | None
) -> Path:
    """The generated source, by its content in the user's cache: the same text has the same path."""
    parts = [*_structures(known, key), f'#include "{file.path}"', *_instance(known, file, chosen)]
    text = "\n".join(parts) + "\n"
    if site is not None:
        return site.place({f"{file.text.name}.cpp": text}) / f"{file.text.name}.cpp"
    folder = cache() / "projects" / hashlib.sha256(text.encode()).hexdigest()[:16]
    path = folder / f"{file.text.name}.cpp"
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return path


# --- tiling structures -------------------------------------------------------------------------------------


def _structures(known: Prototype, key: int) -> Iterator[str]:
    done: set[str] = set()
    for structure in known.structures.values():
        yield from _structure(structure, done)
    own = known.structures.get(f"{known.type}_{key}") or known.structure
    if own is not None:
        yield f"using AlTilingDefault [[maybe_unused]] = {own.name};"


def _structure(structure: Structure, done: set[str]) -> Iterator[str]:
    if structure.name in done:
        return
    done.add(structure.name)
    lines = []
    for field in structure.fields:
        kind = field.type
        if field.nested is not None:
            yield from _structure(field.nested, done)
            kind = field.nested.name
        length = f"[{field.count}]" if field.count else ""
        lines.append(f"    {kind} {field.name}{length} = {{}};")
    yield "\n".join([f"struct {structure.name} {{", *lines, "};"])


# --- types ---------------------------------------------------------------------------------------------------


def _defines(types: Mapping[str, int], file: KernelFile) -> Iterator[str]:
    found: dict[str, ElementType] = {}
    for name, code in types.items():
        kind = by_code(code)
        if kind is None:
            raise NotModelled(file.text.name, f"{name}: DataType {code}")
        found[name] = kind
    texts = (path.read_text("utf-8", "replace") for path in _around(file.path))
    return macros(found, numbered=any("ORIG_DTYPE_" in text for text in texts))


def _around(path: Path) -> Iterator[Path]:
    yield from (p for p in sorted(path.parent.rglob("*")) if p.is_file() and p.suffix in SUFFIXES)


# --- templates -----------------------------------------------------------------------------------------------


def _instance(known: Prototype, file: KernelFile, chosen: Sequence[int]) -> Iterator[str]:
    if not file.text.is_template:
        return
    arguments = [one for one in known.template if one.kind != "n"]
    if len(arguments) != len(chosen):
        raise _unfit(known, file)
    listed = ", ".join(_argument(one, value) for one, value in zip(arguments, chosen, strict=True))
    text = file.text
    names = ",".join(text.parameters)
    where = f'"{file.path}", {text.line}, {text.end}'
    yield (
        f'static ::al::Registered al_instance("{text.name}", {text.name}<{listed}>, '
        f'"{names}", "{text.qualifiers}", {where});'
    )


def _argument(argument: TemplateArgument, value: int) -> str:
    if argument.kind == "d":
        found = by_code(value)
        return found.kernel if found is not None else str(value)
    if argument.kind == "b":
        return "true" if value else "false"
    return str(value)


def _unfit(known: Prototype, file: KernelFile) -> LabError:
    return LabError(
        f"核函数 {file.text.name} 是模板，但 TilingFunc 没有用 ASCENDC_TPL_SEL_PARAM 选择它的 "
        f"{len(known.template)} 个模板参数。",
        f"kernel {file.text.name} is a template, and TilingFunc did not choose its "
        f"{len(known.template)} arguments with ASCENDC_TPL_SEL_PARAM.",
    )
