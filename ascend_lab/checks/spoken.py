"""The catalogue names APIs as a Python kernel writes them; here they get the names of a C++ kernel."""

from __future__ import annotations

import re
from functools import lru_cache

#: Files whose kernels are C++.
SUFFIXES = (".asc", ".cpp", ".cc", ".cxx", ".cce", ".h", ".hpp")
_SPECIAL = {
    "enque": "EnQue",
    "deque": "DeQue",
    "fetch_event_id": "FetchEventID",
    "block_count": "blockCount",
    "block_len": "blockLen",
    "src_stride": "srcStride",
    "dst_stride": "dstStride",
}
#: Every API that a text of the catalogue calls, and its parameters.
CALLED = (
    *("set_flag", "wait_flag", "pipe_barrier", "sync_all", "get_block_idx", "fetch_event_id"),
    *("set_l2_cache_hint", "set_deq_scale"),
    *("init_buffer", "free_tensor", "enque", "deque", "set_global_buffer", "init_soc_state"),
    *("set_mask_norm", "reset_mask", "set_atomic_none", "set_atomic_add"),
    *("data_copy_pad", "block_count", "block_len", "src_stride", "dst_stride"),
)
_EVENT = re.compile(r"\b(?:set_flag/)?(?:set|wait)_flag\(([^(),]+), id\)")
_PIPE = re.compile(r"\bpipe_barrier\((PIPE_[^()]+)\)")
_NAME = re.compile(rf"(?:\basc\.)?(?<!\w)({'|'.join(CALLED)})(?!\w)")
_ENUM = re.compile(r"\basc\.(\w+)\.(\w+)")


@lru_cache(maxsize=512)
def in_cpp(template: str) -> str:
    """``template``, its placeholders not yet filled, with the spellings of Ascend C.

    set_flag(MTE2_V, id) becomes SetFlag<HardEvent::MTE2_V>(id), get_block_idx() becomes GetBlockIdx().
    """
    text = _EVENT.sub(lambda m: f"{m[0].split('(')[0]}<HardEvent::{m[1]}>(id)", template)
    text = _PIPE.sub(r"pipe_barrier<\1>()", text)
    return _ENUM.sub(r"\1::\2", _NAME.sub(lambda m: _camel(m[1]), text))


def _camel(name: str) -> str:
    return _SPECIAL.get(name) or "".join(part.capitalize() for part in name.split("_"))
