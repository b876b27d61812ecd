"""``python -m ascend_lab.conform.script FILE [args]``: a sample's own script, with stand-ins for torch and TensorFlow when absent."""

from __future__ import annotations

import importlib.util
import runpy
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import ml_dtypes
import numpy as np

from ascend_lab.asc.registering import register_torch


def main(argv: list[str]) -> None:
    """Run ``argv[0]`` as ``__main__`` with the rest as its arguments."""
    register_torch()
    _register_tensorflow()
    sys.argv = argv
    sys.path[0] = str(Path(argv[0]).resolve().parent)
    runpy.run_path(argv[0], run_name="__main__")


def _register_tensorflow() -> None:
    """What scripts take from TensorFlow is its bfloat16: its types alone, when it is absent."""
    if importlib.util.find_spec("tensorflow") is not None:
        return
    stand_in = ModuleType("tensorflow")
    for name in ("float16", "float32", "float64", "int8", "int16", "int32", "int64", "uint8"):
        setattr(stand_in, name, SimpleNamespace(as_numpy_dtype=getattr(np, name)))
    stand_in.bfloat16 = SimpleNamespace(as_numpy_dtype=ml_dtypes.bfloat16)  # type: ignore[attr-defined]
    sys.modules["tensorflow"] = stand_in


if __name__ == "__main__":
    main(sys.argv[1:])
