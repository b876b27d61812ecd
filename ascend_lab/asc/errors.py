"""What the door says when a call cannot become an instruction. Everything else the judge checks."""

from __future__ import annotations

from collections.abc import Iterable

from ascend_lab.engine.errors import LabError


def outside_kernel() -> LabError:
    """An ``asc`` call was made where no kernel runs."""
    return LabError(
        "这个 asc 接口只能在核函数中调用；核函数要用 kernel[核数](参数) 启动。",
        "this asc call belongs in a kernel; launch the kernel with kernel[blocks](arguments).",
    )


def no_overload(api: str, got: Iterable[object], forms: Iterable[str]) -> LabError:
    """The arguments fit no form of ``api``."""
    kinds = ", ".join(type(value).__name__ for value in got)
    en = "\n".join(f"  {api}({form})" for form in forms)
    return LabError(
        f"{api} 没有接受这些参数的形式：({kinds})。可用的形式：\n{en}",
        f"no form of {api} takes these arguments: ({kinds}). It has:\n{en}",
    )


def not_local(api: str, name: str, value: object) -> LabError:
    """An operand that must lie in local memory does not."""
    kind = type(value).__name__
    return LabError(
        f"{api}：{name} 是 {kind}，应为 LocalTensor。这条指令只能访问片上内存，"
        "请先用 data_copy 把数据搬到 LocalTensor。",
        f"{api}: {name} is a {kind}, it must be a LocalTensor. This instruction reaches local memory "
        "only; bring the data into a LocalTensor with data_copy first.",
    )


def no_memory(api: str) -> LabError:
    """A tensor was used before it was given memory."""
    return LabError(
        f"{api}：这个 tensor 还没有内存。GlobalTensor 先调用 set_global_buffer，"
        "LocalTensor 由 alloc_tensor 或 TBuf.get 得到。",
        f"{api}: this tensor has no memory yet. Call set_global_buffer on a GlobalTensor; a LocalTensor "
        "comes from alloc_tensor or TBuf.get.",
    )


def not_an_int(api: str, name: str, value: object) -> LabError:
    """A number that must be an integer is not."""
    hint_zh = hint_en = ""
    if isinstance(value, float):
        hint_zh = "核函数里整数的 / 是整除，这里的值来自主机侧或编译期常量，请写 //。"
        hint_en = " In a kernel / of integers divides like C; this value is a constant, write //."
    return LabError(
        f"{api}：{name} 是 {value!r}（{type(value).__name__}），应为整数。{hint_zh}",
        f"{api}: {name} is {value!r} ({type(value).__name__}), it must be an integer.{hint_en}",
    )


def not_a_number(api: str, name: str, value: object) -> LabError:
    """A scalar operand is no number."""
    return LabError(
        f"{api}：{name} 是 {type(value).__name__}，应为数值。",
        f"{api}: {name} is a {type(value).__name__}, it must be a number.",
    )


def bad_subscript(kind: str, written: str) -> LabError:
    """A tensor was sliced in a way that names no address."""
    return LabError(
        f"{kind}{written}：切片只能写起点，如 x[i:]。tensor 是“从某个地址开始”，长度由指令的 count 给出，"
        "没有终点和步长。",
        f"{kind}{written}: a subscript gives a start only, as in x[i:]. A tensor is an address to start "
        "from; how much is used is the count of the instruction, so there is no stop and no step.",
    )


def no_pipe(who: str) -> LabError:
    """The framework was used before TPipe() was constructed."""
    return LabError(
        f"{who}：这个核函数还没有构造 TPipe。请先写 pipe = asc.TPipe()。",
        f"{who}: this kernel has constructed no TPipe yet. Write pipe = asc.TPipe() first.",
    )
