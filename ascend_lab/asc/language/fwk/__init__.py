"""The programming framework: TPipe, queues, TBuf."""

from __future__ import annotations

from ascend_lab.asc.language.fwk.tpipe import (
    TBuf,
    TBufPool,
    TPipe,
    TQue,
    TQueBind,
    get_tpipe_ptr,
)

__all__ = ["TBuf", "TBufPool", "TPipe", "TQue", "TQueBind", "get_tpipe_ptr"]
