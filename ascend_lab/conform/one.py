"""``python -m ascend_lab.conform.one``: one sample in a process of its own. Reads a job, prints its verdicts."""

from __future__ import annotations

import json
import os
import sys
import tempfile
import traceback
from pathlib import Path

from ascend_lab.conform.ladder import Entry
from ascend_lab.conform.sample import drive
from ascend_lab.conform.verdict import Verdict
from ascend_lab.engine.errors import InternalError, LabError, NotModelled

_MEMORY_MB = 8192


def main() -> None:
    """Read ``{"root", "entry", "schedule"}`` from standard input; the last line printed is the answer."""
    _limit()
    job = json.loads(sys.stdin.read())
    entry = Entry(**job["entry"])
    with tempfile.TemporaryDirectory(prefix="ascend-lab-conform-") as scratch:
        verdicts = _driven(Path(job["root"]), entry, Path(scratch), job["schedule"])
    print("\n" + json.dumps([{**v.plain(), "seconds": v.seconds} for v in verdicts]))


def _limit() -> None:
    """What a sample, its scripts and its programs may have: each of them inherits it."""
    if os.name != "posix":
        return
    import resource

    nbytes = _MEMORY_MB << 20
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    wanted = nbytes if hard == resource.RLIM_INFINITY else min(nbytes, hard)
    resource.setrlimit(resource.RLIMIT_AS, (wanted, hard))


def _driven(root: Path, entry: Entry, scratch: Path, schedule: str) -> list[Verdict]:
    try:
        return drive(root, entry, scratch, schedule)
    except NotModelled as error:
        return [Verdict("not modelled", f"{error.api} {error.argument}".strip())]
    except LabError as error:
        return [Verdict("wrong", " ".join(error.message("en").split())[:200])]
    except (InternalError, Exception) as error:  # one sample must not stop the others
        traceback.print_exc()
        return [Verdict("crash", f"{type(error).__name__}: {error}"[:200])]


if __name__ == "__main__":
    main()
