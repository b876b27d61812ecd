"""Words of the views of performance: occupancy, roofline, silicon beside model."""

from __future__ import annotations

from collections.abc import Mapping

PERFORMANCE: Mapping[str, tuple[str, str]] = {
    "occupancy": ("流水占用", "Pipe occupancy"),
    "occ_core": ("核 {core}", "core {core}"),
    "occ_mean": ("{n} 个核的平均", "mean of the cores: {n}"),
    "occ_idle": ("空闲", "idle"),
    "occ_row": ("{us} us · {share}", "{us} us · {share}"),
    "occ_tip": (
        "{unit}：工作 {busy} us，等待 {wait} us，共 {all} us",
        "{unit}: at work {busy} us, waiting {wait} us, of {all} us",
    ),
    "occ_overlap": (
        "搬运 {copy} us，计算 {compute} us，队列空置 {idle} us；较短者有 {overlap} 与另一方重叠。",
        "copying {copy} us, computing {compute} us, queue empty {idle} us; {overlap} of the shorter overlaps.",
    ),
    "roofline": ("Roofline", "Roofline"),
    "roof_x": ("计算强度（操作 / GM 字节）", "intensity (operations per byte of GM)"),
    "roof_y": ("10⁹ 次操作 / 秒", "10⁹ operations / s"),
    "roof_memory": ("HBM {rate} GB/s", "HBM {rate} GB/s"),
    "roof_vector": ("V {rate}（256 B / 周期 / 核）", "V {rate} (256 B a cycle and core)"),
    "roof_core": ("{n} 个核的搬运上限", "copies of {n} cores"),
    "roof_kernel": ("{name}：{us} us", "{name}: {us} us"),
    "roof_told": (
        "{name}：{us} us，此芯片至少需要 {bound} us（{side}）：达到 {share}；GM 流量 {bandwidth} GB/s。",
        "{name}: {us} us; the chip needs at least {bound} us ({side}): {share} is reached; {bandwidth} GB/s of GM.",
    ),
    "roof_side_memory": ("受搬运限制", "limited by copies"),
    "roof_side_vector": ("受计算限制", "limited by V"),
    "silicon": ("实测与模型", "Silicon beside model"),
    "sil_id": ("用例", "case"),
    "sil_quantity": ("量", "quantity"),
    "sil_measured": ("实测", "silicon"),
    "sil_predicted": ("模型", "model"),
    "sil_error": ("误差", "error"),
    "sil_use": ("用途", "use"),
    "sil_none": (
        "没有实测对照表。运行 python benchmarks/silicon.py 生成它。",
        "There is no table of measurements. python benchmarks/silicon.py makes one.",
    ),
    "sil_no_case": ("表中没有它的实测", "no measurement in this table"),
    "sil_indicative": (
        "MTE2、MTE3 的忙碌时间模型只能给出大概，不计入平均。",
        "The busy times of MTE2 and MTE3 are only indicative and not in the mean.",
    ),
    "sil_foot": (
        "实测值来自公开的 msprof 表；误差 =（模型 − 实测）/ 实测。平均 {mape}，最大 {worst}。",
        "Measured values are published msprof tables; error = (model − silicon) / silicon. Mean {mape}, worst {worst}.",
    ),
}
