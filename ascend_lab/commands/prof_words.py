"""What ``prof`` and ``bottleneck`` say, in Chinese and English."""

from __future__ import annotations

from collections.abc import Mapping

_WORDS: Mapping[str, tuple[str, str]] = {
    "no_file": (
        "找不到可以运行的文件 {file}。请给出启动核函数的 .py 脚本，或带 main() 的 .asc/.cpp 源文件。",
        "there is no file {file} to run. Give a .py script that launches kernels, or an Ascend C source "
        "(.asc, .cpp) with main().",
    ),
    "no_launch": (
        "{file} 没有启动任何核函数，没有可分析的内容。请在文件里启动它：kernel[核数, 流](参数)。",
        "{file} launched no kernel, so there is nothing to profile. Launch it in the file: "
        "kernel[cores, stream](arguments).",
    ),
    "launches": (
        "没有第 {n} 次启动：共 {count} 次，从 0 数起。",
        "there is no launch {n}: there are {count}, counted from 0.",
    ),
    "baseline": (
        "--baseline 是基线的用时（us），必须大于 0。",
        "--baseline is the time of the baseline in us, and must be greater than 0.",
    ),
    "wrong": (
        "核函数有错误，先改对，再谈快慢：",
        "the kernel is wrong; make it right before making it fast:",
    ),
    "start": (
        "scalar 含核的启动 {us} us（第一条指令之前，与 msprof 一致），它不是核函数的工作。",
        "scalar includes {us} us of the start of a core, before its first instruction, as msprof has it.",
    ),
    "side_memory": ("受搬运限制", "limited by copies"),
    "side_vector": ("受计算限制", "limited by V"),
    "uncalibrated": ("  【未校准】", "  [not calibrated]"),
    "mean": ("各核平均", "mean of the cores"),
    "indicators": ("三个指标（各核平均）", "three indicators (mean of the cores)"),
    "copy": ("搬运（MTE2 或 MTE3 在工作）", "copying (MTE2 or MTE3 at work)"),
    "compute": ("计算（V 在工作）", "computing (V at work)"),
    "queue_idle": ("队列空置：V 等数据", "queue empty: V waits for data"),
    "full_idle": ("队列已满：MTE2 等空闲缓冲区", "queue full: MTE2 waits for a free buffer"),
    "overlap": ("较短者与另一方重叠的部分", "of the shorter of the two overlaps the other"),
    "balance": (
        "各核：用了 {used} / {all} 个，平均 {mean} us，最快 {low}，最慢 {high} us（核 {core}）",
        "cores: {used} of {all} used, mean {mean} us, fastest {low}, slowest {high} us (core {core})",
    ),
    "lines": ("最耗时的行（占各核时间）", "hot lines (share of the cores' time)"),
    "waits": ("（等待）", "  (waiting)"),
    "roofline": (
        "roofline：此芯片至少需要 {us} us（{side}），核函数达到 {share}",
        "roofline: the chip needs at least {us} us ({side}); the kernel reaches {share} of that",
    ),
    "hap": (
        "HAP {score}（基线 {base} us，硬件极限 {hw} us；0.5 = 与基线相同）",
        "HAP {score} (baseline {base} us, hardware limit {hw} us; 0.5 = as fast as the baseline)",
    ),
    "no_hap": (
        "没有 HAP：基线 {base} us 不慢于硬件极限 {hw} us。",
        "no HAP: the baseline of {base} us is not slower than the hardware limit of {hw} us.",
    ),
    "shown": ("  ← 下面是这一次", "  <- shown below"),
    "written": ("已写入 {folder}：{files}", "written to {folder}: {files}"),
    "unwritable": ("无法写入 {folder}：{reason}。", "cannot write to {folder}: {reason}."),
}


def say(key: str, lang: str, **values: object) -> str:
    """The text of ``key`` in ``lang`` ("zh" or "en")."""
    return _WORDS[key][lang == "en"].format(**values)
