"""Printing from a kernel."""

from __future__ import annotations

import re
from typing import Any

from ascend_lab.asc.door import ask, emit
from ascend_lab.asc.errors import no_memory, no_overload
from ascend_lab.asc.language.core.constexpr import ConstExpr
from ascend_lab.asc.language.core.ir_value import plain_int
from ascend_lab.asc.language.core.shape import ShapeInfo
from ascend_lab.asc.language.core.tensor import BaseTensor, GlobalTensor, LocalTensor
from ascend_lab.engine.errors import LabError
from ascend_lab.engine.instruction import Pipe

_SPECIFIER = re.compile(r"%([-+ #0]*\d*(?:\.\d+)?)(?:hh|h|ll|l|z|j|t)?([diuoxXfFeEgGcsp%])")


def printf(desc: str, *params: Any) -> None:
    """Print as C does: %d %i %u %x %f %e %g %s %p and %%.

    asc-devkit: docs/zh/api/Utils-API/调测接口/printf.md
    """
    values = tuple(ConstExpr.unwrap(value) for value in params)
    try:
        text = _python_format(desc) % _printable(desc, values)
    except (TypeError, ValueError) as error:
        raise LabError(
            f"asc.printf：格式 {desc!r} 与 {len(values)} 个参数不符（{error}）。",
            f"asc.printf: the format {desc!r} does not fit its {len(values)} arguments ({error}).",
        ) from None
    emit("Printf", Pipe.S, params={"text": text})


def print_time_stamp(desc_id: int) -> None:
    """Print what the system counter says now, as on a card; time begins with the launch, there is no program counter.

    asc-devkit: docs/zh/api/SIMD-API/基础API/调试接口/上板打印/PrintTimeStamp.md
    """
    number = plain_int("asc.print_time_stamp", "desc_id", desc_id)
    now = int(ask("GetSystemCycle", (), {}))
    text = f"descId is {number}, rsv is 0, timeStamp is {now}, pcPtr is 0, entry is 0.\n"
    emit("Printf", Pipe.S, params={"text": text})


def dump_tensor(
    tensor: BaseTensor, desc: int, dump_size: int, shape_info: ShapeInfo | None = None
) -> None:
    """Print ``dump_size`` elements, in the brackets of ``shape_info``; ``desc`` is any number to tell it by.

    The core waits until its pipes are empty. At most 30 KB a call.
    asc-devkit: docs/zh/api/SIMD-API/基础API/调试接口/上板打印/DumpTensor.md
    """
    shape = () if shape_info is None else shape_info.dims
    _dump("asc.dump_tensor", tensor, ("desc", desc), dump_size, shape)


def dump_acc_chk_point(tensor: BaseTensor, index: int, count_off: int, dump_size: int) -> None:
    """Print ``dump_size`` elements from element ``count_off`` on.

    asc-devkit: docs/zh/api/SIMD-API/基础API/调试接口/上板打印/DumpAccChkPoint.md
    """
    api = "asc.dump_acc_chk_point"
    start = plain_int(api, "count_off", count_off)
    part = tensor[start] if isinstance(tensor, GlobalTensor | LocalTensor) else tensor
    _dump(api, part, ("index", index), dump_size, ())


def _dump(
    api: str, tensor: Any, number: tuple[str, Any], dump_size: Any, shape: tuple[int, ...]
) -> None:
    if not isinstance(tensor, BaseTensor):
        raise no_overload(api, (tensor,), ("tensor: GlobalTensor | LocalTensor, ...",))
    if not tensor.ref.space:
        raise no_memory(api)
    params = {
        "desc": plain_int(api, *number),
        "count": max(plain_int(api, "dump_size", dump_size), 0),
        "shape": shape,
    }
    emit("DumpTensor", Pipe.S, None, (tensor.ref,), params)


def metrics_prof_start() -> None:
    """What follows is to be profiled. Recorded; the model profiles everything."""
    emit("MetricsProfStart", Pipe.S)


def metrics_prof_stop() -> None:
    """The end of what is to be profiled."""
    emit("MetricsProfStop", Pipe.S)


def _python_format(desc: str) -> str:
    """The format without C's length modifiers; %p and %u are spelled as Python spells them."""

    def spelled(match: re.Match[str]) -> str:
        flags, kind = match[1], match[2]
        if kind == "p":
            return f"%#{flags}x"
        return f"%{flags}{'d' if kind in 'ui' else kind}"

    return _SPECIFIER.sub(spelled, desc)


def _printable(desc: str, values: tuple[Any, ...]) -> tuple[Any, ...]:
    """The values as the format wants them: whole numbers for %d and its kin, else as they are."""
    kinds = [match[2] for match in _SPECIFIER.finditer(desc) if match[2] != "%"]
    whole = [kind in "diuoxXcp" for kind in kinds]
    return tuple(
        int(value) if k < len(whole) and whole[k] and isinstance(value, float | bool) else value
        for k, value in enumerate(values)
    )
