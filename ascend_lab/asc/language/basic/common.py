"""Mask register, state of the core, and what belongs to no other file."""

from __future__ import annotations

from typing import Any

from ascend_lab.asc.door import current, emit
from ascend_lab.asc.errors import no_overload, no_pipe
from ascend_lab.asc.language.core.aipp_types import AippParams
from ascend_lab.asc.language.core.constexpr import ConstExpr
from ascend_lab.asc.language.core.dtype import DataType
from ascend_lab.asc.language.core.enums import AippInputFormat, MaskMode, TPosition
from ascend_lab.asc.language.core.ir_value import plain_int
from ascend_lab.asc.language.core.memory import space_of
from ascend_lab.asc.language.core.tensor import BaseTensor, LocalTensor, local_tensor
from ascend_lab.asc.not_modelled import not_modelled
from ascend_lab.engine.errors import NotModelled
from ascend_lab.engine.instruction import ITEMSIZE, Pipe, Ref

_WORD = (1 << 64) - 1
_FORMS = (
    "length: int, dtype: DataType, mode: MaskMode",
    "mask_high: int, mask_low: int, dtype: DataType, mode: MaskMode",
)


def ascend_is_aic() -> bool:
    """Whether this is a cube core: never, in a vector kernel."""
    current()
    return False


def ascend_is_aiv() -> bool:
    """Whether this is a vector core: always, in a vector kernel."""
    current()
    return True


def init_soc_state() -> None:
    """Clear atomic mode and mask that an earlier kernel may have left.

    asc-devkit: docs/zh/api/SIMD-API/基础API/工具接口/系统初始化/InitSocState.md
    """
    current().atomic = "none"
    emit("InitSocState", Pipe.S)


def reset_mask() -> None:
    """All lanes on."""
    emit("ResetMask", Pipe.S)


def set_mask_count() -> None:
    """Counter mode: the mask is the number of elements of the whole instruction."""
    emit("SetMaskCount", Pipe.S)


def set_mask_norm() -> None:
    """Normal mode: the mask says which lanes of each repeat take part."""
    emit("SetMaskNorm", Pipe.S)


def set_vector_mask(*args: Any, **kwargs: Any) -> None:
    """The mask register: ``length`` leading elements, or two words of lane bits.

    In COUNTER mode ``length`` or ``mask_low`` is the number of elements.
    asc-devkit: docs/zh/api/SIMD-API/基础API/Memory矢量计算/掩码操作/SetVectorMask.md
    """
    words, dtype, mode = _mask_arguments(args, dict(kwargs))
    if not isinstance(dtype, DataType) or not isinstance(mode, MaskMode) or not words:
        raise no_overload("asc.set_vector_mask", (*args, *kwargs.values()), _FORMS)
    numbers = [plain_int("asc.set_vector_mask", "mask", word) for word in words]
    if len(numbers) == 2:
        high, low = numbers[0] & _WORD, numbers[1] & _WORD
    elif mode is MaskMode.COUNTER:
        high, low = 0, numbers[0]
    else:
        high, low = _leading(numbers[0], 256 // dtype.sizeof())
    emit("SetMask", Pipe.S, params={"low": low, "high": high, "mode": mode.name})


def _mask_arguments(args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[list[Any], Any, Any]:
    """(one or two words, dtype, mode) of a call of set_vector_mask."""
    dtype = ConstExpr.unwrap(kwargs.pop("dtype", None))
    mode = ConstExpr.unwrap(kwargs.pop("mode", None))
    words = list(args)
    while words and isinstance(words[-1], DataType | MaskMode):
        last = words.pop()
        if isinstance(last, MaskMode):
            mode = last
        else:
            dtype = last
    names = ("length",) if "length" in kwargs else ("mask_high", "mask_low")
    words += [kwargs.pop(name) for name in names if name in kwargs]
    return ([] if kwargs or len(words) > 2 else words), dtype, mode


def _leading(length: int, lanes: int) -> tuple[int, int]:
    """(high, low) for the first ``length`` of ``lanes`` elements; a full repeat sets all bits."""
    if length >= 128 or (length == lanes and length != 64):
        return _WORD, _WORD
    bits = (1 << max(length, 0)) - 1
    return bits >> 64, bits & _WORD


def pop_stack_buffer(dtype: DataType, position: TPosition = TPosition.VECCALC) -> LocalTensor:
    """All of a memory that TPipe has not handed out, as one tensor; not twice at a time.

    asc-devkit: docs/zh/api/SIMD-API/基础API/资源管理/PopStackBuffer.md
    """
    api = "asc.pop_stack_buffer"
    place = TPosition(ConstExpr.unwrap(position))
    if not isinstance(dtype, DataType):
        raise no_overload(api, (dtype, position), ("dtype: DataType, position: TPosition",))
    space = space_of(current().chip, place)
    if space != "UB":
        raise NotModelled(api, f"position={place.name}")
    return local_tensor(dtype, stack_of(api, dtype.name, place.name))


def stack_of(api: str, dtype: str, pos: str = "VECCALC", nbytes: int = -1) -> Ref:
    """The part of UB that was not handed out: ``nbytes`` of it, default all."""
    block = current()
    top = block.automatic_top.get("UB", 0)
    if block.pipes:
        top = max(top, block.pipes[-1].top("UB"))
    elif not top:
        raise no_pipe(api)
    length = block.chip.memory.ub_usable_bytes - top if nbytes < 0 else nbytes
    return Ref("UB", top, dtype, max(length, 0) // ITEMSIZE[dtype], -1, pos)


def set_aipp_functions(*args: Any, **kwargs: Any) -> None:
    """``(src0, input_format, config)``, ``(src0, src1, input_format, config)``: for `load_image_to_local`.

    Accepted and recorded; the instruction that would use it is not modelled.
    asc-devkit: docs/zh/api/SIMD-API/基础API/矩阵计算（ISASI）/矩阵搬入辅助配置接口/SetAippFunctions.md
    """
    values = [ConstExpr.unwrap(value) for value in (*args, *kwargs.values())]
    formats = [value.name for value in values if isinstance(value, AippInputFormat)]
    configs = [value for value in values if isinstance(value, AippParams)]
    if len(formats) != 1 or len(configs) != 1:
        forms = ("src0, input_format: AippInputFormat, config: AippParams",)
        raise no_overload("asc.set_aipp_functions", values, forms)
    refs = tuple(value.ref for value in values if isinstance(value, BaseTensor))
    emit("SetAippFunctions", Pipe.S, None, refs, {"format": formats[0]})


check_local_memory_ia = not_modelled("asc.check_local_memory_ia")
get_hccl_context = not_modelled("asc.get_hccl_context")
get_store_atomic_config = not_modelled("asc.get_store_atomic_config")
get_sys_workspace = not_modelled("asc.get_sys_workspace")
set_hccl_context = not_modelled("asc.set_hccl_context")
set_hf32_mode = not_modelled("asc.set_hf32_mode")
set_hf32_trans_mode = not_modelled("asc.set_hf32_trans_mode")
set_mm_layout_transform = not_modelled("asc.set_mm_layout_transform")
set_store_atomic_config = not_modelled("asc.set_store_atomic_config")
set_sys_workspace = not_modelled("asc.set_sys_workspace")
