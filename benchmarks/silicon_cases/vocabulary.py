"""How a case names its kernel: a few words in JSON. `DOCUMENT` is what ``--help-cases`` prints."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

DOCUMENT = """\
A case is an object of a JSON list: "id", "soc", "metrics" (as msprof names them: task_duration_us, aiv_time_us,
aiv_vec_time_us, aiv_scalar_time_us, aiv_mte2_time_us, aiv_mte3_time_us; system_cycles_50MHz), "paired_with"
(id of the slower case), "speedup", and "model", the kernel:

  "kind": "elementwise" | "copy" | "stream" | "nd2nz" | "empty"
  "dtype": "float16" (default), "float32", "int32", ...
  "shape": [rows, columns]; rows are split evenly over the cores
  "cores": blocks of the launch
  "share": n simulates 1/n of the rows against 1/n of L2 and counts it n times (default 1)
A published sample of samples.py needs no "model": its id is enough.

elementwise: GM -> UB, a chain of vector instructions, UB -> GM, tile after tile
  "tile": elements; "buffers": 1 or 2
  "inputs": names of the arrays read (default ["x", "y"]); the array written is "z"
  "ops": a list of [op, dst, src, ...]; names of tensors, numbers for scalars:
         [["add", "z", "x", "y"]], [["muls", "z", "x", 2.0], ["exp", "z", "z"]]
  "ub": name -> address of each buffer, [[ping], [ping, pong]]; default one after the other, all inputs first
  "bypass": arrays with CACHE_MODE_DISABLE
  "barrier": true puts PipeBarrier<PIPE_V> between the instructions (default true)
  "scalar": true does the chain element by element with GetValue and SetValue
copy: GM -> UB only, DataCopyPad of tiles without waits
  "tile": [rows, columns]; "order": "own" (each core its rows), "again" (all of them four times), "quarters"
  (quarters of the columns, each four times), "same" (every core reads everything, in one order), "rotated";
  "bypass": true
stream: "times" vector instructions one after the other on one core, timed with GetSystemCycle
  "op", "count" (elements), "ub": [src0, src1, dst] (dst last; one source less for unary operations),
  "blk", "rep": strides as in BinaryRepeatParams (dst, src0, src1)
nd2nz: reorder into blocks of 16 columns, a Copy per tile, double buffered
  "tile": [rows, columns], "stride": DataBlocks between columns of blocks in UB, "split": [row parts, column parts]
empty: a kernel that does nothing
"""

KINDS = ("elementwise", "copy", "stream", "nd2nz", "empty")


@dataclass(frozen=True)
class Model:
    """A kernel in the vocabulary."""

    kind: str
    dtype: str = "float16"
    shape: tuple[int, int] = (1, 1)
    cores: int = 1
    share: int = 1
    tile: tuple[int, ...] = (1,)
    buffers: int = 1
    inputs: tuple[str, ...] = ("x", "y")
    ops: tuple[tuple[Any, ...], ...] = ()
    ub: Any = None
    bypass: Any = ()
    barrier: bool = True
    scalar: bool = False
    order: str = "own"
    op: str = "add"
    count: int = 0
    times: int = 1000
    blk: tuple[int, ...] = (1, 1, 1)
    rep: tuple[int, ...] = (8, 8, 8)
    stride: int = 0
    split: tuple[int, int] = (1, 1)


def model(words: dict[str, Any]) -> Model:
    """`words` as a `Model`. Raises ValueError for a word that is not in the vocabulary."""
    unknown = sorted(set(words) - set(Model.__dataclass_fields__))
    if unknown or words.get("kind") not in KINDS:
        word = ", ".join(unknown) or f"kind {words.get('kind')!r}"
        raise ValueError(
            f"not in the vocabulary: {word} (--help-cases)\n词汇中没有：{word}（--help-cases）"
        )
    given = dict(words)
    for name in ("tile",):
        if isinstance(given.get(name), int):
            given[name] = (given[name],)
    for name in ("shape", "tile", "inputs", "blk", "rep", "split", "bypass"):
        if isinstance(given.get(name), list):
            given[name] = tuple(given[name])
    if given.get("bypass") is True and words["kind"] == "elementwise":
        given["bypass"] = given.get("inputs", Model.inputs)
    if "ops" in given:
        given["ops"] = tuple(tuple(op) if isinstance(op, list) else (op,) for op in given["ops"])
    return Model(**given)
