"""Names of the lab's door that pyasc does not have, and what to write instead for a card."""

from __future__ import annotations

from ascend_lab.checks.texts import Say

_CAST = Say(
    "use asc.float32 or asc.float16 where the values allow it",
    "在数值允许的情况下改用 asc.float32 或 asc.float16",
)
_PARTS = Say(
    "build it from the basic APIs, or write this kernel in Ascend C",
    "用基础 API 组合实现，或用 Ascend C 编写这个核函数",
)
_MASK = Say(
    "set the mask with asc.set_vector_mask and pass the mask to the call explicitly",
    "用 asc.set_vector_mask 设置 mask，并在调用中明确给出 mask",
)

#: Additions to ``asc`` itself.
ADDITIONS = {
    "MASK_PLACEHOLDER": _MASK,
    "bfloat16": _CAST,
    "create_vec_index": _PARTS,
    "init_determine_compute_workspace": _PARTS,
    "pop_stack_buffer": _PARTS,
}
#: Additions to ``asc.adv``.
ADV_ADDITIONS = dict.fromkeys(
    "broadcast dequant faster_gelu gelu layernorm log_softmax sigmoid silu sum swish".split(),
    _PARTS,
)
