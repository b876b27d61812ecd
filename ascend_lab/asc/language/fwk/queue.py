"""Queues. Each keeps only which of its buffers is where; the engine moves the data.

asc-devkit: docs/zh/api/SIMD-API/基础API/资源管理/TQue, TQueBind.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from ascend_lab.asc.door import Block, current, emit
from ascend_lab.asc.errors import no_memory, no_overload, no_pipe
from ascend_lab.asc.language.core.constexpr import ConstExpr
from ascend_lab.asc.language.core.dtype import DataType
from ascend_lab.asc.language.core.enums import HardEvent, TPosition
from ascend_lab.asc.language.core.ir_value import plain_int
from ascend_lab.asc.language.core.memory import space_of
from ascend_lab.asc.language.core.tensor import LocalTensor, local_tensor
from ascend_lab.asc.language.fwk.buffer import NO_FLAG, Buffer, set_flag, wait_flag
from ascend_lab.asc.language.fwk.events import ENDS, pipes_of, queue_events
from ascend_lab.engine.errors import LabError
from ascend_lab.engine.instruction import Instr, Pipe, Ref


class TQueBind:
    """A queue between two positions: filled at ``src``, emptied at ``dst``.

    ``depth`` is how many tensors may wait in it (0: in place). EnQue raises the flag that DeQue waits for;
    FreeTensor raises the one that the next AllocTensor of that buffer waits for.
    asc-devkit: docs/zh/api/SIMD-API/基础API/资源管理/TQueBind.
    """

    kind = "que"

    def __init__(
        self,
        src: TPosition = TPosition.VECIN,
        dst: TPosition = TPosition.VECIN,
        depth: int = 0,
        mask: int = 0,
    ) -> None:
        self._open(src, dst, depth)

    def _open(self, src: Any, dst: Any, depth: Any) -> None:
        block = current()
        source, target = TPosition(ConstExpr.unwrap(src)), TPosition(ConstExpr.unwrap(dst))
        self.block = block
        self.id = block.queues
        block.queues += 1
        self.name = block.door.names.of(sys._getframe(2)) or f"{self.kind}{self.id}"
        self.depth = plain_int(type(self).__name__, "depth", depth)
        ends = space_of(block.chip, source), space_of(block.chip, target)
        at = source if ends[1] == "GM" else target
        self.pos = at.name
        self.space = space_of(block.chip, at)
        self._events(ends, block)
        self._pipe: Any = None
        self._buffers: Sequence[Buffer] = ()
        self._waiting: list[Buffer] = []
        self._cursor = 0
        self._allocated = 0
        self._pipes_of: dict[int, tuple[int, int]] = {}
        self._kept: dict[tuple[Any, ...], tuple[Ref, list[Instr]]] = {}

    def _events(self, ends: tuple[str, str], block: Block) -> None:
        self._enque_event, self._free_event = queue_events(*ends, block.chip.fused)

    def take(self, pipe: Any, buffers: Sequence[Buffer], asked: int) -> None:
        """The buffers that InitBuffer gives it."""
        self._pipe = pipe
        self._buffers = buffers
        self._waiting = []
        self._cursor = self._allocated = 0
        self._kept = {}
        if self.depth == 0:
            self._reserve_flags(pipe, buffers)

    def _reserve_flags(self, pipe: Any, buffers: Sequence[Buffer]) -> None:
        """An in-place queue keeps its two ids for good, and starts with every buffer freed."""
        for buffer in buffers:
            buffer.enqued = pipe.events.alloc(self._enque_event)
            buffer.freed = pipe.events.alloc(self._free_event)
            buffer.freed_by = self._free_event
            set_flag(self._free_event, buffer.freed, buffer.id)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name!r}, {self.pos}, {len(self._buffers)} buffers)"

    def _stuck(self, op: str) -> None:
        """A step that no buffer is there for: the core stands still here, as the chip's would."""
        emit(op, Pipe.S, None, (), self._about({}))
        self.block.stop_forever()

    def _step(
        self, op: str, buffer: Buffer, dtype: DataType, flag: str, event: HardEvent, number: int
    ) -> Ref:
        """Issue a marker, and the flag that goes with it (``number`` NO_FLAG: none). The buffer as ``dtype``.

        The steps of a loop come again and again with the same buffer and flag: what was made is kept.
        """
        block = self.block
        where = block.place(sys._getframe(2))
        full = op == "EnQue" and self.depth > 0 and len(self._waiting) >= self.depth
        key = (where, op, buffer.id, dtype.name, number, event._value_, full)
        found = self._kept.get(key)
        if found is None:
            ref = buffer.ref(dtype, self.pos)
            more = {"full": True} if full else {"len": buffer.len} if op == "FreeTensor" else {}
            marker = Instr(op, Pipe.S, ref, (), self._about(more), where)
            found = ref, [marker, *self._flag(where, flag, event, number, buffer.id)]
            if buffer.id >= 0:
                self._kept[key] = found
        instrs = block.instrs
        instrs += found[1]
        if len(instrs) >= block.limit:
            block.pause("more")
        return found[0]

    def _about(self, more: dict[str, Any]) -> dict[str, Any]:
        return {"queue": self.id, "name": self.name, "num": len(self._buffers), **more}

    def _flag(
        self, where: int, flag: str, event: HardEvent, number: int, buffer: int
    ) -> list[Instr]:
        if number == NO_FLAG:
            return []
        src, dst = self._ends(event)
        params = {"src": src, "dst": dst, "id": number, "queue": buffer}
        return [Instr(flag, src if flag == "SetFlag" else dst, None, (), params, where)]

    def _ends(self, event: HardEvent) -> tuple[int, int]:
        """The two pipes of an event, as plain numbers."""
        known = self._pipes_of.get(event._value_)
        if known is None:
            src, dst = pipes_of("asc.TQue", event)
            known = self._pipes_of[event._value_] = int(src), int(dst)
        return known

    # --- the four steps of a buffer's life ---------------------------------------------------

    def alloc_tensor(self, *args: Any, **kwargs: Any) -> LocalTensor | None:
        """``alloc_tensor(dtype)``: the next free buffer; ``alloc_tensor(tensor)``: the same, in place.

        Waits for the flag of its last FreeTensor. With no free buffer the core stands still here.
        """
        what = _one(type(self).__name__ + ".alloc_tensor", args, kwargs)
        if isinstance(what, LocalTensor):
            self._demand_depth(in_place=True, api="alloc_tensor")
            buffer = self._allocate(what.dtype)
            what._place(what.dtype, buffer.ref(what.dtype, self.pos), buffer)
            return None
        self._demand_depth(in_place=False, api="alloc_tensor")
        buffer = self._allocate(what)
        return local_tensor(what, buffer.ref(what, self.pos), buffer)

    def _allocate(self, dtype: DataType) -> Buffer:
        buffer = self._next_free()
        if buffer is None:
            self._stuck("AllocTensor")
            raise AssertionError("unreachable")
        buffer.free = False
        self._allocated += 1
        self._step("AllocTensor", buffer, dtype, "WaitFlag", self._free_event, buffer.freed)
        if buffer.freed != NO_FLAG and self.depth:
            self._pipe.events.release(self._free_event, buffer.freed)
            buffer.freed = NO_FLAG
        return buffer

    def _next_free(self) -> Buffer | None:
        """The next free buffer in turn; the cursor moves past every one it looks at."""
        for _ in self._buffers:
            buffer = self._buffers[self._cursor]
            self._cursor = (self._cursor + 1) % len(self._buffers)
            if buffer.free:
                return buffer
        return None

    def enque(self, *args: Any, **kwargs: Any) -> None:
        """``enque(tensor)`` or ``enque(tensor, src_user_pos, dst_user_pos)``: it is filled."""
        api = type(self).__name__ + ".enque"
        tensor, event = self._tensor_and_event(api, args, kwargs, "tensor", self._enque_event)
        buffer = _buffer_of(api, tensor)
        if self.depth:
            buffer.enqued = self._events_of_pipe().alloc(event)
        self._step("EnQue", buffer, tensor.dtype, "SetFlag", event, buffer.enqued)
        if self.depth:
            if len(self._waiting) >= self.depth:
                self._waiting.pop(0)
            self._waiting.append(buffer)

    def deque(self, *args: Any, **kwargs: Any) -> LocalTensor | None:
        """``deque(dtype)``, ``deque(dtype, src_user_pos, dst_user_pos)`` or, in place, ``deque(tensor)``.

        The next filled buffer, after its flag. With nothing in the queue the core stands still here.
        """
        api = type(self).__name__ + ".deque"
        if self.depth == 0:
            self._deque_in_place(_one(api, args, kwargs))
            return None
        dtype, event = self._tensor_and_event(api, args, kwargs, "dtype", self._enque_event)
        if not self._waiting:
            self._stuck("DeQue")
        buffer = self._waiting.pop(0)
        ref = self._step("DeQue", buffer, dtype, "WaitFlag", event, buffer.enqued)
        if buffer.enqued != NO_FLAG:
            self._events_of_pipe().release(event, buffer.enqued)
            buffer.enqued = NO_FLAG
        return local_tensor(dtype, ref, buffer)

    def _deque_in_place(self, tensor: Any) -> None:
        self._demand_depth(in_place=isinstance(tensor, LocalTensor), api="deque")
        buffer = _buffer_of("deque", tensor)
        self._step("DeQue", buffer, tensor.dtype, "WaitFlag", self._enque_event, buffer.enqued)

    def free_tensor(self, tensor: LocalTensor) -> None:
        """The buffer has been emptied: raise the flag its next AllocTensor waits for."""
        buffer = _buffer_of(type(self).__name__ + ".free_tensor", tensor)
        if self.depth:
            buffer.freed = self._events_of_pipe().alloc(self._free_event)
            buffer.freed_by = self._free_event
            self._allocated -= 1
        self._step("FreeTensor", buffer, tensor.dtype, "SetFlag", self._free_event, buffer.freed)
        buffer.free = True

    def free_all_event(self) -> None:
        """Wait for the flags of all freed buffers and give their ids back.

        asc-devkit: docs/zh/api/SIMD-API/基础API/资源管理/TQueBind/FreeAllEvent.md
        """
        for buffer in self._buffers:
            if buffer.freed != NO_FLAG:
                wait_flag(buffer.freed_by, buffer.freed, buffer.id)
                self._events_of_pipe().release(buffer.freed_by, buffer.freed)
                buffer.freed = NO_FLAG

    # --- questions ------------------------------------------------------------------------------

    def get_tensor_count_in_que(self) -> int:
        """How many tensors wait in it."""
        return len(self._waiting)

    def has_tensor_in_que(self) -> bool:
        """Whether a tensor waits in it."""
        return bool(self._waiting)

    def has_idle_buffer(self) -> bool:
        """Whether a buffer is free."""
        return self._allocated < len(self._buffers)

    def vacant_in_que(self) -> bool:
        """Whether another tensor may be put in."""
        return len(self._waiting) < self.depth

    # --- inside -----------------------------------------------------------------------------------

    def _events_of_pipe(self) -> Any:
        """The ids of the kernel's TPipe, as GetTPipePtr finds it."""
        if not self.block.pipes:
            raise no_pipe(self.name)
        return self.block.pipes[-1].events

    def _tensor_and_event(
        self,
        api: str,
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        first: str,
        default: HardEvent,
    ) -> tuple[Any, HardEvent]:
        """(first argument, event): the event of the positions given, else the queue's own."""
        wanted: type[Any] = LocalTensor if first == "tensor" else DataType
        if len(args) == 1 and not kwargs and isinstance(args[0], wanted):
            return args[0], default
        names = (first, "src_user_pos", "dst_user_pos")
        given = dict(zip(names, args, strict=False)) | kwargs
        if (
            len(args) > 3
            or not set(given) <= set(names)
            or not isinstance(given.get(first), wanted)
        ):
            raise no_overload(api, (*args, *kwargs.values()), _forms(first))
        if len(given) == 1:
            return given[first], default
        if len(given) == 2:
            raise no_overload(api, (*args, *kwargs.values()), _forms(first))
        chip = self.block.chip
        src, dst = (space_of(chip, TPosition(given[name])) for name in names[1:])
        return given[first], queue_events(src, dst, chip.fused)[0]

    def _demand_depth(self, in_place: bool, api: str) -> None:
        if in_place == (self.depth == 0):
            return
        raise LabError(
            f"{self.name}.{api}：深度 {self.depth} 的队列"
            + ("不能原地操作，应写 dtype。" if in_place else "只能原地操作，应传入 tensor。"),
            f"{self.name}.{api}: a queue of depth {self.depth} "
            + (
                "takes a dtype here, not a tensor."
                if in_place
                else "takes a tensor here (in place)."
            ),
        )


def _forms(first: str) -> tuple[str, ...]:
    kind = "LocalTensor" if first == "tensor" else "DataType"
    return (
        f"{first}: {kind}",
        f"{first}: {kind}, src_user_pos: TPosition, dst_user_pos: TPosition",
    )


def _one(api: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """The only argument: a DataType or a LocalTensor."""
    given = (*args, *kwargs.values())
    if len(given) != 1 or not isinstance(given[0], DataType | LocalTensor):
        raise no_overload(api, given, ("dtype: DataType", "tensor: LocalTensor"))
    return given[0]


def _buffer_of(api: str, tensor: Any) -> Buffer:
    """The buffer a tensor lies in; one with id -1 for a tensor that no queue gave out."""
    if not isinstance(tensor, LocalTensor):
        raise no_overload(api, (tensor,), ("tensor: LocalTensor",))
    if tensor.buffer is None:
        ref = tensor.ref
        if not ref.space:
            raise no_memory(api)
        tensor.buffer = Buffer(-1, ref.space, ref.addr, ref.size * tensor.dtype.sizeof())
    buffer: Buffer = tensor.buffer
    return buffer


class TQue(TQueBind):
    """A queue at one position: VECIN is filled from GM, VECOUT is emptied into GM.

    asc-devkit: docs/zh/api/SIMD-API/基础API/资源管理/TQue/TQue简介.md
    """

    def __init__(self, pos: TPosition = TPosition.VECIN, depth: int = 1, mask: int = 0) -> None:
        position = TPosition(ConstExpr.unwrap(pos))
        ends = ENDS.get(position)
        if ends is None:
            raise LabError(
                f"TQue 不能建在 {position.name} 上。", f"there is no TQue at {position.name}."
            )
        self._open(*ends, depth)
