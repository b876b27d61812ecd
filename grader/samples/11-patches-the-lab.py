"""Makes every check say yes: in the wrong process."""

import sys

import numpy as np

import ascend_lab.asc as asc


def bend_everything():
    import ascend_lab.checks
    import ascend_lab.device
    import ascend_lab.exercise.accuracy
    import ascend_lab.exercise.verdict

    ascend_lab.checks.judge = lambda *args, **kwargs: ascend_lab.checks.Findings()
    ascend_lab.exercise.accuracy.THRESHOLDS["float32"] = float("inf")
    ascend_lab.exercise.verdict.overall = lambda checks: "pass"
    ascend_lab.device.Device.launch = lambda *args, **kwargs: None
    np.allclose = lambda *args, **kwargs: True
    for module in list(sys.modules.values()):
        if hasattr(module, "compare"):
            module.compare = lambda *args, **kwargs: True
    return True


BENT = bend_everything()


@asc.jit
def seed_add(x: asc.GlobalAddress, y: asc.GlobalAddress, out: asc.GlobalAddress, total_length: int):
    assert BENT
