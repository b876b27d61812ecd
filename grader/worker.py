"""A worker: a judge in a process of its own, so that two cores judge twice as fast.

``python -m grader.worker BANK`` reads the secret and then work from stdin, and answers on stdout. The process that
answers are forked from is started first: it loads its half of the lab while this one loads the other.
"""

from __future__ import annotations

import os
import sys
from typing import IO

from ascend_lab.exercise.launcher import launcher


def main() -> None:
    """Judge until there is no more work."""
    inward, outward = _pipes()
    children = launcher()
    from ascend_lab.exercise import Judge, open_bank
    from grader.frames import Secret, Work, read, write
    from grader.judging import judged

    tasks = open_bank(sys.argv[1])
    secret = read(inward, Secret)
    if secret is None:
        children.close()
        return
    with Judge(secret.seed, children, tasks) as judge:
        while (work := read(inward, Work)) is not None:
            write(outward, judged(judge, tasks, work))
    outward.flush()
    os._exit(
        0
    )  # the grader waits for this end, and what the interpreter would tidy goes with the process


def _pipes() -> tuple[IO[bytes], IO[bytes]]:
    """stdin and stdout for us alone: whatever prints by accident goes to stderr."""
    inward, outward = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.dup2(2, 1)
    return inward, outward


if __name__ == "__main__":
    main()
