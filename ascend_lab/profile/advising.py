"""The sentences of a diagnosis, in Chinese and English."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

_WORDS: Mapping[str, tuple[str, str]] = {
    "head": ("{kernel} · {chip} · {us} us", "{kernel} · {chip} · {us} us"),
    "uncalibrated": ("（未校准）", " (not calibrated)"),
    "bound": ("瓶颈：{bound}", "bound by: {bound}"),
    "bound_MTE2": ("MTE2：从 GM 搬入", "MTE2: loading from GM"),
    "bound_MTE3": ("MTE3：搬出到 GM", "MTE3: storing to GM"),
    "bound_V": ("V：矢量计算", "V: vector computation"),
    "bound_S": ("S：标量指令和发射", "S: scalar instructions and issue"),
    "bound_latency": (
        "延迟：每条指令的固定开销（搬运的启动、V 的启动、发射）",
        "latency: what every instruction costs once (start of a copy, start-up of V, issue)",
    ),
    "bound_imbalance": ("负载：核没有用满，或不均衡", "imbalance: cores unused, or unevenly loaded"),
    "bound_bank conflict": ("V：UB 的 bank 冲突", "V: bank conflicts in the UB"),
    "bound_launch": ("启动：大部分时间是任务的启动开销", "launch: most of the time is the start of the task"),
    "halved": ("若快一倍，总时间减少：{units}", "time saved if twice as fast: {units}"),
    "share": ("达到 roofline 上限的 {share}", "{share} of the roofline's limit is reached"),
    "first": ("先改：{what}", "first: {what}"),
    "gain": (
        "预计（按模型）：{old} → {new} us，减少 {gain}",
        "expected (by the model): {old} → {new} us, {gain} less",
    ),
    "then": ("其次：{what}（−{gain}）", "then: {what} (−{gain})"),
    "nothing": (
        "没有哪一项改动能节省 {worth} 以上：已接近这个算法在此芯片上的极限。",
        "no single change saves more than {worth}: this is close to what the algorithm can do on this chip.",
    ),
    "do_tile": (
        "把 tile 放大到 {factor} 倍（现在用了 UB 的 {used} / {usable} B，每核 {tiles} 块）",
        "make the tile {factor} times larger (now {used} of {usable} B of UB, {tiles} tiles a core)",
    ),
    "do_buffers": (
        "每个队列用 2 个缓冲区：InitBuffer(queue, 2, ...)",
        "give every queue two buffers: InitBuffer(queue, 2, ...)",
    ),
    "do_half_buffers": (
        "tile 减半，每个队列用 2 个缓冲区（UB 放不下两份现在的 tile）",
        "halve the tile and give every queue two buffers (the UB has no room for two of the present)",
    ),
    "do_banks": (
        "错开矢量指令操作数的 UB 地址：两个源相差 256 B（模 512 B）",
        "move the operands apart in the UB: the two sources by 256 B (modulo 512 B)",
    ),
    "do_scalar": (
        "用矢量指令代替逐元素的 GetValue/SetValue（共 {count} 次）",
        "replace the {count} single GetValue/SetValue by vector instructions",
    ),
    "do_barriers": (
        "去掉多余的 PipeBarrier（共 {count} 个），用 SetFlag/WaitFlag 只等需要等的",
        "drop PipeBarriers that are not needed ({count} in all); wait with SetFlag/WaitFlag for what is",
    ),
    "do_align": (
        "让搬运的起点按 32 B（最好 512 B）对齐，每段不短于 512 B",
        "start copies on 32 B (better 512 B), with bursts of 512 B and more",
    ),
    "do_addresses": (
        "让各核从不同的块开始（第 i 次处理第 (i + GetBlockIdx()) % tiles 块），不要同时读同一个 512 B",
        "let every core begin at another tile, (i + GetBlockIdx()) % tiles: they load the same 512 B at once",
    ),
    "do_hint": (
        "对只读一次的 {arrays} 调用 SetL2CacheHint(CACHE_MODE_DISABLE)，不占 L2",
        "call SetL2CacheHint(CACHE_MODE_DISABLE) for {arrays}: read once, it need not fill L2",
    ),
    "do_rows": (
        "用一次带间隔的 DataCopyPad 搬 {rows} 行，代替逐行搬运",
        "move {rows} rows by one DataCopyPad with gaps, not one by one",
    ),
    "do_merge": (
        "把连续 {times} 条很短的矢量指令合成一条（整个 Tensor，或用 repeat）",
        "make one vector instruction of {times} short ones in a row (the whole tensor, or repeats)",
    ),
    "do_fewer": (
        "只启动 {best} 个 block（现在 {used} 个）：启动开销随 block 数增加",
        "launch {best} blocks (now {used}): starting them takes time for each",
    ),
    "do_balance": (
        "把工作平均分给 {cores} 个核（最慢的核是平均值的 {ratio} 倍）",
        "spread the work evenly over the {cores} cores (the slowest takes {ratio} times the mean)",
    ),
    "do_cores": (
        "用 {best} 个核（现在 {used} 个，芯片有 {all} 个）",
        "use {best} cores (now {used}; the chip has {all})",
    ),
}  # fmt: skip


def say(key: str, lang: str, **values: object) -> str:
    """The text of ``key`` in ``lang`` ("zh" or "en")."""
    return _WORDS[key][lang == "en"].format(**values)


@dataclass(frozen=True, slots=True)
class Gain:
    """A change and the time with it. ``gain``: share of the time that it saves."""

    change: str
    time_us: float
    gain: float
    numbers: Mapping[str, Any]

    def text(self, lang: str = "en") -> str:
        """What to do, in a sentence."""
        return say(f"do_{self.change}", lang, **self.numbers)
