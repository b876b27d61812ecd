"""How a program or a kernel ended, when not well: the words for it."""

from __future__ import annotations

_KERNEL = {
    "SIGSEGV": (
        "核函数访问了非法内存（{0}）",
        "the kernel touched memory that is not its own ({0})",
    ),
    "SIGBUS": (
        "核函数访问了非法内存（{0}）",
        "the kernel touched memory that is not its own ({0})",
    ),
    "SIGFPE": ("核函数里整数除以 0", "the kernel divided an integer by zero"),
    "SIGILL": ("核函数执行到了不可能到达的代码", "the kernel ran into code that cannot be reached"),
    "SIGABRT": ("核函数调用了 abort()", "the kernel called abort()"),
    "StackOverflow": (
        "核函数的栈溢出：递归没有结束，或局部变量太大",
        "the kernel's stack overflowed: a recursion that does not end, or local variables that are too large",
    ),
    "EndlessLoop": (
        "核函数陷入死循环：{0}",
        "the kernel is in an endless loop: {0}",
    ),
    "exit": (
        "核函数调用了 {0}：核函数不能结束进程",
        "the kernel called {0}: a kernel cannot end the process",
    ),
    "std::bad_alloc": (
        "核函数申请的主机内存超出限制（std::bad_alloc）；核函数里应使用 TPipe 分配的内存",
        "the kernel asked for more host memory than it may have (std::bad_alloc); "
        "a kernel uses the memory that TPipe gives",
    ),
    "ended": ("程序在核函数执行期间结束了", "the program ended while a kernel was running"),
}
_PROGRAM = {
    "StackOverflow": (
        "栈溢出：递归没有结束，或局部变量太大",
        "its stack overflowed: a recursion that does not end, or local variables that are too large",
    ),
    "std::bad_alloc": (
        "申请的内存超出限制（std::bad_alloc）",
        "it asked for more memory than it may have (std::bad_alloc)",
    ),
    "SIGXCPU": ("超出 CPU 时间限制", "it used more CPU time than it may"),
    "SIGKILL": ("被终止（超时、内存或限制）", "it was ended (time, memory or a limit)"),
    "SIGABRT": (
        "调用了 abort（未捕获的异常或断言）",
        "it aborted (an exception nobody caught, or an assertion)",
    ),
    "SIGSEGV": ("访问了非法地址", "it touched memory that is not its own"),
    "SIGBUS": ("访问了非法地址", "it touched memory that is not its own"),
    "SIGFPE": ("整数除以 0", "it divided an integer by zero"),
}


def of_a_kernel(kind: str, message: str) -> tuple[str, str]:
    """(zh, en) for the end of a kernel: a signal, "StackOverflow", "EndlessLoop", "exit", or an exception's type."""
    zh, en = _KERNEL.get(kind) or (
        f"核函数抛出了异常 {kind}" + ("：{0}" if message else ""),
        f"the kernel threw {kind}" + (": {0}" if message else ""),
    )
    return zh.format(message), en.format(message)


def of_a_program(signal: str, told: str = "") -> tuple[str, str]:
    """(zh, en) for the signal that ended a host program; ``told``: what it said itself, as an exception's type."""
    if told == "StackOverflow" or told.startswith("std::bad_alloc"):
        return _PROGRAM[told.partition(": ")[0]]
    if signal == "SIGABRT" and told and not told.startswith("SIG"):
        return f"没有捕获的异常：{told}", f"an exception that nobody caught: {told}"
    return _PROGRAM.get(signal, (signal, signal))


def garbled(op: str) -> tuple[str, str]:
    """(zh, en) of an instruction whose tensor cannot be told: what it belonged to is gone."""
    return (
        f"{op} 的一个 tensor 不在任何内存中：它所属的队列、TBuf 或 TPipe 已经销毁，或从未初始化。",
        f"a tensor of {op} lies in no memory: its queue, TBuf or TPipe is gone, or was never set up.",
    )
