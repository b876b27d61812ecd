"""Everything a kernel is written with, by pyasc's names."""

from __future__ import annotations

from ascend_lab.asc.language import adv, basic, core, fwk
from ascend_lab.asc.language.basic import *  # noqa: F403
from ascend_lab.asc.language.core import *  # noqa: F403
from ascend_lab.asc.language.fwk import *  # noqa: F403

__all__ = ["adv", "basic", "core", "fwk"]
__all__ += basic.__all__
__all__ += core.__all__
__all__ += fwk.__all__
