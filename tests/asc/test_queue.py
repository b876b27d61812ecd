"""Queues are flags and markers: whole histories of the framework."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import ascend_lab.asc as asc
from ascend_lab import chips
from ascend_lab.engine.instruction import Crash
from tests.asc.driving import array, instructions, line

Ops = Callable[..., list[str]]
Record = Callable[..., list[str]]
END = ["PipeBarrier ALL", "TPipeDestroy"]


@asc.jit
def add_two_tiles(x: asc.GlobalAddress) -> None:
    gm = asc.GlobalTensor()
    gm.set_global_buffer(x)
    pipe = asc.TPipe()
    in_x = asc.TQue(asc.TPosition.VECIN, 1)
    out_z = asc.TQue(asc.TPosition.VECOUT, 1)
    pipe.init_buffer(in_x, 1, 100)
    pipe.init_buffer(que=out_z, num=1, len=64)
    for i in range(2):
        local = in_x.alloc_tensor(x.dtype)
        asc.data_copy(local, gm[i * 16 :], 16)
        in_x.enque(local)
        local = in_x.deque(x.dtype)
        result = out_z.alloc_tensor(x.dtype)
        asc.add(result, local, local, 16)
        out_z.enque(result)
        in_x.free_tensor(local)
        result = out_z.deque(x.dtype)
        asc.data_copy(gm[i * 16 :], result, 16)
        out_z.free_tensor(result)


def test_a_tile_through_two_queues(ops: Ops) -> None:
    x, z = "UB+0:float32[32]#0", "UB+128:float32[16]#1"
    gm = ["GM+4096:float32[-1]", "GM+4160:float32[-1]"]

    def tile(i: int) -> list[str]:
        return [
            f"AllocTensor {x}",
            *(["WaitFlag V_MTE2 0"] if i else []),
            f"DataCopy {x}",
            f"EnQue {x}",
            "SetFlag MTE2_V 0",
            f"DeQue {x}",
            "WaitFlag MTE2_V 0",
            f"AllocTensor {z}",
            *(["WaitFlag MTE3_V 0"] if i else []),
            f"Add {z}",
            f"EnQue {z}",
            "SetFlag V_MTE3 0",
            f"FreeTensor {x}",
            "SetFlag V_MTE2 0",
            f"DeQue {z}",
            "WaitFlag V_MTE3 0",
            f"DataCopy {gm[i]}",
            f"FreeTensor {z}",
            "SetFlag MTE3_V 0",
        ]

    assert ops(add_two_tiles, [array()]) == [
        f"BindGlobal {gm[0]}",
        "TPipe",
        "InitBuffer",
        "InitBuffer",
        *tile(0),
        *tile(1),
        "WaitFlag V_MTE2 0",
        "WaitFlag MTE3_V 0",
        *END,
    ]


def test_markers_and_flags_carry_who_they_are_for(record: Record) -> None:
    lines = record(add_two_tiles, [array()])
    assert lines[2:4] == [
        "S InitBuffer buf=0 num=1 addr=0 len=128 asked=100 pos='VECIN' kind='que'"
        " queue=0 name='in_x' depth=1",
        "S InitBuffer buf=1 num=1 addr=128 len=64 asked=64 pos='VECOUT' kind='que'"
        " queue=1 name='out_z' depth=1",
    ]
    assert lines[4] == "S AllocTensor UB+0:float32[32]#0 queue=0 name='in_x' num=1"
    assert lines[7] == "MTE2 SetFlag src=4 dst=1 id=0 queue=0"
    assert lines[9] == "V WaitFlag src=4 dst=1 id=0 queue=0"


def test_the_end_of_the_kernel_is_its_last_line() -> None:
    issued, _ = instructions(add_two_tiles, [array()])
    assert len({i.where for i in issued[-4:]}) == 1


def test_double_buffering_takes_turns_and_ids(ops: Ops) -> None:
    @asc.jit
    def kernel() -> None:
        pipe = asc.TPipe()
        que = asc.TQue(asc.TPosition.VECIN, 2)
        pipe.init_buffer(que, 2, 32)
        for _ in range(2):
            first = que.alloc_tensor(asc.half)
            second = que.alloc_tensor(asc.half)
            que.enque(first)
            que.enque(second)
            que.free_tensor(que.deque(asc.half))
            que.free_tensor(que.deque(asc.half))

    one, two = "UB+0:float16[16]#0", "UB+32:float16[16]#1"
    filled = [f"EnQue {one}", "SetFlag MTE2_V 0", f"EnQue {two}", "SetFlag MTE2_V 1"]
    emptied = [
        *(f"DeQue {one}", "WaitFlag MTE2_V 0", f"FreeTensor {one}", "SetFlag V_MTE2 0"),
        *(f"DeQue {two}", "WaitFlag MTE2_V 1", f"FreeTensor {two}", "SetFlag V_MTE2 1"),
    ]
    assert ops(kernel)[2:] == [
        *(f"AllocTensor {one}", f"AllocTensor {two}"),
        *filled,
        *emptied,
        *(f"AllocTensor {one}", "WaitFlag V_MTE2 0", f"AllocTensor {two}", "WaitFlag V_MTE2 1"),
        *filled,
        *emptied,
        *("WaitFlag V_MTE2 0", "WaitFlag V_MTE2 1"),
        *END,
    ]


@pytest.mark.parametrize(
    ("src", "dst", "pos", "forward", "backward"),
    [
        ("GM", "VECIN", "VECIN", "MTE2_V", "V_MTE2"),
        ("VECOUT", "GM", "VECOUT", "V_MTE3", "MTE3_V"),
        ("VECIN", "VECOUT", "VECOUT", "MTE2_MTE3", "MTE3_MTE2"),
        ("VECCALC", "VECCALC", "VECCALC", "MTE2_MTE3", "MTE3_MTE2"),
    ],
)
def test_the_ends_of_a_queue_are_its_events(
    src: str, dst: str, pos: str, forward: str, backward: str
) -> None:
    @asc.jit
    def kernel() -> None:
        pipe = asc.TPipe()
        que = asc.TQueBind(asc.TPosition[src], asc.TPosition[dst], 1)
        pipe.init_buffer(que, 1, 32)
        que.enque(que.alloc_tensor(asc.half))
        que.free_tensor(que.deque(asc.half))

    issued, _ = instructions(kernel)
    assert issued[1].params["pos"] == pos
    flags = [line(i) for i in issued if i.op == "SetFlag"]
    events = [asc.HardEvent[name].name.split("_") for name in (forward, backward)]
    assert [f.split()[0] for f in flags] == [source for source, _ in events]


def test_a_queue_may_be_told_its_positions(ops: Ops) -> None:
    @asc.jit
    def kernel() -> None:
        pipe = asc.TPipe()
        que = asc.TQueBind(asc.TPosition.VECIN, asc.TPosition.VECOUT, 1)
        pipe.init_buffer(que, 1, 32)
        que.enque(que.alloc_tensor(asc.half), asc.TPosition.GM, asc.TPosition.VECIN)
        local = que.deque(asc.half, asc.TPosition.GM, asc.TPosition.VECIN)
        que.enque(tensor=local, src_user_pos=asc.TPosition.VECOUT, dst_user_pos=asc.TPosition.GM)
        local = que.deque(
            dtype=asc.half, src_user_pos=asc.TPosition.VECOUT, dst_user_pos=asc.TPosition.GM
        )
        que.free_tensor(local)

    flags = [op for op in ops(kernel) if "Flag" in op]
    assert flags == [
        *("SetFlag MTE2_V 0", "WaitFlag MTE2_V 0"),
        *("SetFlag V_MTE3 0", "WaitFlag V_MTE3 0"),
        *("SetFlag MTE3_MTE2 0", "WaitFlag MTE3_MTE2 0"),
    ]


def test_in_place_queues_keep_their_ids(ops: Ops) -> None:
    @asc.jit
    def kernel() -> None:
        pipe = asc.TPipe()
        que = asc.TQue(asc.TPosition.VECIN, 0)
        pipe.init_buffer(que, 1, 32)
        local = asc.LocalTensor(asc.half)
        for _ in range(2):
            que.alloc_tensor(local)
            que.enque(local)
            que.deque(local)
            que.free_tensor(local)

    buffer = "UB+0:float16[16]#0"
    turn = [
        *(f"AllocTensor {buffer}", "WaitFlag V_MTE2 0"),
        *(f"EnQue {buffer}", "SetFlag MTE2_V 0"),
        *(f"DeQue {buffer}", "WaitFlag MTE2_V 0"),
        *(f"FreeTensor {buffer}", "SetFlag V_MTE2 0"),
    ]
    assert ops(kernel)[2:] == ["SetFlag V_MTE2 0", *turn, *turn, "WaitFlag V_MTE2 0", *END]


@pytest.mark.parametrize("op", ["AllocTensor", "DeQue"])
def test_with_nothing_to_give_the_core_stands_still(chip: chips.ChipSpec, op: str) -> None:
    @asc.jit
    def kernel() -> None:
        pipe = asc.TPipe()
        que = asc.TQue(asc.TPosition.VECIN, 1)
        pipe.init_buffer(que, 2, 32)
        if op == "DeQue":
            que.deque(asc.half)
        for _ in range(3):
            que.alloc_tensor(asc.half)
        asc.pipe_barrier(asc.PipeID.PIPE_ALL)

    door = kernel.open([], 1, chip)
    batch = door.resume(0)
    assert batch.state == "ask"
    last = batch.instrs[-1]
    assert (last.op, last.dst) == (op, None)
    assert last.params == {"queue": 0, "name": "que", "num": 2}
    assert door.resume(0) == ([], "ask", None)
    door.close()


def test_a_queue_without_buffers_has_none_to_give(chip: chips.ChipSpec) -> None:
    @asc.jit
    def kernel() -> None:
        asc.TPipe()
        asc.TQue(asc.TPosition.VECIN, 1).alloc_tensor(asc.half)

    door = kernel.open([], 1, chip)
    last = door.resume(0).instrs[-1]
    assert (last.op, last.dst, last.params["num"]) == ("AllocTensor", None, 0)
    door.close()


def test_more_enque_than_the_depth_is_marked(record: Record) -> None:
    @asc.jit
    def kernel() -> None:
        pipe = asc.TPipe()
        que = asc.TQue(asc.TPosition.VECIN, 1)
        pipe.init_buffer(que, 2, 32)
        first, second = que.alloc_tensor(asc.half), que.alloc_tensor(asc.half)
        que.enque(first)
        que.enque(second)

    marks = [text for text in record(kernel) if "EnQue" in text]
    assert [text.endswith("full=True") for text in marks] == [False, True]


def test_what_was_not_freed_is_not_waited_for(ops: Ops) -> None:
    @asc.jit
    def kernel() -> None:
        pipe = asc.TPipe()
        que = asc.TQue(asc.TPosition.VECIN, 1)
        pipe.init_buffer(que, 1, 32)
        que.enque(que.alloc_tensor(asc.half))

    assert ops(kernel)[-4:] == ["EnQue UB+0:float16[16]#0", "SetFlag MTE2_V 0", *END]


def test_a_foreign_tensor_is_marked_with_no_buffer(ops: Ops) -> None:
    @asc.jit
    def kernel() -> None:
        pipe = asc.TPipe()
        que = asc.TQue(asc.TPosition.VECIN, 1)
        pipe.init_buffer(que, 1, 32)
        que.enque(asc.LocalTensor(asc.half, asc.TPosition.VECIN, 64, 16))

    assert ops(kernel)[3] == "EnQue UB+64:float16[16]"


def test_a_part_of_a_tensor_stands_for_its_buffer(ops: Ops) -> None:
    @asc.jit
    def kernel() -> None:
        pipe = asc.TPipe()
        que = asc.TQue(asc.TPosition.VECIN, 1)
        pipe.init_buffer(que, 1, 64)
        que.enque(que.alloc_tensor(asc.half)[8:])

    assert ops(kernel)[3] == "EnQue UB+0:float16[32]#0"


def test_questions_to_a_queue() -> None:
    seen = []

    @asc.jit
    def kernel() -> None:
        pipe = asc.TPipe()
        que = asc.TQue(asc.TPosition.VECIN, 1)
        pipe.init_buffer(que, 1, 32)

        def state() -> tuple[object, ...]:
            return (
                que.has_idle_buffer(),
                que.vacant_in_que(),
                que.has_tensor_in_que(),
                que.get_tensor_count_in_que(),
            )

        seen.append(state())
        local = que.alloc_tensor(asc.half)
        que.enque(local)
        seen.append(state())
        que.free_tensor(que.deque(asc.half))
        seen.append(state())

    instructions(kernel)
    assert seen == [(True, True, False, 0), (False, False, True, 1), (True, True, False, 0)]


def test_buffers_of_several_owners_follow_each_other(record: Record) -> None:
    @asc.jit
    def kernel() -> None:
        pipe = asc.TPipe()
        que = asc.TQue(asc.TPosition.VECIN, 1)
        pipe.init_buffer(que, 2, 33)
        tmp: asc.TBuf = asc.TBuf(asc.TPosition.VECCALC)
        pipe.init_buffer(tmp, 10)
        left, right = asc.TBuf(asc.TPosition.VECCALC), asc.TBuf(asc.TPosition.A1)
        pipe.init_buffer(buf=left, num=32)
        pipe.init_buffer(right, len=32)
        pipe.init_buffer(asc.TQue(asc.TPosition.VECOUT, 1), 1, 32)

    assert record(kernel)[1:-2] == [
        "S InitBuffer buf=0 num=2 addr=0 len=64 asked=33 pos='VECIN' kind='que'"
        " queue=0 name='que' depth=1",
        "S InitBuffer buf=2 num=1 addr=128 len=32 asked=10 pos='VECCALC' kind='buf'"
        " queue=1 name='tmp' depth=0",
        "S InitBuffer buf=3 num=1 addr=160 len=32 asked=32 pos='VECCALC' kind='buf'"
        " queue=2 name='left' depth=0",
        "S InitBuffer buf=4 num=1 addr=0 len=32 asked=32 pos='A1' kind='buf'"
        " queue=3 name='right' depth=0",
        "S InitBuffer buf=5 num=1 addr=192 len=32 asked=32 pos='VECOUT' kind='que'"
        " queue=4 name='que4' depth=1",
    ]


def test_parts_of_a_tbuf(ops: Ops) -> None:
    @asc.jit
    def kernel() -> None:
        pipe = asc.TPipe()
        tmp = asc.TBuf(asc.TPosition.VECCALC)
        pipe.init_buffer(tmp, 1024)
        whole = tmp.get(asc.float32)
        part = tmp.get(asc.half, 100)
        later = tmp.get_with_offset(16, 64, asc.int32)
        asc.duplicate(whole, 0, 256)
        asc.duplicate(part, 0, 100)
        asc.duplicate(later, 0, 16)
        tmp.enque(whole)
        asc.duplicate(tmp.alloc_tensor(asc.uint16), 0, 16)
        tmp.free_tensor(whole)

    assert ops(kernel)[2:] == [
        "Duplicate UB+0:float32[256]#0",
        "Duplicate UB+0:float16[100]#0",
        "Duplicate UB+64:int32[16]#0",
        "Duplicate UB+0:uint16[512]#0",
        *END,
    ]


def test_event_ids(ops: Ops) -> None:
    seen = []

    @asc.jit
    def kernel() -> None:
        pipe = asc.TPipe()
        v_s, mte2_v = asc.HardEvent.V_S, asc.HardEvent.MTE2_V
        seen.extend([pipe.fetch_event_id(v_s), pipe.fetch_event_id(v_s)])
        seen.extend([pipe.alloc_event_id(v_s), pipe.alloc_event_id(v_s)])
        seen.append(pipe.fetch_event_id(event=v_s))
        seen.append(pipe.alloc_event_id(mte2_v))
        pipe.release_event_id(0, v_s)
        seen.extend([pipe.alloc_event_id(v_s), pipe.alloc_event_id(v_s)])
        asc.set_flag(mte2_v, asc.get_tpipe_ptr().fetch_event_id(mte2_v))

    assert ops(kernel) == ["TPipe", "SetFlag MTE2_V 1", *END]
    assert seen == [0, 0, 0, 1, 2, 0, 0, 2]


def test_reset_destroy_and_init(ops: Ops) -> None:
    @asc.jit
    def kernel() -> None:
        pipe = asc.TPipe()
        que = asc.TQue(asc.TPosition.VECIN, 1)
        for again in (pipe.reset, pipe.destroy):
            pipe.init_buffer(que, 1, 32)
            que.free_tensor(que.alloc_tensor(asc.half))
            again()
        pipe.init()
        pipe.init_buffer(que, 1, 32)
        que.free_tensor(que.alloc_tensor(asc.half))
        que.free_all_event()

    def used(buffer: int) -> list[str]:
        ref = f"UB+0:float16[16]#{buffer}"
        return ["InitBuffer", f"AllocTensor {ref}", f"FreeTensor {ref}", "SetFlag V_MTE2 0"]

    assert ops(kernel) == [
        "TPipe",
        *used(0),
        *("WaitFlag V_MTE2 0", "TPipeDestroy", "TPipe"),
        *used(1),
        *("WaitFlag V_MTE2 0", *END),
        "TPipe",
        *used(2),
        *("WaitFlag V_MTE2 0", *END),
    ]


def test_a_second_tpipe_starts_from_zero(ops: Ops) -> None:
    @asc.jit
    def kernel() -> None:
        for _ in range(2):
            pipe = asc.TPipe()
            que = asc.TQue(asc.TPosition.VECIN, 1)
            pipe.init_buffer(que, 1, 32)
            que.alloc_tensor(asc.half)

    assert ops(kernel) == [
        *("TPipe", "InitBuffer", "AllocTensor UB+0:float16[16]#0"),
        *("TPipe", "InitBuffer", "AllocTensor UB+0:float16[16]#1"),
        *END,
        *END,
    ]


@pytest.mark.parametrize(
    ("misuse", "text"),
    [
        (lambda pipe, que: pipe.init_buffer(que), "AllocTensor"),
        (lambda pipe, que: pipe.init_buffer(que, 1, 32, 4), "no form of TPipe.init_buffer"),
        (lambda pipe, que: pipe.init_buffer(7, 1, 32), "no form of TPipe.init_buffer"),
        (lambda pipe, que: que.alloc_tensor(7), "no form of TQue.alloc_tensor"),
        (lambda pipe, que: que.alloc_tensor(asc.LocalTensor(asc.half)), "takes a dtype here"),
        (lambda pipe, que: que.enque(7), "no form of TQue.enque"),
        (lambda pipe, que: que.free_tensor(asc.LocalTensor(asc.half)), "has no memory yet"),
        (lambda pipe, que: asc.TQue(asc.TPosition.GM, 1), "there is no TQue at GM"),
        (lambda pipe, que: asc.TQueBind(asc.TPosition.GM, asc.TPosition.GM, 1), "no queue path"),
        (lambda pipe, que: asc.TBuf(asc.TPosition.VECCALC).get(asc.half), "has no memory"),
        (lambda pipe, que: pipe.alloc_event_id(asc.HardEvent.M_MTE1), "HardEvent.M_MTE1"),
    ],
)
def test_misuse_is_explained(
    crashed: Callable[..., Crash], misuse: Callable[..., object], text: str
) -> None:
    @asc.jit
    def kernel() -> None:
        pipe = asc.TPipe()
        que = asc.TQue(asc.TPosition.VECIN, 1)
        misuse(pipe, que)
        raise LookupError("AllocTensor")

    assert text in crashed(kernel).message


def test_the_framework_needs_a_tpipe(crashed: Callable[..., Crash]) -> None:
    @asc.jit
    def kernel() -> None:
        asc.get_tpipe_ptr()

    assert "pipe = asc.TPipe()" in crashed(kernel).message
