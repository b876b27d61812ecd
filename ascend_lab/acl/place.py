"""At which line of a Python program a call of the runtime stands."""

from __future__ import annotations

import sys

from ascend_lab.acl.ledger import Spot
from ascend_lab.engine.shown import shown

_OURS = ("ascend_lab.acl", "ascend_lab.asc", "asc.", "contextlib")


def python_line() -> Spot:
    """File (base name) and line of the nearest frame that is not ours."""
    frame = sys._getframe(1)
    while frame.f_back is not None:
        name = str(frame.f_globals.get("__name__", ""))
        if not name.startswith(_OURS):
            break
        frame = frame.f_back
    return Spot(shown(frame.f_code.co_filename), frame.f_lineno)
