# Lab 03, both languages. `labs/build.py` makes labs/zh/03_vector_add.ipynb and labs/en/03_vector_add.ipynb of it.

# %% [markdown] key="title" lang="zh"
# # Lab 03 · 用 TPipe 和 TQue 实现向量加法
#
# 矢量核计算时不会直接访问 Global Memory：数据先搬入，再计算，最后搬出，这三步由三个并行工作的单元完成。本实验用 Ascend C 的队列写出这三个阶段，在时间线上看清每个单元做了什么，并修复两个公开发表、但有错误的核函数。
#
# 学完之后，你能够：
#
# - 说出 Add 核函数中每个调用由哪个单元执行（MTE2、V、MTE3），以及它在等什么；
# - 说清 `init_buffer` 的缓冲区个数决定什么，队列的 `depth` 又不决定什么；
# - 修复队列生命周期的错误：队列没有内存、结果还没算完就搬出、剩余数据没有人处理；
# - 用 `TBuf` 存放只有矢量单元使用的数据。
#
# 每一节的做法都一样：阅读，**先预测**，再运行，然后对照。计分的是三道任务（共 100 分），其余都只是练习。不需要 NPU，也不需要 CANN；会写 Python 函数就可以开始。全部做完大约 90 分钟。

# %% [markdown] key="title" lang="en"
# # Lab 03 · Vector Add with TPipe and TQue
#
# A vector core never reads Global Memory while it computes: data is moved in, computed, and moved out, by three units that work side by side. In this lab you write these three stages with the queues of Ascend C, see on a timeline what each unit did, and repair two kernels that were published with mistakes.
#
# Afterwards you can
#
# - say for each call of an Add kernel which unit carries it out (MTE2, V, MTE3) and what it waits for;
# - say what the number of buffers in `init_buffer` decides, and what the `depth` of a queue does not;
# - repair faults in the life of a queue: a queue without memory, a result stored before it exists, a remainder that nobody processes;
# - use a `TBuf` for data that only the vector unit touches.
#
# Every section works the same way: read, **predict**, run, compare. Three tasks are marked (100 points together); everything else is practice. You need no NPU and no CANN; if you can write a Python function you can start. Allow about 90 minutes.

# %% key="start"
import numpy as np

import ascend_lab.asc as asc
from ascend_lab import Device, course

lab = course.start("03")

# %% [markdown] key="stages" lang="zh"
# ## 1 三个阶段
#
# ![数据从 GM 经 MTE2 进入 VECIN 队列，V 计算后进入 VECOUT 队列，再由 MTE3 写回 GM](pictures/03_dataflow.png)
#
# 标量单元按顺序发出指令，但不执行搬运和计算：**MTE2** 把数据从 Global Memory（GM）搬入 Unified Buffer（UB），**V** 在 UB 上计算，**MTE3** 把结果搬回 GM。三个单元各自排队、各按自己的速度执行，彼此并不知道对方的进度。它们的先后由队列保证：
#
# | 调用 | 作用 |
# |---|---|
# | `alloc_tensor` | 取一个空闲的缓冲区；要等它的上一个使用者归还 |
# | `enque` | “数据已写好”：发起者写完之后置同步事件 |
# | `deque` | 下一个单元等到这个事件，再使用数据 |
# | `free_tensor` | “数据已用完”：这个缓冲区可以再次搬入 |
#
# 下面是完整的核函数。它比官方样例多两个参数 `depth` 和 `num`，稍后用来做实验。

# %% [markdown] key="stages" lang="en"
# ## 1 Three stages
#
# ![Data goes from GM through MTE2 into the VECIN queues, through V into the VECOUT queue, and through MTE3 back to GM](pictures/03_dataflow.png)
#
# The scalar unit issues the instructions in order but neither moves nor computes: **MTE2** brings data from Global Memory (GM) into the Unified Buffer (UB), **V** computes on the UB, **MTE3** takes the result back to GM. Each of the three has a queue of its own, works at its own speed, and knows nothing of the others. What keeps them in order is the queues:
#
# | call | what it does |
# |---|---|
# | `alloc_tensor` | takes a free buffer; waits until the one who used it before has given it back |
# | `enque` | "the data is there": sets a flag once the writer has finished |
# | `deque` | the next unit waits for that flag before it uses the data |
# | `free_tensor` | "the data is used": the buffer may be filled again |
#
# Here is the whole kernel. It has two parameters more than the official sample, `depth` and `num`, which we shall need for an experiment.


# %% key="vector-add"
@asc.jit
def copy_in(
    x_gm: asc.GlobalTensor,
    y_gm: asc.GlobalTensor,
    in_queue_x: asc.TQue,
    in_queue_y: asc.TQue,
    start: int,
    tile_length: asc.ConstExpr[int],
):
    x_local = in_queue_x.alloc_tensor(x_gm.dtype)
    y_local = in_queue_y.alloc_tensor(y_gm.dtype)
    asc.data_copy(x_local, x_gm[start:], tile_length)
    asc.data_copy(y_local, y_gm[start:], tile_length)
    in_queue_x.enque(x_local)
    in_queue_y.enque(y_local)


@asc.jit
def compute(
    z_gm: asc.GlobalTensor,
    in_queue_x: asc.TQue,
    in_queue_y: asc.TQue,
    out_queue_z: asc.TQue,
    tile_length: asc.ConstExpr[int],
):
    x_local = in_queue_x.deque(z_gm.dtype)
    y_local = in_queue_y.deque(z_gm.dtype)
    z_local = out_queue_z.alloc_tensor(z_gm.dtype)
    asc.add(z_local, x_local, y_local, tile_length)
    out_queue_z.enque(z_local)
    in_queue_x.free_tensor(x_local)
    in_queue_y.free_tensor(y_local)


@asc.jit
def copy_out(
    z_gm: asc.GlobalTensor, out_queue_z: asc.TQue, start: int, tile_length: asc.ConstExpr[int]
):
    z_local = out_queue_z.deque(z_gm.dtype)
    asc.data_copy(z_gm[start:], z_local, tile_length)
    out_queue_z.free_tensor(z_local)


@asc.jit
def vector_add(
    x: asc.GlobalAddress,
    y: asc.GlobalAddress,
    z: asc.GlobalAddress,
    block_length: int,
    tile_length: asc.ConstExpr[int],
    depth: asc.ConstExpr[int],
    num: asc.ConstExpr[int],
):
    offset = asc.get_block_idx() * block_length
    x_gm = asc.GlobalTensor()
    y_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x + offset)
    y_gm.set_global_buffer(y + offset)
    z_gm.set_global_buffer(z + offset)
    pipe = asc.TPipe()
    in_queue_x = asc.TQue(asc.TPosition.VECIN, depth)
    in_queue_y = asc.TQue(asc.TPosition.VECIN, depth)
    out_queue_z = asc.TQue(asc.TPosition.VECOUT, depth)
    pipe.init_buffer(in_queue_x, num, tile_length * x.dtype.sizeof())
    pipe.init_buffer(in_queue_y, num, tile_length * y.dtype.sizeof())
    pipe.init_buffer(out_queue_z, num, tile_length * z.dtype.sizeof())
    for i in range(block_length // tile_length):
        copy_in(x_gm, y_gm, in_queue_x, in_queue_y, i * tile_length, tile_length)
        compute(z_gm, in_queue_x, in_queue_y, out_queue_z, tile_length)
        copy_out(z_gm, out_queue_z, i * tile_length, tile_length)


# %% key="run-add"
def numbers(n):
    x = np.arange(n, dtype=np.float32)
    return x, x[::-1].copy(), np.full(n, np.nan, np.float32)


def run_add(depth, num, blocks=8, block_length=16384, tile_length=2048):
    x, y, z = numbers(blocks * block_length)
    result = Device().launch(vector_add, blocks, x, y, z, block_length, tile_length, depth, num)
    print(f"depth={depth} num={num}: {result.time_us:6.2f} us, correct: {np.array_equal(z, x + y)}")
    return result


single = run_add(depth=1, num=1)
lab.show(single)

# %% [markdown] key="depth" lang="zh"
# ### 预测：什么打开了双缓冲？
#
# 构造队列时写 `TQue(position, depth)`，分配内存时写 `init_buffer(queue, num, 字节数)`。一篇流传较广的文章（第 4.2 节）说：把 `TQue` 的第二个模板参数从 1 改成 2，就开启了双缓冲。
#
# 同一个核函数跑四次：`depth` 和 `num` 各取 1 或 2。与 `depth=1, num=1` 相比，哪些会明显变快？
#
# - **A** `depth=2` 的两次
# - **B** `num=2` 的两次
# - **C** 只有 `depth=2` 且 `num=2`
# - **D** 都不会
#
# 先把 `None` 换成你的答案，如 `"A"`，再往下运行。

# %% [markdown] key="depth" lang="en"
# ### Predict: what switches double buffering on?
#
# A queue is made with `TQue(position, depth)` and gets its memory with `init_buffer(queue, num, bytes)`. A widely read article (its section 4.2) says: change the second template parameter of `TQue` from 1 to 2, and you have double buffering.
#
# We run the same kernel four times, with 1 or 2 for `depth` and for `num`. Compared with `depth=1, num=1`, which launches are clearly faster?
#
# - **A** the two with `depth=2`
# - **B** the two with `num=2`
# - **C** only `depth=2` with `num=2`
# - **D** none
#
# Replace `None` by your answer, such as `"A"`, before you go on.

# %% key="depth-predict"
lab.predict("03/depth", None)

# %% key="depth-run"
runs = {(depth, num): run_add(depth, num) for depth in (1, 2) for num in (1, 2)}
faster = {pair for pair, run in runs.items() if run.time_us < 0.95 * runs[1, 1].time_us}
answers = {"A": {(2, 1), (2, 2)}, "B": {(1, 2), (2, 2)}, "C": {(2, 2)}, "D": set()}
lab.reveal("03/depth", next(letter for letter, pairs in answers.items() if pairs == faster))

# %% key="depth-timeline"
lab.timelines({"depth=2, num=1": runs[2, 1], "depth=1, num=2": runs[1, 2]}, cores=[0])

# %% [markdown] key="depth-told" lang="zh"
# **看图。** 两张图用同一条时间轴。`num=1` 时每个输入队列只有一个缓冲区：V 还没有归还，MTE2 就没有地方放下一块数据，`alloc_tensor` 只能等 `free_tensor`。MTE2 每块都要停一次，而重新启动又有固定开销（停顿之后的第一次搬运明显更长）。`num=2` 时，V 处理一个缓冲区，MTE2 已经在向另一个（深色）搬运，不再停顿；计算和启动开销都被搬运盖住了。`depth` 在两张图中不同，却什么也没有改变：它只表示没有 `deque` 时可以连续 `enque` 几次。这里每次 `enque` 之后都有一次 `deque`，1 就够了，官方也推荐 1。
#
# 所以那句话应改为：**双缓冲由 `init_buffer` 的 `num=2` 开启**，代价是两倍的 UB。它也有上限：MTE2 一直在忙之后，再多缓冲区也不会更快。（想放大细看：`from ascend_lab import view`，再运行 `view.timeline(runs[1, 2]).interactive()`。）

# %% [markdown] key="depth-told" lang="en"
# **Look at the picture.** Both share one time axis. With `num=1` each input queue has one buffer: until V gives it back, MTE2 has nowhere to put the next tile, and `alloc_tensor` waits for `free_tensor`. MTE2 stands still once for every tile, and starting again has a fixed cost (the first transfer after a stop is visibly longer). With `num=2` MTE2 fills the other buffer (dark) while V works on the first and never stops; computing and starting are hidden behind the transfers. The `depth` differs between the two pictures and changes nothing: it says how many times you may `enque` without a `deque` in between. Here every `enque` is followed by a `deque`, so 1 is enough, and 1 is what the official documentation recommends.
#
# So the sentence has to read: **double buffering is `num=2` in `init_buffer`**, and it costs twice the UB. It has a limit, too: once MTE2 is busy all the time, more buffers make nothing faster. (To zoom in: `from ascend_lab import view`, then `view.timeline(runs[1, 2]).interactive()`.)

# %% [markdown] key="seed" lang="zh"
# ## 2 任务 03/seed-add（易，25 分）：修复一个公开的核函数
#
# 下面的核函数来自同一篇文章的第 3.3 节（原文使用 Atlas 300I Duo 推理卡，芯片是 Ascend 310P3），逐个调用改写成 Python。原文只提醒了一部分遗漏。请把它修好：
#
# - `out[i] = x[i] + y[i]`，类型 float32；`total_length` 是任意的 8 的倍数（即 32 字节的倍数），不一定是 256 的倍数；
# - 核数由启动时决定，`asc.get_block_num()` 给出；核多于数据块时，多余的核什么也不做；
# - 函数名和参数不要改；在 Ascend910B1 和 Ascend310P3 上都应正确（用 `run_seed(chip="Ascend310P3")` 试试）。
#
# **一次只修一处，每修一处就运行一次。** 每次都会看到一个不同的问题。先预测这三次分别是什么，按顺序写在下一格：
#
# 1. 原样运行；
# 2. 加上三个 `init_buffer` 之后；
# 3. 输出也经过 `enque` 和 `deque` 之后。
#
# | 编号 | 问题 |
# |---|---|
# | C3 | 队列没有内存 |
# | D1 | 数据还没搬完，V 就开始读 |
# | D2 | 结果还没算完，MTE3 就开始搬出 |
# | E2 | 两个核写了同一段输出 |
# | E3 | 有一段输出没有人写 |
# | F1 | 缓冲区没有归还 |

# %% [markdown] key="seed" lang="en"
# ## 2 Task 03/seed-add (easy, 25 points): repair a published kernel
#
# The kernel below is from section 3.3 of the same article (written on an Atlas 300I Duo, which carries the Ascend 310P3), turned into Python call by call. The article warns of some of what is missing, not of all. Repair it:
#
# - `out[i] = x[i] + y[i]` in float32; `total_length` is any multiple of 8 (that is, of 32 bytes), not necessarily of 256;
# - the number of cores is decided by the launch and given by `asc.get_block_num()`; cores that find no data left do nothing;
# - keep the name and the parameters; it has to be right on Ascend910B1 and on Ascend310P3 (try `run_seed(chip="Ascend310P3")`).
#
# **Repair one thing at a time, and run after each.** Every time you will see another problem. First predict the three, in order, in the next cell:
#
# 1. as it is printed;
# 2. with three `init_buffer` calls added;
# 3. with `enque` and `deque` for the output as well.
#
# | id | problem |
# |---|---|
# | C3 | the queue has no memory |
# | D1 | V reads while the data is still being loaded |
# | D2 | MTE3 stores before the result has been computed |
# | E2 | two cores write the same part of the output |
# | E3 | a part of the output is written by nobody |
# | F1 | a buffer is never given back |

# %% key="seed-predict"
lab.predict("03/seed-add", [None, None, None])

# %% key="seed-add" answer="03/seed-add"
BLOCK_LENGTH = 256


@asc.jit
def seed_add(x: asc.GlobalAddress, y: asc.GlobalAddress, out: asc.GlobalAddress, total_length: int):
    x_gm = asc.GlobalTensor()
    y_gm = asc.GlobalTensor()
    out_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, total_length)
    y_gm.set_global_buffer(y, total_length)
    out_gm.set_global_buffer(out, total_length)
    pipe = asc.TPipe()
    in_queue_x = asc.TQue(asc.TPosition.VECIN, 1)
    in_queue_y = asc.TQue(asc.TPosition.VECIN, 1)
    out_queue = asc.TQue(asc.TPosition.VECOUT, 1)

    start = asc.get_block_idx() * BLOCK_LENGTH
    copy_len = BLOCK_LENGTH
    x_local = in_queue_x.alloc_tensor(x.dtype)
    y_local = in_queue_y.alloc_tensor(y.dtype)
    out_local = out_queue.alloc_tensor(out.dtype)
    asc.data_copy(x_local, x_gm[start:], copy_len)
    asc.data_copy(y_local, y_gm[start:], copy_len)
    in_queue_x.enque(x_local)
    in_queue_y.enque(y_local)

    x_temp = in_queue_x.deque(x.dtype)
    y_temp = in_queue_y.deque(y.dtype)
    asc.add(out_local, x_temp, y_temp, copy_len)

    asc.data_copy(out_gm[start:], out_local, copy_len)
    in_queue_x.free_tensor(x_temp)
    in_queue_y.free_tensor(y_temp)
    out_queue.free_tensor(out_local)


# %% key="seed-run"
def run_seed(n=2088, blocks=8, chip="Ascend910B1"):
    x, y, out = numbers(n)
    result = Device(chip).launch(seed_add, blocks, x, y, out, n)
    print(f"{chip}: {np.count_nonzero(out == x + y)} of {n} elements are right")
    return result


seed_result = run_seed()
lab.reveal("03/seed-add", seed_result)
lab.show(seed_result)

# %% key="seed-check"
lab.check("03/seed-add", seed_add)

# %% [markdown] key="tail" lang="zh"
# ### 预测：长度不是 32 字节的倍数时，data_copy 做什么？
#
# 同一篇文章说，地址没有按 32 字节对齐时 `DataCopy` 会崩溃。那么*长度*呢？`asc.data_copy(local, x_gm, 250)` 要搬 250 个 float32，即 1000 字节，是 31.25 个 32 字节块。会搬过来几个元素？
#
# - **A** 250 个
# - **B** 248 个
# - **C** 256 个
# - **D** 一个也没有，核停在这一行

# %% [markdown] key="tail" lang="en"
# ### Predict: what does data_copy do with a length that is no multiple of 32 bytes?
#
# The same article says that a `DataCopy` to an address that is not a multiple of 32 bytes crashes. What about the *length*? `asc.data_copy(local, x_gm, 250)` asks for 250 float32, which is 1000 bytes or 31.25 blocks of 32 bytes. How many elements arrive?
#
# - **A** 250
# - **B** 248
# - **C** 256
# - **D** none, the core stops at this line

# %% key="tail-predict"
lab.predict("03/tail", None)


# %% key="tail-run"
@asc.jit
def load_250(x: asc.GlobalAddress, z: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    z_gm.set_global_buffer(z)
    pipe = asc.TPipe()
    queue = asc.TQueBind(asc.TPosition.VECIN, asc.TPosition.VECOUT, 1)
    pipe.init_buffer(queue, 1, 256 * x.dtype.sizeof())
    local = queue.alloc_tensor(x.dtype)
    asc.data_copy(local, x_gm, 250)
    queue.enque(local)
    local = queue.deque(x.dtype)
    asc.data_copy(z_gm, local, 256)
    queue.free_tensor(local)


x, z = np.ones(256, np.float32), np.zeros(256, np.float32)
result = Device().launch(load_250, 1, x, z)
arrived = int(np.count_nonzero(z == 1.0))
print(arrived, "of 250 elements arrived:", ", ".join(finding.id for finding in result.findings))
lab.reveal("03/tail", {250: "A", 248: "B", 256: "C", 0: "D"}[arrived])

# %% [markdown] key="cuda" lang="zh"
# ## 3 任务 03/cuda-add（中，35 分）：从 CUDA 迁移来的核函数
#
# 另一篇文章（第 4.1 节）把 CUDA 的向量加法“翻译”成 Ascend C。下面是逐行改写成 Python 的版本：`a_`、`b_`、`c_`、`len_` 和 `pipe_` 在原文中是类的成员。先不要运行，读一遍，找出**六处**错误：
#
# {{ numbered exam_bank/kernels/03/cuda_add.sample.py }}
#
# | 编号 | 问题 |
# |---|---|
# | B1 | 缓冲区随整个向量变大，UB 迟早放不下 |
# | C1 | 使用了没有写过的数据 |
# | C2 | GlobalTensor 绑定的不是核函数的参数 |
# | C3 | 缓冲区不是由这个核函数的 TPipe 分配的 |
# | D1 | 数据还没搬完，V 就开始读 |
# | E3 | 输出没有人写 |
# | F1 | 缓冲区没有归还 |
# | F4 | 队列只有一个缓冲区，却同时取两个 tensor |
# | X1 | 没有这种形式的调用 |
#
# 写成“编号: 行号”，例如 `{"B1": 13, ...}`；一处错误涉及几行时，写其中任意一行。
#
# 找到之后，重写这个核函数：`c[i] = a[i] + b[i]`，float32，`length` 是任意的 8 的倍数，最大 1 048 576；核数由启动决定，每个核只处理自己的那部分；使用双缓冲。也可以像第 1 节那样分成几个函数。

# %% [markdown] key="cuda" lang="en"
# ## 3 Task 03/cuda-add (medium, 35 points): a kernel that came from CUDA
#
# Another article (its section 4.1) "translates" the vector addition of CUDA into Ascend C. Here it is line by line in Python: `a_`, `b_`, `c_`, `len_` and `pipe_` are members of a class there. Do not run it; read it and find **six** mistakes:
#
# {{ numbered exam_bank/kernels/03/cuda_add.sample.py }}
#
# | id | problem |
# |---|---|
# | B1 | the buffers grow with the whole vector; sooner or later the UB cannot hold them |
# | C1 | data is used that nothing has written |
# | C2 | a GlobalTensor is bound to something that is no argument of the kernel |
# | C3 | the buffers are not given by a TPipe of this kernel |
# | D1 | V reads while the data is still being loaded |
# | E3 | nobody writes the output |
# | F1 | a buffer is never given back |
# | F4 | two tensors are taken from a queue that has one buffer |
# | X1 | there is no such form of this call |
#
# Write them as "id: line", for example `{"B1": 13, ...}`; where a mistake takes several lines, any one of them will do.
#
# Now write it anew: `c[i] = a[i] + b[i]` in float32, `length` is any multiple of 8 up to 1 048 576; the launch decides the number of cores, and each core does only its own share; use double buffering. You may split it into functions as in section 1.

# %% key="cuda-defects"
lab.hunt("03/cuda-add", {})

# %% key="cuda-add" answer="03/cuda-add"
TILE_LENGTH = 2048


@asc.jit
def cuda_add(a: asc.GlobalAddress, b: asc.GlobalAddress, c: asc.GlobalAddress, length: int):
    raise NotImplementedError


# %% key="cuda-check"
lab.check("03/cuda-add", cuda_add)

# %% [markdown] key="sigmoid-text" lang="zh"
# ## 4 任务 03/sigmoid（难，40 分）：用 TBuf 实现 Sigmoid
#
# $$z = \frac{1}{1 + e^{-x}}$$
#
# float32，`length` 可以是 1 到 1 000 000 的任意整数，`x` 可以是任意值，包括绝对值很大的数和 ±∞。
#
# - **TBuf**：只有 V 读写的数据（常量、中间结果）不需要队列，用 `asc.TBuf(asc.TPosition.VECCALC)`，`pipe.init_buffer(buf, 字节数)` 之后用 `buf.get(dtype)` 取得 tensor。它没有 `enque`/`deque`，也就没有同步：不要让 MTE2 或 MTE3 访问它。本任务要求至少使用一个。
# - **任意长度**：`data_copy` 只搬整块 32 字节，所以这里用 `data_copy_pad`，长度以字节计（用法见下）。
# - **不要用**高阶接口 `asc.sigmoid`，也不要用 `get_value`/`set_value` 逐个计算。`reciprocal` 在这些芯片上精度不够，官方文档建议用 `div`。
# - 想一想：$\frac{e^{x}}{1+e^{x}}$ 在数学上相等，`x = 100` 时它算出什么？
#
# ```python
# move = asc.DataCopyExtParams(1, count * 4, 0, 0, 0)           # 1 block of count * 4 bytes
# pad = asc.DataCopyPadExtParams(x.dtype, False, 0, 0, 0)       # no padding of our own
# asc.data_copy_pad(x_local, x_gm[start:], move, pad)           # GM -> UB
# asc.data_copy_pad(z_gm[start:], z_local, move)                # UB -> GM
# ```
#
# Ascend310P3 没有 `data_copy_pad`，所以这道任务只在 910B 上检查。

# %% [markdown] key="sigmoid-text" lang="en"
# ## 4 Task 03/sigmoid (hard, 40 points): Sigmoid with a TBuf
#
# $$z = \frac{1}{1 + e^{-x}}$$
#
# float32; `length` is any number from 1 to 1 000 000; `x` holds anything, large absolute values and ±∞ included.
#
# - **TBuf**: data that only V reads and writes (constants, intermediate results) needs no queue. Take `asc.TBuf(asc.TPosition.VECCALC)`, give it memory with `pipe.init_buffer(buf, bytes)`, and get a tensor with `buf.get(dtype)`. It has no `enque` and `deque`, hence no synchronisation: keep MTE2 and MTE3 away from it. This task asks for at least one.
# - **Any length**: `data_copy` moves whole blocks of 32 bytes, so use `data_copy_pad` here, with the length in bytes (see below).
# - **Do not use** the high-level `asc.sigmoid`, nor `get_value`/`set_value` element by element. `reciprocal` is not precise enough on these chips; the official documentation advises `div`.
# - Think: $\frac{e^{x}}{1+e^{x}}$ is the same in mathematics. What does it give for `x = 100`?
#
# ```python
# move = asc.DataCopyExtParams(1, count * 4, 0, 0, 0)           # 1 block of count * 4 bytes
# pad = asc.DataCopyPadExtParams(x.dtype, False, 0, 0, 0)       # no padding of our own
# asc.data_copy_pad(x_local, x_gm[start:], move, pad)           # GM -> UB
# asc.data_copy_pad(z_gm[start:], z_local, move)                # UB -> GM
# ```
#
# Ascend310P3 has no `data_copy_pad`; this task is checked on the 910B only.

# %% key="sigmoid" answer="03/sigmoid"
TILE_LENGTH = 2048


@asc.jit
def sigmoid(x: asc.GlobalAddress, z: asc.GlobalAddress, length: int):
    raise NotImplementedError


# %% key="sigmoid-check"
lab.check("03/sigmoid", sigmoid)

# %% [markdown] key="hunt" lang="zh"
# ## 5 找错
#
# 三个核函数，各有一处错误。在卡上，它们分别**结果不对却不报错**、**启动时就中止**、**一直不返回**。只读代码，不运行，写出编号和行号（行号是它所在单元格中的行；在 JupyterLab 中按 Shift+L 显示行号）。候选编号：B1、C1、C3、D1、D2、E3、F1、F4。答完之后可以启动它们，看看模型怎么说。

# %% [markdown] key="hunt" lang="en"
# ## 5 Fault hunt
#
# Three kernels with one mistake each. On a card one of them **gives wrong numbers without an error**, one **is aborted at the start**, and one **never returns**. Read the code, do not run it, and give the id and the line (counted in its cell; Shift+L shows line numbers in JupyterLab). The ids to choose from: B1, C1, C3, D1, D2, E3, F1, F4. When you have answered, launch them and see what the model says.

# %% key="hunt-1"
ROW = 512


@asc.jit
def hunt_1(x: asc.GlobalAddress, z: asc.GlobalAddress, rows: int):
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    z_gm.set_global_buffer(z)
    pipe = asc.TPipe()
    in_queue = asc.TQue(asc.TPosition.VECIN, 1)
    out_queue = asc.TQue(asc.TPosition.VECOUT, 1)
    pipe.init_buffer(in_queue, 2, ROW * x.dtype.sizeof())
    pipe.init_buffer(out_queue, 1, ROW * z.dtype.sizeof())

    z_local = out_queue.alloc_tensor(z.dtype)
    for row in range(rows):
        x_local = in_queue.alloc_tensor(x.dtype)
        asc.data_copy(x_local, x_gm[row * ROW :], ROW)
        in_queue.enque(x_local)
        x_local = in_queue.deque(x.dtype)
        asc.add(z_local, z_local, x_local, ROW)
        in_queue.free_tensor(x_local)
    out_queue.enque(z_local)
    z_local = out_queue.deque(z.dtype)
    asc.data_copy(z_gm, z_local, ROW)
    out_queue.free_tensor(z_local)


# %% key="hunt-2"
LONG_TILE = 8192


@asc.jit
def hunt_2(x: asc.GlobalAddress, y: asc.GlobalAddress, z: asc.GlobalAddress, tiles: int):
    x_gm = asc.GlobalTensor()
    y_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    y_gm.set_global_buffer(y)
    z_gm.set_global_buffer(z)
    pipe = asc.TPipe()
    in_queue_x = asc.TQue(asc.TPosition.VECIN, 1)
    in_queue_y = asc.TQue(asc.TPosition.VECIN, 1)
    out_queue = asc.TQue(asc.TPosition.VECOUT, 1)
    square_buf = asc.TBuf(asc.TPosition.VECCALC)
    pipe.init_buffer(in_queue_x, 2, LONG_TILE * x.dtype.sizeof())
    pipe.init_buffer(in_queue_y, 2, LONG_TILE * y.dtype.sizeof())
    pipe.init_buffer(out_queue, 2, LONG_TILE * z.dtype.sizeof())
    pipe.init_buffer(square_buf, LONG_TILE * x.dtype.sizeof())
    square = square_buf.get(x.dtype)

    for tile in range(tiles):
        start = tile * LONG_TILE
        x_local = in_queue_x.alloc_tensor(x.dtype)
        y_local = in_queue_y.alloc_tensor(y.dtype)
        asc.data_copy(x_local, x_gm[start:], LONG_TILE)
        asc.data_copy(y_local, y_gm[start:], LONG_TILE)
        in_queue_x.enque(x_local)
        in_queue_y.enque(y_local)
        x_local = in_queue_x.deque(x.dtype)
        y_local = in_queue_y.deque(y.dtype)
        z_local = out_queue.alloc_tensor(z.dtype)
        asc.mul(square, x_local, x_local, LONG_TILE)
        asc.add(z_local, square, y_local, LONG_TILE)
        in_queue_x.free_tensor(x_local)
        in_queue_y.free_tensor(y_local)
        out_queue.enque(z_local)
        z_local = out_queue.deque(z.dtype)
        asc.data_copy(z_gm[start:], z_local, LONG_TILE)
        out_queue.free_tensor(z_local)


# %% key="hunt-3"
TILE = 1024


@asc.jit
def hunt_3(x: asc.GlobalAddress, z: asc.GlobalAddress, tiles: int):
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    z_gm.set_global_buffer(z)
    pipe = asc.TPipe()
    in_queue = asc.TQue(asc.TPosition.VECIN, 1)
    out_queue = asc.TQue(asc.TPosition.VECOUT, 1)
    pipe.init_buffer(in_queue, 2, TILE * x.dtype.sizeof())
    pipe.init_buffer(out_queue, 2, TILE * z.dtype.sizeof())

    for tile in range(tiles):
        x_local = in_queue.alloc_tensor(x.dtype)
        asc.data_copy(x_local, x_gm[tile * TILE :], TILE)
        in_queue.enque(x_local)

        x_local = in_queue.deque(x.dtype)
        z_local = out_queue.alloc_tensor(z.dtype)
        asc.relu(z_local, x_local, TILE)
        out_queue.enque(z_local)
        in_queue.free_tensor(x_local)

        z_local = out_queue.deque(z.dtype)
        asc.data_copy(z_gm[tile * TILE :], z_local, TILE)


# %% key="hunt-answers"
lab.hunt("03/hunt-1", {})
lab.hunt("03/hunt-2", {})
lab.hunt("03/hunt-3", {})

# %% [markdown] key="cpp" lang="zh"
# ## 6 原文：两个 C++ 核函数
#
# 第 2、3 节的核函数原本是 C++。下面照原文逐字给出（只补回网页丢失的 `<`、`=` 和引号），用本机的 g++ 编译，在同一个模型上运行。单元格第一行 `%%ascendc` 之后是 Ascend C；`--call` 后面是编译成功之后要执行的 Python，核函数用它自己的名字。行号就是单元格中的行号。
#
# 没有 C++ 编译器也不要紧：这些单元格会说明怎样安装，然后跳过。**做完第 2、3 节再看：这里有答案。**

# %% [markdown] key="cpp" lang="en"
# ## 6 As printed: two kernels in C++
#
# The kernels of sections 2 and 3 are C++ in their articles. Here they are word by word (only the `<`, `=` and quotes that the web page has lost are put back), compiled by the g++ of your computer and run on the same model. Behind `%%ascendc` a cell is Ascend C; after `--call` comes Python to be executed once it has compiled, where a kernel goes by its own name. Lines are counted in the cell.
#
# Without a C++ compiler these cells say how to get one, and are left out. **Finish sections 2 and 3 first: there are answers here.**


# %% key="cpp-run"
def run_cpp(kernel, n=2088, blocks=8):
    x, y, out = numbers(n)
    result = Device().launch(kernel, blocks, x, y, out, n)
    print(f"{np.count_nonzero(out == x + y)} of {n} elements are right")
    return result


# %% key="cpp-seed" ascendc="03_seed_add.asc"

# %% [markdown] key="cpp-seed-2" lang="zh"
# 和 Python 里一样：编译通过，而队列没有内存（C3）。原文说“需要对三个队列调用 `InitBuffer`”，照办（标 `new` 的行）：

# %% [markdown] key="cpp-seed-2" lang="en"
# The same as in Python: it compiles, and the queues have no memory (C3). The article says that `InitBuffer` is needed for three queues. Done (from the line marked `new`):

# %% key="cpp-seed-2-run" ascendc="03_seed_add_2.asc"

# %% [markdown] key="cpp-seed-3" lang="zh"
# 接着是原文没有提到的一处：`outLocal` 没有经过 `EnQue`/`DeQue`，MTE3 不等 V（D2）。在卡上，这个核函数可能多数时候“碰巧正确”。

# %% [markdown] key="cpp-seed-3" lang="en"
# Then one that the article does not mention: `outLocal` goes through no `EnQue` and `DeQue`, so MTE3 does not wait for V (D2). On a card this kernel may well be right most of the time.

# %% key="cpp-seed-3-run" ascendc="03_seed_add_3.asc"

# %% [markdown] key="cpp-seed-4" lang="zh"
# 最后是除不尽的部分（E3）。核号只决定从哪一块开始，每个核按核数跳着处理，最后一块可以更短：

# %% [markdown] key="cpp-seed-4" lang="en"
# Last the remainder (E3). The number of the core only says with which tile it begins; each core goes on by the number of cores, and the last tile may be shorter:

# %% key="cpp-seed-4-run" ascendc="03_seed_add_4.asc"

# %% [markdown] key="cpp-cuda" lang="zh"
# 四步看到的问题，与第 2 节的 Python 版本逐一相同，行也对应：两种写法发出的指令是同一串。
#
# 第二篇文章的核函数，先照原文：

# %% [markdown] key="cpp-cuda" lang="en"
# Step by step these are the problems of the Python version in section 2, at the corresponding lines: both doors issue the same instructions.
#
# Now the kernel of the second article, first as it is printed:

# %% key="cpp-cuda-run" ascendc="03_cuda_add.asc" tags=["nbval-ignore-output"]

# %% [markdown] key="cpp-cuda-2" lang="zh"
# 它根本编译不过，四条错误，每条都说中一个误解：`pipe_` 没有声明；`DataCopy` 没有“整个搬过去”的形式，必须写元素个数；类写了构造函数，就没有默认构造函数（而 `Init` 的参数又没有人用）。只改到能编译为止：

# %% [markdown] key="cpp-cuda-2" lang="en"
# It does not even compile, and each of the four errors hits a misunderstanding: `pipe_` is not declared; there is no `DataCopy` of "the whole of it", the number of elements must be said; a class with a constructor of its own has no default constructor (while nobody uses the parameters of `Init`). Changed just as far as to compile:

# %% key="cpp-cuda-2-run" ascendc="03_cuda_add_2.asc"

# %% [markdown] key="cpp-cuda-3" lang="zh"
# 队列只有一个缓冲区，却要同时拿两个 tensor：第二个 `AllocTensor` 永远等下去（F4），在卡上是超时。给它两个，再补上缺少的计算和搬出：

# %% [markdown] key="cpp-cuda-3" lang="en"
# The queue has one buffer, and two tensors are taken from it: the second `AllocTensor` waits for ever (F4), a timeout on a card. Give it two, and add the missing computation and store:


# %% key="cpp-both"
def run_both(kernel):
    lab.show(run_cpp(kernel, n=4096, blocks=1))
    return run_cpp(kernel, n=65536, blocks=1)


# %% key="cpp-cuda-3-run" ascendc="03_cuda_add_3.asc"

# %% [markdown] key="cpp-told" lang="zh"
# 4096 个元素时正确；65 536 个时 UB 放不下（B1），因为缓冲区随整个向量变大。把它切成块、分给各个核，正是第 3 节的任务；这里的 C++ 可以接着改，改完再运行。

# %% [markdown] key="cpp-told" lang="en"
# 4096 elements are right; 65 536 do not fit into the UB (B1), for the buffers grow with the whole vector. To cut it into tiles and deal them out to the cores is the task of section 3; go on with the C++ here if you like, and run it again.

# %% [markdown] key="counterpart" lang="zh"
# ## 7 官方对应内容
#
# - **官方课程** CANN 学习中心“Ascend C 算子开发”第 2 章：2.03 编程范式与 API 概述，2.04 以 Add 为例逐步讲解核函数，2.05 练习 Sub。那里用 C++，阶段、队列和调用与这里一一对应。
# - **pyasc** 的 `python/tutorials/02_add_framework/add_framework.py` 就是第 1 节的核函数；`01_add/add.py` 不用队列，而是自己写 `set_flag`/`wait_flag`。两个脚本不加修改就能在这里运行：`ascend-lab run add_framework.py`。
# - **在卡上运行你的核函数**：装好 CANN 和 pyasc 之后，把 `import ascend_lab.asc as asc` 换成 `import asc`，参数换成 NPU 上的 torch tensor，用 `config.set_platform(config.Backend.NPU, 平台)` 选择平台，再用 `seed_add[8, rt.current_stream()](x, y, out, n)` 启动。官方样例的命令是 `python3 add_framework.py -r NPU -v Ascend910B1`。
#
# **这个模型说明什么，不说明什么。** 它给出指令在每个单元上的先后、谁在等谁、每个字节由谁写过，并用不同的执行顺序检查结果；这些结论在卡上同样成立。它不给出某一张卡的绝对时间（MTE2 和 MTE3 的忙碌时间只供参考），也不重现运行时的报错文字和编译器的优化。
#
# **小结**
#
# - CopyIn、Compute、CopyOut 由 MTE2、V、MTE3 并行执行；`enque`/`deque` 保证先写后读，`free_tensor`/`alloc_tensor` 保证先读后写。
# - 队列的内存来自 `init_buffer`：`num` 是缓冲区个数，长度以字节计，总和不能超过 UB。
# - 每个 `alloc_tensor` 都要有对应的 `free_tensor`；输出和输入一样要经过队列。
# - 每个核处理哪些数据必须算清楚，包括最后不满一块的部分；`data_copy` 会把不足 32 字节的尾巴悄悄丢掉。
# - `TBuf` 是一个单元自己的内存，不带同步。

# %% [markdown] key="counterpart" lang="en"
# ## 7 The official counterpart
#
# - **Official course**: the CANN learning hub, "Ascend C operator development", chapter 2: 2.03 paradigm and overview of the API, 2.04 the kernel of Add step by step, 2.05 exercise Sub. It is in C++; stages, queues and calls are the same as here, one by one.
# - **pyasc**: `python/tutorials/02_add_framework/add_framework.py` is the kernel of section 1; `01_add/add.py` does without queues and writes `set_flag` and `wait_flag` itself. Both scripts run here as they are: `ascend-lab run add_framework.py`.
# - **Your kernel on a card**: with CANN and pyasc installed, replace `import ascend_lab.asc as asc` by `import asc`, pass torch tensors that live on the NPU, choose the platform with `config.set_platform(config.Backend.NPU, platform)`, and launch with `seed_add[8, rt.current_stream()](x, y, out, n)`. The official sample is started with `python3 add_framework.py -r NPU -v Ascend910B1`.
#
# **What this model shows and what it does not.** It shows the order of the instructions on each unit, who waits for whom, and who wrote each byte, and it tries the result under other orders; what it says of these holds on a card. It does not tell the absolute time of a particular card (busy times of MTE2 and MTE3 are indicative), nor does it reproduce the wording of runtime errors or what the compiler optimises.
#
# **Summary**
#
# - CopyIn, Compute and CopyOut are carried out by MTE2, V and MTE3 side by side; `enque`/`deque` make the reader wait for the writer, `free_tensor`/`alloc_tensor` make the next writer wait for the reader.
# - A queue gets its memory from `init_buffer`: `num` is the number of buffers, the length is in bytes, and the sum must fit into the UB.
# - Every `alloc_tensor` needs its `free_tensor`; the output goes through a queue as the inputs do.
# - Work out which data each core processes, the last incomplete tile included; `data_copy` silently drops a tail of less than 32 bytes.
# - A `TBuf` is the memory of one unit and brings no synchronisation.

# %% key="about"
lab.progress()
