# Lab 13, both languages. `labs/build.py` makes labs/zh/13_troubleshooting.ipynb and labs/en/13_troubleshooting.ipynb of it.
# The kernels of the arena are drawn by `python labs/hunts.py 13` from 13_hunts.toml.

# %% [markdown] key="title" lang="zh"
# # Lab 13 · 排错擂台
#
# 前面的实验都告诉你要找哪几类错误。这里不告诉：十二个核函数，各有一处错误，分黄、绿、黑三带。你看到的只有代码和使用者的描述，要说出它是哪一类、在哪一行。学完之后，你能够：
#
# - 从现象出发，按次序排除，而不是逐行猜；
# - 说出错误的类别、行号和原因，并修好它，而且不弄坏别的；
# - 自己写一个变异体，让检查发现它，也让同伴去找它。
#
# 计分的是三道修复任务（共 100 分）；擂台和变异体是练习，但认证考试的排错部分就是这种形式。不需要 NPU，也不需要 CANN。全部做完大约 120 分钟。

# %% [markdown] key="title" lang="en"
# # Lab 13 · Troubleshooting arena
#
# The labs before told you which classes of mistakes to look for. This one does not: twelve kernels with one fault each, in a yellow, a green and a black belt. All you get is the code and what its user reports; you say which class it is, and in which line. Afterwards you can
#
# - start from the symptom and rule things out in order, instead of guessing line by line;
# - name class, line and reason of a fault, and repair it without spoiling anything else;
# - write a mutant yourself that the checks find, for a partner to look for.
#
# Three repairs are marked (100 points together). The arena and the mutant are practice, in the form that the troubleshooting part of the exam has. You need no NPU and no CANN. Allow about 120 minutes.

# %% key="start"
import numpy as np

import ascend_lab.asc as asc
from ascend_lab import Device, course
from ascend_lab.course import arena

lab = course.start("13")
ring = arena.enter(lab)

# %% [markdown] key="order" lang="zh"
# ## 1 怀疑的次序
#
# 先分清现象，再看代码。现象把嫌疑缩小到几类：
#
# | 现象 | 先看 | 一个实验 |
# |---|---|---|
# | 不结束，超时 | 标志和等待是否成对；队列的 tensor 是否都归还、都入队；是否所有核都到了屏障 | 减少块数：块数少时正常，多半是缓冲区用尽 |
# | 某个核异常终止 | 缓冲区多大；最后一块多长；UB 地址是否是 32 字节的倍数 | 换成整块的长度：不再异常，就看尾块 |
# | 结果每次一样地错 | 下标、长度、间隔、类型、舍入 | 用一个核：正确了，就看核的偏移和分配 |
# | 结果有时对有时错 | 单元之间的次序：正向（数据到了吗）和反向（缓冲区空了吗） | 在两条指令之间加屏障：正确了，就是缺了这条边 |
# | 自己正确，别人出错 | 多写了几个字节；掩码、原子模式、标志没有恢复 | 看输出之后的内存，看下一个核函数 |
#
# 一次只改一处，改完先重跑原来失败的那个输入。

# %% [markdown] key="order" lang="en"
# ## 1 The order of suspicion
#
# First the symptom, then the code. A symptom leaves only a few suspects:
#
# | symptom | look first at | one experiment |
# |---|---|---|
# | it never ends: timeout | flags and waits in pairs; every tensor of a queue given back and put in; all cores at the barrier | fewer tiles: if that ends, buffers run out |
# | a core stops with an exception | how large the buffers are; how long the last tile is; UB addresses of whole 32 B | lengths of whole tiles: if that works, look at the tail |
# | wrong, and each time alike | index, length, gap, type, rounding | one core: if that is right, look at offsets and shares of the cores |
# | right at times | order between units: forwards (has the data arrived?) and backwards (is the buffer free?) | a barrier between two instructions: if it is right then, this edge is missing |
# | right itself, and others fail | a few bytes too many; mask, atomic mode or flags not restored | the memory behind the output; the kernel that runs next |
#
# Change one thing at a time, and run the input that failed before you run anything else.

# %% [markdown] key="leak" lang="zh"
# ### 预测：几块之后停住？
#
# `leak` 的输入队列有两个缓冲区，忘了归还。用 1、2、3、4 块数据各启动一次，第一次不能结束是在几块？
#
# - **A** 1 块
# - **B** 2 块
# - **C** 3 块
# - **D** 都能结束

# %% [markdown] key="leak" lang="en"
# ### Predict: after how many tiles does it stop?
#
# The input queue of `leak` has two buffers, and somebody forgot to give them back. We launch it with 1, 2, 3 and 4 tiles. With how many does it fail to end for the first time?
#
# - **A** 1
# - **B** 2
# - **C** 3
# - **D** it always ends

# %% key="leak-predict"
lab.predict("13/leak", None)


# %% key="leak-run"
@asc.jit
def leak(x: asc.GlobalAddress, z: asc.GlobalAddress, tiles: int):
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    z_gm.set_global_buffer(z)
    pipe = asc.TPipe()
    in_queue = asc.TQue(asc.TPosition.VECIN, 1)
    out_queue = asc.TQue(asc.TPosition.VECOUT, 1)
    pipe.init_buffer(in_queue, 2, 256 * x.dtype.sizeof())
    pipe.init_buffer(out_queue, 2, 256 * z.dtype.sizeof())
    for tile in range(tiles):
        x_local = in_queue.alloc_tensor(x.dtype)
        asc.data_copy(x_local, x_gm[tile * 256 :], 256)
        in_queue.enque(x_local)
        x_local = in_queue.deque(x.dtype)
        z_local = out_queue.alloc_tensor(z.dtype)
        asc.muls(z_local, x_local, 2.0, 256)
        out_queue.enque(z_local)
        z_local = out_queue.deque(z.dtype)
        asc.data_copy(z_gm[tile * 256 :], z_local, 256)
        out_queue.free_tensor(z_local)


first = 0
for tiles in (1, 2, 3, 4):
    x, z = np.ones(tiles * 256, np.float32), np.zeros(tiles * 256, np.float32)
    leaked = Device().launch(leak, 1, x, z, tiles, outputs=["z"])
    done = int(np.count_nonzero(z == 2))
    print(f"{tiles} tiles: {done} of {z.size} elements are right")
    if done < z.size and not first:
        first = tiles
lab.reveal("13/leak", {0: "D", 1: "A", 2: "B", 3: "C"}.get(first, "D"))

# %% [markdown] key="leak-told" lang="zh"
# 第三次 `alloc_tensor` 没有缓冲区可用。所以测试通过一两块说明不了什么：**让测试的块数超过缓冲区的个数**。其他类别也有这样的界限：长度要有尾块，核数要多于一，数据要大到一个核有几块。

# %% [markdown] key="leak-told" lang="en"
# The third `alloc_tensor` finds no buffer. A test with a tile or two says little, then: **let a test have more tiles than a queue has buffers**. Other classes have such bounds as well: lengths with a tail, more cores than one, data enough for several tiles on a core.

# %% [markdown] key="yellow-text" lang="zh"
# ## 2 任务 13/yellow（易，20 分）：不结束的加法
#
# 修好它，其余不要改。评分还会看另外几种核数和长度，以及其他执行次序。

# %% [markdown] key="yellow-text" lang="en"
# ## 2 Task 13/yellow (easy, 20 points): an addition that never ends
#
# Repair it, and leave the rest as it is. Grading looks at other numbers of cores, other lengths, and other orders of execution too.

# %% key="yellow" answer="13/yellow"
PART_TILE = 1024


@asc.jit
def add_parts(x: asc.GlobalAddress, y: asc.GlobalAddress, z: asc.GlobalAddress, total_length: int):
    block = asc.get_block_idx()
    blocks = asc.get_block_num()
    block_length = (total_length + blocks * 8 - 1) // (blocks * 8) * 8
    offset = block * block_length
    own = total_length - offset if block == blocks - 1 else block_length
    x_gm = asc.GlobalTensor()
    y_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x + offset)
    y_gm.set_global_buffer(y + offset)
    z_gm.set_global_buffer(z + offset)
    pipe = asc.TPipe()
    in_queue_x = asc.TQue(asc.TPosition.VECIN, 1)
    in_queue_y = asc.TQue(asc.TPosition.VECIN, 1)
    out_queue_z = asc.TQue(asc.TPosition.VECOUT, 1)
    pipe.init_buffer(in_queue_x, 2, PART_TILE * x.dtype.sizeof())
    pipe.init_buffer(in_queue_y, 2, PART_TILE * y.dtype.sizeof())
    pipe.init_buffer(out_queue_z, 2, PART_TILE * z.dtype.sizeof())

    tiles = (own + PART_TILE - 1) // PART_TILE
    for tile in range(tiles):
        start = tile * PART_TILE
        left = own - start
        count = PART_TILE if left > PART_TILE else left
        x_local = in_queue_x.alloc_tensor(x.dtype)
        y_local = in_queue_y.alloc_tensor(y.dtype)
        asc.data_copy(x_local, x_gm[start:], count)
        asc.data_copy(y_local, y_gm[start:], count)
        in_queue_x.enque(x_local)
        in_queue_y.enque(y_local)

        x_local = in_queue_x.deque(x.dtype)
        y_local = in_queue_y.deque(y.dtype)
        z_local = out_queue_z.alloc_tensor(z.dtype)
        asc.add(z_local, x_local, y_local, count)
        out_queue_z.enque(z_local)
        in_queue_x.free_tensor(x_local)

        z_local = out_queue_z.deque(z.dtype)
        asc.data_copy(z_gm[start:], z_local, count)
        out_queue_z.free_tensor(z_local)


# %% key="yellow-check"
lab.check("13/yellow", add_parts)

# %% [markdown] key="green-text" lang="zh"
# ## 3 任务 13/green（中，35 分）：和不为 1 的 Softmax
#
# 宽度是 8 的倍数时正确，其他宽度每行的和都小于 1，没有任何报错。

# %% [markdown] key="green-text" lang="en"
# ## 3 Task 13/green (medium, 35 points): a softmax that does not add up
#
# Right for widths that are multiples of 8. For others every row adds up to less than 1, and nothing reports an error.

# %% key="green" answer="13/green"
MAX_COLS = 1024


@asc.jit
def softmax_parts(x: asc.GlobalAddress, z: asc.GlobalAddress, rows: int, cols: int):
    size = x.dtype.sizeof()
    padded = (cols + 7) // 8 * 8
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, rows * cols)
    z_gm.set_global_buffer(z, rows * cols)
    pipe = asc.TPipe()
    in_queue = asc.TQue(asc.TPosition.VECIN, 1)
    out_queue = asc.TQue(asc.TPosition.VECOUT, 1)
    tmp_buf = asc.TBuf(asc.TPosition.VECCALC)
    result_buf = asc.TBuf(asc.TPosition.VECCALC)
    pipe.init_buffer(in_queue, 2, MAX_COLS * size)
    pipe.init_buffer(out_queue, 2, MAX_COLS * size)
    pipe.init_buffer(tmp_buf, MAX_COLS * size)
    pipe.init_buffer(result_buf, 32)
    tmp = tmp_buf.get(x.dtype)
    result = result_buf.get(x.dtype)

    move = asc.DataCopyExtParams(1, cols * size, 0, 0, 0)
    pad = asc.DataCopyPadExtParams(x.dtype, True, 0, padded - cols, 0.0)
    for row in range(asc.get_block_idx(), rows, asc.get_block_num()):
        x_local = in_queue.alloc_tensor(x.dtype)
        asc.data_copy_pad(x_local, x_gm[row * cols :], move, pad)
        in_queue.enque(x_local)

        x_local = in_queue.deque(x.dtype)
        z_local = out_queue.alloc_tensor(z.dtype)
        asc.reduce_max(result, x_local, tmp, padded)
        highest = result.get_value(0)
        asc.adds(x_local, x_local, 0.0 - highest, padded)
        asc.exp(x_local, x_local, padded)
        asc.reduce_sum(result, x_local, tmp, padded)
        total = result.get_value(0)
        asc.muls(z_local, x_local, 1.0 / total, padded)
        out_queue.enque(z_local)
        in_queue.free_tensor(x_local)

        z_local = out_queue.deque(z.dtype)
        asc.data_copy_pad(z_gm[row * cols :], z_local, move)
        out_queue.free_tensor(z_local)


# %% key="green-check"
lab.check("13/green", softmax_parts)

# %% [markdown] key="black-text" lang="zh"
# ## 4 任务 13/black（难，45 分）：时对时错的归一化
#
# 一行放不进 UB，第一遍把 exp(x) 写进 workspace，第二遍读回来乘以比例。没有自动同步，所有标志都在核函数里。有**两处**错误：修好一处，另一处仍在。

# %% [markdown] key="black-text" lang="en"
# ## 4 Task 13/black (hard, 45 points): a normalisation that is right at times
#
# A row does not fit into the UB: the first pass leaves exp(x) in the workspace, the second reads it back and multiplies. There is no automatic synchronisation; every flag stands in the kernel. It has **two** mistakes: with one repaired the other is still there.

# %% key="black" answer="13/black"
LONG_TILE = 1024
LONG_BYTES = 4096


@asc.jit
def normalise_parts(
    x: asc.GlobalAddress, z: asc.GlobalAddress, workspace: asc.GlobalAddress, cols: int
):
    row = asc.get_block_idx()
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    powers_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x + row * cols, cols)
    z_gm.set_global_buffer(z + row * cols, cols)
    powers_gm.set_global_buffer(workspace + row * cols, cols)
    x_local = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, 0, LONG_TILE)
    z_local = asc.LocalTensor(x.dtype, asc.TPosition.VECOUT, LONG_BYTES, LONG_TILE)
    total = asc.LocalTensor(x.dtype, asc.TPosition.VECCALC, 2 * LONG_BYTES, LONG_TILE)
    tmp = asc.LocalTensor(x.dtype, asc.TPosition.VECCALC, 3 * LONG_BYTES, LONG_TILE)

    asc.duplicate(total, 0.0, LONG_TILE)
    asc.set_flag(asc.HardEvent.MTE3_V, 0)
    for start in range(0, cols, LONG_TILE):
        asc.data_copy(x_local, x_gm[start:], LONG_TILE)
        asc.set_flag(asc.HardEvent.MTE2_V, 0)
        asc.wait_flag(asc.HardEvent.MTE2_V, 0)
        asc.wait_flag(asc.HardEvent.MTE3_V, 0)
        asc.exp(z_local, x_local, LONG_TILE)
        asc.pipe_barrier(asc.PipeID.PIPE_V)
        asc.add(total, total, z_local, LONG_TILE)
        asc.set_flag(asc.HardEvent.V_MTE3, 0)
        asc.wait_flag(asc.HardEvent.V_MTE3, 0)
        asc.data_copy(powers_gm[start:], z_local, LONG_TILE)
        asc.set_flag(asc.HardEvent.MTE3_V, 0)

    asc.pipe_barrier(asc.PipeID.PIPE_V)
    asc.reduce_sum(total, total, tmp, LONG_TILE)
    asc.set_flag(asc.HardEvent.V_S, 0)
    asc.wait_flag(asc.HardEvent.V_S, 0)
    scale = 1.0 / total.get_value(0)
    for start in range(0, cols, LONG_TILE):
        asc.data_copy(x_local, powers_gm[start:], LONG_TILE)
        asc.set_flag(asc.HardEvent.MTE2_V, 1)
        asc.wait_flag(asc.HardEvent.MTE2_V, 1)
        asc.wait_flag(asc.HardEvent.MTE3_V, 0)
        asc.muls(z_local, x_local, scale, LONG_TILE)
        asc.set_flag(asc.HardEvent.V_MTE3, 1)
        asc.wait_flag(asc.HardEvent.V_MTE3, 1)
        asc.data_copy(z_gm[start:], z_local, LONG_TILE)
        asc.set_flag(asc.HardEvent.MTE3_V, 0)
    asc.wait_flag(asc.HardEvent.MTE3_V, 0)


# %% key="black-check"
lab.check("13/black", normalise_parts)

# %% [markdown] key="arena" lang="zh"
# ## 5 擂台
#
# 十二个核函数，各有一处错误。类别不提示：`ring.classes()` 列出所有的编号。规则：
#
# - `ring.show("yellow-1")` 显示代码、它应该算什么、使用者的描述；
# - `ring.run("yellow-1")` 运行一次，只说哪些用例正确，不说原因（2 分钟）；
# - `ring.hint("yellow-1")` 给一级提示（4、8、12 分钟）；
# - `ring.answer("yellow-1", {"E1": 12})` 作答；答错 5 分钟，而且不说错在类别还是行号。
#
# 排名看找到的核函数一共用了多少“分钟”。不看时钟：同样的步骤，总是同样的分数。每一带有一个用 C++ 写的。

# %% [markdown] key="arena" lang="en"
# ## 5 The arena
#
# Twelve kernels with one fault each. No list of candidates: `ring.classes()` prints every id there is. The rules:
#
# - `ring.show("yellow-1")` shows the code, what it is to compute, and what its user reports;
# - `ring.run("yellow-1")` runs it and says which cases are right, not why (2 minutes);
# - `ring.hint("yellow-1")` gives the next hint (4, 8, 12 minutes);
# - `ring.answer("yellow-1", {"E1": 12})` is your answer; a wrong one costs 5 minutes, and you are not told whether it was the class or the line.
#
# You are ranked by the "minutes" spent on what you found. No clock is read: the same steps always cost the same. One kernel of each belt is in C++.

# %% key="arena-classes"
ring.classes()

# %% key="arena-yellow"
for number in (1, 2, 3, 4):
    ring.show(f"yellow-{number}")

# %% key="arena-green"
for number in (1, 2, 3, 4):
    ring.show(f"green-{number}")

# %% key="arena-black"
for number in (1, 2, 3, 4):
    ring.show(f"black-{number}")

# %% key="arena-try"
# ring.run("yellow-1")
# ring.hint("yellow-1")

# %% key="arena-answers"
ring.answer("yellow-1", {})
ring.answer("yellow-2", {})
ring.answer("yellow-3", {})
ring.answer("yellow-4", {})
ring.answer("green-1", {})
ring.answer("green-2", {})
ring.answer("green-3", {})
ring.answer("green-4", {})
ring.answer("black-1", {})
ring.answer("black-2", {})
ring.answer("black-3", {})
ring.answer("black-4", {})

# %% key="arena-board"
ring.board()
ring.standing()

# %% [markdown] key="mutant" lang="zh"
# ## 6 你来出题
#
# 下面是一个正确的加法。放进一处错误，写出它的编号。要求：能加载；确实有影响（有的改动什么也不改变，叫等价变异体）；检查以这个编号发现它；不是任务 13/yellow 中的那一处。通过之后，把这个单元发给同伴。

# %% [markdown] key="mutant" lang="en"
# ## 6 Your own mutant
#
# Below is a right addition. Put one fault into it and say its id. It has to load; it has to be alive (a change that changes nothing is called an equivalent mutant); the checks have to find it under that id; and it must not be the one of task 13/yellow. When it passes, send the cell to a partner.

# %% key="mutant-cell"
MUTANT_TILE = 1024


@asc.jit
def my_mutant(x: asc.GlobalAddress, y: asc.GlobalAddress, z: asc.GlobalAddress, total_length: int):
    x_gm = asc.GlobalTensor()
    y_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, total_length)
    y_gm.set_global_buffer(y, total_length)
    z_gm.set_global_buffer(z, total_length)
    pipe = asc.TPipe()
    x_queue = asc.TQue(asc.TPosition.VECIN, 1)
    y_queue = asc.TQue(asc.TPosition.VECIN, 1)
    z_queue = asc.TQue(asc.TPosition.VECOUT, 1)
    pipe.init_buffer(x_queue, 2, MUTANT_TILE * x.dtype.sizeof())
    pipe.init_buffer(y_queue, 2, MUTANT_TILE * y.dtype.sizeof())
    pipe.init_buffer(z_queue, 2, MUTANT_TILE * z.dtype.sizeof())
    tiles = (total_length + MUTANT_TILE - 1) // MUTANT_TILE
    for tile in range(asc.get_block_idx(), tiles, asc.get_block_num()):
        start = tile * MUTANT_TILE
        left = total_length - start
        count = MUTANT_TILE if left > MUTANT_TILE else left
        x_local = x_queue.alloc_tensor(x.dtype)
        y_local = y_queue.alloc_tensor(y.dtype)
        asc.data_copy(x_local, x_gm[start:], count)
        asc.data_copy(y_local, y_gm[start:], count)
        x_queue.enque(x_local)
        y_queue.enque(y_local)
        x_local = x_queue.deque(x.dtype)
        y_local = y_queue.deque(y.dtype)
        z_local = z_queue.alloc_tensor(z.dtype)
        asc.add(z_local, x_local, y_local, count)
        z_queue.enque(z_local)
        x_queue.free_tensor(x_local)
        y_queue.free_tensor(y_local)
        z_local = z_queue.deque(z.dtype)
        asc.data_copy(z_gm[start:], z_local, count)
        z_queue.free_tensor(z_local)


# %% key="mutant-check"
ring.mutant(my_mutant, None)

# %% [markdown] key="official" lang="zh"
# ## 对应的官方内容
#
# | 这里 | 官方 |
# |---|---|
# | 擂台和修复任务 | 官方课程（cann-learning-hub）第 7 章：sinh 中的两处和三处错误（核偏移、块偏移、FreeTensor） |
# | 运行结果和检查 | asc-devkit 的“功能调试”：CPU 孪生调试、printf、DumpTensor；卡上用 msSanitizer 的 memcheck、racecheck、initcheck |
# | 不结束 | 卡上是超时，看日志中各核停在哪里 |
#
# 同样的核函数可以用 `ascend-lab export` 导出，到卡上编译运行。卡上做不到的是每次以同样的次序重现：那里的竞争要靠运气。

# %% [markdown] key="official" lang="en"
# ## Official counterpart
#
# | here | official |
# |---|---|
# | arena and repairs | chapter 7 of the official course (cann-learning-hub): two and three mistakes in a sinh (offset of the core, offset of the tile, FreeTensor) |
# | runs and findings | asc-devkit on functional debugging: the CPU twin, printf, DumpTensor; on a card msSanitizer's memcheck, racecheck and initcheck |
# | it never ends | a timeout on a card, and the log says where each core stands |
#
# The same kernels can be exported with `ascend-lab export`, compiled and run on a card. What a card cannot do is repeat an order of execution: there a race shows itself by luck.

# %% [markdown] key="summary" lang="zh"
# ## 小结
#
# - 先分现象：不结束、异常、总是错、有时错、别人错。
# - 一次一个实验：少几块、一个核、整块长度、加一个屏障。
# - 修好之后跑遍所有长度和次序：第一处错误常常挡住第二处。
# - 报告写四样：类别、行号、原因、修好的代码。

# %% [markdown] key="summary" lang="en"
# ## Summary
#
# - Tell the symptom first: it never ends, an exception, always wrong, wrong at times, others fail.
# - One experiment at a time: fewer tiles, one core, whole tiles, a barrier.
# - After a repair run all lengths and all orders: the first fault often hides a second.
# - A report has four parts: class, line, reason, and the repaired code.

# %% key="about"
lab.progress()
