"""K12 between launches: one kernel's array for the next alone. Silent when the host or a third kernel wants it too, or when
the second kernel needs all of it before it begins."""

from __future__ import annotations

from pathlib import Path

from tests.acl.test_waiting import ran, times

KERNELS = """
    x, y, z = blocks[:3]
    stream = streams[0]
    acl.rt.memcpy(x, SIZE, host, SIZE, 1)
    tiles[4, stream](acl.typed(x, np.float32), acl.typed(y, np.float32), 1, 0)
    tiles[4, stream](acl.typed(y, np.float32), acl.typed(z, np.float32), 2, 0)  # here
"""
FUSED = (
    KERNELS.splitlines()[-2] + "\n" + KERNELS.splitlines()[-1],
    "    tiles[4, stream](acl.typed(x, np.float32), acl.typed(z, np.float32), 3, 0)",
)
READ = (
    "  # here",
    "  # here\n    acl.rt.synchronize_stream(stream)\n    acl.rt.memcpy(host, SIZE, y, SIZE, 2)",
)
THIRD = (
    "  # here",
    "  # here\n    tiles[4, stream](acl.typed(y, np.float32), acl.typed(x, np.float32), 1, 0)",
)
WHOLE = ("2, 0)  # here", "2, 1)  # here")


def test_two_kernels_that_could_be_one(tmp_path: Path) -> None:
    _, (found,) = ran(KERNELS, tmp_path)
    assert (found.id, found.variant) == ("K12", "launches")
    assert "y" in found.message("en")


def test_the_promised_gain(tmp_path: Path) -> None:
    """Within a third or 5 points of both kernels' time."""
    _, (found,) = ran(KERNELS, tmp_path)
    both, one = (sum(times(KERNELS, tmp_path, *change)) for change in ((), (FUSED,)))
    promised, real = float(found.numbers["gain"].rstrip("%")) / 100, 1 - one / both
    assert abs(promised - real) <= max(real / 3, 0.05), (promised, real)


def test_one_kernel_is_silent(tmp_path: Path) -> None:
    assert ran(KERNELS, tmp_path, FUSED)[1] == []


def test_what_others_want_must_be_written(tmp_path: Path) -> None:
    for change in (READ, THIRD, WHOLE):
        assert not [f for f in ran(KERNELS, tmp_path, change)[1] if f.id == "K12"], change
    assert ran(KERNELS, tmp_path, performance=False)[1] == []
