"""What people hold: a device of some chip, and the result of a launch on it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ascend_lab import checks as rules
from ascend_lab import chips
from ascend_lab.chips import ChipSpec
from ascend_lab.engine.chip import Chip
from ascend_lab.engine.core import Core
from ascend_lab.engine.errors import LabError, NotModelled
from ascend_lab.engine.instruction import DTYPES, Argument, Door, Pipe
from ascend_lab.engine.memory import Allocation, GlobalMemory
from ascend_lab.engine.observer import Observer
from ascend_lab.engine.run import Run
from ascend_lab.engine.trace import Trace
from ascend_lab.engine.written import Coverage, Written
from ascend_lab.profile import Metrics, metrics

SCHEDULES = ("realistic", "adversarial")
#: The pipes of a vector core that an adversarial schedule holds back, one run each.
DELAYED = (Pipe.S, Pipe.V, Pipe.MTE2, Pipe.MTE3)
INSTRUCTION_LIMIT = 5_000_000
#: What may come of operands or fields in the wrong order: another look is worth while.
_COMES_OF = frozenset(("A4", "C1", "C6"))
#: Up to so many instructions a wrong kernel is run again to find out why.
_FEW = 20_000
_NAMES = {dtype: name for name, dtype in DTYPES.items()}


class Kernel(Protocol):
    """What a door gives for one kernel function."""

    name: str
    parameters: tuple[str, ...]
    insert_sync: bool

    @property
    def auto_sync(self) -> bool:
        """False leaves every edge to the kernel, whatever the device does."""
        ...

    def open(
        self, arguments: list[Any], blocks: int, chip: ChipSpec, batch_limit: int = 256
    ) -> Door:
        """Start ``blocks`` blocks of the kernel; an array argument is an `Argument`."""
        ...


@dataclass(frozen=True)
class Result:
    """One launch. ``findings`` is empty for a kernel without fault; see `Finding`.

    ``cycles`` are the slowest core's; ``time_us`` adds the chip's launch overhead. ``variants`` names the
    runs of an adversarial schedule; the trace is of the first, or of the first whose output differed.
    """

    spec: ChipSpec
    findings: rules.Findings
    time_us: float
    cycles: float
    stdout: str
    coverage: list[Coverage]
    record: Callable[[], Trace]
    outputs_differ: bool = False
    variants: tuple[str, ...] = field(default=("realistic",))

    @cached_property
    def trace(self) -> Trace:
        """Every instruction that was executed, with its times: built when first asked for."""
        return self.record()

    @property
    def metrics(self) -> Metrics:
        """The figures msprof op would show, under its names."""
        return metrics(self.trace, self.spec)

    @property
    def ok(self) -> bool:
        """Whether no finding says that the kernel is wrong."""
        return not any(finding.severity == "error" for finding in self.findings)

    def raise_for_findings(self) -> None:
        """Raise the leading finding as `LabError` if there is one of severity error."""
        for finding in self.findings:
            if finding.severity == "error":
                raise LabError(finding.message("zh"), finding.message("en"), finding=finding)

    def __repr__(self) -> str:
        ids = ", ".join(finding.id for finding in self.findings) or "none"
        mark = "" if self.spec.calibrated else " not calibrated"
        return f"Result({self.time_us:.2f} us{mark}, findings: {ids})"


@dataclass(slots=True)
class _Buffers:
    """The arrays of a launch and where they live in GM."""

    gm: GlobalMemory
    passed: list[Any] = field(default_factory=list)
    arrays: list[tuple[NDArray[Any], Allocation]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Launch:
    """What was asked for. ``expected``: outputs by name, in their own shapes."""

    kernel: Kernel
    blocks: int
    args: Sequence[Any]
    outputs: frozenset[str] | None
    undefined: frozenset[str]
    call: rules.Call | None
    expected: dict[str, NDArray[Any]]

    def held(self, variant: _Variant) -> dict[str, NDArray[Any]]:
        """What the outputs that are compared hold after a run."""
        after = {id(array): allocation for array, allocation in variant.buffers.arrays}
        found = {}
        for name, array in zip(self.kernel.parameters, self.args, strict=True):
            if name in self.expected:
                allocation = after.get(id(array)) or _same_memory(array, variant.buffers)
                flat = allocation.contents().view(array.dtype)
                found[name] = flat.reshape(array.shape)
        return found


@dataclass(slots=True)
class _Variant:
    run: Run
    buffers: _Buffers
    observers: list[Observer]
    written: Written
    name: str


class Device:
    """A modelled Ascend chip that runs kernels and says what is wrong with them.

    ``chip``: a name from `chips.names()`, or a `ChipSpec`. ``schedule``: "realistic" (the cost model) or "adversarial" (one
    run per pipe in which that pipe is as late as it may be). ``auto_sync``: insert the edges the official
    compiler inserts. ``checks``: watch for faults. ``seed`` orders the cores of adversarial runs.
    ``performance``: say also what is right but slow (K classes).
    """

    def __init__(
        self,
        chip: str | ChipSpec = chips.DEFAULT,
        schedule: str = "realistic",
        seed: int = 0,
        auto_sync: bool = True,
        checks: bool = True,
        limit: int = INSTRUCTION_LIMIT,
        performance: bool = False,
    ) -> None:
        if schedule not in SCHEDULES:
            raise ValueError(f"schedule must be one of {', '.join(SCHEDULES)}, not {schedule!r}")
        self.spec = chip if isinstance(chip, ChipSpec) else chips.shared(chip)
        self.schedule = schedule
        self.seed = seed
        self.auto_sync = auto_sync
        self.checks = checks
        self.limit = limit
        self.performance = performance
        self._chip = Chip(self.spec)

    def __repr__(self) -> str:
        return f"Device({self.spec.name!r}, schedule={self.schedule!r}, seed={self.seed})"

    def launch(
        self,
        kernel: Kernel,
        blocks: int,
        *args: Any,
        outputs: Sequence[str] | None = None,
        undefined: Iterable[str] = (),
        host_names: Sequence[str] | None = None,
        expected: Mapping[str, Any] | None = None,
    ) -> Result:
        """Run ``kernel`` on ``blocks`` logical cores; arrays are copied in and back, scalars go by value.

        A fault of the kernel is a finding of the result and never an exception. ``outputs`` names the
        parameters that the kernel must write completely; ``undefined`` those whose contents before the
        launch mean nothing; ``host_names`` are the arguments as the host calls them. ``expected`` says what outputs
        must hold: a wrong one becomes a finding, when no check has found what is wrong already. Raises `NotModelled` for what the model does not know, `TypeError` for
        arguments that no kernel can take.
        """
        names = host_names if host_names is not None else getattr(kernel, "host_names", None)
        call = _call(kernel, args, names) if names is not None else None
        declared = frozenset(outputs) if outputs is not None else None
        named = (declared or frozenset()) | set(expected or ())
        unknown = sorted(named - set(kernel.parameters))
        if unknown:
            raise TypeError(f"{kernel.name} has no parameter {', '.join(unknown)}")
        launch = _Launch(
            kernel,
            blocks,
            args,
            declared,
            frozenset(undefined),
            call,
            _right(kernel, args, expected),
        )
        return self._result(launch, [self._execute(launch, delayed) for delayed in self._delays()])

    def _delays(self) -> tuple[Pipe | None, ...]:
        return (None,) if self.schedule == "realistic" else DELAYED

    def _execute(
        self, launch: _Launch, delayed: Pipe | None, change: rules.Change | None = None
    ) -> _Variant:
        kernel, blocks = launch.kernel, launch.blocks
        buffers = self._copy_in(kernel, launch.args)
        written = Written()
        read: rules.ReadSource | None = getattr(kernel, "read_source", None)
        observers: list[Observer] = []
        if self.checks:
            observers = rules.all_checks(
                read,
                call=launch.call,
                performance=self.performance,
                judged=bool(launch.expected) and change is None,
            )
        arguments = [value for value in buffers.passed if isinstance(value, Argument)]
        door = kernel.open(buffers.passed, blocks, self.spec)
        run = Run(
            self.spec,
            self._cores(blocks, delayed),
            buffers.gm,
            door if change is None else rules.Altered(door, change),
            blocks,
            arguments=arguments,
            observers=[*observers, written],
            delayed=delayed,
            seed=self.seed,
            auto_sync=self.auto_sync and kernel.auto_sync,
            insert_sync=kernel.insert_sync,
            outputs=launch.outputs,
            undefined=launch.undefined,
            limit=self.limit,
        )
        run.execute()
        if run.crash is not None and run.crash[1].kind == "NotModelled" and run.crash[1].about:
            raise NotModelled(*run.crash[1].about)
        name = "realistic" if delayed is None else f"late {delayed.name}"
        return _Variant(run, buffers, observers, written, name)

    def _cores(self, blocks: int, delayed: Pipe | None) -> list[Core]:
        if delayed is None:
            return self._chip.cores
        return self._chip.twin_cores(max(blocks, 1))

    def _copy_in(self, kernel: Kernel, args: Sequence[Any]) -> _Buffers:
        if len(args) != len(kernel.parameters):
            raise TypeError(
                f"{kernel.name} takes {len(kernel.parameters)} arguments "
                f"({', '.join(kernel.parameters)}), {len(args)} were given"
            )
        buffers = _Buffers(GlobalMemory(self.spec.memory.gm_bytes))
        known: dict[tuple[int, int], Allocation] = {}
        for name, value in zip(kernel.parameters, args, strict=True):
            if isinstance(value, np.ndarray):
                buffers.passed.append(self._place(buffers, known, name, value))
            elif isinstance(value, np.generic):
                buffers.passed.append(value.item())
            else:
                buffers.passed.append(value)
        return buffers

    def _place(
        self,
        buffers: _Buffers,
        known: dict[tuple[int, int], Allocation],
        name: str,
        array: NDArray[Any],
    ) -> Argument:
        dtype = _NAMES.get(array.dtype)
        if dtype is None:
            if array.dtype != np.bool_:
                raise TypeError(f"{name}: no kernel takes arrays of type {array.dtype}")
            dtype = "uint8"
        key = (array.__array_interface__["data"][0], array.nbytes)
        allocation = known.get(key)
        if allocation is None or array.nbytes == 0:
            allocation = buffers.gm.alloc(name, array.nbytes, dtype)
            flat = np.ascontiguousarray(array).reshape(-1)
            allocation.contents()[:] = flat.view(np.uint8)
            known[key] = allocation
            buffers.arrays.append((array, allocation))
        return Argument(name, allocation.addr, dtype, array.size)

    # --- after the run ---------------------------------------------------------------------

    def _result(self, launch: _Launch, variants: list[_Variant]) -> Result:
        images = [[a.contents().tobytes() for _, a in v.buffers.arrays] for v in variants]
        odd = next((i for i, image in enumerate(images) if image != images[0]), 0)
        chosen = variants[odd]
        findings = rules.judge([(v.run, v.observers) for v in variants], differ=odd > 0)
        if launch.expected and self.checks and _COMES_OF.issuperset(f.id for f in findings.errors):
            findings = self._explained(launch, chosen, findings)
        for array, allocation in chosen.buffers.arrays:
            if array.flags.writeable:
                flat = allocation.contents().view(array.dtype)
                array[...] = flat.reshape(array.shape)
        run = chosen.run
        self._chip.adopt(run.cores)
        meta = self._meta(launch.kernel, chosen)
        cost = self.spec.cost.launch
        sizes = {a.name: (a.nbytes, DTYPES[a.dtype].itemsize) for a in run.gm.allocations}
        for variant in variants:
            variant.run.dissolve()
        return Result(
            spec=self.spec,
            findings=findings,
            time_us=run.ended / self.spec.clock_mhz + cost.head_us + cost.per_block_us * run.blocks,
            cycles=run.ended,
            stdout="".join(run.printed),
            coverage=chosen.written.coverage(sizes),
            record=lambda: run.trace(meta),
            outputs_differ=odd > 0,
            variants=tuple(v.name for v in variants),
        )

    def _explained(
        self, launch: _Launch, chosen: _Variant, findings: rules.Findings
    ) -> rules.Findings:
        """The findings and why the outputs are wrong, if they are."""
        outputs = rules.missed(launch.held(chosen), launch.expected)
        if not outputs:
            return findings

        def again(change: rules.Change) -> bool:
            with np.errstate(all="ignore"):
                variant = self._execute(launch, None, change)
            right = not rules.missed(launch.held(variant), launch.expected)
            variant.run.dissolve()
            return right

        few = chosen.run.counted < _FEW and self.schedule == "realistic"
        inputs = {
            name: value
            for name, value in zip(launch.kernel.parameters, launch.args, strict=True)
            if isinstance(value, np.ndarray) and name not in launch.expected
        }
        if findings.errors:
            mended = rules.mend(outputs[0], chosen.observers, again) if few else None
            return rules.Findings([mended, *findings.all]) if mended is not None else findings
        found = rules.explain_outputs(
            outputs, inputs, chosen.observers, launch.blocks, again if few else None
        )
        return rules.Findings([found, *findings.all])

    def _meta(self, kernel: Kernel, variant: _Variant) -> dict[str, Any]:
        run = variant.run
        return {
            "kernel": kernel.name,
            "chip": self.spec.name,
            "clock_mhz": self.spec.clock_mhz,
            "schedule": variant.name,
            "seed": self.seed,
            "blocks": run.blocks,
            "cores": min(run.blocks, len(run.cores)),
            "auto_sync": self.auto_sync,
            "calibrated": self.spec.calibrated,
        }


def _same_memory(array: NDArray[Any], buffers: _Buffers) -> Allocation:
    """The allocation of an array that was passed under another name before."""
    address = array.__array_interface__["data"][0]
    return next(a for one, a in buffers.arrays if one.__array_interface__["data"][0] == address)


def _right(
    kernel: Kernel, args: Sequence[Any], expected: Mapping[str, Any] | None
) -> dict[str, NDArray[Any]]:
    """What outputs must hold, each in the shape of its array."""
    given = dict(zip(kernel.parameters, args, strict=False))
    found = {}
    for name, value in (expected or {}).items():
        array = given.get(name)
        if not isinstance(array, np.ndarray):
            raise TypeError(f"{name} is no array of {kernel.name}: nothing can be expected of it")
        right = np.asarray(value)
        same = right.reshape(array.shape) if right.size == array.size else right
        found[name] = np.broadcast_to(same, array.shape)
    return found


def _call(kernel: Kernel, args: Sequence[Any], names: Sequence[str]) -> rules.Call:
    """How the host and the kernel call the arguments."""
    numbers = [place for place, value in enumerate(args) if not isinstance(value, np.ndarray)]
    file, line = getattr(kernel, "file", ""), getattr(kernel, "line", 0)
    return rules.Call(kernel.parameters, tuple(names), numbers, file, line)
