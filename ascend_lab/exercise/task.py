"""A task as its TOML file says it. Data only: `ascend_lab.exercise.bank` reads and checks it.

One file per task, ``exam_bank/tasks/<lab>/<name>.toml``; docs/tasks.md explains every key.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from ascend_lab.exercise.expression import Expression

Role = Literal["in", "out", "inout", "workspace", "scalar", "tiling"]
OutInit = Literal["nan", "zero", "poison"]
Positive = Annotated[int, Meta(ge=1)]

Span = tuple[float, float]

#: What is checked, in order, and "performance" where the task says how. Points of a check are given in
#: ``[points]``; "loads" has none.
CHECKS = ("loads", "runs", "values", "hidden", "requirements", "schedules")


class Both(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A text for people, in both languages."""

    zh: str
    en: str

    def text(self, lang: str) -> str:
        """The text in ``lang`` ("zh" or "en")."""
        return self.zh if lang == "zh" else self.en


class Parameter(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One parameter of the kernel, in the order of its signature.

    Arrays ("in", "out", "inout", "workspace") have ``dtype`` and ``shape`` (expressions over the case's
    sizes); "in" and "inout" a ``range`` of values. "scalar" has a ``value`` (an expression); "tiling" is an
    ``asc.Struct`` passed by value, with an expression for each of its ``fields``.
    """

    name: str
    role: Role
    dtype: str = "float32"
    shape: tuple[Expression, ...] = ()
    range: Span = (-1.0, 1.0)
    value: Expression | None = None
    fields: dict[str, Expression] = {}


class Case(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One set of inputs. What is not said here is as the task's parameters say.

    ``edges``: values that must occur in an input, put at random places. ``out_init``: what outputs hold
    before the launch: "nan" (a pattern for integers), "zero", "poison" (a pattern). ``schedules``: whether
    the schedules of the task run on this case; when no case says so, they run on the first.
    """

    name: str
    title: Both | None = None
    sizes: dict[str, int] = {}
    dtypes: dict[str, str] = {}
    ranges: dict[str, Span] = {}
    edges: dict[str, tuple[float, ...]] = {}
    seeds: tuple[int, ...] = (0,)
    hidden: bool = False
    out_init: OutInit = "nan"
    blocks: Expression | None = None
    schedules: bool = False


class AccuracyRule(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """``t`` replaces the dtype's threshold; ``accumulates`` says that error may grow with size (H3)."""

    t: Annotated[float, Meta(gt=0)] | None = None
    accumulates: bool = False


class Points(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Points of each check; a check with 0 points is run and shown all the same."""

    runs: Annotated[float, Meta(ge=0)] = 0
    values: Annotated[float, Meta(ge=0)] = 0
    hidden: Annotated[float, Meta(ge=0)] = 0
    requirements: Annotated[float, Meta(ge=0)] = 0
    schedules: Annotated[float, Meta(ge=0)] = 0
    performance: Annotated[float, Meta(ge=0)] = 0

    @property
    def total(self) -> float:
        """What the task is worth."""
        return float(sum(getattr(self, name) for name in self.__struct_fields__))

    def of(self, check: str) -> float:
        """Points of the check named ``check``; "loads" is worth nothing by itself."""
        return 0 if check == "loads" else float(getattr(self, check))


class Requirements(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What the kernel has to be made of, by API name (``TBuf``, ``data_copy_pad``, ``GetValue``).

    ``uses`` must occur in every public case, ``forbids`` in none; ``at_most`` bounds how many times the
    device receives an instruction in one launch.
    """

    uses: tuple[str, ...] = ()
    forbids: tuple[str, ...] = ()
    at_most: dict[str, int] = {}
    insert_sync: bool = True  # whether @asc.jit(insert_sync=True) is allowed
    lint: bool = False  # whether pyasc's code generator must take the kernel


class Performance(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How fast the kernel has to be: HAP of its time in the public case ``case``.

    ``baseline``: path of a kernel that has 0.5, from the bank's folder; where it is not handed out, ``baseline_us``
    is its time on that case. From ``pass_at`` on the check is passed, from ``full_at`` on it has all its points;
    below, points are in proportion to HAP.
    """

    case: str
    baseline: str = ""
    baseline_us: Annotated[float, Meta(gt=0)] | None = None
    pass_at: Annotated[float, Meta(gt=0, le=1)] = 0.5
    full_at: Annotated[float, Meta(gt=0, le=1)] = 0.75


class Schedule(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Another order of the same instructions in which the outputs must be right too."""

    kind: Literal["adversarial"] = "adversarial"
    seeds: tuple[int, ...] = (0,)


class Hint(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One rung of the ladder; with ``finding`` it is shown only when that finding leads."""

    level: Annotated[int, Meta(ge=1, le=3)]
    zh: str
    en: str
    finding: str = ""

    def text(self, lang: str) -> str:
        """The text in ``lang`` ("zh" or "en")."""
        return self.zh if lang == "zh" else self.en


class Limits(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How much one launch may take: instructions of all blocks, seconds, megabytes of the child."""

    instructions: Positive = 200_000
    cpu_s: Positive = 2
    wall_s: Positive = 60
    memory_mb: Positive = 1024


class Task(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An exercise: a kernel to write, and everything that is needed to judge it.

    ``golden``: one line of NumPy per output, evaluated in float64 (int64 for integers) over the inputs, the
    scalars and the sizes of the case. ``reference``: path of a kernel that passes, from the bank's folder.
    ``given``: path of the source handed out; an answer equal to it counts as not attempted.
    """

    id: str
    title: Both
    kernel: str
    blocks: Expression
    golden: str | dict[str, str]
    parameters: tuple[Parameter, ...]
    cases: tuple[Case, ...]
    points: Points
    reference: str
    text: Both | None = None
    given: str | None = None
    chip: str = "Ascend910B1"
    auto_sync: bool = True
    accuracy: AccuracyRule = AccuracyRule()
    requirements: Requirements = Requirements()
    schedules: tuple[Schedule, ...] = (Schedule(),)
    performance: Performance | None = None
    hints: tuple[Hint, ...] = ()
    limits: Limits = Limits()

    @property
    def lab(self) -> str:
        """The lab the task belongs to: "03" of "03/seed-add"."""
        return self.id.partition("/")[0]

    @property
    def checks(self) -> tuple[str, ...]:
        """The checks that are made, in order."""
        return CHECKS if self.performance is None else (*CHECKS, "performance")

    @property
    def outputs(self) -> tuple[Parameter, ...]:
        """The parameters the kernel has to write."""
        return tuple(p for p in self.parameters if p.role in ("out", "inout"))

    @property
    def formulas(self) -> dict[str, str]:
        """Golden formula of each output, by name."""
        if isinstance(self.golden, str):
            return {self.outputs[0].name: self.golden}
        return self.golden

    @property
    def public_cases(self) -> tuple[Case, ...]:
        """The cases a student may see."""
        return tuple(case for case in self.cases if not case.hidden)

    @property
    def hidden_cases(self) -> tuple[Case, ...]:
        """The cases only the grader runs."""
        return tuple(case for case in self.cases if case.hidden)

    def ladder(self, finding: str = "") -> tuple[Hint, ...]:
        """Hints by level: those for ``finding`` where there are some, else the general ones."""
        own = tuple(h for h in self.hints if h.finding and h.finding == finding)
        chosen = own or tuple(h for h in self.hints if not h.finding)
        return tuple(sorted(chosen, key=lambda hint: hint.level))
