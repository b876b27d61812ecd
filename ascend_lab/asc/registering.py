"""Lets scripts that say ``import asc`` find this door, in this process and nowhere else."""

from __future__ import annotations

import importlib
import pkgutil
import sys

import ascend_lab.asc
from ascend_lab.asc.stand_in import torch_stand_in


def register_asc() -> None:
    """Put ``asc`` and all its modules into ``sys.modules``."""
    package = ascend_lab.asc
    sys.modules["asc"] = package
    for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        module = importlib.import_module(found.name)
        sys.modules[found.name.replace(package.__name__, "asc", 1)] = module


def register_torch() -> bool:
    """Put the stand-in for torch into ``sys.modules`` when torch is absent; whether it was."""
    try:
        importlib.import_module("torch")
    except ModuleNotFoundError:
        sys.modules["torch"] = torch_stand_in.as_module()
        return True
    return False
