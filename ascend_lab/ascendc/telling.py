"""What a person reads after a program has run."""

from __future__ import annotations

from collections.abc import Iterator

from ascend_lab.ascendc.ends import of_a_program
from ascend_lab.ascendc.host import GM_HIGH, GM_LOW
from ascend_lab.ascendc.program import Outcome


def told(outcome: Outcome, lang: str) -> Iterator[str]:
    """One line a launch, its findings, and how the program ended if not well."""
    for name, result in outcome.results:
        yield f"[{name}] {result.time_us:.2f} us"
        for finding in result.findings:
            yield finding.message(lang)
    for finding in outcome.host:
        yield finding.message(lang)
    if outcome.error is not None:
        yield outcome.error.message(lang)
    end = ending(outcome, lang)
    if end:
        yield end


def ending(outcome: Outcome, lang: str) -> str:
    """How a program ended when it did not end by itself, "" when it did; its error speaks for itself."""
    zh = lang == "zh"
    said = outcome.said
    if outcome.error is not None or any(finding.id == "J9" for finding in outcome.host):
        return ""
    if outcome.timed_out:
        return (
            "程序长时间没有进展，已终止。" if zh else "The program made no progress and was ended."
        )
    if said is not None and said.kind == "O":
        api = said.texts[0]
        return (
            f"{api} 只能在核函数里调用，主机代码调用了它。"
            if zh
            else f"{api} is for kernels; host code called it."
        )
    if said is not None and said.kind == "X" and GM_LOW <= said.number < GM_HIGH:
        where = f"{said.number:#x}"
        return (
            f"主机代码直接访问了 Device 内存（地址 {where}）。请用 aclrtMemcpy 搬到主机内存后再读写。"
            if zh
            else f"Host code touched device memory itself (address {where}). Copy it with aclrtMemcpy first."
        )
    if outcome.signal:
        by_itself = said.texts[0] if said is not None and said.kind == "X" else ""
        ends = of_a_program(outcome.signal, by_itself)
        head = "程序异常结束" if zh else "The program ended abnormally"
        return f"{head}: {outcome.signal}, {ends[0] if zh else ends[1]}"
    return ""
