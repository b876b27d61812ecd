"""The words of the views, in Chinese and English."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from ascend_lab.view.performance_words import PERFORMANCE
from ascend_lab.view.wording import MORE

Lang = Literal["zh", "en"]

_WORDS: Mapping[str, tuple[str, str]] = {
    "timeline": ("时间线", "Timeline"),
    "core": ("核", "core"),
    "in": ("搬入", "move in"),
    "compute": ("计算", "compute"),
    "out": ("搬出", "move out"),
    "scalar": ("标量", "scalar"),
    "wait": ("等待", "waiting"),
    "finding": ("问题", "finding"),
    "prologue": ("内核启动", "kernel start-up"),
    "busy": ("忙碌", "busy"),
    "axis": ("时间 (us)", "time (us)"),
    "second_buffer": ("第 2 块缓冲 (pong)", "second buffer (pong)"),
    "buffer": ("缓冲 {k}/{n}", "buffer {k} of {n}"),
    "cycles": ("第 {a} – {b} 个周期（共 {c}）", "cycles {a} – {b} ({c})"),
    "micro": ("{a} – {b} us（{c} us）", "{a} – {b} us ({c} us)"),
    "moved": ("读 {r} B，写 {w} B", "reads {r} B, writes {w} B"),
    "waited": ("{unit} 等待了 {c} 个周期", "{unit} waited {c} cycles"),
    "for_work": ("等的是：{op}（{unit}），{place}", "for: {op} ({unit}), {place}"),
    "for_flag": ("由 {place} 的 set_flag 放行", "released by set_flag at {place}"),
    "for_drain": ("等的是：本流水之前的指令全部完成", "for: everything issued to it before"),
    "for_all": ("等的是：所有核到达", "for: all cores to arrive"),
    "auto": ("自动同步插入", "inserted by automatic sync"),
    "merged": ("{n} 条指令：{ops}", "{n} instructions: {ops}"),
    "share": ("其中 {share} 的时间在工作", "at work {share} of this time"),
    "too_many": (
        "共 {n} 条指令，画成 {m} 条：相邻的短指令合在一起，颜色越深越忙。",
        "{n} instructions drawn as {m} bars: short neighbours are merged, deeper is busier.",
    ),
    "with_start": (
        "scalar 的时间含核的启动（第一条指令之前的 {us} us），与 msprof 一致；很短的核函数里它占大半，不是瓶颈。",
        "The time of scalar includes the start of the core ({us} us before the first instruction), as msprof "
        "counts it; in a very short kernel that is most of it, and no bottleneck.",
    ),
    "no_start": (
        "S 的占比不含核的启动（{us} us，msprof 记在 scalar 上）。",
        "The share of S leaves out the start of the core ({us} us, which msprof counts as scalar).",
    ),
    "some_cores": (
        "共 {n} 个核，这里显示 {m} 个；用 cores=[...] 选择。",
        "{m} of {n} cores are shown; choose with cores=[...].",
    ),
    "nothing": ("没有执行任何指令。", "Nothing was executed."),
    "chip_clock": ("{chip}，{mhz} MHz", "{chip}, {mhz} MHz"),
    "chip_clock_uncalibrated": ("{chip}，{mhz} MHz，未校准", "{chip}, {mhz} MHz, not calibrated"),
    "coverage": ("输出覆盖", "Output coverage"),
    "elements": ("{n} 个元素（{b} B）", "{n} elements ({b} B)"),
    "element_range": ("元素 {a} – {b}", "elements {a} – {b}"),
    "element_one": ("元素 {a}", "element {a}"),
    "byte_range": ("字节 {a} – {b}", "bytes {a} – {b}"),
    "written_by": ("由 block {who} 写入", "written by block {who}"),
    "twice": ("被 block {who} 重复写入", "written by blocks {who}"),
    "combined": ("由 block {who} 以原子方式合并写入", "combined atomically by blocks {who}"),
    "combined_total": ("{n} 个元素由多个 block 原子合并", "{n} elements combined atomically"),
    "legend_combined": ("原子合并", "combined atomically"),
    "unwritten": ("未写入", "not written"),
    "legend_twice": ("写了两次", "written twice"),
    "number_is_block": ("数字 = block", "number = block"),
    "all_good": ("每个元素恰好写了一次", "every element written exactly once"),
    "gap_total": ("{n} 个元素未写入", "{n} elements not written"),
    "twice_total": ("{n} 个元素写了两次", "{n} elements written twice"),
    "and_more": ("……还有 {n} 处", "… and {n} more"),
    "no_output": ("没有写入任何输出。", "No output was written."),
    "and": ("、", " and "),
    "no_findings": ("没有发现问题。", "No findings."),
    "also": ("由它引起：", "follows from it:"),
    "rule": ("规则", "Rule"),
    "next": ("下一步", "Next step"),
    "error": ("错误", "error"),
    "note": ("提示", "note"),
    "performance": ("性能", "performance"),
    "metrics": ("性能数据", "Metrics"),
    "mean": ("各核平均", "mean of cores"),
    "sum": ("各核之和；带宽为每核带宽", "sums over cores; bandwidth per core"),
    "per_core": ("逐核", "per core"),
    "uncalibrated": ("未校准", "not calibrated"),
}


def say(key: str, lang: Lang, **values: object) -> str:
    """The text of ``key`` in ``lang``. Raises ValueError for another language."""
    if lang not in ("zh", "en"):
        raise ValueError(f'lang="{lang}": choose "zh" or "en" / 请选择 "zh" 或 "en"')
    text = _WORDS.get(key) or MORE.get(key) or PERFORMANCE[key]
    return text[lang == "en"].format(**values)
