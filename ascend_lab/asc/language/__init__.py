"""Everything a kernel is written with, by pyasc's names."""

from __future__ import annotations

from ascend_lab.asc.language import adv, basic, core, fwk
from ascend_lab.asc.language.basic import *  # noqa: F403
from ascend_lab.asc.language.basic import __all__ as _basic
from ascend_lab.asc.language.core import *  # noqa: F403
from ascend_lab.asc.language.core import __all__ as _core
from ascend_lab.asc.language.fwk import *  # noqa: F403
from ascend_lab.asc.language.fwk import __all__ as _fwk

__all__ = ["adv", "basic", "core", "fwk"]
__all__ += _basic
__all__ += _core
__all__ += _fwk
