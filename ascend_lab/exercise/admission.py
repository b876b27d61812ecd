"""What a child may hand to the engine: every field of every instruction, before the engine sees it.

An honest door passes, whatever faults the kernel has: a misaligned address or a repeat of 300 is a finding
and goes through. What does not pass is what no door would send: an unknown instruction, an operand in the
wrong memory, a parameter of the wrong type, a number far beyond every register.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from ascend_lab.engine.instruction import ITEMSIZE, Instr, Pipe, Ref
from ascend_lab.engine.semantics import SEMANTICS
from ascend_lab.exercise.wire import WireInstr

_PIPES = (Pipe.S, Pipe.V, Pipe.MTE2, Pipe.MTE3)
_FAR = 1 << 40
_NAME = 200
_TEXT = 4096
_KNOWN_REFS = 50_000


class Refused(Exception):
    """An instruction that no door would send; ``str()`` says which part of it, in few plain words."""


# --- parameters ---------------------------------------------------------------------------------------


def _is_int(value: Any, low: int, high: int) -> bool:
    return type(value) is int and low <= value <= high


def _word(value: Any) -> bool:
    return _is_int(value, 0, (1 << 64) - 1)


def _small(value: Any) -> bool:
    return _is_int(value, -65535, 65535)


def _large(value: Any) -> bool:
    return _is_int(value, -_FAR, _FAR)


def _pipe(value: Any) -> bool:
    return value in _PIPES and type(value) is int


def _any_pipe(value: Any) -> bool:
    return _is_int(value, 0, int(Pipe.ALL))


def _truth(value: Any) -> bool:
    return type(value) is bool


def _name(value: Any) -> bool:
    return type(value) is str and len(value) <= _NAME


def _text(value: Any) -> bool:
    return type(value) is str and len(value) <= _TEXT


def _number(value: Any) -> bool:
    return type(value) in (int, float, bool)


def _mask(value: Any) -> bool:
    if value is None or _word(value):
        return True
    return type(value) is tuple and len(value) == 2 and all(map(_word, value))


def _strides(value: Any) -> bool:
    return type(value) is tuple and len(value) <= 4 and all(map(_small, value))


def _dtype(value: Any) -> bool:
    return value in ITEMSIZE


def _mode(value: Any) -> bool:
    return _name(value) or _small(value)


def _plain(value: Any) -> bool:
    """Any value for a parameter that only the engine knows."""
    if type(value) is tuple:
        return len(value) <= 16 and all(map(_plain, value))
    return value is None or _large(value) or _number(value) or _name(value)


#: What a parameter of each name may be.
PARAMETERS: Mapping[str, Callable[[Any], bool]] = {
    "addr": _large,
    "arrivers": _small,
    "asked": _large,
    "blk": _strides,
    "block_count": _small,
    "block_len": _large,
    "buf": _small,
    "count": _large,
    "counter": _truth,
    "depth": _small,
    "deq_scale": lambda value: value is None or _number(value),
    "dst": _pipe,
    "dst_gap": _large,
    "dst_rep": _small,
    "dst_stride": _large,
    "dtype": _dtype,
    "event": _small,
    "full": _truth,
    "high": _word,
    "id": _small,
    "idx": _small,
    "index": lambda value: _truth(value) or _large(value),
    "is_pad": _truth,
    "kind": _name,
    "left": _small,
    "len": _large,
    "lines": _name,
    "low": _word,
    "mask": _mask,
    "memory": _name,
    "mode": _mode,
    "name": _name,
    "num": _small,
    "offset": _number,
    "order": _mode,
    "pad_value": _number,
    "pipe": _any_pipe,
    "pos": _name,
    "queue": _small,
    "rep": _strides,
    "repeat": _small,
    "right": _small,
    "round": _name,
    "scalar": _number,
    "scale": lambda value: value is None or _number(value),
    "signed": _truth,
    "size": _large,
    "soft": _truth,
    "src": _pipe,
    "src_blk": _small,
    "src_gap": _large,
    "src_rep": _small,
    "src_stride": _large,
    "text": _text,
    "to": _name,
    "tree": _truth,
    "used": _small,
    "value": _number,
}


# --- instructions -------------------------------------------------------------------------------------


class Shape(NamedTuple):
    """What an instruction is made of: its pipes, operands and the parameters it cannot do without.

    ``dst`` is "yes", "no" or "maybe"; ``srcs`` how many there may be; of each set in ``needs`` one
    parameter must be there.
    """

    pipes: tuple[int, ...]
    dst: str
    srcs: range
    needs: tuple[frozenset[str], ...] = ()


def _needs(*names: str) -> tuple[frozenset[str], ...]:
    """``"count|repeat"``: one of the two."""
    return tuple(frozenset(name.split("|")) for name in names)


_SIGNALS = ("SetFlag", "WaitFlag", "CrossCoreSetFlag")  # of any pipe, and without operands
_S = (Pipe.S,)
_V = (Pipe.V,)
_NONE = range(1)
_FORM = "count|repeat"
_BINARY = ("Add", "Sub", "Mul", "Div", "Max", "Min", "And", "Or", "AddRelu", "SubRelu")
_ONTO = ("MulAddDst", "FusedMulAdd")  # two sources, and dst is a third
_SCALAR = ("Adds", "Muls", "Maxs", "Mins", "LeakyRelu", "ShiftLeft", "ShiftRight", "Axpy")
_UNARY = (
    *("Abs", "Cast", "Copy", "Exp", "Ln", "Not", "Reciprocal", "Relu", "Rsqrt", "Sqrt"),
    *(f"WholeReduce{what}" for what in ("Sum", "Max", "Min")),
    *(f"BlockReduce{what}" for what in ("Sum", "Max", "Min")),
    *("PairReduceSum", "RepeatReduceSum"),
)
_REDUCE = ("ReduceSum", "ReduceMax", "ReduceMin")  # source and working space
_MARKERS = ("AllocTensor", "EnQue", "DeQue", "FreeTensor")

#: The instructions whose every part is known here.
SHAPES: Mapping[str, Shape] = {
    "DataCopy": Shape(
        (Pipe.V, Pipe.MTE2, Pipe.MTE3),
        "yes",
        range(1, 2),
        _needs(*(f"count|{name}" for name in ("block_count", "block_len", "src_gap", "dst_gap"))),
    ),
    "DataCopyPad": Shape(
        (Pipe.MTE2, Pipe.MTE3),
        "yes",
        range(1, 2),
        _needs("block_count", "block_len", "src_stride", "dst_stride"),
    ),
    "Duplicate": Shape(_V, "yes", _NONE, _needs(_FORM, "scalar")),
    "CompareScalar": Shape(_V, "yes", range(1, 2), _needs(_FORM, "scalar", "mode")),
    "Compare": Shape(_V, "yes", range(2, 3), _needs(_FORM, "mode")),
    "Select": Shape(_V, "yes", range(2, 4), _needs(_FORM, "mode")),
    "GetValue": Shape(_S, "no", range(1, 2), _needs("index", "size")),
    "SetValue": Shape(_S, "yes", _NONE, _needs("value", "index", "size")),
    "GetSystemCycle": Shape(_S, "no", _NONE),
    "GetRsvdCnt": Shape(_S, "no", _NONE),
    "GetReduceRepeatSumSpr": Shape(_S, "no", _NONE),
    "GetMrgSortResult": Shape(_S, "no", _NONE),
    "DataCacheCleanAndInvalid": Shape(_S, "no", range(1, 2), _needs("lines", "to")),
    "IBSet": Shape(_S, "no", range(2, 3), _needs("idx", "event")),
    "IBWait": Shape(_S, "no", range(2, 3), _needs("idx", "event")),
    "InitDetermineComputeWorkspace": Shape(_S, "no", range(2, 3)),
    "WaitPreBlock": Shape(_S, "no", range(2, 3)),
    "NotifyNextBlock": Shape(_S, "no", range(2, 3)),
    "CrossCoreSetFlag": Shape(_PIPES, "no", _NONE, _needs("id")),
    "CrossCoreWaitFlag": Shape(_S, "no", _NONE, _needs("id")),
    "GroupArrive": Shape(_S, "no", range(1, 2), _needs("idx")),
    "GroupWait": Shape(_S, "no", range(1, 2), _needs("idx", "arrivers")),
    "TBufPoolReset": Shape(_S, "no", _NONE),
    "SetFlag": Shape(_PIPES, "no", _NONE, _needs("src", "dst", "id")),
    "WaitFlag": Shape(_PIPES, "no", _NONE, _needs("src", "dst", "id")),
    "PipeBarrier": Shape(_S, "no", _NONE, _needs("pipe")),
    "DataSyncBarrier": Shape(_S, "no", _NONE),
    "SyncAll": Shape(_S, "no", range(3)),
    "SetMask": Shape(_S, "no", _NONE, _needs("low|count", "high|count")),
    "SetMaskCount": Shape(_S, "no", _NONE),
    "SetMaskNorm": Shape(_S, "no", _NONE),
    "ResetMask": Shape(_S, "no", _NONE),
    "SetL2CacheHint": Shape(_S, "yes", _NONE, _needs("mode", "kind")),
    "SetDeqScale": Shape(_S, "no", range(2), _needs("scale", "offset", "signed")),
    "SetPadValue": Shape(_S, "no", _NONE, _needs("value")),
    "SetAtomic": Shape(_S, "no", _NONE, _needs("mode")),
    "InitSocState": Shape(_S, "no", _NONE),
    "TPipe": Shape(_S, "no", _NONE),
    "TPipeReset": Shape(_S, "no", _NONE),
    "TPipeDestroy": Shape(_S, "no", _NONE),
    "InitBuffer": Shape(
        _S, "no", _NONE, _needs("buf", "num", "addr", "len", "asked", "kind", "queue", "name")
    ),
    "Static": Shape(_S, "yes", _NONE),
    "BindGlobal": Shape(_S, "yes", _NONE),
    "Printf": Shape(_S, "no", _NONE, _needs("text")),
    **{name: Shape(_V, "yes", range(2, 3), _needs(_FORM)) for name in (*_BINARY, *_ONTO)},
    **{name: Shape(_V, "yes", range(1, 2), _needs(_FORM, "scalar")) for name in _SCALAR},
    **{name: Shape(_V, "yes", range(1, 2), _needs(_FORM)) for name in _UNARY},
    **{name: Shape(_V, "yes", range(1, 3), _needs(_FORM)) for name in _REDUCE},
    **{name: Shape(_S, "maybe", _NONE, _needs("queue", "name", "num")) for name in _MARKERS},
}
_OTHER_FORMS = frozenset(("repeat", "block_count"))
#: Any other vector instruction of the engine: operands are checked, parameters only for being plain.
_ELSE = Shape(_V, "yes", range(12))


class Gate:
    """Turns what a child sent into instructions; one per launch. Raises Refused."""

    def __init__(self, sources: int = 0) -> None:
        self.sources = sources
        self._refs: set[Ref] = set()
        self._shapes: set[tuple[Any, ...]] = set()

    def admit(self, row: WireInstr) -> Instr:
        """The instruction, when all of it is as a door would send it."""
        op, pipe, dst, srcs, params, where = row
        if not 0 <= where < self.sources:
            raise Refused("a source line that does not exist")
        for ref in srcs:
            if ref not in self._refs:
                self._admit_ref(ref)
        if dst is not None and dst not in self._refs:
            self._admit_ref(dst)
        spaces = tuple(ref.space for ref in srcs)
        shape = (op, pipe, dst and dst.space, spaces, *params)
        if shape not in self._shapes:
            self._admit_shape(op, pipe, dst, srcs, params)
            if len(self._shapes) < _KNOWN_REFS:
                self._shapes.add(shape)
        for name, value in params.items():
            if not PARAMETERS.get(name, _plain)(value):
                raise Refused(f"{op}: {name} = {_short(value)}")
        if op == "Select" and params["mode"] not in (0, 1, 2):
            raise Refused(f"Select: mode = {_short(params['mode'])}")
        return Instr(op, pipe, dst, srcs, params, where)

    def _admit_ref(self, ref: Ref) -> None:
        known = ref.space in ("GM", "UB") and ref.dtype in ITEMSIZE and _name(ref.pos)
        if not (known and _large(ref.addr) and _large(ref.size) and _small(ref.buf)):
            raise Refused(f"operand {_short(tuple(ref))}")
        if len(self._refs) < _KNOWN_REFS:
            self._refs.add(ref)

    def _admit_shape(
        self,
        op: str,
        pipe: int,
        dst: Ref | None,
        srcs: tuple[Ref, ...],
        params: Mapping[str, Any],
    ) -> None:
        shape = SHAPES.get(op)
        if shape is None:
            if op not in SEMANTICS:
                raise Refused(f"instruction {_short(op)}")
            shape = _ELSE
        if pipe not in shape.pipes:
            raise Refused(f"{op} on pipe {pipe}")
        if shape.dst != "maybe" and (dst is None) != (shape.dst == "no"):
            raise Refused(f"{op} {'without' if dst is None else 'with'} a destination")
        if len(srcs) not in shape.srcs:
            raise Refused(f"{op} with {len(srcs)} sources")
        for names in shape.needs:
            if not names & params.keys():
                raise Refused(f"{op} without {' or '.join(sorted(names))}")
        if "count" in params and params.keys() & _OTHER_FORMS:
            raise Refused(f"{op} in two forms at once")
        for name in params:
            if name not in PARAMETERS and (op in SHAPES or not _name(name)):
                raise Refused(f"{op} with parameter {_short(name)}")
        _admit_spaces(op, pipe, dst, srcs)


def _admit_spaces(op: str, pipe: int, dst: Ref | None, srcs: tuple[Ref, ...]) -> None:
    """Operands lie where the pipe can reach them."""
    to = None if dst is None else dst.space
    origins = {ref.space for ref in srcs}
    if pipe == Pipe.V:
        fits = to == "UB" and origins <= {"UB"}
    elif pipe == Pipe.MTE2 and op not in _SIGNALS:
        fits = to == "UB" and origins == {"GM"}
    elif pipe == Pipe.MTE3 and op not in _SIGNALS:
        fits = to == "GM" and origins == {"UB"}
    elif op in ("InitBuffer", "Static", *_MARKERS):
        fits = to in (None, "UB")
    else:
        fits = op != "BindGlobal" or to == "GM"
    if not fits and not (pipe == Pipe.V and op in _SIGNALS):
        raise Refused(f"{op} on pipe {Pipe(pipe).name} from {sorted(origins)} to {to}")


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
