"""Why an output is not what it should be, as one finding: the class that explains it, else X4 with where it is wrong.

The order is that of certainty: what the run itself shows (NaN of finite numbers, results nobody read), an equation
that the output fulfils, another way of writing one instruction that makes it right, and the place of what is wrong.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ascend_lab.checks.births import Birth, Births
from ascend_lab.checks.conflicts import Conflicts
from ascend_lab.checks.coverage import Stores
from ascend_lab.checks.finding import Finding
from ascend_lab.checks.patterns import Output, Told, by_values, where
from ascend_lab.checks.tolerance import wrong_elements
from ascend_lab.checks.trying import Again, changes
from ascend_lab.engine.instruction import ITEMSIZE

if TYPE_CHECKING:
    from ascend_lab.engine.issued import Issued
    from ascend_lab.engine.observer import Observer

_TRIES = 16  # launches
_LARGEST = {"float16": 65504.0, "bfloat16": 3.39e38, "float32": 3.4028235e38}
_DIVIDING = frozenset(("Div", "Divs", "Reciprocal", "Rsqrt", "Ln", "Log", "Log2", "Log10", "Sqrt"))
_MAXIMA = frozenset(
    ("ReduceMax", "WholeReduceMax", "BlockReduceMax", "Max", "Maxs", "ReduceMaxRows")
)
_SUMS = frozenset(("ReduceSum", "WholeReduceSum", "RepeatReduceSum", "BlockReduceSum", "Sum"))


def missed(got: Mapping[str, NDArray[Any]], expected: Mapping[str, NDArray[Any]]) -> list[Output]:
    """The outputs that are wrong."""
    found = []
    for name, right in expected.items():
        wrong = wrong_elements(got[name], right)
        if wrong.any():
            found.append(Output(name, got[name], right, wrong))
    return found


def explain(
    outputs: Sequence[Output],
    inputs: Mapping[str, NDArray[Any]],
    observers: Sequence[Observer],
    blocks: int,
    again: Again | None = None,
) -> Finding:
    """The finding for the first wrong output. ``observers`` are those of its run, with `Births` among them."""
    return _Explaining(outputs[0], inputs, observers, blocks, again).finding()


def mend(output: Output, observers: Sequence[Observer], again: Again) -> Finding | None:
    """Whether two operands or fields exchanged make all right, where a check has found what comes of that."""
    return _Explaining(output, {}, observers, 1, again).tried(("I6", "I7"))


class _Explaining:
    def __init__(
        self,
        output: Output,
        inputs: Mapping[str, NDArray[Any]],
        observers: Sequence[Observer],
        blocks: int,
        again: Again | None,
    ) -> None:
        self.output = output
        self.inputs = inputs
        self.blocks = blocks
        self.again = again
        self.births = next(o for o in observers if isinstance(o, Births))
        self.reports = self.births.reports
        conflicts = next(o for o in observers if isinstance(o, Conflicts))
        self.tensor = next(
            (
                tensor
                for tensor in conflicts.tensors.values()
                if self.reports.array_name(tensor.allocation) == output.name and tensor.written
            ),
            None,
        )
        self.stores = None if self.tensor is None else Stores(self.tensor)

    def finding(self) -> Finding:
        """The first explanation that holds."""
        return (
            self._not_finite()
            or self._partial()
            or self._equation()
            or self.tried()
            or self._overlaid()
            or self._place()
        )

    def _add(self, told: Told, x: Issued | None, time: float | None = None) -> Finding:
        return self.reports.add(
            told.class_id, x, told.numbers, variant=told.variant, severity="error", time=time
        )

    # --- what the run shows ----------------------------------------------------------------------------

    def _not_finite(self) -> Finding | None:
        got, expected = self.output.got, self.output.expected
        if got.dtype.name not in _LARGEST:
            return None
        with np.errstate(all="ignore"):
            odd = ~np.isfinite(got.astype(np.float64)) & np.isfinite(expected.astype(np.float64))
        first = self.births.first
        if not odd.any() or not first:
            return None
        made = [birth for kind, birth in first.items() if kind != "loaded"]
        if made:
            birth = min(made, key=lambda birth: birth.x.start)
            if birth.kind == "born":
                return self._born(birth)
            told = Told("H11", "" if birth.kind == "kept" else "lost", self._numbers(birth))
            return self._add(told, birth.x, birth.x.start)
        loaded = first.get("loaded")
        if loaded is None:
            return None
        return self._add(Told("X4", "loaded", self._numbers(loaded)), loaded.x, loaded.x.start)

    def _numbers(self, birth: Birth) -> dict[str, Any]:
        x = birth.x
        assert x.instr.dst is not None
        dtype = x.instr.srcs[0].dtype if x.instr.srcs else x.instr.dst.dtype
        return {
            "op": x.instr.op,
            "array": self.output.name,
            "value": f"{birth.value:.6g}",
            "dtype": x.instr.dst.dtype,
            "of": dtype,
            "largest": f"{_LARGEST.get(x.instr.dst.dtype, 0.0):.6g}",
            "operand": self.reports.operand(x, len(x.instr.srcs) if x.instr.op == "Div" else 1),
        }

    def _born(self, birth: Birth) -> Finding:
        ops, op = self.births.ops, birth.x.instr.op
        numbers = self._numbers(birth)
        if op in _DIVIDING:
            told = Told("H7", "", numbers)
        elif op == "Exp" and ops & _SUMS and not ops & _MAXIMA:
            told = Told("H2", "", numbers)
        else:
            half = numbers["dtype"] == "float16"
            told = Told("H1", "line" if half else "wide", numbers)
        return self._add(told, birth.x, birth.x.start)

    def _partial(self) -> Finding | None:
        found = self.births.partial()
        if found is None:
            return None
        numbers = {
            "op": found.x.instr.op,
            "operand": self.reports.operand(found.x, 0),
            "count": found.results,
            "array": self.output.name,
        }
        return self._add(Told("I9", "", numbers), found.x, found.x.start)

    def _overlaid(self) -> Finding | None:
        found = self.births.overlaid
        if found is None:
            return None
        position = next(
            place
            for place, ref in enumerate(found.reader.instr.srcs, 1)
            if ref.addr <= found.writer.writes[0].region.low
        )
        numbers = {
            "op": found.writer.instr.op,
            "operand": self.reports.operand(found.writer, 0),
            "other": self.reports.operand(found.reader, position),
            "reader": found.reader.instr.op,
            "line1": self.reports.line(found.reader.instr.where),
            "shared": found.shared,
            "array": self.output.name,
        }
        return self._add(Told("B2", "overlaid", numbers), found.writer, found.writer.start)

    # --- equations and tries ---------------------------------------------------------------------------

    def _equation(self) -> Finding | None:
        told = by_values(self.output, self.inputs, self._widths(), self.blocks)
        if told is None:
            return None
        if told.class_id == "I6" and (turned := self.tried(("I6",))) is not None:
            return turned
        x = self._store()
        return self._add(told, x, x.start if x is not None else None)

    def _widths(self) -> list[int]:
        if self.stores is None:
            return []
        size = ITEMSIZE[self.stores.allocation.dtype]
        return sorted({touch.region.nbytes // size for touch in self.stores.touches})

    def tried(self, ids: tuple[str, ...] = ()) -> Finding | None:
        """The change of one instruction, of the classes ``ids``, that makes the outputs right."""
        if self.again is None:
            return None
        every = changes(self.births.suspects)
        chosen = [change for change in every if not ids or change.class_id in ids]
        for change in itertools.islice(chosen, _TRIES):
            if self.again(change):
                x = self.births.suspects[change.where, change.op]
                numbers = {**change.numbers, "array": self.output.name}
                if change.class_id == "I6":
                    numbers["one"] = self.reports.operand(x, 1)
                    numbers["other"] = self.reports.operand(x, 2)
                elif change.class_id == "H4":
                    numbers["given"] = str(x.instr.params["round"])
                return self._add(Told(change.class_id, change.variant, numbers), x, x.start)
        return None

    # --- the place -------------------------------------------------------------------------------------

    def _place(self) -> Finding:
        output = self.output
        variant, numbers = where(output, self._written())
        first = int(np.flatnonzero(output.wrong.ravel())[0])
        index = tuple(int(i) for i in np.unravel_index(first, output.wrong.shape))
        numbers = {
            **numbers,
            "array": output.name,
            "wrong": int(output.wrong.sum()),
            "size": output.wrong.size,
            "first": ", ".join(map(str, index)),
            "got": _shown(output.got.ravel()[first]),
            "expected": _shown(output.expected.ravel()[first]),
        }
        x = self._store()
        return self._add(Told("X4", variant, numbers), x, x.start if x is not None else None)

    def _written(self) -> dict[int, list[tuple[int, int]]]:
        if self.stores is None or self.stores.atomic:
            return {}
        low, size = self.stores.allocation.addr, ITEMSIZE[self.stores.allocation.dtype]
        return {
            block: [((a - low) // size, (b - low) // size) for a, b in spans]
            for block, spans in self.stores.by_block.items()
        }

    def _store(self) -> Issued | None:
        """The last store of the first wrong element."""
        if self.tensor is None or self.stores is None:
            return None
        allocation = self.tensor.allocation
        first = int(np.flatnonzero(self.output.wrong.ravel())[0])
        addr = allocation.addr + first * ITEMSIZE[allocation.dtype]
        return self.tensor.last_writer(addr) or self.stores.touches[-1].x


def _shown(value: Any) -> str:
    return f"{float(value):.6g}" if np.asarray(value).dtype.kind not in "iu" else str(int(value))
