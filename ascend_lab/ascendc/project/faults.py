"""What is wrong on the host side of an operator: found while its functions ran, with the line that did it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ascend_lab.engine.shown import shown

_KINDS = {
    "b": "Bool",
    "i": "Int (int64_t)",
    "f": "Float",
    "s": "String",
    "I": "ListInt",
    "F": "ListFloat",
    "B": "ListBool",
}
_SIGNALS = {
    "SIGSEGV": ("访问了空指针或非法地址", "touched a null pointer or memory that is not its own"),
    "SIGFPE": ("整数除以 0", "divided an integer by zero"),
    "SIGABRT": (
        "被中止（未捕获的异常或断言）",
        "aborted (an exception nobody caught, or an assertion)",
    ),
}
#: kind -> (zh, en); {0}... are what the runtime tells with it (include/ascend_lab/op/told.h).
_WORDS = {
    "index": (
        "{0}({2}) 返回 nullptr：{1} 只有 {3} 个。请检查下标，与 OpDef 中声明的顺序一致。",
        "{0}({2}) returns nullptr: there are {3} of kind {1}. Count them in the order of OpDef.",
    ),
    "null": (
        "{0} 返回 nullptr：{1} 不存在。如需使用，请在 OpDef 中用 {2} 声明，或先判空。",
        "{0} returns nullptr: {1} is not there. Declare it with {2} in OpDef, or test for null.",
    ),
    "dim": (
        "GetDim({0})：shape 只有 {1} 维。先用 GetDimNum() 判断维数。",
        "GetDim({0}): the shape has {1} dimensions. Ask GetDimNum() first.",
    ),
    "attr_type": (
        "{0} 把属性 {1} 当作 {3} 读取，而它声明为 {2}：按位解释得到的值没有意义。",
        "{0} reads attribute {1} as {3}, but it is declared {2}: its bytes mean another number.",
    ),
    "tiling_size": (
        "tiling 数据 {0} 字节，超出 RawTilingData 的容量 {1} 字节，未写入。",
        "the tiling data has {0} bytes, RawTilingData holds {1}: nothing was written.",
    ),
    "no_tiling": (
        "算子 {0} 没有 tiling 函数：用 AICore().SetTiling(函数) 或 IMPL_OP_OPTILING({0}).Tiling(函数) 注册。",
        "operator {0} has no tiling function: register one with AICore().SetTiling(function) "
        "or IMPL_OP_OPTILING({0}).Tiling(function).",
    ),
    "status": (
        "{0} 返回 {1}，不是 ge::GRAPH_SUCCESS（aclnn 接口会返回 561002）。",
        "{0} returned {1}, not ge::GRAPH_SUCCESS (the aclnn call would return 561002).",
    ),
    "blocks_unset": (
        "TilingFunc 没有调用 SetBlockDim：核数未知。用 context->SetBlockDim(核数) 设置。",
        "TilingFunc never called SetBlockDim: the number of cores is unknown. "
        "Set it with context->SetBlockDim(cores).",
    ),
    "blocks_zero": (
        "SetBlockDim(0)：核数为 0，核函数不会启动。数据量小时除法结果为 0，请至少取 1。",
        "SetBlockDim(0): no core would start. A quotient of a small shape is 0; take 1 at least.",
    ),
    "blocks_many": (
        "SetBlockDim({0}) 超出取值范围 [1, 65535]（芯片有 {1} 个 vector 核）。",
        "SetBlockDim({0}) is outside of [1, 65535] (the chip has {1} vector cores).",
    ),
    "blocks_rounds": (
        "SetBlockDim({0}) 多于芯片的 {1} 个 vector 核：各 block 分轮执行。用 GetCoreNumAiv() 取核数。",
        "SetBlockDim({0}) is more than the chip's {1} vector cores: blocks run in rounds. "
        "Ask GetCoreNumAiv() for the number.",
    ),
    "workspace_huge": (
        "workspace {0} 字节，超出 Device 内存 {1} 字节；检查 32 位乘法溢出或未初始化的 GetWorkspaceSizes 结果。",
        "a workspace of {0} bytes does not fit the device's {1}: look for a 32-bit product or "
        "an entry of GetWorkspaceSizes that was not set.",
    ),
    "no_data": (
        "TilingFunc 没有写 tiling 数据，核函数却要读取：用 GetTilingData<T>()，或 SaveToBuffer 之后 SetDataSize。",
        "TilingFunc wrote no tiling data, and the kernel reads it: use GetTilingData<T>(), "
        "or SaveToBuffer and then SetDataSize.",
    ),
    "types": (
        "输入输出的类型组合 ({0}) 不在 OpDef 声明之列：{1}（aclnn 接口会返回 161002）。",
        "the types ({0}) are no configuration of OpDef: {1} (the aclnn call would return 161002).",
    ),
    "infer_type": (
        "InferDataType 把输出 {0} 的类型定为 {1}，而 OpDef 在此组合下声明为 {2}。",
        "InferDataType gives output {0} the type {1}; OpDef declares {2} for this configuration.",
    ),
    "template": (
        "ASCENDC_TPL_SEL_PARAM 选择的模板参数 ({0}) 不在 ASCENDC_TPL_SEL 列出的组合中：没有对应的核函数。",
        "ASCENDC_TPL_SEL_PARAM chose ({0}), which ASCENDC_TPL_SEL does not list: no such kernel is built.",
    ),
    "attr_missing": (
        "缺少必选属性 {0}。在用例的 [attrs] 中给出，或在 OpDef 中声明为 OPTIONAL 并给默认值。",
        "required attribute {0} is missing. Give it in the case's [attrs], or declare it OPTIONAL with a default.",
    ),
    "input_missing": (
        "缺少必选输入 {0}：在用例的 [inputs.{0}] 中给出。",
        "required input {0} is missing: give it in [inputs.{0}] of the case.",
    ),
    "tensor_null": (
        "必选参数 {0} 是空指针（返回 161001）：先用 aclCreateTensor 创建。",
        "required {0} is a null pointer (the call returns 161001): make it with aclCreateTensor first.",
    ),
    "workspace_small": (
        "算子需要 workspace {0} 字节，只给了 {1} 字节。按第一段接口返回的大小用 aclrtMalloc 申请。",
        "the operator needs a workspace of {0} bytes and got {1}: "
        "allocate what the first call returned with aclrtMalloc.",
    ),
    "died": (
        "{0} {1}（最近一次调用 context 接口在此行）。",
        "{0} {1} (this is the line of its latest call of the context).",
    ),
}
#: Kinds that the chip would run on with.
_NOTES = frozenset({"blocks_rounds", "dim", "null", "index"})


@dataclass(frozen=True, slots=True)
class HostFault:
    """One fault of op_host. ``severity``: "error" or "note"; ``file`` may be "" when no line is known."""

    kind: str
    severity: str
    file: str
    line: int
    zh: str
    en: str

    def message(self, lang: str) -> str:
        """The place and the words in ``lang`` ("zh" or "en")."""
        where = f"{self.file}:{self.line}: " if self.file else ""
        return where + (self.zh if lang == "zh" else self.en)


def fault(kind: str, *values: object, place: Sequence[object] = ("", 0)) -> HostFault:
    """A fault of ``kind`` with its numbers, at ``place`` (file, line)."""
    zh, en = _WORDS[kind]
    told_zh, told_en = [str(value) for value in values], [str(value) for value in values]
    if kind == "attr_type":
        told_zh[2] = told_en[2] = _KINDS.get(told_zh[2], told_zh[2])
    if kind == "died":
        told_zh[1], told_en[1] = _SIGNALS.get(told_zh[1], (told_zh[1], told_zh[1]))
    file = shown(str(place[0] or ""))
    line = int(str(place[1]))
    severity = "note" if kind in _NOTES else "error"
    return HostFault(kind, severity, file, line, zh.format(*told_zh), en.format(*told_en))
