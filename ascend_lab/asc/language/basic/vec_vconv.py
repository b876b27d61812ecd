"""Conversions between types."""

from __future__ import annotations

from typing import Any

from ascend_lab.asc.door import emit
from ascend_lab.asc.errors import no_overload
from ascend_lab.asc.language.basic.vector import form, local
from ascend_lab.asc.language.core.enums import RoundMode
from ascend_lab.asc.language.core.tensor import LocalTensor
from ascend_lab.asc.language.core.types import UnaryRepeatParams
from ascend_lab.asc.not_modelled import not_modelled
from ascend_lab.engine.instruction import Pipe


def cast(
    dst: LocalTensor, src: LocalTensor, round_mode: RoundMode, *args: Any, **kwargs: Any
) -> None:
    """``src`` as the type of ``dst``. Which pairs and round modes there are is the chip's to say.

    With mask and repeats an iteration holds as many elements as the larger type has in 256 B.
    asc-devkit: docs/zh/api/SIMD-API/基础API/Memory矢量计算/类型转换/Cast.md
    """
    target, source = local("asc.cast", "dst", dst), local("asc.cast", "src", src)
    if not isinstance(round_mode, int):
        raise no_overload("asc.cast", (dst, src, round_mode, *args), _FORMS)
    params = form("asc.cast", args, kwargs, UnaryRepeatParams)
    params["round"] = RoundMode(round_mode).name
    emit("Cast", Pipe.V, target, (source,), params)


_FORMS = (
    "dst, src, round_mode: RoundMode, count: int",
    "dst, src, round_mode: RoundMode, mask, repeat_times: int, repeat_params: UnaryRepeatParams",
)

add_relu_cast = not_modelled("asc.add_relu_cast")
cast_deq = not_modelled("asc.cast_deq")
set_deq_scale = not_modelled("asc.set_deq_scale")
sub_relu_cast = not_modelled("asc.sub_relu_cast")
