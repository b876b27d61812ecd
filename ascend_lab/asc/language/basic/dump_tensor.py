"""Printing from a kernel."""

from __future__ import annotations

import re
from typing import Any

from ascend_lab.asc.door import emit
from ascend_lab.asc.language.core.constexpr import ConstExpr
from ascend_lab.asc.not_modelled import not_modelled
from ascend_lab.engine.errors import LabError
from ascend_lab.engine.instruction import Pipe

dump_acc_chk_point = not_modelled("asc.dump_acc_chk_point")
dump_tensor = not_modelled("asc.dump_tensor")
metrics_prof_start = not_modelled("asc.metrics_prof_start")
metrics_prof_stop = not_modelled("asc.metrics_prof_stop")
print_time_stamp = not_modelled("asc.print_time_stamp")

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
