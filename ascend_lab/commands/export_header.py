"""The comment on top of an exported script: what was seen on the model, and what nobody has checked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

#: Instructions that the model takes note of and that change nothing there (docs/architecture.md).
RECORDED = frozenset(
    "DataCachePreload ICachePreLoad MetricsProfStart MetricsProfStop SetAippFunctions".split()
)


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known of the kernels of a script. ``findings`` are lines "D2 add.py:31 (3)"."""

    version: str
    kernels: tuple[str, ...]
    chips: tuple[str, ...]
    launches: int
    ended: bool
    findings: tuple[str, ...]
    apis: tuple[str, ...]
    task: str = ""
    verdicts: tuple[tuple[str, str], ...] = ()
    orders: int = 0
    hidden: bool = False


def counted(findings: Iterable[tuple[str, str, int]]) -> tuple[str, ...]:
    """One line for each class and place."""
    counts = Counter(f"{id} {file}:{line}" if file else id for id, file, line in findings)
    return tuple(f"{place} ({n})" if n > 1 else place for place, n in counts.items())


def recorded_in(traces: Iterable[Any]) -> tuple[str, ...]:
    """Names of instructions that the model only recorded."""
    names = {str(trace.ops[op]) for trace in traces for op in set(trace.op.tolist())}
    return tuple(sorted(names & RECORDED))


def text(facts: Facts, lang: str) -> str:
    """The comment, with its last line break."""
    lines = _zh(facts) if lang == "zh" else _en(facts)
    return "".join(f"# {line}".rstrip() + "\n" for line in lines)


def _en(facts: Facts) -> list[str]:
    of = f", task {facts.task}" if facts.task else ""
    chips = ", ".join(facts.chips) or "no chip"
    lines = [
        f"Exported by Ascend Lab {facts.version}: {', '.join(facts.kernels)}{of}.",
        "NOT RUN ON A CARD.",
        "",
        f"Seen on the model of {chips}:",
        f"- {facts.launches} launches"
        + ("" if facts.ended else "; the script ended with an error"),
        f"- findings: {', '.join(facts.findings) or 'none'}",
        "- lint: nothing that pyasc's code generator refuses",
    ]
    if facts.verdicts:
        lines.append(
            "- checks: " + ", ".join(f"{name} {verdict}" for name, verdict in facts.verdicts)
        )
        lines.append(f"- other orders of execution: {facts.orders}")
    else:
        lines.append("- other orders of execution: none; one order, the realistic one")
    if facts.apis:
        lines.append(f"- taken note of, not modelled: {', '.join(facts.apis)}")
    lines += [
        "Not checked: other chips; time and bandwidth on a card; compilation by pyasc and bisheng;",
        "caches, alignment of cache lines and what else docs/model.md lists.",
    ]
    if facts.hidden:
        lines.append("Not checked: the hidden cases of the task.")
    return lines


def _zh(facts: Facts) -> list[str]:
    of = f"，任务 {facts.task}" if facts.task else ""
    chips = "、".join(facts.chips) or "（没有启动）"
    lines = [
        f"由 Ascend Lab {facts.version} 导出：{'、'.join(facts.kernels)}{of}。",
        "没有在卡上运行过。",
        "",
        f"在 {chips} 的模型上：",
        f"- 启动次数：{facts.launches}" + ("" if facts.ended else "；脚本以错误结束"),
        f"- 发现：{'、'.join(facts.findings) or '无'}",
        "- 可移植性检查：没有 pyasc 代码生成器不接受的写法",
    ]
    if facts.verdicts:
        lines.append(
            "- 检查：" + "、".join(f"{name} {verdict}" for name, verdict in facts.verdicts)
        )
        lines.append(f"- 其他执行次序：{facts.orders} 种")
    else:
        lines.append("- 其他执行次序：无；只按实际次序运行了一次")
    if facts.apis:
        lines.append(f"- 只记录、未建模：{'、'.join(facts.apis)}")
    lines += [
        "未检查：其他芯片；卡上的时间和带宽；pyasc 与 bisheng 的编译；",
        "缓存、缓存行对齐，以及 docs/model.zh.md 列出的其他内容。",
    ]
    if facts.hidden:
        lines.append("未检查：任务的隐藏用例。")
    return lines
