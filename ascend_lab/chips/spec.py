"""What the lab knows of a chip: plain frozen data, filled from the TOML files beside this one."""

# Without `from __future__ import annotations`: the reader looks at the types of the fields, and
# evaluating them from strings would be a tenth of the time that loading a chip takes.

from dataclasses import dataclass, field
from typing import Annotated, NamedTuple

from ascend_lab.chips.errors import ChipError, near

#: Vector operations that must have a row in `cost.vector.repeat`.
VECTOR_OPS: tuple[str, ...] = (
    *("Add", "Sub", "Mul", "Div", "Max", "Min"),
    *("Adds", "Muls", "Maxs", "Mins", "LeakyRelu"),
    *("Abs", "Exp", "Ln", "Sqrt", "Rsqrt", "Reciprocal", "Relu"),
    *("And", "Or", "Not", "ShiftLeft", "ShiftRight"),
    *("Axpy", "MulAddDst", "FusedMulAdd", "AddRelu", "SubRelu"),
    *("Cast", "Duplicate", "Brcb", "CreateVecIndex", "Copy", "DataCopy"),
    *("Compare", "CompareScalar", "Select", "Gather", "GatherMask"),
    *("ReduceSum", "ReduceMax", "ReduceMin"),
    *("WholeReduceSum", "WholeReduceMax", "WholeReduceMin"),
    *("BlockReduceSum", "BlockReduceMax", "BlockReduceMin", "PairReduceSum", "RepeatReduceSum"),
    *("Gatherb", "Scatter", "Transpose", "TransDataTo5HD", "Sort32", "MrgSort"),
    *("MulAddRelu", "AddReluCast", "SubReluCast", "AddDeqRelu", "MulCast", "CastDequant"),
    *("GetCmpMask", "SetCmpMask", "BilinearInterpolation"),
    *("Acos", "Acosh", "Asin", "Asinh", "Atan", "Atanh", "Ceil", "Cos", "Cosh", "Digamma"),
    *("Erf", "Erfc", "ExpLibrary", "Floor", "Frac", "Lgamma", "Log", "Round", "Sign", "Sin"),
    *("Sinh", "Tan", "Tanh", "Trunc", "Xor", "Power", "AxpyLibrary"),
    *("Sigmoid", "Silu", "Swish", "Gelu", "FasterGelu", "SoftMax", "LogSoftMax"),
    *("RmsNorm", "LayerNorm", "Sum", "Broadcast", "AscendQuant", "AscendDequant"),
    *("LayerNormGrad", "LayerNormGradBeta"),
    *("FasterGeluV2", "GeGLU", "ReGlu", "SwiGLU", "ClampMax", "ClampMin", "Fmod", "Log2", "Log10"),
    *("SoftMaxAlone", "SimpleSoftMax", "SoftmaxFlash", "SoftmaxFlashV2", "SoftmaxFlashV3"),
    *("SoftmaxGrad", "DeepNorm", "LayerNormRstd", "Normalize", "BatchNorm", "GroupNorm"),
    *("WelfordUpdate", "WelfordFinalize", "Mean", "ReduceXorSum", "CumSum", "DropOut"),
    *("ReduceSumRows", "ReduceMaxRows", "ReduceMinRows", "ReduceMeanRows", "ReduceProdRows"),
    *("ReduceAnyRows", "ReduceAllRows", "SelectBytes", "AscendAntiQuant", "Arange"),
    *("AscendQuantRows",),
    *("Pad", "UnPad", "TransData", "ConfusionTranspose"),
)


class Figure(NamedTuple):
    """How a field stands in the file: its unit, and whether 0 is allowed."""

    unit: str
    zero: bool = False


Count = Annotated[int, Figure("")]
Bytes = Annotated[int, Figure("B")]
BytesOrNone = Annotated[int, Figure("B", zero=True)]
Blocks = Annotated[int, Figure("32 B")]
Ids = Annotated[tuple[int, ...], Figure("")]
Ratio = Annotated[float, Figure("")]
RatioOrNone = Annotated[float, Figure("", zero=True)]
MegaHertz = Annotated[float, Figure("MHz")]
Cycles = Annotated[float, Figure("cycles")]
CyclesOrNone = Annotated[float, Figure("cycles", zero=True)]
Micros = Annotated[float, Figure("us")]
Rate = Annotated[float, Figure("GB/s")]
CycleRows = Annotated[dict[str, dict[str, float]], Figure("cycles")]


@dataclass(frozen=True, slots=True)
class Memory:
    """Sizes in bytes. What TPipe may hand out of UB is `ub_usable_bytes`.

    `ub_reserved_bytes` is what the framework may use at the top of UB (Select and others); a kernel
    that fills it is only wrong when it also calls one of those.
    """

    ub_bytes: Bytes
    ub_usable_bytes: Bytes
    ub_reserved_bytes: BytesOrNone
    ub_bank_bytes: Bytes
    ub_banks: Count
    ub_bank_groups: Count
    l1_bytes: Bytes
    l0a_bytes: Bytes
    l0b_bytes: Bytes
    l0c_bytes: Bytes
    bt_bytes: BytesOrNone
    gm_bytes: Bytes
    l2_bytes: Bytes
    cache_line_bytes: Bytes


@dataclass(frozen=True, slots=True)
class Limits:
    """What the parameters of an instruction may be, and how many of a thing there are."""

    ub_align: Bytes
    lanes_bytes: Bytes  # one repeat
    block_bytes: Bytes  # one DataBlock
    repeat_max: Count
    blk_stride_max: Blocks  # UnaryRepeatParams, Duplicate: uint16
    binary_blk_stride_max: Blocks  # BinaryRepeatParams: uint8
    rep_stride_max: Blocks
    copy_rep_stride_max: Blocks  # CopyRepeatParams
    block_count_max: Count
    block_len_max: Blocks  # DataCopyParams
    gap_max: Blocks
    pad_block_len_max: Bytes  # DataCopyExtParams
    pad_stride_max: Count  # GM side in B, UB side in 32 B
    pad_bytes_max: Bytes  # leftPadding, rightPadding
    event_ids: Count
    reserved_event_ids: Ids
    buffers_per_position: Count
    buffers_per_pipe: Count
    blocks_max: Count
    cross_flag_max: Count
    cross_counter_max: Count
    select_reserve_bytes: Bytes


@dataclass(frozen=True, slots=True)
class ScalarCost:
    """Cycles of the scalar unit for one instruction of a kind.

    What msprof counts as scalar time is work of S itself: its own instructions, and addresses and lengths of a
    transfer (`dma`). Sending an instruction to another pipe takes S time (`issue`, `flag`, `barrier`) and is not counted.
    `dma_issue` is no time of the scalar unit: it is the smallest distance of two instructions that one DMA queue accepts.
    """

    issue: Cycles
    dma: Cycles  # a DataCopy or DataCopyPad
    dma_issue: Cycles
    flag: Cycles  # SetFlag, WaitFlag
    barrier: Cycles  # PipeBarrier, SyncAll: the issue alone
    marker: Cycles  # AllocTensor, EnQue, DeQue, FreeTensor, InitBuffer
    get_value: Cycles
    set_value: Cycles
    mask: Cycles  # SetVectorMask, SetMaskCount, SetMaskNorm, ResetMask
    atomic: Cycles
    printf: Cycles
    loop: CyclesOrNone


@dataclass(frozen=True, slots=True)
class VectorCost:
    """`startup` + the repeats' cycles pass from the start of an instruction to its commit.

    a row of `repeat` may have one of its own, for a deeper pipeline or a flatter one. The next, independent
    instruction starts `drain` cycles before the commit, one that depends on it `after_barrier` cycles after.
    A repeat takes as many cycles as the operation needs (`repeat`) or as its accesses to banks do, whichever
    is more: n reads, or n writes, in one bank group take 1 + (n - 1) * (`conflict_read_read` - 1), a write
    into a bank that the repeat reads elsewhere takes `conflict_read_write`. A transfer into UB of the same
    core is held for `conflict_dma` of what conflicts cost the vector unit.
    """

    startup: Cycles
    drain: CyclesOrNone
    after_barrier: CyclesOrNone
    conflict_read_read: Ratio
    conflict_read_write: Ratio
    conflict_dma: RatioOrNone
    repeat: CycleRows

    def per_repeat(self, op: str, dtype: str) -> float:
        """Cycles of `op` for 256 B of `dtype` ("float32"; for Cast "float32>float16").

        Raises ChipError for an operation without a row.
        """
        row = self.repeat.get(op)
        if row is None:
            raise ChipError(
                "cost.vector.repeat",
                op,
                "no cost is known.",
                "没有代价数据。",
                near(op, self.repeat),
            )
        return row.get(dtype, row["*"])

    def startup_of(self, op: str) -> float:
        """The start-up of `op`, in cycles."""
        return self.repeat.get(op, {}).get("startup", self.startup)


@dataclass(frozen=True, slots=True)
class DmaCost:
    """Transfers. Rates are per core; `hbm`, `l2_read`, `l2_write` are pools that all cores share.

    Alone, n bytes take max(latency + n / burst rate, n / rate). `mte2_loaded_us` is the latency when all
    cores are at work; in between it grows with their number. After a pause of the pipe `restart_us` pass before bytes
    take a share of a pool. Up to `window_bytes` of one pipe are on their
    way at a time, and its instructions start `issue_interval_cycles` apart. A dirty line that L2 drops
    goes to HBM and counts `write_back` times its bytes there. GM is asked for in lines of `line_bytes`;
    a burst that does not begin or end on a line is asked for in whole `request_bytes`. A transfer whose
    first request another core is reading takes `same_address` times as long in the pool. The first hint of a
    block that is not NORMAL takes S `hint_us`.
    """

    mte2_latency_us: Micros
    mte2_loaded_us: Micros
    restart_us: Micros
    mte2_burst_rate: Rate
    mte2_rate: Rate
    mte3_latency_us: Micros
    mte3_burst_rate: Rate
    mte3_rate: Rate
    l2_latency_us: Micros
    l2_core_rate: Rate
    hbm_rate: Rate
    l2_read_rate: Rate
    l2_write_rate: Rate
    write_back: Ratio
    l2_usable: Ratio  # of L2, before it drops lines
    window_bytes: Bytes
    issue_interval_cycles: Cycles
    line_bytes: Bytes
    request_bytes: Bytes
    same_address: Ratio
    hint_us: Micros

    @property
    def off_grid_share(self) -> float:
        """The share of the rate left to bursts of four requests that begin and end off the lines."""
        return 4 / 5


@dataclass(frozen=True, slots=True)
class LaunchCost:
    """Beyond the cores' time: `head_us + per_block_us * blocks`.

    `prologue_us` passes on each core before its first instruction; S is busy for `prologue_scalar_us` of it.
    """

    head_us: Micros
    per_block_us: Micros
    prologue_us: Micros
    prologue_scalar_us: Micros


@dataclass(frozen=True, slots=True)
class SyncCost:
    """Between pipes and cores, and what the queues of a core hold."""

    flag_hop: CyclesOrNone  # from SetFlag on one pipe until another sees it

    sync_all_us: Micros  # from the last arrival to the release, hard form
    sync_all_soft_us: Micros  # the same through GM
    issue_queue_depth: Count  # instructions that wait in front of a pipe
    system_counter_mhz: MegaHertz  # what GetSystemCycle counts


@dataclass(frozen=True, slots=True)
class CubeCost:
    """The cube unit and its transfers. Nothing is computed from it yet: `NotModelled` is what a Matmul raises.

    An Mmad takes a head and ceil(m / 16) * ceil(n / 16) * ceil(k / `k_...`) cycles.
    """

    mmad_head: Cycles  # each Mmad waits for MTE1
    mmad_streamed: Cycles  # MTE1 runs ahead
    k_half: Count
    k_int8: Count
    k_float: Count
    l0a_latency: Cycles
    l0a_bytes_per_cycle: Count
    l0b_latency: Cycles
    l0b_bytes_per_cycle: Count
    l1_latency_us: Micros  # GM to L1
    l1_rate: Rate
    l1_pool_rate: Rate  # hits of L2, all cores
    nd2nz_latency_us: Micros
    nd2nz_rate: Rate
    fix_latency_us: Micros  # L0C to GM
    fix_rate: Rate


@dataclass(frozen=True, slots=True)
class Cost:
    """Every figure the clock is computed from."""

    scalar: ScalarCost
    vector: VectorCost
    dma: DmaCost
    launch: LaunchCost
    sync: SyncCost
    cube: CubeCost


@dataclass(frozen=True, slots=True)
class Api:
    """One API on one chip.

    `name` is Ascend C's, `pyasc` the Python name ("" when pyasc has none), `page` the
    documentation page. `dtypes`: types of the data operands, () when there is none or any will
    do; `operands`: types of others ("dst", "mask", "pattern", "offset", "workspace"). `pairs`:
    (src, dst) -> round modes (Cast), () where there is nothing to choose. `modes`: type (or "*")
    -> the only modes, orders or forms there are; absent: all.
    """

    name: str
    pyasc: str
    page: str
    supported: bool
    dtypes: tuple[str, ...]
    operands: dict[str, tuple[str, ...]]
    pairs: dict[tuple[str, str], tuple[str, ...]]
    modes: dict[str, tuple[str, ...]]
    notes: str


@dataclass(frozen=True, slots=True)
class ChipSpec:
    """One SoC: what there is, what is allowed, what it costs, and where each figure comes from."""

    name: str
    fused: bool  # cube and vector units in one core
    calibrated: bool
    calibration_note: str
    calibration_note_zh: str
    npu_arch: Count
    clock_mhz: MegaHertz
    vector_cores: Count  # cores a vector kernel gets
    cube_cores: Count
    memory: Memory
    limits: Limits
    cost: Cost
    apis: dict[str, Api] = field(repr=False)
    sources: dict[str, str] = field(repr=False)

    def source(self, path: str) -> str:
        """Where the figure at `path` ("cost.dma.hbm_rate") comes from. Raises ChipError if none."""
        try:
            return self.sources[path]
        except KeyError:
            raise ChipError(
                f"{self.name}.toml",
                path,
                "no such figure.",
                "没有这个数值。",
                near(path, self.sources),
            ) from None
