"""What a run cost, under the names that `msprof op` prints.

Times of pipes are means over the cores; Task Duration is head + per block + the slowest core. A pipe is
busy while at least one of its instructions runs; waiting is not work.
Source: MindStudio msOpProf, performance data files (OpBasicInfo, PipeUtilization, Memory);
asc-devkit: examples/01_simd_cpp_api/05_best_practices/00_vector_compute/add_high_performance.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ascend_lab.engine.cost import CostModel
from ascend_lab.engine.instruction import Pipe
from ascend_lab.engine.trace import SPACE_IDS, Floats, Trace
from ascend_lab.profile.lanes import SYNC_OPS

if TYPE_CHECKING:
    from ascend_lab.chips import ChipSpec

#: Pipe -> its name in msprof's fields, in the order they are printed.
PIPE_FIELDS: Mapping[Pipe, str] = {
    Pipe.V: "vec",
    Pipe.M: "cube",
    Pipe.S: "scalar",
    Pipe.MTE1: "mte1",
    Pipe.MTE2: "mte2",
    Pipe.MTE3: "mte3",
    Pipe.FIX: "fixpipe",
}
_ALWAYS = (Pipe.V, Pipe.S, Pipe.MTE2, Pipe.MTE3)
#: Pipes whose busy time the model only indicates, and by how many percent (the table of `profile.silicon`).
INDICATIVE = {"mte2": 35, "mte3": 75}

#: Added to the chip file's own note (which says "not calibrated") for a chip without measurements.
_UNCALIBRATED = {
    "en": "Compare these figures with each other, not with a card; MTE2 and MTE3 are indicative (±35 %, ±75 %).",
    "zh": "这些数值只宜相互比较，不能与真机比较；MTE2、MTE3 仅供参考（±35 %、±75 %）。",
}

Value = float | int | str


@dataclass(frozen=True, slots=True)
class CoreMetrics:
    """One core: its blocks, cycles from launch to its last commit, busy cycles of each pipe, GM traffic."""

    core: int
    blocks: tuple[int, ...]
    total_cycles: float
    busy_cycles: Mapping[Pipe, float]
    gm_read_bytes: int
    gm_write_bytes: int
    mte2_instructions: int
    mte3_instructions: int


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Metrics(Mapping[str, Value]):
    """The figures of a run; also a mapping: ``metrics["aiv_vec_time(us)"]``.

    ``cores`` holds the figures of each core. Times in microseconds, bandwidth in 1e9 B/s, volumes in KiB.
    ``prologue_scalar_us`` of the time of S pass before a core's first instruction.
    """

    op_name: str
    chip: str
    calibrated: bool
    notes: Mapping[str, str]
    prefix: str
    clock_mhz: float
    block_dim: int
    launch_us: float
    prologue_scalar_us: float
    cores: tuple[CoreMetrics, ...]

    # --- a mapping of msprof's names ------------------------------------------------------

    def __getitem__(self, field: str) -> Value:
        for table in self.as_dict().values():
            if field in table:
                return table[field]
        raise KeyError(field)

    def __iter__(self) -> Iterator[str]:
        return (field for table in self.as_dict().values() for field in table)

    def __len__(self) -> int:
        return sum(len(table) for table in self.as_dict().values())

    # --- figures --------------------------------------------------------------------------

    @property
    def task_duration_us(self) -> float:
        """Launch overhead plus the slowest core."""
        slowest = max((core.total_cycles for core in self.cores), default=0.0)
        return self.launch_us + slowest / self.clock_mhz

    @property
    def bottleneck(self) -> str:
        """The pipe that the kernel kept busy longest: "vec", "scalar", "mte2", ...; "" for an empty run."""
        busy = {name: self._mean_busy(pipe) for pipe, name in self._pipes()}
        busy["scalar"] -= self.prologue_scalar_us * self.clock_mhz if self.cores else 0.0
        return max(busy, key=lambda name: busy[name]) if any(busy.values()) else ""

    def as_dict(self) -> dict[str, dict[str, Value]]:
        """msprof's file name -> field -> value. Plain numbers and strings, ready for JSON."""
        return {
            "OpBasicInfo": {
                "Op Name": self.op_name,
                "Op Type": "vector",
                "Task Duration(us)": self.task_duration_us,
                "Block Dim": self.block_dim,
                "Rated Freq": self.clock_mhz,
            },
            "PipeUtilization": self._pipe_utilization(),
            "Memory": self._memory(),
        }

    def working(self, core: CoreMetrics, pipe: Pipe) -> float:
        """Cycles in which a core's pipe works for the kernel: S without the start of the core."""
        begin = self.prologue_scalar_us * self.clock_mhz if pipe == Pipe.S else 0.0
        return max(core.busy_cycles.get(pipe, 0.0) - begin, 0.0)

    def per_core(self) -> list[dict[str, Value]]:
        """One row for each core: its blocks, time, and the time and ratio of each pipe."""
        return [self._core_row(core) for core in self.cores]

    def accuracy(self, lang: str = "en") -> str:
        """How far to trust the figures, and where they come from, in ``lang`` "zh" or "en"."""
        if self.calibrated:
            return self.notes[lang]
        return (" " if lang == "en" else "").join((self.notes[lang], _UNCALIBRATED[lang]))

    # --- display --------------------------------------------------------------------------

    def __repr__(self) -> str:
        lines = [
            f"{self.op_name} on {self.chip}" + ("" if self.calibrated else " (not calibrated)")
        ]
        for file, table in self.as_dict().items():
            lines.append(file)
            lines += [f"  {name:<28}{shown(value)}{mark(name)}" for name, value in table.items()]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        rows = []
        for file, table in self.as_dict().items():
            rows.append(f'<tr><th colspan="2" style="text-align:left">{file}</th></tr>')
            rows += [
                f'<tr><td style="text-align:left">{escape(name)}</td>'
                f"<td>{escape(shown(value))}{mark(name)}</td></tr>"
                for name, value in table.items()
            ]
        caption = escape(f"{self.chip}. {self.accuracy('en')}")
        note = f'<caption style="caption-side:bottom;text-align:left">{caption}</caption>'
        return f"<table>{note}{''.join(rows)}</table>"

    # --- parts ----------------------------------------------------------------------------

    def _pipes(self) -> list[tuple[Pipe, str]]:
        used = {pipe for core in self.cores for pipe, busy in core.busy_cycles.items() if busy}
        return [(p, name) for p, name in PIPE_FIELDS.items() if p in used or p in _ALWAYS]

    def _us(self, cycles: float) -> float:
        return cycles / self.clock_mhz

    def _mean_busy(self, pipe: Pipe) -> float:
        return _mean([core.busy_cycles.get(pipe, 0.0) for core in self.cores])

    def _pipe_utilization(self) -> dict[str, Value]:
        total = _mean([core.total_cycles for core in self.cores])
        out: dict[str, Value] = {
            f"{self.prefix}_time(us)": self._us(total),
            f"{self.prefix}_total_cycles": total,
        }
        for pipe, name in self._pipes():
            out |= self._pipe_fields(name, self._mean_busy(pipe), total)
        read = sum(core.gm_read_bytes for core in self.cores)
        wrote = sum(core.gm_write_bytes for core in self.cores)
        for name, pipe, nbytes in (("mte2", Pipe.MTE2, read), ("mte3", Pipe.MTE3, wrote)):
            busy = self._us(self._mean_busy(pipe)) * len(self.cores)
            out[f"{self.prefix}_{name}_active_bw(GB/s)"] = _rate(nbytes, busy)
        return out

    def _pipe_fields(self, name: str, busy: float, total: float) -> dict[str, Value]:
        return {
            f"{self.prefix}_{name}_time(us)": self._us(busy),
            f"{self.prefix}_{name}_ratio": busy / total if total else 0.0,
        }

    def _memory(self) -> dict[str, Value]:
        read = sum(core.gm_read_bytes for core in self.cores)
        wrote = sum(core.gm_write_bytes for core in self.cores)
        time = self._us(sum(core.total_cycles for core in self.cores))
        return {
            "GM_to_UB_datas(KB)": read / 1024,
            "UB_to_GM_datas(KB)": wrote / 1024,
            f"{self.prefix}_gm_to_ub_bw(GB/s)": _rate(read, time),
            f"{self.prefix}_ub_to_gm_bw(GB/s)": _rate(wrote, time),
            f"{self.prefix}_mte2_instructions": sum(c.mte2_instructions for c in self.cores),
            f"{self.prefix}_mte3_instructions": sum(c.mte3_instructions for c in self.cores),
        }

    def _core_row(self, core: CoreMetrics) -> dict[str, Value]:
        row: dict[str, Value] = {
            "core": core.core,
            "blocks": ", ".join(str(block) for block in core.blocks),
            f"{self.prefix}_time(us)": self._us(core.total_cycles),
            f"{self.prefix}_total_cycles": core.total_cycles,
        }
        for pipe, name in self._pipes():
            row |= self._pipe_fields(name, core.busy_cycles.get(pipe, 0.0), core.total_cycles)
        row["GM_to_UB_datas(KB)"] = core.gm_read_bytes / 1024
        row["UB_to_GM_datas(KB)"] = core.gm_write_bytes / 1024
        return row


def metrics(trace: Trace, spec: ChipSpec) -> Metrics:
    """The metrics of one launch on the chip that ``spec`` describes."""
    meta: Mapping[str, Any] = trace.meta
    launch = spec.cost.launch
    blocks = int(meta.get("blocks", len(np.unique(trace.block))))
    sync = np.isin(trace.op, [i for i, op in enumerate(trace.ops) if op in SYNC_OPS])
    scalar = scalar_cycles(trace, CostModel(spec))
    cores = np.unique(trace.core).tolist()
    return Metrics(
        op_name=str(meta.get("kernel", "kernel")),
        chip=spec.name,
        calibrated=spec.calibrated,
        notes={"en": spec.calibration_note, "zh": spec.calibration_note_zh},
        prefix="aic" if spec.fused else "aiv",
        clock_mhz=spec.clock_mhz,
        block_dim=blocks,
        launch_us=launch.head_us + launch.per_block_us * blocks,
        prologue_scalar_us=launch.prologue_scalar_us,
        cores=tuple(
            _core(trace, core, scalar, sync, launch.prologue_scalar_us * spec.clock_mhz)
            for core in cores
        ),
    )


def _core(
    trace: Trace, core: int, scalar: Floats, sync: NDArray[np.bool_], prologue: float
) -> CoreMetrics:
    mine = trace.core == core
    work = mine & ~sync
    moved_in = work & (trace.pipe == Pipe.MTE2) & (trace.src_space == SPACE_IDS["GM"])
    moved_out = work & (trace.pipe == Pipe.MTE3) & (trace.dst_space == SPACE_IDS["GM"])
    busy: dict[Pipe, float] = {
        pipe: covered(trace.start[on], trace.end[on])
        for pipe in PIPE_FIELDS
        if pipe != Pipe.S and (on := work & (trace.pipe == pipe)).any()
    }
    on_s = work & (trace.pipe == Pipe.S)
    busy[Pipe.S] = prologue + covered(
        np.concatenate((trace.issue[mine], trace.start[on_s])),
        np.concatenate((trace.issue[mine] + scalar[mine], trace.end[on_s])),
    )
    return CoreMetrics(
        core=core,
        blocks=tuple(np.unique(trace.block[mine]).tolist()),
        total_cycles=float(trace.end[mine].max()),
        busy_cycles=busy,
        gm_read_bytes=int(trace.read_bytes[moved_in].sum()),
        gm_write_bytes=int(trace.write_bytes[moved_out].sum()),
        mte2_instructions=int(np.count_nonzero(work & (trace.pipe == Pipe.MTE2))),
        mte3_instructions=int(np.count_nonzero(work & (trace.pipe == Pipe.MTE3))),
    )


def scalar_cycles(trace: Trace, cost: CostModel) -> Floats:
    """What msprof counts on the scalar unit for each instruction of another pipe: the operands of a transfer.

    0 for work on S itself: that is its own [start, end].
    """
    found = np.zeros(len(trace))
    for pipe in (Pipe.MTE2, Pipe.MTE3):
        of_op = np.array([cost.counted(op, pipe) for op in trace.ops], dtype=np.float64)
        here = trace.pipe == pipe
        found[here] = of_op[trace.op[here]]
    return found


def covered(start: Floats, end: Floats) -> float:
    """Length of the union of the intervals [start, end)."""
    if start.size == 0:
        return 0.0
    order = np.argsort(start, kind="stable")
    start, end = start[order], end[order]
    reach = np.maximum.accumulate(end)
    before = np.concatenate(([start[0]], reach[:-1]))
    return float(np.maximum(end - np.maximum(start, before), 0.0).sum())


def shown(value: Value) -> str:
    """A figure as the tables print it: three decimals at most."""
    if isinstance(value, float):
        return f"{value:.3f}".rstrip("0").rstrip(".")
    return str(value)


def mark(field: str) -> str:
    """How far a field is only indicative, as " ±35 %"; nothing for others."""
    if field.endswith(("_time(us)", "_ratio", "_active_bw(GB/s)")):
        for name, percent in INDICATIVE.items():
            if f"_{name}_" in field:
                return f" ±{percent} %"
    return ""


def _mean(values: list[float]) -> float:
    return sum(values) / len(values) if values else 0.0


def _rate(nbytes: int, time_us: float) -> float:
    return nbytes / time_us / 1e3 if time_us else 0.0
