"""Submissions in C++ that cheat, break or flood: while they are compiled, and while they run."""

from __future__ import annotations

from pathlib import Path

from tests.grader.attacks.python_attacks import MARK, Attack

_HERE = Path(__file__).parents[2] / "exercise"
ADD = (_HERE / "add.asc").read_text(encoding="utf-8")
_HOST = (_HERE / "project/op_host/add.cpp").read_text(encoding="utf-8")
_PROJECT = {
    f"op_kernel/{name}": (_HERE / "project/op_kernel" / name).read_text(encoding="utf-8")
    for name in ("add.cpp", "add_tiling.h")
}
_COMPILES = "does not compile"
_SYSTEM = "#include <unistd.h>\n#include <sys/syscall.h>\n#include <cstdio>\n#include <cstdlib>\n"
_BODY = "    KernelAdd op;\n"


def source(name: str, says: str, head: str = "", body: str = "", slow: bool = True) -> Attack:
    """The right source, with ``head`` before everything and ``body`` before the kernel's work."""
    text = head + ADD.replace(_BODY, f"    {body}\n{_BODY}" if body else _BODY)
    return Attack(name, {f"{name}.asc": text}, says, slow=slow)


def project(name: str, says: str, body: str, change: tuple[str, str] = ("", "")) -> Attack:
    """The right project, with ``body`` at the start of TilingFunc, and one part of op_host changed."""
    start = "{\n    const uint32_t total"
    host = _SYSTEM + _HOST.replace(start, "{\n    " + body + "\n    const uint32_t total", 1)
    assert change[0] in host
    host = host.replace(*change, 1) if change[0] else host
    files: dict[str, str | bytes] = {f"{name}/op_host/add.cpp": host}
    files |= {f"{name}/{path}": text for path, text in _PROJECT.items()}
    return Attack(name, files, says, slow=True)


_CONSTEXPR = """
constexpr long Burn(long n) { long s = 0; for (long i = 0; i < n; i++) { s += i % 7; } return s; }
template <int N> struct Many { static constexpr long value = Burn(30000000 + N) + Many<N - 1>::value; };
template <> struct Many<0> { static constexpr long value = 0; };
static_assert(Many<400>::value != 1, "");
"""
_TEMPLATES = """
template <int N, typename T> struct Wide { Wide<N - 1, Wide<N - 1, T>> a; Wide<N - 1, T*> b; };
template <typename T> struct Wide<0, T> { T t; };
Wide<40, int> wide;
"""
_FORGES = (
    "__attribute__((constructor(102))) void Forge() {"
    ' const char b[] = "\\x05\\0\\0\\0\\0\\0\\0\\0Kpass"; write(3, b, 13); }\n'
)
_GARBAGE = "__attribute__((constructor(102))) void Flood() { static char b[1 << 20]; for (;;) { if (write(3, b, sizeof(b)) < 0) { _exit(1); } } }\n"
_FORK = "for (;;) { if (fork() < 0) { abort(); } }"
_FREE = "syscall(SYS_setsid); if (fork() == 0) { sleep(600); } abort();"


def attacks(bank: str, others: str) -> list[Attack]:
    """All of them; see `tests.grader.attacks.python_attacks.attacks`."""
    reads = f'if (FILE* f = fopen("{others}/honest.py", "r")) {{ char b[99]; fgets(b, 99, f); printf("%s", b); }} abort();'
    writes = "; ".join(
        f'{{ FILE* f = fopen("{place}/{MARK}", "w"); if (f) {{ fputs("x", f); fclose(f); }} }}'
        for place in (others, bank, "/tmp", "/dev/shm", "/var/tmp")
    )
    assembly = f'asm(".incbin \\"{bank}/add.py\\"");\n'
    return [
        source("includes-passwd", _COMPILES, '#include "/etc/passwd"\n', slow=False),
        source("includes-bank", _COMPILES, f'#include "{bank}/add.py"\n', slow=False),
        source(
            "includes-device",
            _COMPILES + "|stopped",
            '#include "/dev/stdin"\n#include "/dev/zero"\n',
        ),
        source(
            "includes-others",
            _COMPILES,
            f'#include "../{Path(others).name}/honest.py"\n',
            slow=False,
        ),
        source(
            "depends", _COMPILES, '#pragma GCC dependency "/etc/shadow"\n#error stop\n', slow=False
        ),
        source("poisons", _COMPILES, "#pragma GCC poison TILE\n"),
        source("assembles-bank", _COMPILES, assembly),
        source("assembles-passwd", _COMPILES, 'asm(".include \\"/etc/passwd\\"");\n'),
        source("constexpr-bomb", "stopped", _CONSTEXPR),
        source("template-bomb", _COMPILES, _TEMPLATES),
        source("forges-frames", "no sense", _SYSTEM + _FORGES),
        source("floods-frames", "no sense", _SYSTEM + _GARBAGE),
        source("fork-bomb-cpp", "X1", _SYSTEM, _FORK),
        source("setsid-cpp", "X1", _SYSTEM, _FREE),
        source(
            "exits-before-main",
            "ended",
            _SYSTEM
            + "__attribute__((constructor(102))) void Go() { syscall(SYS_exit_group, 0); }\n",
        ),
        source("assembly-exit", "ended", "", 'asm volatile("syscall" : : "a"(231), "D"(0));'),
        source("assembly-kill", "X1", _SYSTEM, "if (syscall(SYS_kill, -1, 9) != 0) { abort(); }"),
        source("reads-others-cpp", "X1", _SYSTEM, reads),
        source("writes-cpp", "X1", _SYSTEM, writes + "; abort();"),
        source("memory-cpp", "X1", "#include <vector>\n", "std::vector<char> v(8ull << 30, 1);"),
        source(
            "file-cpp",
            "8 MB",
            _SYSTEM,
            'FILE* f = fopen("f", "w"); for (;;) { fputs("0123456789", f); }',
        ),
        source("loop-cpp", "CPU time|No end after", "", 'for (;;) { asm volatile(""); }'),
        source("gm-pointer", "E1", "", "*(volatile __gm__ float*)z = 1.0f; return;"),
        project("host-forks", "op_host", "for (;;) { if (fork() < 0) { abort(); } }"),
        project("host-writes", "op_host", writes + "; abort();"),
        project("host-workspace", "MB of workspace", "", ("[0] = 0;", "[0] = 60ull << 30;")),
        project("host-exits", "op_host", "syscall(SYS_exit_group, 0);"),
    ]
