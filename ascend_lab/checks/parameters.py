"""Types and parameter values that the instruction does not have on this chip.

H8 type or API, G7 a value too large for its field, A8 padding, I2 mask, I4 Compare length, E13 blocks.
Source: the API pages of asc-devkit that the chip's table names.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ascend_lab.checks.reports import Check, Reports
from ascend_lab.chips import ChipSpec
from ascend_lab.chips.spec import Api
from ascend_lab.engine.instruction import ITEMSIZE, Instr, Ref
from ascend_lab.engine.observer import Trap
from ascend_lab.engine.semantics import SEMANTICS
from ascend_lab.engine.semantics.form import lanes_of

if TYPE_CHECKING:
    from ascend_lab.engine.core import Core
    from ascend_lab.engine.issued import Issued
    from ascend_lab.engine.run import Run

_COMPARES = frozenset(("Compare", "CompareScalar"))
_BINARY = frozenset(("Add", "Sub", "Mul", "Div", "Max", "Min", "And", "Or", "Select", "Compare"))
_LOOPED = frozenset(("ReduceSum", "ReduceMax", "ReduceMin"))
_ATOMICS = {"add": "SetAtomicAdd", "max": "SetAtomicMax", "min": "SetAtomicMin"}

Field = tuple[str, int, int]  # name, value, largest


class Parameters(Check):
    """Judged when issued; what does not exist on the chip stops the core."""

    def __init__(self, reports: Reports) -> None:
        super().__init__(reports)
        self._allowed: set[tuple[Any, ...]] = set()
        self._bad_blocks = False

    def launched(self, run: Run) -> None:
        self.spec: ChipSpec = run.spec
        self.limits = run.spec.limits
        most = self.limits.blocks_max
        if not 1 <= run.blocks <= most:
            numbers = {
                "blocks": run.blocks,
                "most": most,
                "cores": run.spec.vector_cores,
                "chip": run.spec.name,
            }
            self._refused = self.reports.add("E13", None, numbers, fatal=True)
            self._bad_blocks = True

    def wants(self, op: str) -> bool:
        return op in SEMANTICS or op in ("SetAtomic", "SyncAll") or self._bad_blocks

    def issued(self, core: Core, x: Issued) -> None:
        if self._bad_blocks:
            raise Trap(self._refused)
        instr = x.instr
        op, dst, srcs = instr.op, instr.dst, instr.srcs
        api = self.spec.apis.get(op)
        if api is not None:
            key = (
                op,
                dst.dtype if dst is not None else "",
                *[ref.dtype for ref in srcs],
                instr.params.get("round"),
                instr.params.get("mode"),
                instr.params.get("order"),
                instr.params.get("soft"),
            )
            if key not in self._allowed:
                self._types(x, api)
                self._allowed.add(key)
        elif op == "SetAtomic":
            self._atomic(x)
        params = instr.params
        if "repeat" in params:
            self._repeat_form(x)
        elif "block_count" in params:
            self._check_fields(x, self._copy_fields(instr))
            if op == "DataCopyPad":
                self._padding(x)
        elif op in _COMPARES:
            self._compare(x)

    # --- types (H8) ------------------------------------------------------------------------------------

    def _types(self, x: Issued, api: Api) -> None:
        instr = x.instr
        if not api.supported:
            self._unsupported(x, api, {}, "api")
        if api.pairs:
            self._pair(x, api)
            return
        special = api.operands.get("dst")
        if instr.dst is not None and special and instr.dst.dtype not in special:
            self._unsupported(x, api, {"dtype": instr.dst.dtype, "allowed": _listed(special)})
        for dtype in _data_types(instr, api):
            if api.dtypes and dtype not in api.dtypes:
                self._unsupported(x, api, {"dtype": dtype, "allowed": _listed(api.dtypes)})
        self._one_type(x, api)
        self._mode(x, api)

    def _one_type(self, x: Issued, api: Api) -> None:
        """An instruction without pairs of types works on one type."""
        instr = x.instr
        index_only = "ONLY_INDEX" in str(instr.params.get("order", ""))
        if api.operands.get("dst") or index_only or instr.dst is None:
            return
        data = _data_sources(instr, api)
        types = dict.fromkeys((instr.dst.dtype, *[ref.dtype for ref in data]))
        if len(types) > 1:
            self._unsupported(x, api, {"types": _listed(tuple(types))}, "mixed")

    def _pair(self, x: Issued, api: Api) -> None:
        instr = x.instr
        assert instr.dst is not None
        pair = (instr.srcs[0].dtype, instr.dst.dtype)
        if pair not in api.pairs:
            targets = tuple(dst for src, dst in api.pairs if src == pair[0])
            numbers = {"src_dtype": pair[0], "dtype": pair[1], "allowed": _listed(targets)}
            self._unsupported(x, api, numbers, "pair")
        modes = api.pairs[pair]
        given = instr.params.get("round")
        if modes and given and given not in modes:
            numbers = {
                "mode": given,
                "dtype": f"{pair[0]}→{pair[1]}",
                "allowed": _listed(modes),
            }
            self._unsupported(x, api, numbers, "mode")

    def _mode(self, x: Issued, api: Api) -> None:
        if not api.modes:
            return
        params = x.instr.params
        dtype = x.instr.srcs[0].dtype if x.instr.srcs else ""
        modes = api.modes.get(dtype) or api.modes.get("*")
        given = params.get("mode") or params.get("order")
        if x.instr.op == "SyncAll":
            given = "soft" if params.get("soft") else "hard"
        if modes and given is not None and str(given) not in modes:
            numbers = {"mode": str(given), "dtype": dtype or "-", "allowed": _listed(modes)}
            self._unsupported(x, api, numbers, "mode")

    def _atomic(self, x: Issued) -> None:
        api = self.spec.apis.get(_ATOMICS.get(x.instr.params["mode"], ""))
        if api is None:
            return
        if not api.supported:
            self._unsupported(x, api, {}, "api")
        dtype = x.instr.params.get("dtype")
        if dtype and api.dtypes and dtype not in api.dtypes:
            self._unsupported(x, api, {"dtype": dtype, "allowed": _listed(api.dtypes)})

    def _unsupported(self, x: Issued, api: Api, numbers: dict[str, Any], variant: str = "") -> None:
        numbers = {"op": api.name, "chip": self.spec.name, "page": api.page, **numbers}
        raise Trap(self.reports.add("H8", x, numbers, variant=variant, fatal=True))

    # --- fields (G7, A8) ----------------------------------------------------------------------------------

    def _repeat_form(self, x: Issued) -> None:
        params = x.instr.params
        limits = self.limits
        looped = x.instr.op in _LOOPED  # they repeat as often as int32 says
        if not looped and not 0 <= params["repeat"] <= limits.repeat_max:
            self._check_fields(x, [("repeatTimes", params["repeat"], limits.repeat_max)])
        for value in params.get("rep", ()):
            if not 0 <= value <= limits.rep_stride_max:
                self._check_fields(x, self._strides(x.instr))
        for value in params.get("blk", ()):
            if not 0 <= value <= limits.binary_blk_stride_max:
                self._check_fields(x, self._strides(x.instr))
        mask = params.get("mask")
        if mask is not None and not x.mask.counter and "Compare" not in x.instr.op:
            self._mask(x, mask)

    def _strides(self, instr: Instr) -> Iterator[Field]:
        limits = self.limits
        blk = limits.blk_stride_max
        if instr.op in _BINARY:
            blk = limits.binary_blk_stride_max
        rep = limits.copy_rep_stride_max if instr.op == "Copy" else limits.rep_stride_max
        names = ("dst", "src0", "src1") if len(instr.srcs) > 1 else ("dst", "src")
        for kind, most in (("blk", blk), ("rep", rep)):
            values = instr.params.get(kind, ())
            for name, value in zip(names, values, strict=False):
                yield f"{name}{kind.title()}Stride", value, most

    def _copy_fields(self, instr: Instr) -> list[Field]:
        params, limits = instr.params, self.limits
        fields = [("blockCount", params["block_count"], limits.block_count_max)]
        if instr.op == "DataCopyPad":
            fields.append(("blockLen", params["block_len"], limits.pad_block_len_max))
            fields.append(("srcStride", params["src_stride"], limits.pad_stride_max))
            fields.append(("dstStride", params["dst_stride"], limits.pad_stride_max))
        else:
            fields.append(("blockLen", params["block_len"], limits.block_len_max))
            fields.append(("srcGap", params["src_gap"], limits.gap_max))
            fields.append(("dstGap", params["dst_gap"], limits.gap_max))
        return fields

    def _check_fields(self, x: Issued, fields: Any) -> None:
        for name, value, most in fields:
            if 0 <= value <= most:
                continue
            if self.reports.again("G7", x.instr.where):
                return
            bits = 8 if most <= 255 else 16 if most <= 65535 else 32
            whole = (1 << bits) - 1
            numbers = {
                "op": x.instr.op,
                "field": name,
                "value": value,
                "most": most,
                "seen": value & whole,
            }
            fits = most not in (255, 65535, 4294967295)
            self.reports.add("G7", x, numbers, variant="assert" if fits else "")
            return

    def _padding(self, x: Issued) -> None:
        params, dst = x.instr.params, x.instr.dst
        if dst is None or dst.space == "GM":
            return
        size = ITEMSIZE[dst.dtype]
        limit = self.limits.pad_bytes_max
        for field, key in (("leftPadding", "left"), ("rightPadding", "right")):
            value = params.get(key, 0)
            if not 0 <= value * size <= limit and not self.reports.again("A8", x.instr.where):
                numbers = {
                    "field": field,
                    "value": value,
                    "dtype": dst.dtype,
                    "bytes": value * size,
                    "limit": limit,
                    "most": limit // size,
                }
                self.reports.add("A8", x, numbers)
        value = params.get("pad_value", 0)
        wide = size == 8 and params.get("is_pad") and value
        if wide and not self.reports.again("A8", x.instr.where, "value"):
            self.reports.add("A8", x, {"value": value, "dtype": dst.dtype}, variant="value")

    # --- mask and compare (I2, I4) --------------------------------------------------------------------------

    def _mask(self, x: Issued, mask: Any) -> None:
        lanes = lanes_of(x.instr)
        wide = isinstance(mask, int) and mask > lanes
        high = not isinstance(mask, int) and lanes <= 64 and mask[1] != 0
        if not (wide or high) or self.reports.again("I2", x.instr.where, "bits" if high else ""):
            return
        ref = x.instr.srcs[0] if x.instr.srcs else x.instr.dst
        assert ref is not None
        numbers = {"op": x.instr.op, "dtype": ref.dtype, "lanes": lanes, "more": lanes - 1}
        if high:
            numbers["high"] = f"{mask[1]:#x}"
            self.reports.add("I2", x, numbers, variant="bits")
        else:
            numbers["mask"] = mask
            self.reports.add("I2", x, numbers)

    def _compare(self, x: Issued) -> None:
        count = x.instr.params.get("count", 0)
        dtype = x.instr.srcs[0].dtype
        size = ITEMSIZE[dtype]
        rest = count * size % 256
        if not rest or self.reports.again("I4", x.instr.where):
            return
        numbers = {
            "op": x.instr.op,
            "count": count,
            "dtype": dtype,
            "bytes": count * size,
            "rest": rest,
            "up": count + (256 - rest) // size,
        }
        self.reports.add("I4", x, numbers)


def _data_types(instr: Instr, api: Api) -> Iterator[str]:
    """The types of the data operands: not a bit mask, not offsets, not a temporary."""
    if instr.dst is not None and "dst" not in api.operands and "Reduce" not in instr.op:
        yield instr.dst.dtype
    srcs = _data_sources(instr, api)
    for ref in srcs[:1] if "Reduce" in instr.op else srcs:
        yield ref.dtype


def _data_sources(instr: Instr, api: Api) -> tuple[Ref, ...]:
    """Sources that hold data: Select's mask, offsets and patterns do not."""
    if "mask" in api.operands:
        return instr.srcs[1:]
    if "offset" in api.operands or "pattern" in api.operands:
        return instr.srcs[:1]
    return instr.srcs


def _listed(words: tuple[str, ...]) -> str:
    return ", ".join(words) or "-"
